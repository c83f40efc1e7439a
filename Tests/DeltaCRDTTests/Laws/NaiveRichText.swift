import DeltaCRDT

/// A way in which formatting can be wrong.
enum MarkFault: CaseIterable {
    case linksGrow, boldStops, beginningsGrow
    case earliestWins, timesIgnored
    case removalKeepsExpansion, removalForgets
    case edgesIgnored, anchorsFallWithCharacters
    case overlapOverwrites, otherNamesOverwritten

    /// The fault of every ``NaiveRichText`` in this task; nil where it is sound.
    @TaskLocal static var current: MarkFault?
}

/// A naive text and every mark that was ever written on it. It obeys every law if deltas arrive in causal order, unless it has a fault.
struct NaiveRichText: DeltaState, CanonicalCodable {
    typealias Change = RichTextChange

    struct Anchor: Hashable {
        let isAfter: Bool
        /// Nil at the beginning and the end.
        let dot: Dot?
    }

    struct Write: Hashable {
        let time: UInt64
        let name: String
        let value: String?
        let start: Anchor
        let end: Anchor
    }

    private var text = NaiveText()
    private var writes: [Dot: Write] = [:]
    /// Marks that were overwritten by mistake.
    private var gone: Set<Dot> = []

    init() {}

    var string: String { text.string }

    // MARK: Reading

    /// Twice the number of characters, removed or not, before an anchor; one more after a character.
    private func place(of anchor: Anchor, in order: [Dot: Int]) -> Int? {
        guard let dot = anchor.dot else { return anchor.isAfter ? -1 : .max }
        if MarkFault.current == .anchorsFallWithCharacters, text.removed.contains(dot) { return nil }
        return order[dot].map { $0 * 2 + (anchor.isAfter ? 1 : 0) }
    }

    private var order: [Dot: Int] { Dictionary(uniqueKeysWithValues: text.order.enumerated().map { ($1, $0) }) }

    var marks: [FormattingMark] {
        var (open, marks): ([String: FormattingMark], [FormattingMark]) = ([:], [])
        let order = order
        let placed = writes.filter { !gone.contains($0.key) }.compactMap { dot, write in
            place(of: write.start, in: order).flatMap { start in
                place(of: write.end, in: order).map { (dot: dot, write: write, start: start, end: $0) }
            }
        }
        var position = 0
        for dot in text.visible {
            guard let place = order[dot], let scalar = text.nodes[dot]?.scalar else { continue }
            let end = position + UTF8.width(scalar)
            var latest: [String: (dot: Dot, write: Write)] = [:]
            for mark in placed where mark.start <= place * 2 && mark.end > place * 2 {
                if let other = latest[mark.write.name], !isLater(mark.write, mark.dot, other.write, other.dot) {
                    continue
                }
                latest[mark.write.name] = (mark.dot, mark.write)
            }
            for name in Set(open.keys).union(latest.keys) {
                let value = latest[name]?.write.value
                if let last = open[name], last.value == value {
                    open[name] = FormattingMark(last.range.lowerBound..<end, name, value: last.value)
                } else {
                    if let last = open.removeValue(forKey: name) { marks.append(last) }
                    open[name] = value.map { FormattingMark(position..<end, name, value: $0) }
                }
            }
            position = end
        }
        return (marks + open.values).sorted { ($0.range.lowerBound, $0.name) < ($1.range.lowerBound, $1.name) }
    }

    private func isLater(_ write: Write, _ dot: Dot, _ other: Write, _ otherDot: Dot) -> Bool {
        switch MarkFault.current {
        case .earliestWins: (write.time, dot) < (other.time, otherDot)
        case .timesIgnored: dot > otherDot
        default: (write.time, dot) > (other.time, otherDot)
        }
    }

    // MARK: Editing

    mutating func insert(_ string: String, at position: Int, by replica: ReplicaID) -> NaiveRichText {
        let (order, visible, index) = (text.order, text.visible, text.index(of: position))
        let before = index == 0 ? nil : visible[index - 1]
        let first = before.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        let edges = Set(writes.values.flatMap { [$0.start, $0.end] }.filter(\.isAfter).compactMap(\.dot))
        let edge = order[first...].prefix { text.removed.contains($0) }.last { edges.contains($0) }
        var delta = NaiveRichText()
        let origin = MarkFault.current == .edgesIgnored ? before : edge ?? before
        delta.text = text.insert(string, after: origin, by: replica)
        return delta
    }

    mutating func remove(_ range: Range<Int>) -> NaiveRichText {
        var delta = NaiveRichText()
        delta.text = text.remove(range)
        return delta
    }

    mutating func mark(
        _ range: Range<Int>, _ name: String, value: String, expanding expansion: MarkExpansion, by replica: ReplicaID
    ) -> NaiveRichText {
        var (before, after) = (expansion == .before || expansion == .both, expansion == .after || expansion == .both)
        if MarkFault.current == .linksGrow { after = true }
        if MarkFault.current == .boldStops { after = false }
        if MarkFault.current == .beginningsGrow { before = true }
        return write(range, name, value, before, after, replica)
    }

    mutating func unmark(
        _ range: Range<Int>, _ name: String, expanding expansion: MarkExpansion, by replica: ReplicaID
    ) -> NaiveRichText {
        let (before, after) = (expansion == .before || expansion == .both, expansion == .after || expansion == .both)
        if MarkFault.current == .removalKeepsExpansion { return write(range, name, nil, before, after, replica) }
        return write(range, name, nil, !after, !before, replica)
    }

    private mutating func write(
        _ range: Range<Int>, _ name: String, _ value: String?, _ growsBefore: Bool, _ growsAfter: Bool,
        _ replica: ReplicaID
    ) -> NaiveRichText {
        let (first, end) = (text.index(of: range.lowerBound), text.index(of: range.upperBound))
        let visible = text.visible
        guard first < end else { return NaiveRichText() }
        let start =
            growsBefore
            ? Anchor(isAfter: true, dot: first == 0 ? nil : visible[first - 1])
            : Anchor(isAfter: false, dot: visible[first])
        let finish =
            growsAfter
            ? Anchor(isAfter: false, dot: end == visible.count ? nil : visible[end])
            : Anchor(isAfter: true, dot: visible[end - 1])
        let time = UInt64(text.nodes.count + writes.count)
        let write = Write(time: time, name: name, value: value, start: start, end: finish)
        var delta = NaiveRichText()
        let own = writes.keys.filter { $0.replica == replica }.map(\.counter).max() ?? 0
        delta.writes[Dot(replica: replica, counter: own + 1)] = write
        delta.gone = overwritten(by: write)
        merge(delta)
        return delta
    }

    /// What a fault forgets.
    private func overwritten(by write: Write) -> Set<Dot> {
        let order = order
        guard let start = place(of: write.start, in: order), let end = place(of: write.end, in: order) else {
            return []
        }
        let forgotten = writes.filter { _, other in
            guard let otherStart = place(of: other.start, in: order), let otherEnd = place(of: other.end, in: order)
            else { return false }
            let isWithin = start <= otherStart && otherEnd <= end
            let isTouched = start <= otherEnd && otherStart <= end
            return switch MarkFault.current {
            case .removalForgets: write.value == nil && other.name == write.name && isTouched
            case .overlapOverwrites: other.name == write.name && isTouched
            case .otherNamesOverwritten: isWithin && other.name != write.name
            default: false
            }
        }
        return Set(forgotten.keys)
    }

    // MARK: Merging

    @discardableResult
    mutating func merge(_ other: NaiveRichText) -> Bool {
        let before = self
        text.merge(other.text)
        writes.merge(other.writes) { mine, _ in mine }
        gone.formUnion(other.gone)
        return self != before
    }

    @discardableResult
    mutating func merge(_ other: NaiveRichText, onChange: (RichTextChange) -> Void) -> Bool {
        let before = marks
        // All marks fall, and what is seen then is told.
        for mark in before { onChange(.marked(mark.range, name: mark.name, value: nil)) }
        let copy = self
        text.merge(other.text) { change in
            switch change {
            case .inserted(let text, let position): onChange(.inserted(text, at: position))
            case .removed(let range): onChange(.removed(range))
            }
        }
        writes.merge(other.writes) { mine, _ in mine }
        gone.formUnion(other.gone)
        for mark in marks { onChange(.marked(mark.range, name: mark.name, value: mark.value)) }
        return self != copy
    }

    func decomposed() -> [NaiveRichText] {
        var parts = text.decomposed().map { text -> NaiveRichText in
            var part = NaiveRichText()
            part.text = text
            return part
        }
        for (dot, write) in writes {
            var part = NaiveRichText()
            part.writes[dot] = write
            parts.append(part)
        }
        for dot in gone {
            var part = NaiveRichText()
            part.gone = [dot]
            parts.append(part)
        }
        return parts
    }

    func delta(for other: NaiveRichText) -> NaiveRichText {
        decomposed().reduce(into: NaiveRichText()) { if other.merging($1) != other { $0.merge($1) } }
    }

    // MARK: Coding

    func encode(into encoder: inout CanonicalEncoder) {
        text.encode(into: &encoder)
        encoder.encode(UInt64(writes.count))
        for dot in writes.keys.sorted() {
            guard let write = writes[dot] else { continue }
            encoder.encode(dot)
            encoder.encode(write.time)
            write.name.encode(into: &encoder)
            write.value.encode(into: &encoder)
            for anchor in [write.start, write.end] {
                encoder.encode(anchor.isAfter)
                anchor.dot.encode(into: &encoder)
            }
        }
        CausalContext(gone).encode(into: &encoder)
    }

    init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        text = try NaiveText(from: &decoder)
        var last: Dot?
        for _ in 0..<(try decoder.decodeUInt64()) {
            let dot = try decoder.decodeDot()
            if let last, dot <= last { throw .notCanonical }
            last = dot
            let time = try decoder.decodeUInt64()
            let (name, value) = (try String(from: &decoder), try String?(from: &decoder))
            let start = Anchor(isAfter: try decoder.decodeBool(), dot: try Dot?(from: &decoder))
            let end = Anchor(isAfter: try decoder.decodeBool(), dot: try Dot?(from: &decoder))
            writes[dot] = Write(time: time, name: name, value: value, start: start, end: end)
        }
        var count = 0
        try CausalContext(from: &decoder).forEachRange { replica, counters in
            for counter in counters.prefix(1000) where count < 1000 {
                gone.insert(Dot(replica: replica, counter: counter))
                count += 1
            }
        }
        if CausalContext(gone).encoded().isEmpty { throw .notCanonical }
    }
}

extension NaiveRichText: FormattedText {
    func catchUp(from other: NaiveRichText) -> [NaiveRichText] { [merging(other)] }
}
