import ChangeLog
import DeltaCRDT
import Foundation
import SyncEngine
import TripModel
import TripText

/// What a command prints: for people, and for programs.
struct Report {
    let text: String
    let json: JSONValue
}

// Who is in, who is here, and who has what.
extension TripNode {
    func name(of device: Device) -> String {
        if device.participant == node.secrets.device.participant, device != node.secrets.device {
            return "your device \"\(Self.shown(node.log.membership.device(device.replica)?.name))\""
        }
        let participant = ParticipantID(high: device.participant.high, low: device.participant.low)
        if let view = replica.view.participant(participant), view.name != nil { return view.displayName }
        return Self.shown(node.log.membership.device(device.replica)?.name)
    }

    func isHere(_ device: Device) -> Bool {
        device.replica == node.secrets.device.replica
            || node.sessions.contains { $0.device.replica == device.replica }
    }

    /// Whether this node runs, with whom, and whether everyone has everything.
    var statusReport: Report {
        let others = node.log.membership.allMembers.map(\.device)
            .filter { $0.replica != node.secrets.device.replica }
        let title = replica.view.title?.value ?? ""
        var lines = ["\(title): \(node.log.changes.count) changes, you are \(name(of: node.secrets.device))"]
        let isUp = listeningPort != nil
        lines.append(isUp ? "this node runs" : "no node runs here: `caravan up` starts one")
        if let problem = discoveryProblem { lines.append("discovery: \(problem)") }
        var people: [JSONValue] = []
        var everyoneHasEverything = true
        for device in others.sorted(by: { (name(of: $0), $0.replica) < (name(of: $1), $1.replica) }) {
            let lacks = node.changesNotKnown(at: device.replica)
            if lacks > 0 { everyoneHasEverything = false }
            let here = isHere(device)
            let seen = node.peers[device.replica]?.lastHeard
            let presence =
                here ? "here" : seen.map { "last seen \(Self.ago($0))" } ?? "not seen since this node started"
            let what = lacks == 0 ? "has everything" : "may lack \(lacks) change\(lacks == 1 ? "" : "s")"
            lines.append("  \(name(of: device)): \(presence), \(what)")
            people.append(
                .object([
                    "name": .string(name(of: device)), "here": .bool(here), "lacks": .integer(Int64(lacks)),
                    "last_heard": seen.map { .integer($0) },
                ]))
        }
        if others.isEmpty {
            lines.append("nobody else is in yet: `caravan invite` makes a link")
        } else if everyoneHasEverything {
            lines.append("everyone has this")
        }
        let inTwoPlaces = ([node.secrets.device] + others).filter { node.log.branches.isForked($0.replica) }
            .map { name(of: $0) }.sorted()
        lines += inTwoPlaces.map { "\($0)'s device writes in two places: both count" }
        let json = JSONValue.object([
            "title": .string(title), "changes": .integer(Int64(node.log.changes.count)), "running": .bool(isUp),
            "everyone_has_this": .bool(everyoneHasEverything), "people": .array(people),
            "discovery_problem": discoveryProblem.map { .string($0) },
            "in_two_places": .array(inTwoPlaces.map { .string($0) }),
            "port": listeningPort.map { .integer(Int64($0)) },
        ])
        return Report(text: lines.joined(separator: "\n") + "\n", json: json)
    }

    static func ago(_ wall: Int64) -> String { "\(duration(max(0, Now.current.wall - wall))) ago" }

    /// A time in milliseconds as people say it.
    static func duration(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1_000
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3_600: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3_600) h"
        default: return "\(seconds / 86_400) days"
        }
    }
}
