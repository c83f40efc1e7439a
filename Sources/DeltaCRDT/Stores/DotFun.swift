/// A value for each dot: what was written by an event that nobody has overwritten yet.
public struct DotFun<Value: Hashable & Sendable>: DotStore {
    /// A write and what it wrote.
    public struct Entry: Hashable, Sendable {
        public let dot: Dot
        public let value: Value
    }

    /// The surviving writes in the order of their dots: the same on every replica with the same state.
    public private(set) var entries: [Entry] = []

    public init() {}

    /// Holds one write.
    public init(_ dot: Dot, _ value: Value) {
        entries = [Entry(dot: dot, value: value)]
    }

    public var isEmpty: Bool { entries.isEmpty }

    /// How many writes survive.
    public var count: Int { entries.count }

    /// What a dot wrote; setting nil forgets it. Complexity: O(log n) to read, O(n) to write.
    public subscript(dot: Dot) -> Value? {
        get {
            let index = position(of: dot)
            return index < entries.count && entries[index].dot == dot ? entries[index].value : nil
        }
        set {
            let index = position(of: dot)
            let found = index < entries.count && entries[index].dot == dot
            switch (newValue, found) {
            case (let value?, true): entries[index] = Entry(dot: dot, value: value)
            case (let value?, false): entries.insert(Entry(dot: dot, value: value), at: index)
            case (nil, true): entries.remove(at: index)
            case (nil, false): break
            }
        }
    }

    public func forEachDot(_ body: (Dot) -> Void) {
        for entry in entries { body(entry.dot) }
    }

    @discardableResult
    public mutating func merge(_ other: DotFun, context: CausalContext, otherContext: CausalContext) -> Bool {
        let before = entries.count
        entries.removeAll { otherContext.contains($0.dot) && other[$0.dot] == nil }
        var changed = entries.count != before
        for entry in other.entries where !context.contains(entry.dot) {
            self[entry.dot] = entry.value
            changed = true
        }
        return changed
    }

    public func restricted(to kept: CausalContext) -> DotFun {
        var part = DotFun()
        part.entries = entries.filter { kept.contains($0.dot) }
        return part
    }

    private func position(of dot: Dot) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].dot < dot { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
