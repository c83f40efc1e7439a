/// What a change's author had seen: the number of the last operation, by branch.
package struct Past: Hashable, Sendable {
    private var last: [UInt32] = []

    init() {}

    /// Whether the operation of that number in that branch is part of this past. O(1).
    package func contains(_ counter: UInt64, ofBranch branch: Int) -> Bool {
        branch < last.count && UInt64(last[branch]) >= counter
    }

    mutating func include(through counter: UInt64, ofBranch branch: Int) {
        if branch >= last.count {
            last.append(contentsOf: repeatElement(0, count: branch + 1 - last.count))
        }
        last[branch] = max(last[branch], UInt32(clamping: counter))
    }

    mutating func formUnion(_ other: Past) {
        if other.last.count > last.count {
            last.append(contentsOf: repeatElement(0, count: other.last.count - last.count))
        }
        for branch in other.last.indices where other.last[branch] > last[branch] { last[branch] = other.last[branch] }
    }
}
