extension SequenceStore {
    // MARK: Places

    /// Appends who inserted what where: names, stretches, and where those stand that do not go on with the one before.
    func encodePlaces(into encoder: inout CanonicalEncoder) {
        var named: Set<Int> = []
        for (slot, writer) in index.writers.enumerated() {
            if !writer.runs.isEmpty { named.insert(slot) }
            writer.runs.forEach { run in
                if !run.origin.isBeginning, !run.isContinuation(of: UInt32(slot)) {
                    named.insert(Int(run.origin.writer))
                }
            }
        }
        let order = index.sortedSlots.filter { named.contains($0) }
        encoder.encode(count: order.count)
        for slot in order { encoder.encode(interned: index.writers[slot].replica) }
        var numbers: [ReplicaID: Int] = [:]
        for (number, slot) in order.enumerated() { numbers[index.writers[slot].replica] = number }
        var (heads, origins) = (CanonicalEncoder(), CanonicalEncoder())
        for (number, slot) in order.enumerated() {
            let stretches = stretches(of: slot)
            heads.encode(count: stretches.count)
            var start: UInt64 = 1
            for stretch in stretches {
                heads.encode(stretch.length << 3 | (stretch.origin == nil ? 0 : 4) | stretch.kind.rawValue)
                if let origin = stretch.origin {
                    let parent = stretch.origins.flatMap { numbers[$0] } ?? number
                    OriginCoding(start: start, number: number).encode(origin, of: parent, into: &origins)
                }
                start += stretch.length
            }
        }
        PackedBytes.encode(heads.bytes, into: &encoder)
        PackedBytes.encode(origins.bytes, into: &encoder)
    }

    /// Reads what ``encodePlaces(into:)`` wrote; the content of what is alive is still to come, and counts as one unit an element.
    init(placesFrom decoder: inout CanonicalDecoder, alive limit: Int) throws(DecodingFailure) {
        self.init()
        let count = try decoder.decodeCount(limit: .max)
        var named = [Bool](repeating: false, count: count)
        for _ in 0..<count {
            let replica = try decoder.decodeInternedReplica()
            if let last = index.writers.last, last.replica >= replica { throw .notCanonical }
            _ = makeSlot(of: replica)
        }
        var heads = CanonicalDecoder(try PackedBytes.decode(from: &decoder))
        var origins = CanonicalDecoder(try PackedBytes.decode(from: &decoder))
        var alive = 0
        for slot in 0..<UInt32(count) {
            try decodeStretches(of: slot, &heads, &origins, &named)
            let (sum, overflow) = alive.addingReportingOverflow(index.writers[Int(slot)].alive)
            guard !overflow, sum <= limit else { throw .tooLarge }
            alive = sum
        }
        try heads.finish()
        try origins.finish()
        guard !named.contains(false) else { throw .notCanonical }
    }

    private mutating func decodeStretches(
        of slot: UInt32, _ heads: inout CanonicalDecoder, _ origins: inout CanonicalDecoder, _ named: inout [Bool]
    ) throws(DecodingFailure) {
        var runs: ContiguousArray<SequenceRun> = []
        var start: UInt64 = 1
        var previous: Stretch.Kind?
        for _ in 0..<(try heads.decodeCount(limit: .max)) {
            let head = try heads.decodeUInt64()
            guard let kind = Stretch.Kind(rawValue: head & 3), head >> 3 > 0 else { throw .notCanonical }
            guard head >> 3 <= Dot.maximumCounter + 1 - start else { throw .tooLarge }
            let hasOrigin = head & 4 != 0
            guard kind != previous || hasOrigin, kind != .gap || !hasOrigin else { throw .notCanonical }
            if kind != .gap {
                var run = SequenceRun(
                    start: start, origin: .init(rightOf: start - 1, by: slot), weight: 0, length: head >> 3, offset: 0,
                    leaf: SequenceRun.unplaced)
                if hasOrigin {
                    run.origin = try OriginCoding(start: start, number: Int(slot)).decode(from: &origins, named.count)
                    guard !run.isContinuation(of: slot) else { throw .notCanonical }
                    if !run.origin.isBeginning { named[Int(run.origin.writer)] = true }
                }
                if kind == .alive {
                    let room = UInt64(Int.max - index.writers[Int(slot)].alive)
                    guard run.length < 1 << 31, run.length <= room else { throw .tooLarge }
                    run.weight = UInt32(run.length)
                    index.noteAdded(run.start..<run.end, by: slot)
                }
                runs.append(run)
            }
            start += head >> 3
            previous = kind
        }
        guard previous != .gap else { throw .notCanonical }
        if !runs.isEmpty { named[Int(slot)] = true }
        index.writers[Int(slot)].runs = RunColumn(runs)
    }

    /// The events of all runs.
    var dots: CausalContext {
        var dots = CausalContext()
        for slot in index.sortedSlots {
            let replica = index.writers[slot].replica
            var open: Range<UInt64>?
            index.writers[slot].runs.forEach { run in
                if let range = open, range.upperBound == run.start {
                    open = range.lowerBound..<run.end
                } else {
                    if let range = open {
                        dots.insert(replica: replica, counters: range.lowerBound...range.upperBound - 1)
                    }
                    open = run.start..<run.end
                }
            }
            if let range = open { dots.insert(replica: replica, counters: range.lowerBound...range.upperBound - 1) }
        }
        return dots
    }

    // MARK: Content

    /// The live runs in the order in which their content is written: that of the sequence, and after it, by their dots, those whose place
    /// is not known. The store must be arranged.
    func forEachLiveRun(_ body: (SequenceRun, UInt32) -> Void) {
        index.tree.forEach { entry in
            if entry.weight > 0, let run = index.run(of: entry.start, by: entry.writer) { body(run, entry.writer) }
        }
        forEachUnplacedRun(body)
    }

    private func forEachUnplacedRun(_ body: (SequenceRun, UInt32) -> Void) {
        guard index.unplaced > 0 else { return }
        for slot in index.sortedSlots {
            index.writers[slot].runs.forEach { run in
                if run.leaf == SequenceRun.unplaced, !run.isRemoved { body(run, UInt32(slot)) }
            }
        }
    }

    /// Gives an arranged store its content, in the order of ``forEachLiveRun(_:)``: as many elements as are alive.
    mutating func setContent(_ units: [Content.Unit]) {
        let isPlain = units.count == index.alive
        var position = 0
        func take(_ start: UInt64, _ slot: UInt32) {
            let writer = Int(slot)
            guard let found = index.writers[writer].runs.index(of: start) else { return }
            let length = index.writers[writer].runs[found].length
            let count = isPlain ? Int(length) : Content.units(in: units, from: position, of: length)
            let offset = UInt32(contents[writer].count)
            index.writers[writer].runs.update(found) { ($0.offset, $0.weight) = (offset, UInt32(count)) }
            contents[writer].append(contentsOf: units[position..<position + count])
            position += count
        }
        var unplaced: [(start: UInt64, writer: UInt32)] = []
        forEachUnplacedRun { unplaced.append(($0.start, $1)) }
        let tree = index.tree
        tree.forEach { if $0.weight > 0 { take($0.start, $0.writer) } }
        for (start, writer) in unplaced { take(start, writer) }
        if !isPlain { splitWideRuns() }
    }

    /// Splits runs in which elements take several units, so that counting them does not take long.
    private mutating func splitWideRuns() {
        index.isArranged = false
        let measure = Self.measure(contents)
        for slot in index.writers.indices {
            var runs: ContiguousArray<SequenceRun> = []
            index.writers[slot].runs.forEach { run in
                var rest = run
                while !rest.isRemoved, UInt64(rest.weight) != rest.length, rest.length > SequenceRun.mostWide {
                    let units = index.units(of: rest, first: SequenceRun.mostWide, by: UInt32(slot), measure)
                    runs.append(rest.prefix(SequenceRun.mostWide, units: units))
                    rest = rest.suffix(from: SequenceRun.mostWide, units: units, of: UInt32(slot))
                }
                runs.append(rest)
            }
            index.writers[slot].runs = RunColumn(runs)
        }
    }
}

/// How an origin is written: by how far before the run it is where both are of one writer.
private struct OriginCoding {
    let start: UInt64
    let number: Int

    func encode(_ origin: UInt64, of parent: Int, into encoder: inout CanonicalEncoder) {
        let isForeign: UInt64 = parent == number ? 0 : 1
        let side = (origin & 1) << 1
        if isForeign == 1 {
            encoder.encode(UInt64(parent) << 2 | side | 1)
            encoder.encode(origin >> 1)
        } else {
            let distance = Int64(bitPattern: start &- origin >> 1)
            encoder.encode(UInt64(bitPattern: distance << 1 ^ distance >> 63) << 2 | side)
        }
    }

    func decode(from decoder: inout CanonicalDecoder, _ names: Int) throws(DecodingFailure) -> SequenceOrigin {
        let head = try decoder.decodeUInt64()
        let side = head >> 1 & 1
        var counter: UInt64
        var writer = number
        if head & 1 == 1 {
            guard head >> 2 < UInt64(names) else { throw .unknown }
            writer = Int(head >> 2)
            counter = try decoder.decodeCounter()
            guard writer != number else { throw .notCanonical }
        } else {
            let zigzag = head >> 2
            let distance = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
            counter = start &- UInt64(bitPattern: distance)
            guard counter <= Dot.maximumCounter else { throw .tooLarge }
            guard counter > 0 || side == 0 else { throw .notCanonical }
        }
        return counter == 0 ? .beginning : SequenceOrigin(word: counter << 1 | side, writer: UInt32(writer))
    }
}
