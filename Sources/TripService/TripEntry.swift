/// A trip of a home, as it stands among the others.
package struct TripEntry: Codable, Hashable, Sendable {
    /// The beginning of the trip's id, by which it can be named.
    package let id: String
    /// Nil where it cannot be read.
    package let title: String?
    /// Why it cannot be read, in one line.
    package let problem: String?
    /// Whether commands that name no trip mean this one.
    package let isInUse: Bool
    /// Whether this device's person is out of it.
    package let isOut: Bool
    /// Whether a node runs it.
    package let isRunning: Bool
    /// Whether it is over for this person, and read-only on this machine.
    package let isArchived: Bool

    package init(
        id: String, title: String?, problem: String?, isInUse: Bool, isOut: Bool, isRunning: Bool,
        isArchived: Bool = false
    ) {
        self.id = id
        self.title = title
        self.problem = problem
        self.isInUse = isInUse
        self.isOut = isOut
        self.isRunning = isRunning
        self.isArchived = isArchived
    }
}
