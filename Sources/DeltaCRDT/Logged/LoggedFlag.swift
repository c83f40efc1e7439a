/// A flag over a log, off at first, in which enabling wins over a disabling that had not seen it: an ``EnableWinsFlag`` for events of a
/// causal log.
///
/// It keeps the enablings that no event has seen that enabled or disabled it since (Baquero, Almeida and Shoker, 2017): one without an
/// allocation. What was disabled leaves nothing behind.
public struct LoggedFlag<ID: Comparable & Hashable & Sendable>: Hashable, Sendable {
    @usableFromInline
    enum Enablings: Hashable, Sendable {
        case none
        case one(ID)
        /// Two at least, the greatest first.
        case several([ID])
    }

    @usableFromInline var standing = Enablings.none

    /// A flag that is off. Complexity: O(1).
    @inlinable
    public init() {}

    /// Whether the flag is on. Complexity: O(1).
    @inlinable public var isEnabled: Bool { if case .none = standing { false } else { true } }

    /// The enablings that stand, the greatest first. Complexity: O(1), with an allocation where there is one.
    @inlinable public var enablings: [ID] {
        switch standing {
        case .none: []
        case .one(let id): [id]
        case .several(let ids): ids
        }
    }

    /// The greatest enabling that stands; nil where the flag is off. Complexity: O(1).
    @inlinable public var last: ID? {
        switch standing {
        case .none: nil
        case .one(let id): id
        case .several(let ids): ids.first
        }
    }

    /// Turns the flag on, in place of the enablings that the event has seen. Complexity: O(enablings that stand).
    @inlinable
    public mutating func enable(by event: some LoggedEvent<ID>) {
        disable(by: event)
        let new = event.id
        switch standing {
        // Mostly the event has seen what stood there.
        case .none: standing = .one(new)
        case .one(let id): standing = .several(id <= new ? [new, id] : [id, new])
        case .several(var ids):
            // So that they are not copied.
            standing = .none
            ids.insert(new, at: ids.partitioningIndex { $0 <= new })
            standing = .several(ids)
        }
    }

    /// Turns the flag off as far as the event has seen its enablings. Complexity: O(enablings that stand).
    @inlinable
    public mutating func disable(by event: some LoggedEvent<ID>) {
        switch standing {
        case .none: break
        case .one(let id): if event.hasSeen(id) { standing = .none }
        case .several(let ids):
            guard ids.contains(where: { event.hasSeen($0) }) else { return }
            let unseen = ids.filter { !event.hasSeen($0) }
            standing = unseen.isEmpty ? .none : unseen.count == 1 ? .one(unseen[0]) : .several(unseen)
        }
    }
}
