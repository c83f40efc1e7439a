import DeltaCRDT

/// Runs seeded random histories of a logged type over a causal log, and holds every law against the states that they reach.
///
/// A history has up to 64 events on four replicas. A replica takes the events of others one at a time, each after its past, and each
/// replica in another order; its log numbers them as they come.
struct LoggedChecker<Subject: LoggedSpecimen> {
    private struct Replica {
        let name: ReplicaID
        var state = Subject.empty
        var known: UInt64 = 0
        /// The events by their indices in its log.
        var log: [Int] = []
    }

    private let seed: UInt64
    private var random: SplitMix64
    private var replicas: [Replica]
    private var events: [Event<Subject.Operation>] = []
    private var times: [Int] = []

    private init(seed: UInt64) {
        self.seed = seed
        random = SplitMix64(seed: seed)
        replicas = (1...4).map { Replica(name: ReplicaID(high: 7, low: $0 * 1000)) }
    }

    /// Runs histories of 64 events each until there were at least `steps` events. Returns a digest of what was seen, which is the same on
    /// every machine.
    @discardableResult
    static func run(_ subject: Subject.Type, seed: UInt64, steps: Int) throws(Violation) -> UInt64 {
        var digest: UInt64 = 0
        for history in 0..<UInt64((steps + 63) / 64) {
            var checker = LoggedChecker(seed: seed &+ history)
            try checker.runHistory()
            digest = checker.times.reduce(digest) { $0 &* 31 &+ UInt64($1) }
        }
        return digest
    }

    private mutating func runHistory() throws(Violation) {
        while events.count < 64 {
            let index = random.below(replicas.count)
            if random.below(3) == 0 { act(index) } else { take(index) }
            try check(index)
        }
        for index in replicas.indices {
            while replicas[index].log.count < events.count { take(index) }
            try check(index)
        }
        for replica in replicas.dropFirst() { try compare(replica, replicas[0]) }
    }

    private mutating func act(_ index: Int) {
        let past = replicas[index].known
        let seen = events.filter { past & $0.bit != 0 }
        let operation = Subject.operation(&random)
        events.append(
            Event(
                number: events.count, replica: replicas[index].name, operation: operation, past: past,
                covered: seen.reduce(0) { Subject.overwrites(operation, $1.operation) ? $0 | $1.bit : $0 }))
        times.append(1 + (seen.map { times[$0.number] }.max() ?? 0))
        apply(events[events.count - 1], on: index)
    }

    /// Takes a random event of another replica, if the first of a few that are drawn is one whose past is here.
    private mutating func take(_ index: Int) {
        let known = replicas[index].known
        let ready = events.filter { known & $0.bit == 0 && $0.past & ~known == 0 }
        if !ready.isEmpty { apply(ready[random.below(ready.count)], on: index) }
    }

    private mutating func apply(_ event: Event<Subject.Operation>, on index: Int) {
        replicas[index].log.append(event.number)
        replicas[index].known |= event.bit
        let log = replicas[index].log
        let name = LoggedName(time: times[event.number], replica: event.replica, index: log.count - 1)
        let act = LoggedAct(id: name) { event.past >> UInt64(log[$0]) & 1 == 1 }
        Subject.apply(event.operation, of: act, to: &replicas[index].state)
    }

    private func check(_ index: Int) throws(Violation) {
        let replica = replicas[index]
        let known = events.filter { replica.known & $0.bit != 0 }
        let (seen, expected) = (Subject.view(replica.state), Subject.expected(known, in: events))
        try hold(.specification, seen == expected, "seen \(seen), expected \(expected)")
        let kept = Subject.kept(replica.state).map { ($0.time, $0.replica) }.sorted(by: <)
        let survivors = Subject.survivors(known, in: events).map { (times[$0.number], $0.replica) }.sorted(by: <)
        try hold(.keepsSurvivors, kept.elementsEqual(survivors, by: ==), "kept \(kept), expected \(survivors)")
        for other in replicas where other.known == replica.known { try compare(replica, other) }
    }

    private func compare(_ left: Replica, _ right: Replica) throws(Violation) {
        let isEqual = left.state == right.state && left.state.hashValue == right.state.hashValue
        try hold(.commutative, isEqual, "\(left.state) after \(left.log), \(right.state) after \(right.log)")
    }

    private func hold(_ law: Law, _ holds: Bool, _ detail: @autoclosure () -> String) throws(Violation) {
        if !holds { throw Violation(law: law, seed: seed, detail: detail()) }
    }
}
