/// Where an element was inserted: as a left or right child of another in Fugue's tree (Weidner, Gentle, Kleppmann: *The Art of the
/// Fugue*, 2023). The parent's counter is 0 where it is the beginning of the sequence.
struct SequenceOrigin: Hashable, Sendable {
    /// Twice the parent's counter, plus 1 for a left child.
    var word: UInt64
    /// The slot of the parent's writer; 0 for the beginning.
    var writer: UInt32

    static let beginning = SequenceOrigin(word: 0, writer: 0)

    init(word: UInt64, writer: UInt32) { (self.word, self.writer) = (word, writer) }

    init(leftOf counter: UInt64, by writer: UInt32) { self.init(word: counter << 1 | 1, writer: writer) }

    init(rightOf counter: UInt64, by writer: UInt32) {
        self.init(word: counter << 1, writer: counter == 0 ? 0 : writer)
    }

    var counter: UInt64 { word >> 1 }
    var isLeft: Bool { word & 1 == 1 }
    var isBeginning: Bool { word == 0 }
}

/// Elements that one writer inserted in a row, each but the first as the right child of the one before, and that stand in a row still.
struct SequenceRun: Sendable {
    /// The first element's counter.
    var start: UInt64
    /// Where the first element was inserted.
    var origin: SequenceOrigin
    /// How many units of content the elements take: 0 where they were removed.
    var weight: UInt32
    /// How many elements.
    var length: UInt64
    /// Where their content begins among their writer's.
    var offset: UInt32
    /// The leaf of the tree in which they stand; ``unplaced`` while their origin is not known.
    var leaf: UInt32

    static let unplaced = UInt32.max

    /// The counter after the last element's.
    var end: UInt64 { start + length }
    var last: UInt64 { start + length - 1 }
    var isRemoved: Bool { weight == 0 }

    /// Whether the first element is the right child of the one that its writer inserted before.
    func isContinuation(of writer: UInt32) -> Bool {
        origin.word == (start - 1) << 1 && (origin.writer == writer || start == 1)
    }

    /// The elements from the `index`th on, whose content begins `units` after this one's.
    func suffix(from index: UInt64, units: UInt32, of writer: UInt32) -> SequenceRun {
        SequenceRun(
            start: start + index, origin: SequenceOrigin(rightOf: start + index - 1, by: writer),
            weight: isRemoved ? 0 : weight - units, length: length - index, offset: offset + units, leaf: leaf)
    }

    /// The first elements, whose content takes `units`.
    func prefix(_ index: UInt64, units: UInt32) -> SequenceRun {
        var prefix = self
        prefix.length = index
        prefix.weight = isRemoved ? 0 : units
        return prefix
    }
}
