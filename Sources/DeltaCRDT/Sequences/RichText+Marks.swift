/// Whether a mark takes in what somebody types at its edges.
public enum MarkExpansion: Hashable, Sendable {
    /// Neither at its beginning nor at its end, as a link.
    case none
    /// At its beginning alone.
    case before
    /// At its end alone, as bold.
    case after
    /// At both.
    case both

    /// That of what takes such a mark off, so that what is left of it keeps to its own at the new edges.
    fileprivate var reversed: MarkExpansion {
        switch self {
        case .none: .both
        case .both: .none
        case .before, .after: self
        }
    }
}

/// A mark as it is seen: from where to where, its name and its value.
public struct FormattingMark: Hashable, Sendable {
    /// The bytes that have it.
    public let range: Range<Int>
    /// Its name.
    public let name: String
    /// Its value; empty where it has none.
    public let value: String

    /// A mark. Complexity: O(1).
    public init(_ range: Range<Int>, _ name: String, value: String = "") {
        (self.range, self.name, self.value) = (range, name, value)
    }
}

/// Text in a row with one formatting.
public struct FormattedSpan: Hashable, Sendable {
    /// Its bytes.
    public let range: Range<Int>
    /// The values of its marks by their names.
    public let attributes: [String: String]

    /// A span. Complexity: O(1).
    public init(_ range: Range<Int>, _ attributes: [String: String]) {
        (self.range, self.attributes) = (range, attributes)
    }
}

extension RichText {
    /// Puts a mark on the bytes between two positions in the name of a replica and returns the delta. An empty range gets none.
    ///
    /// - Parameters:
    ///   - range: the bytes; both ends lie between scalars.
    ///   - name: what mark it is. Those with one name exclude each other: marks that are to overlap, like comments, get names of their own.
    ///   - value: what it says, like a link's address.
    ///   - expansion: whether it takes in what is typed at its edges. Give a name one expansion everywhere.
    ///   - replica: in whose name.
    ///
    /// Complexity: O(marks · log n), and O(n) once.
    @discardableResult
    public mutating func mark(
        _ range: Range<Int>, _ name: String, value: String = "", expanding expansion: MarkExpansion = .after,
        by replica: ReplicaID
    ) -> RichText {
        write(range, name, value, expansion, replica)
    }

    /// Takes a mark off the bytes between two positions in the name of a replica and returns the delta. An empty range loses none.
    ///
    /// - Parameters:
    ///   - range: the bytes; both ends lie between scalars.
    ///   - name: what mark it is.
    ///   - expansion: the expansion of the mark, which what is left of it keeps at the new edges.
    ///   - replica: in whose name.
    ///
    /// Complexity: O(marks · log n), and O(n) once.
    @discardableResult
    public mutating func unmark(
        _ range: Range<Int>, _ name: String, expanding expansion: MarkExpansion = .after, by replica: ReplicaID
    ) -> RichText {
        write(range, name, nil, expansion.reversed, replica)
    }

    private mutating func write(
        _ range: Range<Int>, _ name: String, _ value: String?, _ expansion: MarkExpansion, _ replica: ReplicaID
    ) -> RichText {
        causal.liveStore.text.arrange()
        let text = causal.store.text
        require(range, upTo: text.index.tree.weight, in: "text")
        guard !range.isEmpty else { return RichText() }
        let growsBefore = expansion == .before || expansion == .both
        let growsAfter = expansion == .after || expansion == .both
        let mark = MarkWrite(
            time: time, name: Canonical(name), value: value.map(Canonical.init),
            start: text.anchor(at: range.lowerBound, growsBefore ? .after : .before),
            end: text.anchor(at: range.upperBound, growsAfter ? .before : .after))
        let dot = context.nextDot(for: replica)
        var events = causal.store.overwritten(by: mark, dot)
        events.insert(dot)
        let delta = Causal(store: RichTextStore(marks: DotFun(dot, mark)), seen: events)
        causal.merge(delta)
        return RichText(delta)
    }

    /// Lets marks fall, and writes others in the name of a replica, each with the time that it has: below all that is later. Returns the
    /// events of those.
    ///
    /// Complexity: O(marks · written).
    mutating func rewrite(_ fallen: [Dot], as writes: [MarkWrite], by replica: ReplicaID) -> [Dot] {
        var (marks, events, dots) = (DotFun<MarkWrite>(), CausalContext(), [Dot]())
        for dot in fallen where causal.store.marks.contains(dot) { events.insert(dot) }
        let first = context.nextDots(for: replica, count: UInt64(max(1, writes.count)))
        for write in writes {
            let dot = Dot(replica: first.replica, counter: first.counter + UInt64(dots.count))
            dots.append(dot)
            events.insert(dot)
            marks[dot] = write
        }
        if !events.isEmpty { causal.merge(Causal(store: RichTextStore(marks: marks), seen: events)) }
        return dots
    }

    /// Later than all marks that are here, also where one came without what its author had seen.
    private var time: UInt64 {
        var time = UInt64(context.count)
        causal.store.marks.forEach { time = max(time, Stamp.time(after: $1.time)) }
        return time
    }

    /// The marks as they are seen, by their beginning and then by their names. Two of one name neither overlap nor, with one value, touch.
    ///
    /// Complexity: O(m log m + m log n) for the m marks written and not overwritten, and O(n) once.
    public var marks: [FormattingMark] { causal.store.formatting }

    /// The whole text in spans of one formatting each, for a view to draw.
    ///
    /// Complexity: as of ``marks``, and O(names) for each span: marks that lie in each other take as many attributes as spans. Where
    /// strangers write, read ``marks``, which are no more than were written.
    public var spans: [FormattedSpan] {
        let marks = marks
        var bounds = Set(marks.flatMap { [$0.range.lowerBound, $0.range.upperBound] }).union([0, utf8Count]).sorted()
        var (begins, ends): ([Int: [FormattingMark]], [Int: [FormattingMark]]) = ([:], [:])
        for mark in marks {
            begins[mark.range.lowerBound, default: []].append(mark)
            ends[mark.range.upperBound, default: []].append(mark)
        }
        var (spans, attributes): ([FormattedSpan], [String: String]) = ([], [:])
        guard let last = bounds.popLast() else { return [] }
        for (index, bound) in bounds.enumerated() {
            for mark in ends[bound] ?? [] { attributes[mark.name] = nil }
            for mark in begins[bound] ?? [] { attributes[mark.name] = mark.value }
            spans.append(FormattedSpan(bound..<(index + 1 < bounds.count ? bounds[index + 1] : last), attributes))
        }
        return spans
    }

    /// The values of the marks of the character that begins at a position, by their names; of the last one at the end.
    ///
    /// Complexity: as of ``marks``.
    public func attributes(at position: Int) -> [String: String] {
        require(position, upTo: utf8Count, in: "text")
        let place = min(position, utf8Count - 1)
        var attributes: [String: String] = [:]
        for mark in marks where mark.range.contains(place) { attributes[mark.name] = mark.value }
        return attributes
    }
}

extension RichTextStore {
    /// The marks that one written here makes superfluous: with its name, earlier, and nowhere outside of it.
    fileprivate func overwritten(by mark: MarkWrite, _ dot: Dot) -> CausalContext {
        var events = CausalContext()
        guard let start = text.place(of: mark.start), let end = text.place(of: mark.end) else { return events }
        marks.forEach { other, earlier in
            guard earlier.name == mark.name, (earlier.time, other) < (mark.time, dot),
                let earlierStart = text.place(of: earlier.start), let earlierEnd = text.place(of: earlier.end),
                text.isOrdered(start, notAfter: earlierStart), text.isOrdered(earlierEnd, notAfter: end)
            else { return }
            events.insert(other)
        }
        return events
    }

    /// The marks as they are seen.
    var formatting: [FormattingMark] {
        guard !marks.isEmpty else { return [] }
        let text = text.arranged
        var layers: [[UInt8]: [MarkLayer]] = [:]
        marks.forEach { dot, mark in
            // What is not known here yet is not shown, and what lies the wrong way round was forged.
            guard let start = text.position(of: mark.start), let end = text.position(of: mark.end), start < end else {
                return
            }
            layers[Array(mark.name.value.utf8), default: []].append(
                MarkLayer(range: start..<end, time: mark.time, dot: dot, value: mark.value?.value))
        }
        var marks: [(mark: FormattingMark, name: [UInt8])] = []
        for (name, layers) in layers {
            let text = String(decoding: name, as: UTF8.self)
            for (range, value) in MarkLayer.seen(layers) {
                marks.append((FormattingMark(range, text, value: value), name))
            }
        }
        marks.sort {
            $0.mark.range.lowerBound != $1.mark.range.lowerBound
                ? $0.mark.range.lowerBound < $1.mark.range.lowerBound : $0.name.lexicographicallyPrecedes($1.name)
        }
        return marks.map { $0.mark }
    }
}

/// A mark where it lies now, among others of its name.
private struct MarkLayer {
    let range: Range<Int>
    let time: UInt64
    let dot: Dot
    /// Nil where it takes off what lies below.
    let value: String?

    /// What is seen from above: the latest first, each covers what is not covered yet. Complexity: O(m log m).
    static func seen(_ layers: [MarkLayer]) -> [(range: Range<Int>, value: String)] {
        let bounds = Set(layers.flatMap { [$0.range.lowerBound, $0.range.upperBound] }).sorted()
        var indices: [Int: Int] = [:]
        for (index, bound) in bounds.enumerated() { indices[bound] = index }
        var values = [String?](repeating: nil, count: bounds.count)
        // The next part that is not covered yet.
        var next = Array(0...bounds.count)
        func free(_ index: Int) -> Int {
            var root = index
            while next[root] != root { root = next[root] }
            var index = index
            while next[index] != root { (index, next[index]) = (next[index], root) }
            return root
        }
        for layer in layers.sorted(by: { ($0.time, $0.dot) > ($1.time, $1.dot) }) {
            guard let start = indices[layer.range.lowerBound], let end = indices[layer.range.upperBound] else {
                continue
            }
            var index = free(start)
            while index < end {
                values[index] = layer.value
                next[index] = index + 1
                index = free(index + 1)
            }
        }
        var seen: [(range: Range<Int>, value: String)] = []
        for index in bounds.indices.dropLast() {
            guard let value = values[index] else { continue }
            let range = bounds[index]..<bounds[index + 1]
            if let last = seen.last, last.range.upperBound == range.lowerBound,
                Canonical(last.value) == Canonical(value)
            {
                seen[seen.count - 1].range = last.range.lowerBound..<range.upperBound
            } else {
                seen.append((range, value))
            }
        }
        return seen
    }
}
