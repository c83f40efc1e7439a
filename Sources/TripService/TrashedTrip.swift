/// A deleted trip that can still be restored.
package struct TrashedTrip: Hashable, Sendable {
    package let id: String
    /// Nil where it cannot be read.
    package let title: String?
    /// When it was deleted, and until when it can be restored, in seconds since 1970.
    package let deletedAt: Int64
    package let restorableUntil: Int64
    /// Which of the trip's copies in the trash it is, from 1 for the one that was deleted last.
    package let copy: Int

    package init(id: String, title: String?, deletedAt: Int64, restorableUntil: Int64, copy: Int = 1) {
        self.id = id
        self.title = title
        self.deletedAt = deletedAt
        self.restorableUntil = restorableUntil
        self.copy = copy
    }

    /// What names this copy and no other: the start of its id, and for an earlier copy its number, as in `3f2a9c.2`.
    package var reference: String { copy == 1 ? String(id.prefix(6)) : "\(id.prefix(6)).\(copy)" }
}
