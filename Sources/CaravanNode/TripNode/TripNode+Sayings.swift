import ChangeLog
import SyncEngine
import TripModel
import TripRules
import TripService

// What people say of items, and how they take back what they did.
extension TripNode {
    func removeComments(
        of reference: ItemReference, _ references: [String], as author: Author = .own
    ) async throws(ServiceError) -> Receipt {
        let item = try resolve(reference, for: author)
        let named = try references.map { reference throws(ServiceError) in
            try comment(reference, of: item, for: author)
        }
        try await perform(.removeComments(named.map(\.id)), as: author)
        return receipt(
            .uncommented, [item.id].compactMap { shown.trip.item($0) }, for: author, comments: named.map(\.text))
    }

    /// The comment that a number or the beginning of its id means; of guests, who are shown no numbers, an id.
    private func comment(
        _ reference: String, of item: ItemView, for author: Author
    ) throws(ServiceError) -> CommentView {
        let reference = try ServiceError.name(reference, of: "comment", listing: "caravan show ITEM")
        let comments = item.sayings.comments
        if case .own = author {
            let place = try own.numbering { shown throws(ServiceError) in
                try shown.place(
                    numbered: reference, in: .comments(of: item.id), comments.map(\.id.mixedWord),
                    row: "comment", listing: "caravan show \(item.shortID)")
            }
            if let place { return comments[place] }
        }
        let found = reference.count >= 4 ? comments.filter { $0.id.digits.hasPrefix(reference) } : []
        guard found.count == 1 else {
            throw ServiceError(
                "\(item.title.quoted) has no comment \(reference); see `caravan show \(item.shortID)`")
        }
        return found[0]
    }

    /// Takes back the last change of the person here, and with it the other changes of an act that it is part of. It refuses to take
    /// back what others changed since. Said again, it leaves that and goes on; what it refused last can be insisted on.
    func undo(anyway: Bool) async throws(ServiceError) -> TripAnswer {
        try requireWriter()
        let newest = reader.newestOwnChange
        let refused = newest.map { own.refused(since: $0) } ?? []
        let passed = Set(anyway ? refused.dropLast() : refused[...])
        let undoable = lastUndoing(passing: passed)
        if let act = reader.lastingAct(after: undoable?.stamp, at: Now.current.wall) {
            // It is noted as undone, so that this is said once.
            _ = try await write(try content(of: Undoing(nothingOf: act.stamp), noting: nil))
            let clauses = [
                "\(act.what) can't be undone", act.remedy, "run `caravan undo` again to undo the change before",
            ]
            throw ServiceError(clauses.compactMap(\.self).joined(separator: "; "))
        }
        guard let last = undoable else { throw ServiceError(.unchanged, "there is nothing to undo") }
        let steps = own.steps(with: last.stamp.hash)
        var next: Undoing? = last
        var entries: [HistoryEntry] = []
        var wishes = WishReceipt()
        var count = 0
        var lasting: String?
        while let undoing = next {
            guard !undoing.isEmpty else {
                lasting = lasting ?? undoing.lasting
                // It is noted as undone, so that this is said once.
                _ = try await write(try content(of: undoing, noting: nil))
                next = lastUndoing(passing: passed).flatMap { steps.contains($0.stamp.hash.description) ? $0 : nil }
                continue
            }
            if let obstacle = undoing.obstacles.first, !anyway {
                if let newest { own.refuse(undoing.stamp.hash, since: newest) }
                let (done, what) =
                    count == 0 ? ("nothing was undone", "it") : ("the import was undone in part", "the rest")
                throw ServiceError(
                    "\(shown.trip.displayName(of: obstacle.by)) changed \(obstacle.what) since; \(done); "
                        + "`caravan undo --anyway` undoes \(what), `caravan undo` an older one")
            }
            let wished = undoing.wishes.flatMap { $0.isEmpty ? nil : $0 }
            let sealed = try wished.map { wished throws(ServiceError) in try note(wished.apply) }
            if let entry = try await write(try content(of: undoing, noting: sealed)) { entries.append(entry) }
            count += 1
            wishes = WishReceipt(
                added: wishes.added + (wished?.added ?? []), removed: wishes.removed + (wished?.removed ?? []))
            next = lastUndoing(passing: passed).flatMap { steps.contains($0.stamp.hash.description) ? $0 : nil }
        }
        guard count > 0 else {
            throw ServiceError(
                (lasting ?? "nothing of your last change is left to undo")
                    + "; run `caravan undo` again to undo the one before")
        }
        return .undone(shown.view(of: entries), wishes)
    }

    /// How the last change of the person here that still stands is taken back. O(n) in the trip's changes.
    /// - Parameter passed: the changes that stay as long as others changed them since, in hexadecimal digits.
    private func lastUndoing(passing passed: Set<String>) -> Undoing? {
        let changes = reader.contents
        let (shown, secrets) = (shown, node.secrets)
        return shown.trip.replica.undoing(
            lastOf: me, among: changes, passing: { passed.contains($0.hash.description) },
            wishes: { change in
                WishUndoing(change, among: changes, now: shown.wishes.list) { shown.opened($0, by: secrets)?.content }
            })
    }

    private func content(of undoing: Undoing, noting note: [UInt8]?) throws(ServiceError) -> [UInt8] {
        do { return try undoing.content(noting: note) } catch { throw ServiceError(error) }
    }
}
