/// A deleted trip that can still be restored.
package struct TrashedTrip: Hashable, Sendable {
    package let id: String
    /// Nil where it cannot be read.
    package let title: String?
    /// When it was deleted, and until when it can be restored, in seconds since 1970.
    package let deletedAt: Int64
    package let restorableUntil: Int64

    package init(id: String, title: String?, deletedAt: Int64, restorableUntil: Int64) {
        self.id = id
        self.title = title
        self.deletedAt = deletedAt
        self.restorableUntil = restorableUntil
    }
}
