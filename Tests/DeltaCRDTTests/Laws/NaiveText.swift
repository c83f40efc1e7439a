import DeltaCRDT

/// A way in which a text can be wrong.
enum TextFault: CaseIterable {
    case tiesReversed, tiesByCounter, tiesByArrival
    case sidesIgnored, leftChildrenBehind, parentsAmongVisible, runsMixed
    case removalForgets, removalWithoutPlaces, removalTakesChildren, removalLosesToInsertion
    case runSplitLosesLast, orphansShown, changesWithOldPositions

    /// The fault of every ``NaiveText`` in this task; nil where it is sound.
    @TaskLocal static var current: TextFault?
}

/// Fugue as a set of nodes, of which some are removed: a text of an element at a time, without an index. It obeys every law, unless it
/// has a fault.
struct NaiveText: DeltaState, CanonicalCodable {
    typealias Change = SequenceChange<String>

    struct Node: Hashable {
        let dot: Dot
        var parent: Dot?
        var isLeft: Bool
        let scalar: Unicode.Scalar
    }

    private(set) var nodes: [Dot: Node] = [:]
    private(set) var removed: Set<Dot> = []
    /// The nodes as they came; no part of the value.
    private var arrivals: [Dot] = []

    init() {}

    private init(_ nodes: [Node], removed: Set<Dot> = []) {
        for node in nodes { add(node) }
        self.removed = removed
    }

    private mutating func add(_ node: Node) {
        if nodes.updateValue(node, forKey: node.dot) == nil { arrivals.append(node.dot) }
    }

    static func == (left: NaiveText, right: NaiveText) -> Bool {
        left.nodes == right.nodes && left.removed == right.removed
    }

    func hash(into hasher: inout Hasher) { hasher.combine(nodes) }

    // MARK: Order

    private struct Family: Hashable {
        let parent: Dot?
        let isLeft: Bool
    }

    /// All nodes that hang together from the beginning on, in order.
    var order: [Dot] {
        var families: [Family: [Dot]] = [:]
        for dot in arrivals {
            guard let node = nodes[dot] else { continue }
            families[Family(parent: node.parent, isLeft: node.isLeft), default: []].append(dot)
        }
        switch TextFault.current {
        case .tiesByArrival: break
        case .tiesReversed: for family in families.keys { families[family]?.sort(by: >) }
        case .tiesByCounter:
            for family in families.keys {
                families[family]?.sort { ($0.counter, $0.replica) < ($1.counter, $1.replica) }
            }
        default: for family in families.keys { families[family]?.sort() }
        }
        var order: [(dot: Dot, depth: Int)] = []
        func walk(_ dot: Dot?, _ depth: Int) {
            let left = families[Family(parent: dot, isLeft: true)] ?? []
            let isBehind = TextFault.current == .leftChildrenBehind
            if !isBehind { for child in left { walk(child, depth + 1) } }
            if let dot { order.append((dot, depth)) }
            if isBehind { for child in left { walk(child, depth + 1) } }
            for child in families[Family(parent: dot, isLeft: false)] ?? [] { walk(child, depth + 1) }
        }
        walk(nil, 0)
        if TextFault.current == .orphansShown {
            let orphans = nodes.values.filter { $0.parent.map { nodes[$0] == nil } ?? false }
            for orphan in orphans.map(\.dot).sorted() { walk(orphan, 0) }
        }
        if TextFault.current == .runsMixed { order.sort { ($0.depth, $0.dot) < ($1.depth, $1.dot) } }
        return order.map(\.dot)
    }

    private func isVisible(_ dot: Dot) -> Bool {
        guard !removed.contains(dot) else { return false }
        guard TextFault.current == .removalTakesChildren, let parent = nodes[dot]?.parent else { return true }
        return isVisible(parent)
    }

    var visible: [Dot] { order.filter(isVisible) }

    var string: String { String(String.UnicodeScalarView(visible.compactMap { nodes[$0]?.scalar })) }

    // MARK: Editing

    /// How many scalars begin before a position in bytes.
    func index(of position: Int) -> Int {
        var rest = position
        return visible.prefix { dot in
            guard rest > 0 else { return false }
            rest -= nodes[dot].map { UTF8.width($0.scalar) } ?? 0
            return true
        }.count
    }

    mutating func insert(_ text: String, at position: Int, by replica: ReplicaID) -> NaiveText {
        let index = index(of: position)
        var inserted: [Node] = []
        for (offset, scalar) in text.unicodeScalars.enumerated() {
            let node = node(scalar, at: index + offset, by: replica)
            inserted.append(node)
            add(node)
        }
        return NaiveText(inserted)
    }

    /// Inserts a text behind a node, removed or not; at the beginning where that is nil.
    mutating func insert(_ text: String, after origin: Dot?, by replica: ReplicaID) -> NaiveText {
        var (origin, inserted) = (origin, [Node]())
        for scalar in text.unicodeScalars {
            let node = node(scalar, after: origin, by: replica)
            inserted.append(node)
            add(node)
            origin = node.dot
        }
        return NaiveText(inserted)
    }

    private func node(_ scalar: Unicode.Scalar, at index: Int, by replica: ReplicaID) -> Node {
        node(scalar, after: index == 0 ? nil : visible[index - 1], by: replica)
    }

    private func node(_ scalar: Unicode.Scalar, after origin: Dot?, by replica: ReplicaID) -> Node {
        let dot = CausalContext(nodes.keys).nextDot(for: replica)
        let isFirst = !nodes.values.contains { $0.parent == origin && !$0.isLeft }
        if isFirst || TextFault.current == .sidesIgnored {
            return Node(dot: dot, parent: origin, isLeft: false, scalar: scalar)
        }
        let others = TextFault.current == .parentsAmongVisible ? visible : order
        let next = others.firstIndex { $0 == origin }.map { $0 + 1 } ?? 0
        guard next < others.count else { return Node(dot: dot, parent: origin, isLeft: false, scalar: scalar) }
        return Node(dot: dot, parent: others[next], isLeft: true, scalar: scalar)
    }

    mutating func remove(_ range: Range<Int>) -> NaiveText {
        let dots = visible[index(of: range.lowerBound)..<index(of: range.upperBound)]
        if TextFault.current == .removalForgets {
            for dot in dots { nodes[dot] = nil }
            return NaiveText()
        }
        removed.formUnion(dots)
        let isBare = TextFault.current == .removalWithoutPlaces
        return NaiveText(isBare ? [] : dots.compactMap { nodes[$0] }, removed: Set(dots))
    }

    // MARK: Merging

    @discardableResult
    mutating func merge(_ other: NaiveText) -> Bool {
        let before = self
        if TextFault.current == .removalLosesToInsertion {
            removed.subtract(other.nodes.keys.filter { !other.removed.contains($0) })
        }
        for dot in other.arrivals { if let node = other.nodes[dot], nodes[dot] == nil { add(node) } }
        removed.formUnion(other.removed)
        return self != before
    }

    /// Joins, and tells of each scalar that comes or goes.
    @discardableResult
    mutating func merge(_ other: NaiveText, onChange: (SequenceChange<String>) -> Void) -> Bool {
        let before = visible
        let changed = merge(other)
        let after = visible
        var (old, position) = (0, 0)
        func drop(before end: Int) {
            while old < end {
                if let scalar = nodes[before[old]]?.scalar {
                    onChange(.removed(position..<position + UTF8.width(scalar)))
                    if TextFault.current == .changesWithOldPositions { position += UTF8.width(scalar) }
                }
                old += 1
            }
        }
        for dot in after {
            guard let scalar = nodes[dot]?.scalar else { continue }
            if let same = before[old...].firstIndex(of: dot) {
                drop(before: same)
                old = same + 1
            } else {
                onChange(.inserted(String(scalar), at: position))
            }
            position += UTF8.width(scalar)
        }
        drop(before: before.count)
        return changed
    }

    func decomposed() -> [NaiveText] {
        removed.union(nodes.keys).sorted().map { dot in
            NaiveText([nodes[dot]].compactMap(\.self), removed: removed.contains(dot) ? [dot] : [])
        }
    }

    func delta(for other: NaiveText) -> NaiveText {
        decomposed().reduce(into: NaiveText()) { if other.merging($1) != other { $0.merge($1) } }
    }

    // MARK: Coding

    /// Whether a node goes on with the one before it.
    private func isContinued(_ last: Node, by node: Node) -> Bool {
        node.dot.replica == last.dot.replica && node.dot.counter == last.dot.counter + 1 && node.parent == last.dot
            && !node.isLeft && removed.contains(node.dot) == removed.contains(last.dot)
    }

    /// The nodes by dot, in runs.
    func encode(into encoder: inout CanonicalEncoder) {
        var runs: [[Node]] = []
        for dot in nodes.keys.sorted() {
            guard let node = nodes[dot] else { continue }
            if let last = runs.last?.last, isContinued(last, by: node) {
                runs[runs.count - 1].append(node)
            } else {
                runs.append([node])
            }
        }
        encoder.encode(UInt64(runs.count))
        for (number, run) in runs.enumerated() {
            encoder.encode(run[0].dot)
            run[0].parent.encode(into: &encoder)
            encoder.encode(run[0].isLeft)
            encoder.encode(removed.contains(run[0].dot))
            // Where the next run goes on with this one, they were one before something in it was removed.
            let isSplit = number + 1 < runs.count && runs[number + 1][0].parent == run[run.count - 1].dot
            let isShort = TextFault.current == .runSplitLosesLast && isSplit && run.count > 1
            String(String.UnicodeScalarView(run.dropLast(isShort ? 1 : 0).map(\.scalar))).encode(into: &encoder)
        }
    }

    init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let count = try decoder.decodeUInt64()
        var last: Node?
        for _ in 0..<count {
            let dot = try decoder.decodeDot()
            var (parent, isLeft) = (try Dot?(from: &decoder), try decoder.decodeBool())
            let isRemoved = try decoder.decodeBool()
            let scalars = try String(from: &decoder).unicodeScalars
            guard let first = scalars.first, UInt64(scalars.count) <= Dot.maximumCounter - dot.counter + 1 else {
                throw .notCanonical
            }
            if isRemoved { removed.insert(dot) }
            let node = Node(dot: dot, parent: parent, isLeft: isLeft, scalar: first)
            if let last, last.dot >= dot || isContinued(last, by: node) { throw .notCanonical }
            for (offset, scalar) in scalars.enumerated() {
                let node = Node(
                    dot: Dot(replica: dot.replica, counter: dot.counter + UInt64(offset)), parent: parent,
                    isLeft: isLeft, scalar: scalar)
                if isRemoved { removed.insert(node.dot) }
                add(node)
                (parent, isLeft, last) = (node.dot, false, node)
            }
        }
    }
}

extension NaiveText: TypedText {
    var utf8Count: Int { string.utf8.count }

    func catchUp(from other: NaiveText) -> [NaiveText] { [merging(other)] }
}
