/// What became of a list whose elements are moved: changes are told in an order in which each is true after those before it.
public enum MovableListChange<Element: Sendable>: Sendable {
    /// The elements at some positions were removed.
    case removed(Range<Int>)
    /// Other elements stand where as many were removed, the first of them at a position.
    case replaced([Element], at: Int)
    /// An element was moved from one position to another, which it has afterwards, as by ``MovableList/move(from:to:by:)``.
    case moved(from: Int, to: Int)
    /// Elements were inserted, so that the first has a position.
    case inserted([Element], at: Int)
}

extension MovableListChange: Equatable where Element: Equatable {}
extension MovableListChange: Hashable where Element: Hashable {}
