import DeltaCRDT

/// A text as somebody wrote it, and where the write stands among all.
struct Written: Hashable, Sendable {
    let text: Text
    let author: ParticipantID
    let stamp: Stamp
}

/// Of all writes, the one that stands highest: a register whose writers all speak for one participant.
///
/// Lamport time extends causality, so a write stands above every write that its author had seen. Of two writes in one
/// change the later operation stands higher.
struct Latest<Value: Hashable & Sendable>: Hashable, Sendable {
    private(set) var value: Value
    private(set) var stamp: Stamp
    private(set) var dot: Dot

    init(_ value: Value, stamp: Stamp, dot: Dot) {
        self.value = value
        self.stamp = stamp
        self.dot = dot
    }

    /// Takes the other write if it stands higher.
    mutating func merge(_ other: Latest) {
        if (stamp, dot) < (other.stamp, other.dot) { self = other }
    }
}

/// One field of one item.
struct FieldKey: Hashable, Sendable {
    let item: ItemID
    let field: Field
}

extension FieldKey: Comparable {
    static func < (left: FieldKey, right: FieldKey) -> Bool { (left.item, left.field) < (right.item, right.field) }
}

/// Who made an item, and when.
struct Origin: Hashable, Sendable {
    let author: ParticipantID
    let stamp: Stamp
    /// Milliseconds since 1970 by the author's clock, for people to read.
    let wallTime: Int64
}

/// What the trip knows of a participant.
struct Person: Hashable, Sendable {
    /// Where their first change stands.
    var first: Stamp
    var name: Latest<Text>?

    mutating func merge(_ other: Person) {
        first = min(first, other.first)
        guard let theirs = other.name else { return }
        if name == nil { name = theirs } else { name?.merge(theirs) }
    }
}
