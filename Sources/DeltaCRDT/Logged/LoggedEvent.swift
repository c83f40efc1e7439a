/// An event of a causal log, as logged types take it: its name, and the events that its author had seen.
///
/// A log hands over each event once, after all events that its author had seen. States that took the same events are then equal, in
/// whatever order they took them (Baquero, Almeida and Shoker: *Pure operation-based replicated data types*, 2017). See <doc:Logs>.
public protocol LoggedEvent<ID> {
    /// The part of an event that a state keeps.
    ///
    /// Its order is the same on every replica, and an event comes after all that its author had seen: by Lamport time, for example, and
    /// then by hash. What only this replica knows of an event may be in it, and is no part of `==` and `<`.
    associatedtype ID: Comparable & Hashable & Sendable

    /// The event's name. Complexity: O(1).
    var id: ID { get }

    /// Whether the author had seen another event, which is in a state here. An event that acts more than once has seen itself.
    ///
    /// Complexity: as of the log.
    func hasSeen(_ other: ID) -> Bool
}

/// A name of an event that tells its author, for a ``LoggedBallot``.
public protocol AuthoredID: Comparable, Hashable, Sendable {
    /// A person, who may write on several devices.
    associatedtype Author: Comparable

    /// The event's author. Complexity: O(1).
    var author: Author { get }

    /// Whether the event's author comes before another one. By default it compares ``author``; a name that keeps a part of it may be
    /// quicker. Complexity: O(1).
    func isBefore(_ other: Author) -> Bool
}

extension AuthoredID {
    /// Compares ``author``. Complexity: O(1).
    @inlinable
    public func isBefore(_ other: Author) -> Bool { author < other }
}
