import TripModel
package import TripService

extension TerminalText {
    /// What happened, in lines with no line ends: none where people need not hear of it.
    package static func lines(_ event: TripEvent, style: TextStyle = TextStyle()) -> [String] {
        switch event {
        case .changed(let view):
            return history(view.entries, view.names, style: style).split(separator: "\n").map(String.init)
        case .spread, .rebuilt, .membership, .pictures, .own: return []
        case .here(let name): return ["\(name) is here"]
        case .gone(let name): return ["\(name) is gone"]
        case .youAreOut(let removal):
            return [
                "\(sentence(removal, style: style)): what you have stays readable; "
                    + "`caravan join` with a fresh invite brings you back"
            ]
        case .inTwoPlaces(let name): return ["\(name)'s device writes in two places: both count"]
        case .full(let name):
            return ["\(name)'s device has written as much as one may: what it writes now is not taken"]
        case .refused(let name): return ["a change from \(name) was refused"]
        case .misbehaved(let name):
            return ["the node of \(name) does not keep to the protocol: its connection was closed"]
        case .needsNewer(let name):
            return ["\(name) did something that needs a newer caravan: it shows here after an update"]
        case .limit(let limit): return [sentence(limit)]
        case .discovery(let problem?):
            return ["discovery: \(problem); this node waits for it, and `--peer` works without"]
        case .discovery(nil): return ["discovery: Avahi answers again"]
        case .problem(let message): return [message]
        }
    }

    private static func sentence(_ limit: TripEvent.Limit) -> String {
        switch limit {
        case .handshakes: "somebody on this network opens connections without end: the oldest are closed, you go on"
        case .sessions: "as many are connected as this node takes: others reach you through them"
        case .unprovenSessions, .unprovenChanges:
            "a device that nobody is known to have let in asks for too much: it is put off"
        case .inviteSessions: "many come by an invite at once: they are let in one after the other"
        case .pairLookups: "somebody on this network pretends to be one of you, over and over: they get no answer"
        case .instances: "there are very many strange names on this network: members may be found late"
        }
    }
}
