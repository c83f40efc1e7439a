import DeltaCRDT
import Testing

/// Two replicas on a connection that keeps order: they are alike once nothing is on its way.
@Suite struct SyncSessionTests {
    private typealias List = AddWinsSet<UInt64>

    /// Two sides, and what is on its way to each.
    private struct Pair {
        var states = [List(), List()]
        var sessions = [SyncSession<List>(), SyncSession<List>()]
        var inboxes: [[[UInt8]]] = [[], []]
        var bytes = 0

        mutating func send(_ side: Int) -> Bool {
            guard let message = sessions[side].message(for: states[side]) else { return false }
            bytes += message.count
            inboxes[1 - side].append(message)
            return true
        }

        mutating func receive(_ side: Int) throws -> Bool {
            guard !inboxes[side].isEmpty else { return false }
            try sessions[side].receive(inboxes[side].removeFirst(), into: &states[side])
            return true
        }

        mutating func settle() throws {
            var steps = 0
            while try send(0) || send(1) || receive(0) || receive(1) {
                steps += 1
                try #require(steps < 200)
            }
        }
    }

    @Test("replicas that act while messages are on their way end alike", arguments: 0..<60)
    func sidesEndAlike(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var pair = Pair()
        func act(_ side: Int) {
            let number = random.next() % 40
            if random.below(3) == 0 {
                pair.states[side].remove(number)
            } else {
                pair.states[side].insert(number, by: ReplicaID(high: UInt64(side), low: 1))
            }
        }
        for _ in 0..<random.below(200) { act(random.below(2)) }
        if random.below(2) == 0 { pair.states[1] = try List(decoding: pair.states[1].encoded()) }
        for connection in 0..<3 {
            for _ in 0..<60 {
                let side = random.below(2)
                switch random.below(4) {
                case 0: act(side)
                case 1: _ = pair.send(side)
                default: _ = try pair.receive(side)
                }
            }
            if connection < 2 {
                // The connection breaks, and what was on its way is lost.
                pair.inboxes = [[], []]
                pair.sessions = [SyncSession(), SyncSession()]
            }
        }
        try pair.settle()
        #expect(pair.states[0] == pair.states[1])
        let hasMore = pair.send(0) || pair.send(1)
        #expect(!hasMore)
    }

    @Test("a change costs its own size, and a new connection a question and an answer")
    func changesAreSmall() throws {
        var pair = Pair()
        pair.states[0].formUnion(0..<10_000, by: ReplicaID(high: 1, low: 1))
        for number in stride(from: 0, to: 10_000, by: 2) { pair.states[0].remove(UInt64(number)) }
        pair.states[1] = try List(decoding: pair.states[0].encoded())
        try pair.settle()
        #expect(pair.bytes < 300 && pair.states[0] == pair.states[1])
        pair.bytes = 0
        pair.states[1].remove(77)
        pair.states[0].insert(7, by: ReplicaID(high: 1, low: 1))
        try pair.settle()
        #expect(pair.bytes < 150 && pair.states[0] == pair.states[1])
        pair.states[1].remove(79)
        pair.sessions = [SyncSession(), SyncSession()]
        pair.states[1] = try List(decoding: pair.states[1].encoded())
        pair.bytes = 0
        try pair.settle()
        #expect(pair.bytes < 6000 && pair.states[0] == pair.states[1], "\(pair.bytes) bytes")
    }

    @Test("a message of a later version says so, and one that is damaged changes nothing")
    func badMessagesChangeNothing() throws {
        var session = SyncSession<List>()
        var state = List()
        state.insert(1, by: ReplicaID(high: 1, low: 1))
        let before = state
        #expect(throws: DecodingFailure.newerVersion) { try session.receive([2], into: &state) }
        #expect(throws: DecodingFailure.truncated) { try session.receive([], into: &state) }
        let first = session.message(for: state)
        let message = try #require(first)
        for length in 0..<message.count {
            #expect(throws: DecodingFailure.self) { try session.receive(Array(message.prefix(length)), into: &state) }
        }
        let second = session.message(for: state)
        #expect(state == before && second == nil)
    }
}
