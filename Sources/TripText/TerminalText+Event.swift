import TripModel
package import TripService

extension TerminalText {
    /// What happened, in lines with no line ends: none where people need not hear of it.
    package static func lines(_ event: TripEvent, style: TextStyle = TextStyle()) -> [String] {
        switch event {
        case .changed(let view):
            return history(view.entries, view.names, style: style).split(separator: "\n").map(String.init)
        case .spread, .writing, .rebuilt, .membership, .pictures, .own: return []
        case .missed(let count): return ["\(count) events came too fast to be shown. See `caravan history`."]
        case .here(let name): return ["\(name) connected"]
        case .gone(let name): return ["\(name) disconnected"]
        case .youAreOut(let removal):
            let line = "\(sentence(removal, style: style)). \(whatIsLeft(removal))"
            let wayBack = removal.wayBack
            return [removal.waiting != nil ? line : "\(line) \(wayBack.prefix(1).uppercased())\(wayBack.dropFirst())."]
        case .inTwoPlaces(let name, let isHere): return [inTwoPlaces(isHere == true ? nil : name)]
        case .full(let name):
            return ["\(name)'s device has reached its limit of changes, and its new changes are not accepted"]
        case .refused(let name): return ["Refused an invalid change from \(name)"]
        case .misbehaved(let name):
            return ["Closed the connection to \(name), whose node violated the protocol"]
        case .needsNewer(let name):
            return ["\(name) made a change that needs a newer version of caravan. Update to see it."]
        case .limit(let limit): return [sentence(limit)]
        case .discovery(let problem?):
            return ["Discovery problem: \(problem). Caravan keeps trying; `--peer HOST:PORT` works without it."]
        case .discovery(nil): return ["Discovery works again"]
        case .problem(let message): return ["Problem: \(message)"]
        }
    }

    /// What people are told of a device that wrote from two copies of its files, and goes on being told: its log has two ends.
    /// - Parameter name: whose device it is; nil for the one here.
    static func inTwoPlaces(_ name: String?) -> String {
        name.map { "\($0)'s device was copied, and both copies wrote changes. All of them are kept." }
            ?? "This device was copied, and both copies wrote changes. All of them are kept. Use only one of the copies."
    }

    private static func sentence(_ limit: TripEvent.Limit) -> String {
        switch limit {
        case .handshakes:
            "A device on this network opens too many connections. The oldest are closed; syncing continues."
        case .sessions: "This node has as many connections as it accepts. Other members sync through them."
        case .unprovenSessions, .unprovenChanges:
            "A device that no known member admitted asks for too much. It has to wait."
        case .inviteSessions: "Many people are joining at once. They are admitted one after another."
        case .pairLookups: "Someone on this network repeatedly pretends to be a member. They get no answer."
        case .instances: "There are too many unknown names on this network. Finding members may take longer."
        case .mailboxBlocks: "There are too many files in the mailbox. Reading it may take longer."
        case .mailboxRoom:
            "A mailbox is full; `caravan mailbox` says which. New changes stay here. Free some space, or add another mailbox."
        }
    }
}
