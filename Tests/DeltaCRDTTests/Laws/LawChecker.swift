import DeltaCRDT

/// Runs seeded random histories of a specimen and holds every law against the states and deltas that they reach.
///
/// A history has up to 64 events on four replicas, which exchange whole states, single deltas, and deltas joined into groups. In every
/// other history the deltas arrive in causal order, and an event overwrites what it has seen. In the others they arrive in any order,
/// contexts have holes, and an event overwrites what was alive where it happened: a replica that knows the event, but not the events that
/// had overwritten the rest before it, still sees the rest.
struct LawChecker<Subject: Specimen> {
    typealias State = Subject.State

    private struct Replica {
        let name: ReplicaID
        var state = State()
        var known: UInt64 = 0
    }

    private let seed: UInt64
    private let isCausal: Bool
    private var random: SplitMix64
    private var replicas: [Replica]
    private var events: [Event<Subject.Operation>] = []
    private var deltas: [State] = []
    /// Of the bytes of the states that were checked (FNV-1a): equal wherever the run is.
    private var digest: UInt64 = 0xCBF2_9CE4_8422_2325

    private init(seed: UInt64) {
        self.seed = seed
        isCausal = seed % 2 == 0
        random = SplitMix64(seed: seed)
        replicas = (1...4).map { Replica(name: ReplicaID(high: 7, low: $0 * 1000)) }
    }

    /// Runs histories of 64 events each until there were at least `steps` events. Returns a digest of the states' bytes, which is the
    /// same on every machine.
    @discardableResult
    static func run(_ subject: Subject.Type, seed: UInt64, steps: Int) throws(Violation) -> UInt64 {
        var digest: UInt64 = 0
        for history in 0..<UInt64((steps + 63) / 64) {
            var checker = LawChecker(seed: seed &+ history)
            try checker.runHistory()
            digest = digest &* 31 &+ checker.digest
        }
        return digest
    }

    private mutating func runHistory() throws(Violation) {
        var turns = 0
        while events.count < 64 {
            let index = random.below(replicas.count)
            switch random.below(8) {
            case 0...3: try act(index)
            case 4: try receive(index, replicas[random.below(replicas.count)])
            default: try receiveDeltas(index)
            }
            turns += 1
            if turns % 16 == 0 { try checkAlgebra() }
        }
        try checkAlgebra()
    }

    // MARK: Steps

    private mutating func act(_ index: Int) throws(Violation) {
        let operation = Subject.operation(&random)
        let before = replicas[index].state
        let delta = Subject.perform(operation, on: &replicas[index].state, by: replicas[index].name)
        try hold(.deltaEqualsChange, before.merging(delta) == replicas[index].state, "\(operation)")
        let past = replicas[index].known
        events.append(
            Event(
                number: events.count, replica: replicas[index].name, operation: operation, past: past,
                covered: covered(by: operation, of: replicas[index].name, past: past)))
        replicas[index].known |= 1 << UInt64(events.count - 1)
        deltas.append(delta)
        try checkView(index)
    }

    private func covered(by operation: Subject.Operation, of replica: ReplicaID, past: UInt64) -> UInt64 {
        let seen = events.filter { past & $0.bit != 0 }
        let dead = isCausal ? 0 : seen.reduce(0) { $0 | $1.covered }
        return seen.reduce(0) { covered, event in
            Subject.overwrites(operation, by: replica, event) ? covered | (event.bit & ~dead) : covered
        }
    }

    private mutating func receive(_ index: Int, _ other: Replica) throws(Violation) {
        let before = replicas[index].state
        let changed = replicas[index].state.merge(other.state)
        try hold(.reportsChange, changed == (before != replicas[index].state), "state")
        var told = before
        var changes: [State.Change] = []
        let isTold = told.merge(other.state) { changes.append($0) }
        let followed = changes.reduce(Subject.view(before)) { Subject.follow($0, $1, Subject.view(told)) }
        try hold(.tellsChanges, told == replicas[index].state && isTold == changed, "\(before) and \(other.state)")
        try hold(.tellsChanges, followed == Subject.view(told), "followed \(followed), not \(Subject.view(told))")
        replicas[index].known |= other.known
        try checkView(index)
    }

    private mutating func receiveDeltas(_ index: Int) throws(Violation) {
        guard !events.isEmpty else { return }
        var group = Replica(name: replicas[index].name)
        for _ in 0...random.below(3) {
            let number = random.below(events.count)
            let known = replicas[index].known | group.known
            if isCausal, events[number].past & ~known != 0 { continue }
            group.state.merge(deltas[number])
            group.known |= 1 << UInt64(number)
        }
        try receive(index, group)
    }

    // MARK: Laws

    private func checkView(_ index: Int) throws(Violation) {
        let replica = replicas[index]
        let seen = Subject.view(replica.state)
        let expected = Subject.expected(events.filter { replica.known & $0.bit != 0 }, in: events)
        try hold(.specification, seen == expected, "seen \(seen), expected \(expected)")
    }

    /// A state that this history reached, or one of its deltas.
    private mutating func sample() -> State {
        deltas.isEmpty || random.below(2) == 0
            ? replicas[random.below(replicas.count)].state : deltas[random.below(deltas.count)]
    }

    private mutating func checkAlgebra() throws(Violation) {
        let (a, b, c) = (sample(), sample(), sample())
        let ab = a.merging(b)
        try hold(.idempotent, a.merging(a) == a && ab.merging(b) == ab, "\(a), \(b)")
        try hold(.commutative, ab == b.merging(a) && ab.hashValue == b.merging(a).hashValue, "\(a), \(b)")
        try hold(.associative, ab.merging(c) == a.merging(b.merging(c)), "\(a), \(b), \(c)")
        try checkDecomposition(a)
        try checkLeastDelta(a, b, joined: ab)
        for caughtUp in Subject.catchUp(b, from: a) { try hold(.catchesUp, caughtUp == ab, "\(b) from \(a)") }
        try checkCoding(a)
        try checkCoding(ab)
        // One value reached by two roads must have one form.
        try hold(.canonical, b.merging(a).encoded() == ab.encoded(), "\(a), \(b)")
        try checkForged(a)
    }

    /// A replica that takes a forgery and then acts still has a readable state, and sends readable deltas.
    private mutating func checkForged(_ state: State) throws(Violation) {
        let bytes = state.encoded()
        for _ in 0..<2 {
            let forgery = Forgery.forged(bytes, &random)
            guard var forged = try? State(decoding: forgery) else { continue }
            forged.merge(replicas[0].state)
            try hold(.staysReadable, Self.isReadable(forged), "after joining \(Self.hexadecimal(forgery))")
            for replica in replicas {
                let operation = Subject.operation(&random)
                let before = forged
                let delta = Subject.perform(operation, on: &forged, by: replica.name)
                let after = "\(operation) after \(Self.hexadecimal(forgery))"
                try hold(.staysReadable, Self.isReadable(delta) && Self.isReadable(forged), after)
                try hold(.deltaEqualsChange, before.merging(delta) == forged, after)
            }
        }
    }

    private static func isReadable(_ state: State) -> Bool { (try? State(decoding: state.encoded())) == state }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func checkDecomposition(_ state: State) throws(Violation) {
        let parts = Array(state.decomposed())
        var joined = State()
        for part in parts.reversed() { joined.merge(part) }
        try hold(.decompositionRejoins, joined == state, "\(state)")
        for left in parts.indices {
            var others = State()
            for (index, part) in parts.enumerated() where index != left { others.merge(part) }
            try hold(.decompositionMinimal, others != state, "part \(left) of \(state)")
        }
    }

    /// The delta of `a` for `b` is the join of exactly those parts of `a` that `b` lacks.
    private func checkLeastDelta(_ a: State, _ b: State, joined: State) throws(Violation) {
        let delta = a.delta(for: b)
        try hold(.leastDelta, b.merging(delta) == joined, "\(a) for \(b)")
        var least = State()
        for part in a.decomposed() where b.merging(part) != b { least.merge(part) }
        try hold(.leastDelta, delta == least, "\(a) for \(b): \(delta), not \(least)")
    }

    private mutating func checkCoding(_ state: State) throws(Violation) {
        let bytes = state.encoded()
        for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let decoded: State
        do throws(DecodingFailure) {
            decoded = try State(decoding: bytes)
        } catch {
            throw Violation(law: .roundTrip, seed: seed, detail: "\(error) for \(state)")
        }
        try hold(.roundTrip, decoded == state, "\(state)")
        try hold(.canonical, decoded.encoded() == bytes, "\(state)")
    }

    private func hold(_ law: Law, _ holds: Bool, _ detail: @autoclosure () -> String) throws(Violation) {
        if !holds { throw Violation(law: law, seed: seed, detail: detail()) }
    }
}
