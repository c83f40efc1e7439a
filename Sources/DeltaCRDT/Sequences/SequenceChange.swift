/// What became of a sequence: changes are told in an order in which each is true after those before it.
public enum SequenceChange<Content: Sendable>: Sendable {
    /// Something was inserted, so that it begins at a position.
    case inserted(Content, at: Int)
    /// What lay between two positions was removed.
    case removed(Range<Int>)
}

extension SequenceChange: Equatable where Content: Equatable {}
extension SequenceChange: Hashable where Content: Hashable {}
