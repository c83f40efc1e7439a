import ChangeLog
import SyncEngine
import TripModel
import TripRules
import TripText

// What happens, in a line each.
extension TripNode {
    /// What happens from now on: a line of text each, or a JSON object. Ends when the node does, or when nobody listens.
    package nonisolated func watch(json: Bool) -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1_024))
        let task = Task {
            for await event in await events() {
                for line in await describe(event, json: json) { continuation.yield(line) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return lines
    }

    private func describe(_ event: TripEvent, json: Bool) -> [String] {
        switch event {
        case .changed(let change): return describe(change, json: json)
        case .problem(let message): return [json ? Self.object("problem", ["message": message]) : message]
        case .notice(let notice):
            if case .reached(let bound) = notice {
                return [json ? Self.object("limit", ["limit": bound.rawValue]) : bound.sentence]
            }
            guard let (what, device) = Self.subject(of: notice) else { return [] }
            let isCopy = ["here", "gone"].contains(what) && device == node.secrets.device
            let name = isCopy ? "a copy of this device" : device.map { self.name(of: $0) } ?? "somebody"
            if json { return [Self.object(what, ["name": name])] }
            switch what {
            case "here": return ["\(name) is here"]
            case "gone": return ["\(name) is gone"]
            case "full": return ["\(name)'s device has written as much as one may: what it writes now is not taken"]
            case "forked": return ["\(name)'s device writes in two places: both count"]
            default: return ["a change from \(name) was refused"]
            }
        }
    }

    private static func subject(of notice: Notice) -> (what: String, device: Device?)? {
        switch notice {
        case .met(let device, _): ("here", device)
        case .parted(let device): ("gone", device)
        case .forked(let device): ("forked", device)
        case .refused(.logFull, let device): ("full", device)
        case .refused(_, let device): ("refused", device)
        case .admitted, .joinRefused, .removed, .reached: nil
        }
    }

    private func describe(_ change: AppliedChange, json: Bool) -> [String] {
        if case .membership(let operation) = change.body {
            let author = node.log.membership.device(change.replica).map { name(of: $0.device) } ?? "somebody"
            switch operation {
            case .found: return []
            case .admit(let admission):
                return [
                    json
                        ? Self.object("let_in", ["by": author, "name": Self.shown(admission.name)])
                        : "\(author) let \(Self.shown(admission.name)) in"
                ]
            case .invite: return [json ? Self.object("invited", ["by": author]) : "\(author) made an invite"]
            case .remove(let participant, _):
                let id = ParticipantID(participant)
                let who =
                    replica.view.participant(id)?.name ?? Self.shown(node.log.membership.person(participant)?.name)
                if json { return [Self.object("removed", ["by": author, "name": who])] }
                return [change.participant == participant ? "\(who) left" : "\(author) took \(who) out"]
            case .beginEpoch, .grant: return []
            case .closeInvite: return [json ? Self.object("closed", ["by": author]) : "\(author) closed an invite"]
            }
        }
        // What was there before says what a change did to it.
        let past = node.log.changes.indices.filter { node.isShown($0) }
            .compactMap { node.log.applied($0).tripChange() }
        let stamp = Stamp(lamport: change.lamport, hash: change.hash.replicaID)
        guard let entry = (try? TripReplica.history(of: past))?.first(where: { $0.stamp == stamp }) else { return [] }
        var trip = LiveTrip(replica)
        let names = trip.names(of: [entry])
        if json {
            guard case .array(let entries) = TripJSON.history([entry], names) else { return [] }
            return entries.map(\.compact)
        }
        return TerminalText.history([entry], names).split(separator: "\n").map(String.init)
    }

    private static func object(_ what: String, _ members: [String: String]) -> String {
        var all = members.mapValues { JSONValue?.some(.string($0)) }
        all["event"] = .string(what)
        return JSONValue.object(all).compact
    }
}

extension Bound {
    /// What people are told when it is reached.
    var sentence: String {
        switch self {
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
