import ChangeLog
import Foundation
import SyncEngine
import TripModel
import TripText

// Invites: made, listed and closed.
extension TripNode {
    /// The longest that an invite lasts which ends by itself, in milliseconds: ten years.
    package static let inviteLifetimeMax: Int64 = 3_650 * 86_400_000

    /// - Parameter participant: whose further device is to come by it; nil for a new participant.
    func invite(
        uses: Int, lifetime: Int64?, participant: Bytes16? = nil, json: Bool
    ) async throws(NodeError) -> String {
        guard (1...ChangeLimits.inviteUsesMax).contains(uses) else {
            throw NodeError("an invite has 1 to \(ChangeLimits.inviteUsesMax) uses, not \(uses)")
        }
        guard lifetime.map((1...Self.inviteLifetimeMax).contains) ?? true else {
            throw NodeError(
                "an invite lasts up to \(Self.duration(Self.inviteLifetimeMax)): choose a shorter time, or none")
        }
        let wall = Now.current.wall
        guard node.log.membership.openInvites(at: wall).count < ChangeLimits.openInvitesMax else {
            throw NodeError(
                "\(ChangeLimits.openInvitesMax) invites are open: close one with `caravan invite close`, or wait until one ends"
            )
        }
        let invite = Invite(
            secret: .random(using: &entropy), uses: uses, expires: lifetime.map { wall + $0 }, participant: participant)
        try await author(.membership(.invite(invite)), operationCount: 1)
        let link = InviteLink(
            trip: node.log.trip, secret: invite.secret, hints: addressHints, participant: participant
        )
        .text(using: cryptography)
        return json ? JSONValue.object(["link": .string(link)]).line : link + "\n"
    }

    /// The open invites, the earliest first, with the numbers by which they are closed.
    var invitesReport: Report {
        let wall = Now.current.wall
        var lines: [String] = []
        var rows: [JSONValue] = []
        for (number, opened) in node.log.membership.openInvites(at: wall).enumerated() {
            let invite = opened.invite.invite
            let author = node.log.membership.device(opened.invite.author)?.device.participant
            let by = author.map { name(of: $0) } ?? "somebody"
            let left = invite.uses - opened.invite.joined.count
            var facts = ["by \(by)", invite.participant == nil ? "\(left) of \(invite.uses) left" : "for a device"]
            if let expires = invite.expires { facts.append("ends in \(Self.duration(max(0, expires - max(0, wall))))") }
            lines.append("\(number + 1)  \(opened.id.description.prefix(6))  \(facts.joined(separator: ", "))\n")
            rows.append(
                .object([
                    "id": .string(opened.id.description), "by": .string(by), "uses": .integer(Int64(invite.uses)),
                    "left": .integer(Int64(left)), "expires": invite.expires.map { .integer($0) },
                    "device": .bool(invite.participant != nil),
                ]))
        }
        let text = lines.isEmpty ? "no invite is open: `caravan invite` makes one\n" : lines.joined()
        return Report(text: text, json: .array(rows))
    }

    func closeInvite(_ reference: String) async throws(NodeError) -> String {
        let open = node.log.membership.openInvites(at: Now.current.wall)
        let byLink = (try? InviteLink(text: reference, using: cryptography)).map {
            Invite.id(ofSecret: $0.secret, using: cryptography)
        }
        var matching = open.filter { $0.id == byLink }
        if matching.isEmpty, let number = Int(reference), open.indices.contains(number - 1) {
            matching = [open[number - 1]]
        }
        if matching.isEmpty, reference.count >= 4 {
            matching = open.filter { $0.id.description.hasPrefix(reference.lowercased()) }
        }
        guard matching.count == 1 else {
            throw NodeError("no open invite is \"\(reference.prefix(40))\": `caravan invite list` shows them")
        }
        try await author(.membership(.closeInvite(id: matching[0].id)), operationCount: 1)
        return "closed: nobody who hears of this lets anybody in by it any more\n"
    }
}
