import DeltaCRDT

/// Up to 24 writers of one text, each beside Fugue as its paper has it: they type in runs, forwards and backwards, delete, and take each
/// other's deltas in any causal order, doubled, alone and in groups.
struct TextOracle {
    private typealias Tree = NaiveFugue<UInt8>

    private struct Writer {
        let name: ReplicaID
        var text = Text()
        var tree = Tree()
        var known: [Int]
        /// How many elements it has inserted.
        var counter: UInt64 = 0
        /// Where it types on.
        var cursor = 0
        var isBackward = false
        var told: [UInt8] = []
    }

    private struct Act {
        let delta: Text
        var nodes: [Tree.Node] = []
        var removed: [Dot] = []
        /// How many acts of each writer its author had seen.
        let past: [Int]
    }

    private var random: SplitMix64
    private var writers: [Writer]
    private var acts: [[Act]]

    private init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        let count = [2, 3, 5, 24][random.below(4)]
        writers = (0..<count).map { number in
            Writer(
                name: ReplicaID(high: UInt64(number * 7919 % 31), low: UInt64(number)),
                known: Array(repeating: 0, count: count))
        }
        acts = Array(repeating: [], count: count)
    }

    static func run(seed: UInt64, steps: Int) throws(Violation) {
        for history in 0..<UInt64((steps + 399) / 400) {
            var oracle = TextOracle(seed: seed &+ history)
            for _ in 0..<400 { try oracle.step(seed &+ history) }
            try oracle.settle(seed &+ history)
        }
    }

    private mutating func step(_ seed: UInt64) throws(Violation) {
        let index = random.below(writers.count)
        switch random.below(8) {
        case 0...3: type(index)
        case 4: delete(index)
        default:
            let other = random.below(writers.count)
            try receive(index, of: other, most: 1 + random.below(20), seed)
        }
        try check(index, seed)
    }

    private mutating func type(_ index: Int) {
        var writer = writers[index]
        let count = writer.text.utf8Count
        if random.below(4) == 0 {
            writer.cursor = random.below(count + 1)
            writer.isBackward = random.below(3) == 0
        }
        writer.cursor = min(writer.cursor, count)
        let typed = (0...random.below(3)).map { _ in UInt8(97 + random.below(26)) }
        var act = Act(
            delta: writer.text.insert(String(decoding: typed, as: UTF8.self), at: writer.cursor, by: writer.name),
            past: writer.known)
        for (offset, letter) in typed.enumerated() {
            writer.counter += 1
            let node = writer.tree.node(
                letter, at: writer.cursor + offset, dot: Dot(replica: writer.name, counter: writer.counter))
            writer.tree.add(node)
            act.nodes.append(node)
        }
        if !writer.isBackward { writer.cursor += typed.count }
        note(act, index, writer)
    }

    private mutating func delete(_ index: Int) {
        var writer = writers[index]
        let count = writer.text.utf8Count
        guard count > 0 else { return }
        let begin = random.below(2) == 0 ? max(0, min(writer.cursor, count) - 1) : random.below(count)
        let range = begin..<min(count, begin + 1 + random.below(6))
        let dots = Array(writer.tree.visible[range])
        let act = Act(delta: writer.text.remove(range), removed: dots, past: writer.known)
        for dot in dots { writer.tree.remove(dot) }
        writer.cursor = begin
        note(act, index, writer)
    }

    private mutating func note(_ act: Act, _ index: Int, _ writer: Writer) {
        writers[index] = writer
        writers[index].known[index] += 1
        writers[index].told = Array(writer.text.string.utf8)
        acts[index].append(act)
    }

    /// Takes the next acts of a writer, as far as what they stand on is here.
    private mutating func receive(_ index: Int, of other: Int, most: Int, _ seed: UInt64) throws(Violation) {
        var writer = writers[index]
        var group = Text()
        var taken = 0
        while taken < most, writer.known[other] < acts[other].count {
            let act = acts[other][writer.known[other]]
            guard zip(act.past, writer.known).allSatisfy({ $0 <= $1 }) else { break }
            group.merge(act.delta)
            for node in act.nodes { writer.tree.add(node) }
            for dot in act.removed { writer.tree.remove(dot) }
            writer.known[other] += 1
            taken += 1
        }
        if random.below(2) == 0 {
            writer.text.merge(group)
            writer.told = Array(writer.text.string.utf8)
        } else {
            writer.text.merge(group) { change in
                switch change {
                case .inserted(let text, let position):
                    writer.told.insert(contentsOf: Array(text.utf8), at: position)
                case .removed(let range): writer.told.removeSubrange(range)
                }
            }
        }
        writers[index] = writer
    }

    private func check(_ index: Int, _ seed: UInt64) throws(Violation) {
        let writer = writers[index]
        let (seen, expected) = (Array(writer.text.string.utf8), writer.tree.elements)
        guard seen == expected, seen == writer.told else {
            let law = seen == expected ? Law.tellsChanges : .specification
            throw Violation(law: law, seed: seed, detail: "writer \(index): \(seen), not \(expected)")
        }
    }

    /// Everybody takes everything, and all are one.
    private mutating func settle(_ seed: UInt64) throws(Violation) {
        for _ in 0..<acts.reduce(0, { $0 + $1.count }) + 1 {
            for index in writers.indices {
                for other in writers.indices { try receive(index, of: other, most: .max, seed) }
            }
            if writers.allSatisfy({ $0.known == acts.map { $0.count } }) { break }
        }
        for index in writers.indices {
            try check(index, seed)
            let (first, text) = (writers[0].text, writers[index].text)
            guard text == first, text.encoded() == first.encoded(), (try? Text(decoding: text.encoded())) == text else {
                throw Violation(law: .canonical, seed: seed, detail: "writer \(index)")
            }
        }
    }
}
