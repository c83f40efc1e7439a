extension Text {
    /// An anchor at a position. Complexity: O(log n), and O(n) once.
    public func anchor(at position: Int, staying side: SequenceAnchor.Side) -> SequenceAnchor {
        let store = causal.store.arranged
        require(position, upTo: store.index.tree.weight, in: "text")
        return store.anchor(at: position, side)
    }

    /// The position of an anchor: where its character is, or was; nil where it is not known here yet.
    ///
    /// Complexity: O(log n), and O(n) once.
    public func position(of anchor: SequenceAnchor) -> Int? { causal.store.arranged.position(of: anchor) }

    /// How many characters the text has, as people see them. Complexity: O(n).
    public var characterCount: Int { string.count }

    /// The position before a character, counted from 0, or of the end. Complexity: O(n).
    public func position(ofCharacter number: Int) -> Int {
        let text = string
        guard number >= 0, let index = text.index(text.startIndex, offsetBy: number, limitedBy: text.endIndex) else {
            require(number, upTo: text.count, in: "text")
            return utf8Count
        }
        return text.utf8.distance(from: text.startIndex, to: index)
    }
}

extension Text: CustomStringConvertible {
    /// The text itself.
    public var description: String { string }
}
