import ChangeLog
import DeltaCRDT
import Foundation
import SyncEngine
import TripModel
import TripRules
import TripStore
import TripText

// Who is in, who brought whom, and who is out.
extension TripNode {
    /// The tree of everybody who is or was in: below each whom they brought, with devices and when they were last heard.
    var membersReport: Report {
        let membership = node.log.membership
        let lastSeen = lastSeenByDevice
        var rows: [(name: String, what: String)] = []
        var people: [JSONValue] = []
        for person in membership.allPeople {
            let devices = person.devices.compactMap { membership.device($0)?.device }
            let isMe = person.id == node.secrets.device.participant
            let isHere = isMe || devices.contains { self.isHere($0) }
            let seen = devices.compactMap { lastSeen[$0.replica] }.max()
            var facts = [person.parent.map { "let in by \(name(of: $0))" } ?? "founder"]
            if person.isGuest { facts.append("guest") }
            if devices.count > 1 { facts.append("\(devices.count) devices") }
            if let out = describeRemoval(of: person) {
                facts.append(out)
            } else if isMe {
                facts.append("you")
            } else {
                facts.append(isHere ? "here" : seen.map { "last seen \(Self.ago($0))" } ?? "not seen by this device")
            }
            rows.append(
                (String(repeating: "  ", count: person.depth) + name(of: person.id), facts.joined(separator: ", ")))
            people.append(
                .object([
                    "id": .string(person.id.description), "name": .string(name(of: person.id)),
                    "let_in_by": person.parent.map { .string(name(of: $0)) }, "guest": .bool(person.isGuest),
                    "in": .bool(person.isIn), "here": .bool(isHere && person.isIn), "you": .bool(isMe),
                    "last_heard": seen.map { .integer($0) },
                    "devices": .array(
                        devices.map { device in
                            .object([
                                "id": .string(device.replica.description), "here": .bool(self.isHere(device)),
                                "name": (membership.device(device.replica)?.name).map { .string(Self.shown($0)) },
                                "last_heard": lastSeen[device.replica].map { .integer($0) },
                            ])
                        }),
                ]))
        }
        let width = rows.map(\.name.count).max() ?? 0
        let text = rows.map { row in
            row.name + String(repeating: " ", count: width - row.name.count) + "  " + row.what + "\n"
        }
        .joined()
        return Report(text: text + overshot, json: .array(people))
    }

    func name(of participant: Bytes16) -> String {
        if let view = replica.view.participant(ParticipantID(participant)), view.name != nil { return view.displayName }
        return Self.shown(node.log.membership.person(participant)?.name)
    }

    /// A name that its bearer gave before any rule of the trip looked at it, as people are shown it.
    static func shown(_ name: String?) -> String {
        guard let name, !name.isBlank else { return "somebody" }
        return name.displayed(limit: 64)
    }

    private func describeRemoval(of person: Membership.Person) -> String? {
        guard let place = person.removals.first else { return nil }
        let author = node.log.membership.device(node.log.changes[place].change.replica)?.device.participant
        return author == person.id ? "left" : "taken out by \(author.map { name(of: $0) } ?? "somebody")"
    }

    /// Invites by which more came than they were for, which happens where two members let somebody in at once.
    private var overshot: String {
        node.log.membership.allInvites
            .filter { $0.joined.count > $0.invite.uses }
            .map { "an invite for \($0.invite.uses) let \($0.joined.count) in: two members did so at once\n" }
            .joined()
    }

    /// When other devices were last heard, in milliseconds since 1970 by this machine's clock.
    private var lastSeenByDevice: [ReplicaID: Int64] {
        var seen = node.peers.mapValues(\.lastHeard)
        for peer in (try? store.knownPeers(peerSeal)) ?? [] {
            guard let replica = node.log.membership.member(agreementKey: peer.device)?.device.replica else { continue }
            seen[replica] = max(seen[replica] ?? 0, peer.lastSeen)
        }
        return seen
    }

    // MARK: - Taking out and leaving

    /// Takes somebody out, or leaves.
    func removeMember(_ reference: String) async throws(NodeError) -> String {
        let person = try member(named: reference)
        let isMe = person.id == node.secrets.device.participant
        guard person.isIn else {
            throw NodeError("\(name(of: person.id)) is out already: `caravan members` shows who is in")
        }
        guard isMe || node.log.membership.isAncestor(node.secrets.device.participant, of: person.id) else {
            let chain = elders(of: person).map { name(of: $0) }
            throw NodeError(
                chain.isEmpty
                    ? "\(name(of: person.id)) founded the trip: only they can leave it"
                    : "only who brought \(name(of: person.id)) can take them out: ask \(chain.joined(separator: " or "))"
            )
        }
        let gone = name(of: person.id)
        let hadInvites = !node.log.membership.openInvites(at: Now.current.wall).isEmpty
        try await removeParticipant(person.id)
        var text =
            isMe
            ? "you left: what you have stays with you, and the others' new things no longer come\n"
            : "took \(gone) out: what their devices have stays with them, and nothing new reaches them once those around you have heard\n"
        if hadInvites { text += "open invites are closed, for \(isMe ? "you" : gone) may know them: make new ones\n" }
        return text
    }

    private func elders(of person: Membership.Person) -> [Bytes16] {
        var elders: [Bytes16] = []
        var parent = person.parent
        while let id = parent, let elder = node.log.membership.person(id) {
            if elder.isIn { elders.append(id) }
            parent = elder.parent
        }
        return elders
    }

    /// The participant whose name, or whose id's beginning, this is.
    private func member(named reference: String) throws(NodeError) -> Membership.Person {
        let people = node.log.membership.allPeople
        let lowered = reference.lowercased()
        var matching = people.filter { name(of: $0.id) == reference && $0.isIn }
        if matching.isEmpty { matching = people.filter { name(of: $0.id).lowercased() == lowered } }
        if matching.isEmpty, lowered.count >= 4 { matching = people.filter { $0.id.description.hasPrefix(lowered) } }
        switch matching.count {
        case 1: return matching[0]
        case 0: throw NodeError("nobody here is called \"\(reference)\": `caravan members` shows who is in")
        default:
            let ids = matching.map { String($0.id.description.prefix(6)) }.joined(separator: ", ")
            throw NodeError("\(matching.count) people are called \"\(reference)\": choose one by id (\(ids))")
        }
    }
}
