/// Dots and nothing else: something exists while at least one of them does.
public struct DotSet: DotStore {
    /// Sorted.
    private(set) var dots: [Dot] = []

    public init() {}

    /// Holds one dot.
    public init(_ dot: Dot) {
        dots = [dot]
    }

    public var isEmpty: Bool { dots.isEmpty }

    /// How many dots there are.
    public var count: Int { dots.count }

    /// Complexity: O(log n).
    public func contains(_ dot: Dot) -> Bool {
        let index = position(of: dot)
        return index < dots.count && dots[index] == dot
    }

    /// Adds a dot; says whether it was new.
    @discardableResult
    public mutating func insert(_ dot: Dot) -> Bool {
        let index = position(of: dot)
        if index < dots.count, dots[index] == dot { return false }
        dots.insert(dot, at: index)
        return true
    }

    public func forEachDot(_ body: (Dot) -> Void) {
        for dot in dots { body(dot) }
    }

    @discardableResult
    public mutating func merge(_ other: DotSet, context: CausalContext, otherContext: CausalContext) -> Bool {
        let before = dots.count
        dots.removeAll { !other.contains($0) && otherContext.contains($0) }
        var changed = dots.count != before
        for dot in other.dots where !context.contains(dot) {
            if insert(dot) { changed = true }
        }
        return changed
    }

    public func restricted(to kept: CausalContext) -> DotSet {
        var part = DotSet()
        part.dots = dots.filter(kept.contains)
        return part
    }

    private func position(of dot: Dot) -> Int {
        var (low, high) = (0, dots.count)
        while low < high {
            let middle = (low + high) / 2
            if dots[middle] < dot { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
