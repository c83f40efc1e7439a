/// A few dots in their order, with a value for each: one of them without an allocation, for maps of many keys and for deltas.
@usableFromInline
enum FewDots<Value: Hashable & Sendable>: Hashable, Sendable {
    @usableFromInline
    struct Entry: Hashable, Sendable {
        @usableFromInline let dot: Dot
        @usableFromInline let value: Value

        @inlinable
        init(dot: Dot, value: Value) {
            self.dot = dot
            self.value = value
        }
    }

    case none
    case one(Entry)
    /// Two at least, sorted.
    case several([Entry])

    @inlinable var count: Int {
        switch self {
        case .none: 0
        case .one: 1
        case .several(let entries): entries.count
        }
    }

    @inlinable subscript(dot: Dot) -> Value? {
        switch self {
        case .none: return nil
        case .one(let entry): return entry.dot == dot ? entry.value : nil
        case .several(let entries):
            let index = Self.position(of: dot, in: entries)
            return index < entries.count && entries[index].dot == dot ? entries[index].value : nil
        }
    }

    @inlinable func contains(_ dot: Dot) -> Bool {
        switch self {
        case .none: return false
        case .one(let entry): return entry.dot == dot
        case .several(let entries):
            let index = Self.position(of: dot, in: entries)
            return index < entries.count && entries[index].dot == dot
        }
    }

    @inlinable func forEach(_ body: (Entry) -> Void) {
        switch self {
        case .none: break
        case .one(let entry): body(entry)
        case .several(let entries):
            for entry in entries { body(entry) }
        }
    }

    /// Puts a value in the place of what the dot has, if anything; says whether the dot is new.
    @inlinable mutating func set(_ entry: Entry) -> Bool {
        switch self {
        case .none: self = .one(entry)
        case .one(let single) where single.dot == entry.dot:
            self = .one(entry)
            return false
        case .one(let single): self = .several(single.dot < entry.dot ? [single, entry] : [entry, single])
        case .several(var entries):
            // Let go of the storage, or changing it would copy it.
            self = .none
            let index = Self.position(of: entry.dot, in: entries)
            let isHere = index < entries.count && entries[index].dot == entry.dot
            if isHere { entries[index] = entry } else { entries.insert(entry, at: index) }
            self = .several(entries)
            return !isHere
        }
        return true
    }

    /// Forgets what some dots have, which ascend, and puts an entry, where there is one, in the place of what its dot has.
    /// Where nothing is shared, no storage is made but for what grows. Complexity: O((n + 1) log m).
    @inlinable mutating func replace(_ gone: [Dot], with entry: Entry?) {
        switch self {
        case .none: break
        case .one(let single):
            if Self.isAmong(single.dot, gone) { self = .none }
        case .several(var entries):
            // Let go of the storage, or changing it would copy it.
            self = .none
            entries.removeAll { Self.isAmong($0.dot, gone) }
            if entries.count < 2 { self = Self(sorted: entries) } else { self = .several(entries) }
        }
        if let entry { _ = set(entry) }
    }

    /// Whether a dot is among others, which ascend.
    @inlinable static func isAmong(_ dot: Dot, _ dots: [Dot]) -> Bool {
        let index = dots.partitioningIndex { $0 >= dot }
        return index < dots.count && dots[index] == dot
    }

    /// Keeps what `isKept`; says whether anything went.
    @inlinable mutating func filter(_ isKept: (Dot) -> Bool) -> Bool {
        switch self {
        case .none: return false
        case .one(let entry):
            if isKept(entry.dot) { return false }
            self = .none
            return true
        case .several(let entries):
            guard let first = entries.firstIndex(where: { !isKept($0.dot) }) else { return false }
            var kept = Array(entries[..<first])
            for entry in entries[(first + 1)...] where isKept(entry.dot) { kept.append(entry) }
            self = Self(sorted: kept)
            return true
        }
    }

    /// Complexity: as ``forEach(in:_:)`` and, for what comes and falls, O(m log n) and to move what comes after it.
    @inlinable mutating func merge(
        _ other: FewDots, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots
    ) -> Bool {
        var changed = false
        switch self {
        case .none: break
        case .one(let entry):
            if otherContext.contains(entry.dot), !other.contains(entry.dot) {
                fallen.append(entry.dot)
                self = .none
                changed = true
            }
        case .several:
            var gone: [Dot] = []
            forEach(in: otherContext) { if !other.contains($0.dot) { gone.append($0.dot) } }
            for dot in gone { fallen.append(dot) }
            if !gone.isEmpty { replace(gone, with: nil) }
            changed = !gone.isEmpty
        }
        if other.count > 8 {
            if insert(other.entries.filter { !context.contains($0.dot) }) { changed = true }
        } else {
            other.forEach { entry in
                if !context.contains(entry.dot), set(entry) { changed = true }
            }
        }
        return changed
    }

    /// Puts entries, sorted, in the place of what their dots have, walking all; says whether any dot is new.
    @inlinable mutating func insert(_ others: [Entry]) -> Bool {
        let mine = entries
        var united: [Entry] = []
        united.reserveCapacity(mine.count + others.count)
        var (next, repeats) = (0, 0)
        for other in others {
            while next < mine.count, mine[next].dot < other.dot {
                united.append(mine[next])
                next += 1
            }
            if next < mine.count, mine[next].dot == other.dot {
                next += 1
                repeats += 1
            }
            united.append(other)
        }
        united.append(contentsOf: mine[next...])
        self = Self(sorted: united)
        return repeats < others.count
    }

    @inlinable var entries: [Entry] {
        switch self {
        case .none: []
        case .one(let entry): [entry]
        case .several(let entries): entries
        }
    }

    /// Visits the entries whose dots a context has seen. Complexity: O(the lesser of n · log ranges and ranges · log n, and
    /// the entries found).
    @inlinable func forEach(in context: CausalContext, _ body: (Entry) -> Void) {
        guard case .several(let entries) = self, context.rangeCount < entries.count / 8 else {
            return forEach { if context.contains($0.dot) { body($0) } }
        }
        context.forEachRange { replica, counters in
            var index = Self.position(of: Dot(replica: replica, counter: counters.lowerBound), in: entries)
            while index < entries.count, entries[index].dot.replica == replica,
                entries[index].dot.counter <= counters.upperBound
            {
                body(entries[index])
                index += 1
            }
        }
    }

    /// The sum of the fingerprints of a replica's dots.
    @inlinable func fingerprint(of replica: ReplicaID) -> UInt64 {
        var sum: UInt64 = 0
        switch self {
        case .none: break
        case .one(let entry): sum = entry.dot.replica == replica ? entry.dot.fingerprint : 0
        case .several(let entries):
            var index = Self.position(of: Dot(replica: replica, counter: 1), in: entries)
            while index < entries.count, entries[index].dot.replica == replica {
                sum &+= entries[index].dot.fingerprint
                index += 1
            }
        }
        return sum
    }

    @inlinable func restricted(to kept: CausalContext) -> FewDots {
        guard case .several = self else {
            var part = self
            _ = part.filter(kept.contains)
            return part
        }
        var part: [Entry] = []
        forEach(in: kept) { part.append($0) }
        return Self(sorted: part)
    }

    @inlinable init(sorted entries: [Entry]) {
        switch entries.count {
        case 0: self = .none
        case 1: self = .one(entries[0])
        default: self = .several(entries)
        }
    }

    @inlinable static func position(of dot: Dot, in entries: [Entry]) -> Int {
        entries.partitioningIndex { $0.dot >= dot }
    }
}
