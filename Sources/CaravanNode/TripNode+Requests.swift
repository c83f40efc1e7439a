import ChangeLog
import Foundation
import SyncEngine
import TripModel
import TripRules
import TripText

// What people ask for: actions become changes, and reading commands render the view.
extension TripNode {
    /// Does what is asked, one action after the other.
    package func execute(_ request: Request) async -> Reply {
        do {
            return .output(try await takingTurns { node throws(NodeError) in try await node.answer(request) })
        } catch {
            return .failure(error.message)
        }
    }

    private func answer(_ request: Request) async throws(NodeError) -> String {
        switch request.command {
        case .add, .edit, .remove, .restore, .vote, .unvote, .quantity:
            return try await act(request.command)
        case .title: return (replica.view.title?.value ?? "(no title yet)") + "\n"
        case .list(let sort, let includingRemoved):
            guard let order = ItemOrder(rawValue: sort ?? "order") else {
                throw NodeError("a list is sorted by votes, order or recent, not by \"\(sort ?? "")\"")
            }
            let view = replica.view
            return request.json
                ? TripJSON.list(view, sortedBy: order, includingRemoved: includingRemoved).line
                : TerminalText.list(view, sortedBy: order, includingRemoved: includingRemoved)
        case .show(let reference):
            let view = replica.view
            let item = try resolve(reference, in: view)
            return request.json ? TripJSON.item(item).line : TerminalText.card(item)
        case .history: return try history(json: request.json)
        case .members: return request.json ? membersReport.json.line : membersReport.text
        case .status: return request.json ? statusReport.json.line : statusReport.text
        case .removeMember(let name): return try await removeMember(name)
        case .leave: return try await removeMember(node.secrets.device.participant.description)
        case .invite(let uses, let lifetime):
            return try await invite(uses: uses, lifetime: lifetime, json: request.json)
        case .addDevice(let lifetime):
            let participant = node.secrets.device.participant
            return try await invite(uses: 1, lifetime: lifetime, participant: participant, json: request.json)
        case .invites: return request.json ? invitesReport.json.line : invitesReport.text
        case .closeInvite(let reference): return try await closeInvite(reference)
        }
    }

    // MARK: - Acting

    /// Performs an action, and returns once it is durable and shown.
    func perform(_ action: TripAction) async throws(NodeError) {
        guard node.log.membership.device(node.secrets.device.replica) != nil else {
            throw NodeError("nobody has let you in yet: run `caravan up` near somebody of the trip")
        }
        let payload: TripPayload
        do { payload = try replica.perform(action, by: me) } catch { throw NodeError(error.message) }
        try await author(.content(payload.bytes), operationCount: payload.operationCount)
    }

    private func act(_ command: Command) async throws(NodeError) -> String {
        let before = replica.view
        switch command {
        case .add(let items):
            let known = Set(before.items.map(\.id))
            try await perform(.add(try items.map { (item) throws(NodeError) in try draft(item) }))
            // Somebody else's may have come in the meantime.
            let added = replica.view.items.filter { !known.contains($0.id) && $0.addedBy == me }
            return added.map { "added \($0.number) \"\($0.title)\" (\($0.shortID))\n" }.joined()
        case .edit(let reference, let fields):
            let item = try resolve(reference, in: before)
            var edits: [Field: String?] = [:]
            for (name, value) in fields { edits[try field(name)] = .some(value) }
            try await perform(.edit(item.id, edits))
            return said("edited", [item.id])
        case .remove(let references):
            let items = try resolve(references, in: before)
            try await perform(.remove(items.map(\.id)))
            return items.map { "removed \($0.number) \"\($0.title)\"\n" }.joined()
        case .restore(let references):
            var items: [ItemView] = []
            for reference in references { items.append(try resolve(reference, in: before, scope: .removed)) }
            try await perform(.restore(items.map(\.id)))
            return said("restored", items.map(\.id))
        case .vote(let references, let against):
            let items = try resolve(references, in: before)
            let action = TripAction.vote(items.map(\.id), against ? .against : .for)
            do { _ = try replica.perform(action, by: me) } catch  where error.code == .nothingChanged {
                return error.message + "\n"
            } catch {}
            try await perform(action)
            return said(against ? "voted against" : "voted for", items.map(\.id))
        case .unvote(let references):
            let items = try resolve(references, in: before)
            try await perform(.vote(items.map(\.id), nil))
            return said("took back the vote on", items.map(\.id))
        case .quantity(let reference, let step):
            let item = try resolve(reference, in: before)
            try await perform(.changeQuantity(item.id, by: step))
            return replica.view.item(item.id).map { "\($0.number) \"\($0.title)\" ×\($0.quantity ?? 0)\n" } ?? ""
        default: return ""
        }
    }

    private func said(_ what: String, _ ids: [ItemID]) -> String {
        let view = replica.view
        return ids.compactMap { view.item($0) }.map { "\(what) \($0.number) \"\($0.title)\"\n" }.joined()
    }

    private func draft(_ item: NewItem) throws(NodeError) -> ItemDraft {
        var fields: [Field: String] = [:]
        for (name, value) in item.fields { fields[try field(name)] = value }
        return ItemDraft(title: item.title, fields: fields, quantity: item.quantity)
    }

    private func field(_ name: String) throws(NodeError) -> Field {
        guard let field = Field.allCases.first(where: { $0.name == name }) else {
            let names = Field.allCases.map(\.name).joined(separator: ", ")
            throw NodeError("an item has no \(name): its fields are \(names)")
        }
        return field
    }

    private func resolve(
        _ reference: String, in view: TripView, scope: ReferenceScope = .present
    ) throws(NodeError) -> ItemView {
        var trip = LiveTrip(replica)
        do { return try trip.resolve(reference, in: scope) } catch { throw NodeError(error.message) }
    }

    private func resolve(_ references: [String], in view: TripView) throws(NodeError) -> [ItemView] {
        var items: [ItemView] = []
        for reference in references {
            let item = try resolve(reference, in: view)
            if !items.contains(where: { $0.id == item.id }) { items.append(item) }
        }
        return items
    }

    private func history(json: Bool) throws(NodeError) -> String {
        let changes = node.log.changes.indices.filter { node.isShown($0) }
            .compactMap { node.log.applied($0).tripChange() }
        do {
            let entries = try TripReplica.history(of: changes)
            var trip = LiveTrip(replica)
            let names = trip.names(of: entries)
            return json ? TripJSON.history(entries, names).line : TerminalText.history(entries, names)
        } catch {
            throw NodeError("the history cannot be read: \(error.message)")
        }
    }
}
