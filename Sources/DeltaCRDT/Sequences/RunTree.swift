/// The runs of all writers in the order of the sequence, in a B+ tree that sums what they weigh: a position is found, and the position
/// of a run told, in O(log n).
///
/// Nodes lie in slabs of equal parts, so that a tree of any size takes a few allocations. A run is removed only when it joins the run
/// before it in its leaf, so no leaf becomes empty and none is merged.
struct RunTree: Sendable {
    /// A run as it stands here.
    struct Entry: Sendable {
        var start: UInt64 = 0
        var length: UInt64 = 0
        var writer: UInt32 = 0
        var weight: UInt32 = 0
        /// Whether the first element has a left child, and the last a right one.
        var hasLeft = false
        var hasRight = false

        var last: UInt64 { start + length - 1 }

        func contains(_ counter: UInt64, by writer: UInt32) -> Bool {
            self.writer == writer && start <= counter && counter - start < length
        }
    }

    /// Where an entry stands.
    struct Place: Equatable {
        var leaf: UInt32
        var slot: Int
    }

    static let fanout = 32
    static let none = UInt32.max

    private struct Leaf: Sendable {
        /// How many entries it has.
        var count: Int32 = 0
        var next = RunTree.none
        var previous = RunTree.none
        var parent = RunTree.none
    }

    private struct Inner: Sendable {
        /// How many children it has.
        var count: Int32 = 0
        var parent = RunTree.none
    }

    private struct Child: Sendable {
        var node: UInt32 = 0
        var weight = 0
    }

    private var entries: ContiguousArray<Entry> = []
    private var leaves: ContiguousArray<Leaf> = []
    private var children: ContiguousArray<Child> = []
    private var inners: ContiguousArray<Inner> = []
    /// Levels of inner nodes above the leaves.
    private var height = 0
    private var root: UInt32 = 0
    private var lastLeaf: UInt32 = 0
    /// What all entries weigh.
    private(set) var weight = 0
    private(set) var count = 0

    init() {}

    var isEmpty: Bool { count == 0 }
    var first: Place? { isEmpty ? nil : Place(leaf: 0, slot: 0) }

    subscript(place: Place) -> Entry {
        @inline(__always) get { entries[Int(place.leaf) * Self.fanout + place.slot] }
    }

    @inline(__always)
    private func base(_ node: UInt32) -> Int { Int(node) * Self.fanout }

    // MARK: Walking

    func place(after place: Place) -> Place? {
        if place.slot + 1 < Int(leaves[Int(place.leaf)].count) { return Place(leaf: place.leaf, slot: place.slot + 1) }
        let next = leaves[Int(place.leaf)].next
        return next == Self.none ? nil : Place(leaf: next, slot: 0)
    }

    func place(before place: Place) -> Place? {
        if place.slot > 0 { return Place(leaf: place.leaf, slot: place.slot - 1) }
        let previous = leaves[Int(place.leaf)].previous
        return previous == Self.none ? nil : Place(leaf: previous, slot: Int(leaves[Int(previous)].count) - 1)
    }

    /// Visits all entries in order.
    @inline(__always)
    func forEach(_ body: (Entry) -> Void) {
        guard count > 0 else { return }
        var leaf: UInt32 = 0
        while leaf != Self.none {
            for index in base(leaf)..<base(leaf) + Int(leaves[Int(leaf)].count) { body(entries[index]) }
            leaf = leaves[Int(leaf)].next
        }
    }

    /// How many entries a leaf has.
    func count(of leaf: UInt32) -> Int { Int(leaves[Int(leaf)].count) }

    // MARK: Finding

    /// The entry that has the unit before a position from 1 to the weight of all, and how many of its units end there.
    func place(ofUnitEndingAt position: Int) -> (place: Place, units: Int) {
        var rest = position
        var node = root
        for _ in 0..<height {
            var index = base(node)
            while children[index].weight < rest {
                rest -= children[index].weight
                index += 1
            }
            node = children[index].node
        }
        var index = base(node)
        while Int(entries[index].weight) < rest {
            rest -= Int(entries[index].weight)
            index += 1
        }
        return (Place(leaf: node, slot: index - base(node)), rest)
    }

    /// The entry of a leaf that has an element.
    func place(of counter: UInt64, by writer: UInt32, in leaf: UInt32) -> Place {
        var index = base(leaf)
        while !entries[index].contains(counter, by: writer) { index += 1 }
        return Place(leaf: leaf, slot: index - base(leaf))
    }

    /// What stands before an entry weighs.
    func weight(before place: Place) -> Int {
        var sum = 0
        for index in base(place.leaf)..<base(place.leaf) + place.slot { sum += Int(entries[index].weight) }
        var (node, parent) = (place.leaf, leaves.isEmpty ? Self.none : leaves[Int(place.leaf)].parent)
        while parent != Self.none {
            var index = base(parent)
            while children[index].node != node {
                sum += children[index].weight
                index += 1
            }
            (node, parent) = (parent, inners[Int(parent)].parent)
        }
        return sum
    }

    /// Whether one entry stands before another.
    func isOrdered(_ left: Place, before right: Place) -> Bool {
        if left.leaf == right.leaf { return left.slot < right.slot }
        var (a, b) = (left.leaf, right.leaf)
        var (above, beside) = (leaves[Int(a)].parent, leaves[Int(b)].parent)
        while above != beside {
            (a, b) = (above, beside)
            (above, beside) = (inners[Int(a)].parent, inners[Int(b)].parent)
        }
        for index in base(above)..<base(above) + Int(inners[Int(above)].count) {
            if children[index].node == a { return true }
            if children[index].node == b { return false }
        }
        return false
    }

    // MARK: Changing

    /// Changes an entry, and what it weighs.
    @inline(__always)
    mutating func update(_ place: Place, _ change: (inout Entry) -> Void) {
        let index = base(place.leaf) + place.slot
        let before = Int(entries[index].weight)
        change(&entries[index])
        let difference = Int(entries[index].weight) - before
        if difference != 0 { add(difference, to: place.leaf) }
    }

    private mutating func add(_ difference: Int, to leaf: UInt32) {
        weight += difference
        var (node, parent) = (leaf, leaves[Int(leaf)].parent)
        while parent != Self.none {
            var index = base(parent)
            while children[index].node != node { index += 1 }
            children[index].weight += difference
            (node, parent) = (parent, inners[Int(parent)].parent)
        }
    }

    /// Inserts an entry so that it stands at a place, or where that is past its leaf's end, after it. Where the leaf was full, half of
    /// it moves to a new leaf, which is returned.
    mutating func insert(_ entry: Entry, at place: Place) -> (place: Place, newLeaf: UInt32?) {
        if count == 0 { makeLeaf() }
        var place = place
        var newLeaf: UInt32?
        if Int(leaves[Int(place.leaf)].count) == Self.fanout {
            let leaf = splitLeaf(place)
            newLeaf = leaf
            let half = Int(leaves[Int(place.leaf)].count)
            if place.slot > half || place.slot == half && half == Self.fanout {
                place = Place(leaf: leaf, slot: place.slot - half)
            }
        }
        let (begin, end) = (base(place.leaf), base(place.leaf) + Int(leaves[Int(place.leaf)].count))
        var index = end
        while index > begin + place.slot {
            entries[index] = entries[index - 1]
            index -= 1
        }
        entries[index] = entry
        leaves[Int(place.leaf)].count += 1
        count += 1
        if entry.weight > 0 { add(Int(entry.weight), to: place.leaf) }
        return (place, newLeaf)
    }

    /// Lets the entry before this one, in the same leaf, take its elements.
    mutating func join(_ place: Place) {
        let index = base(place.leaf) + place.slot
        let end = base(place.leaf) + Int(leaves[Int(place.leaf)].count)
        entries[index - 1].length += entries[index].length
        entries[index - 1].weight += entries[index].weight
        entries[index - 1].hasRight = entries[index].hasRight
        for moved in index + 1..<max(end, index + 1) { entries[moved - 1] = entries[moved] }
        leaves[Int(place.leaf)].count -= 1
        count -= 1
    }

    @discardableResult
    private mutating func makeLeaf() -> UInt32 {
        entries.append(contentsOf: repeatElement(Entry(), count: Self.fanout))
        leaves.append(Leaf())
        return UInt32(leaves.count - 1)
    }

    /// Moves the upper half of a full leaf to a new one; where something is appended to the last leaf, nothing moves.
    private mutating func splitLeaf(_ place: Place) -> UInt32 {
        let leaf = place.leaf
        let new = makeLeaf()
        let appends = leaf == lastLeaf && place.slot == Self.fanout
        let half = appends ? Self.fanout : Self.fanout / 2
        var moved = 0
        for slot in half..<Self.fanout {
            entries[base(new) + slot - half] = entries[base(leaf) + slot]
            moved += Int(entries[base(leaf) + slot].weight)
        }
        leaves[Int(leaf)].count = Int32(half)
        leaves[Int(new)].count = Int32(Self.fanout - half)
        leaves[Int(new)].next = leaves[Int(leaf)].next
        leaves[Int(new)].previous = leaf
        if leaves[Int(leaf)].next != Self.none { leaves[Int(leaves[Int(leaf)].next)].previous = new }
        leaves[Int(leaf)].next = new
        if lastLeaf == leaf { lastLeaf = new }
        attach(new, moved, after: leaf, of: leaves[Int(leaf)].parent, isLeaf: true)
        return new
    }

    /// Hangs a node that took `moved` of another's weight beside it.
    private mutating func attach(_ new: UInt32, _ moved: Int, after node: UInt32, of parent: UInt32, isLeaf: Bool) {
        guard parent != Self.none else {
            let top = makeInner()
            children[base(top)] = Child(node: node, weight: weight - moved)
            children[base(top) + 1] = Child(node: new, weight: moved)
            inners[Int(top)].count = 2
            setParent(of: node, top, isLeaf)
            setParent(of: new, top, isLeaf)
            root = top
            height += 1
            return
        }
        var parent = parent
        if Int(inners[Int(parent)].count) == Self.fanout { parent = splitInner(parent, holding: node, isLeaf) }
        var index = base(parent) + Int(inners[Int(parent)].count)
        while children[index - 1].node != node {
            children[index] = children[index - 1]
            index -= 1
        }
        children[index] = Child(node: new, weight: moved)
        children[index - 1].weight -= moved
        inners[Int(parent)].count += 1
        setParent(of: new, parent, isLeaf)
    }

    private mutating func setParent(of node: UInt32, _ parent: UInt32, _ isLeaf: Bool) {
        if isLeaf { leaves[Int(node)].parent = parent } else { inners[Int(node)].parent = parent }
    }

    private mutating func makeInner() -> UInt32 {
        children.append(contentsOf: repeatElement(Child(), count: Self.fanout))
        inners.append(Inner())
        return UInt32(inners.count - 1)
    }

    /// Splits a full inner node, and returns which of both holds a child now.
    private mutating func splitInner(_ inner: UInt32, holding child: UInt32, _ isLeaf: Bool) -> UInt32 {
        let new = makeInner()
        let half = children[base(inner) + Self.fanout - 1].node == child ? Self.fanout - 1 : Self.fanout / 2
        var moved = 0
        for slot in half..<Self.fanout {
            let upper = children[base(inner) + slot]
            children[base(new) + slot - half] = upper
            moved += upper.weight
            setParent(of: upper.node, new, isLeaf)
        }
        inners[Int(inner)].count = Int32(half)
        inners[Int(new)].count = Int32(Self.fanout - half)
        attach(new, moved, after: inner, of: inners[Int(inner)].parent, isLeaf: false)
        return (isLeaf ? leaves[Int(child)].parent : inners[Int(child)].parent)
    }

    // MARK: Building

    /// A tree of entries in their order; calls with the leaf of each.
    init(_ all: ContiguousArray<Entry>, _ body: (Entry, UInt32) -> Void) {
        guard !all.isEmpty else { return }
        let fill = all.count <= Self.fanout ? Self.fanout : Self.fanout * 3 / 4
        var level: [Child] = []
        entries.reserveCapacity((all.count + fill - 1) / fill * Self.fanout)
        var begin = 0
        while begin < all.count {
            let end = min(begin + fill, all.count)
            let leaf = makeLeaf()
            var sum = 0
            for index in begin..<end {
                entries[base(leaf) + index - begin] = all[index]
                sum += Int(all[index].weight)
                body(all[index], leaf)
            }
            leaves[Int(leaf)].count = Int32(end - begin)
            if leaf > 0 {
                leaves[Int(leaf)].previous = leaf - 1
                leaves[Int(leaf) - 1].next = leaf
            }
            level.append(Child(node: leaf, weight: sum))
            begin = end
        }
        lastLeaf = UInt32(level.count - 1)
        count = all.count
        weight = level.reduce(0) { $0 + $1.weight }
        while level.count > 1 {
            var above: [Child] = []
            begin = 0
            while begin < level.count {
                let end = min(begin + Self.fanout * 3 / 4, level.count)
                let inner = makeInner()
                var sum = 0
                for index in begin..<end {
                    children[base(inner) + index - begin] = level[index]
                    sum += level[index].weight
                    setParent(of: level[index].node, inner, height == 0)
                }
                inners[Int(inner)].count = Int32(end - begin)
                above.append(Child(node: inner, weight: sum))
                begin = end
            }
            level = above
            height += 1
        }
        root = level[0].node
    }
}
