extension MovableList {
    /// What turns this version of a list into another: into a later or an earlier one, or one on another branch.
    ///
    /// A version is a copy of the list, as ``Text/changes(to:)`` has it. An element is the same in both wherever it was moved, and another
    /// one if it was removed and inserted again. An element that nobody moved between the two versions is never told as moved, nor is one
    /// that was moved away and back, if nothing else moved there.
    ///
    /// ```swift
    /// var days = MovableList<String>()
    /// days.insert(contentsOf: ["museum", "beach", "castle"], at: 0, by: jie)
    /// let yesterday = days
    /// days.move(from: 2, to: 0, by: noah)
    /// days.insert(contentsOf: ["market"], at: 3, by: jie)
    ///
    /// yesterday.changes(to: days)  // [.moved(from: 2, to: 0), .inserted(["market"], at: 3)]
    /// days.changes(to: yesterday)  // [.removed(3..<4), .moved(from: 0, to: 2)]
    /// ```
    ///
    /// - Returns: the changes, each true after those before it: upwards what was removed or replaced, then what was moved, and upwards what
    ///   was inserted. A removed element is replaced where an inserted one stands between the same elements that were not moved.
    ///
    /// Complexity: O(n log n) for the places of both.
    public func changes(to other: MovableList) -> [MovableListChange<Element>] {
        let difference = MoveDifference(from: shown, to: other.shown)
        return difference.removals + difference.moves + difference.insertions
    }
}

/// Two versions of a list, and which positions of one and of the other are the same element.
private struct MoveDifference<Element: Hashable & Sendable> {
    private typealias Change = MovableListChange<Element>

    /// What became of the element at a position.
    private enum Fate { case stays, moves, isReplaced, isAlone }

    /// A position of the old version and one of the new.
    private typealias Pair = (old: Int, new: Int)

    private let elements: [Element]
    /// Of each old position, and of each new one.
    private var fates: [Fate]
    private var newFates: [Fate]
    /// The old position of each new one; nil where the element is in the new version alone.
    private var origins: [Int?]
    /// Elements that were not moved, and then also those that replaced others: they ascend in both versions.
    private var fixed: [Pair] = []

    init(from old: [MovableList<Element>.Shown], to new: [MovableList<Element>.Shown]) {
        elements = new.map { $0.place.element }
        fates = old.map { _ in .isAlone }
        newFates = new.map { _ in .isAlone }
        origins = new.map { _ in nil }
        let positions = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1.name, $0) })
        var unmoved: [Pair] = []
        for (position, element) in old.enumerated() {
            // A name with two elements was forged.
            guard let target = positions[element.name], new[target].place.element == element.place.element else {
                continue
            }
            (fates[position], newFates[target], origins[target]) = (.moves, .moves, position)
            // Places keep their order, unless they were forged.
            if new[target].dot == element.dot, target > unmoved.last?.new ?? -1 { unmoved.append((position, target)) }
        }
        keep(unmoved)
        replace()
    }

    // MARK: What stays

    /// Keeps what has its place, and between these as many as can be of those that have another one in the same order.
    private mutating func keep(_ unmoved: [Pair]) {
        for (start, end) in gaps(between: unmoved) {
            let within = (start.new + 1..<end.new).compactMap { target in
                origins[target].flatMap { origin in start.old < origin && origin < end.old ? (origin, target) : nil }
            }
            fixed += Self.longestAscent(of: within)
            if end.old < fates.count { fixed.append(end) }
        }
        for pair in fixed { (fates[pair.old], newFates[pair.new]) = (.stays, .stays) }
    }

    /// Pairs what was removed with what was inserted between the same elements that stay.
    private mutating func replace() {
        var all: [Pair] = []
        for (start, end) in gaps(between: fixed) {
            let removed = (start.old + 1..<end.old).filter { fates[$0] == .isAlone }
            let inserted = (start.new + 1..<end.new).filter { newFates[$0] == .isAlone }
            for (position, target) in zip(removed, inserted) {
                (fates[position], newFates[target]) = (.isReplaced, .isReplaced)
                all.append((position, target))
            }
            if end.old < fates.count { all.append(end) }
        }
        fixed = all
    }

    /// What lies between pairs that ascend, and before the first and behind the last.
    private func gaps(between pairs: [Pair]) -> [(start: Pair, end: Pair)] {
        Array(zip([(-1, -1)] + pairs, pairs + [(fates.count, newFates.count)]))
    }

    /// The most pairs whose old positions ascend with the new ones, of such whose new positions do. Complexity: O(n log n).
    private static func longestAscent(of pairs: [Pair]) -> [Pair] {
        /// The index of the last pair of the best row of each length, and the pair before each in its row.
        var (ends, previous): ([Int], [Int?]) = ([], [])
        for (index, pair) in pairs.enumerated() {
            let length = ends.partitioningIndex { pairs[$0].old >= pair.old }
            previous.append(length > 0 ? ends[length - 1] : nil)
            if length < ends.count { ends[length] = index } else { ends.append(index) }
        }
        var (row, next): ([Pair], Int?) = ([], ends.last)
        while let index = next {
            row.append(pairs[index])
            next = previous[index]
        }
        return row.reversed()
    }

    // MARK: What is told

    /// What was removed or replaced.
    var removals: [MovableListChange<Element>] {
        let replacing = fixed.filter { fates[$0.old] == .isReplaced }.map { elements[$0.new] }
        var (changes, position, replaced): ([Change], Int, Int) = ([], 0, 0)
        for (fate, range) in Self.runs(of: fates) {
            switch fate {
            case .isAlone: changes.append(.removed(position..<position + range.count))
            case .isReplaced:
                changes.append(.replaced(Array(replacing[replaced..<replaced + range.count]), at: position))
                replaced += range.count
            case .stays, .moves: break
            }
            if fate != .isAlone { position += range.count }
        }
        return changes
    }

    /// What was moved.
    var moves: [MovableListChange<Element>] {
        // Each moved element has two slots among those that are fixed, one of them filled: where it stands, and, behind the one that it
        // follows in the new version, where it goes.
        var (filled, old, new): ([Bool], [Int: Int], [Int: Int]) = ([], [:], [:])
        for (start, end) in gaps(between: fixed) {
            for target in start.new + 1..<end.new where newFates[target] == .moves {
                new[target] = filled.count
                filled.append(false)
            }
            for position in start.old + 1..<end.old where fates[position] == .moves {
                old[position] = filled.count
                filled.append(true)
            }
            filled.append(true)
        }
        var slots = FilledSlots(filled)
        var changes: [Change] = []
        for (target, origin) in origins.enumerated() where newFates[target] == .moves {
            guard let origin, let source = old[origin], let goal = new[target] else { continue }
            let from = slots.count(before: source)
            slots.change(source, by: -1)
            let to = slots.count(before: goal)
            slots.change(goal, by: 1)
            if from != to { changes.append(.moved(from: from, to: to)) }
        }
        return changes
    }

    /// What was inserted.
    var insertions: [MovableListChange<Element>] {
        Self.runs(of: newFates).compactMap { fate, range in
            fate == .isAlone ? .inserted(Array(elements[range]), at: range.lowerBound) : nil
        }
    }

    /// Positions in a row with one fate.
    private static func runs(of fates: [Fate]) -> [(fate: Fate, range: Range<Int>)] {
        var runs: [(fate: Fate, range: Range<Int>)] = []
        for (position, fate) in fates.enumerated() {
            if let last = runs.last, last.fate == fate {
                runs[runs.count - 1].range = last.range.lowerBound..<position + 1
            } else {
                runs.append((fate, position..<position + 1))
            }
        }
        return runs
    }
}

/// How many slots before each are filled (Fenwick: *A New Data Structure for Cumulative Frequency Tables*, 1994).
private struct FilledSlots {
    /// At each number from 1 the sum of as many slots up to it as its lowest bit says.
    private var sums: [Int]

    init(_ filled: [Bool]) {
        sums = [0] + filled.map { $0 ? 1 : 0 }
        for index in sums.indices.dropFirst() {
            let next = index + index & -index
            if next < sums.count { sums[next] += sums[index] }
        }
    }

    /// Complexity: O(log n).
    func count(before slot: Int) -> Int {
        var (index, count) = (slot, 0)
        while index > 0 {
            count += sums[index]
            index -= index & -index
        }
        return count
    }

    /// Complexity: O(log n).
    mutating func change(_ slot: Int, by amount: Int) {
        var index = slot + 1
        while index < sums.count {
            sums[index] += amount
            index += index & -index
        }
    }
}
