/// All that happens in a run, decided before it begins: so a part of it is a run too, and can be made smaller.
public struct Plan<Action: Sendable>: Sendable {
    /// When what was sent arrives, in steps from now: once for each copy, never for none.
    public struct Fate: Hashable, Sendable {
        var request: [Int]
        var reply: [Int]

        static var good: Fate { Fate(request: [1], reply: [1]) }
    }

    /// How a write ends that power cuts.
    public enum Interruption: String, Sendable {
        /// Nothing of it is on the disk.
        case lost
        /// A part of it is.
        case torn
        /// All of it is, and nobody was told.
        case unacknowledged
    }

    /// Something that happens.
    public enum Event: Sendable {
        /// A person does something, and power may fail while it is written.
        case act(replica: Int, Action, Interruption?)
        /// A replica sends what a peer should hear.
        case send(from: Int, to: Int, Fate)
        /// The replicas of one side, a bit each, are cut off from the others; or only not heard.
        case partition(side: UInt64, isOneWay: Bool)
        /// The network is whole again.
        case heal
        /// A replica stops; of what was not synced, so many of the oldest records are kept.
        case crash(replica: Int, keeping: Int)
        /// A replica starts from its disk.
        case restart(replica: Int)
        /// A copy of a replica's disk is made.
        case backup(replica: Int)
        /// A replica starts from that copy.
        case restore(replica: Int)
        /// A replica's clock is so far off from now on.
        case skew(replica: Int, milliseconds: Int64)
        /// A copy of one replica takes a state of another whose bytes somebody altered, and acts; that several times.
        case alter(of: Int, takenBy: Int, Alteration, Action)
    }

    /// An event, its number in the plan, and its time in steps.
    public struct Step: Sendable {
        /// Its place in the whole plan, from 0.
        public let number: Int
        /// When it happens: its number, but in a burst that of the burst's first step.
        public internal(set) var time: Int
        /// What happens.
        public var event: Event
    }

    /// How many there are, also those that do nothing.
    public let replicaCount: Int
    /// In the order of their times.
    public internal(set) var steps: [Step]

    /// The replicas that do, send or hear something.
    public var participants: [Int] {
        var named = Set<Int>()
        for step in steps {
            switch step.event {
            case .act(let replica, _, _): named.insert(replica)
            case .send(let from, let to, _): named.formUnion([from, to])
            default: break
            }
        }
        return named.sorted()
    }

    /// The steps that a person or the network did without fault, and the faults.
    public var size: (replicas: Int, events: Int, faults: Int) {
        let faults = steps.filter(\.isFault).count
        return (participants.count, steps.count, faults)
    }
}

extension Plan.Step {
    var isFault: Bool {
        if time != number { return true }
        return switch event {
        case .act(_, _, let interruption): interruption != nil
        case .send(_, _, let fate): fate != .good
        default: true
        }
    }

    /// The same step with nothing going wrong; nil where it is a fault altogether.
    var withoutFault: Self? {
        var step = self
        step.time = number
        switch event {
        case .act(let replica, let action, _): step.event = .act(replica: replica, action, nil)
        case .send(let from, let to, _): step.event = .send(from: from, to: to, .good)
        default: return nil
        }
        return step
    }
}

extension Plan {
    /// Up to 64 replicas; every choice follows from the seed. O(steps).
    public static func make<Subject: ReplicatedType>(
        for subject: Subject.Type, replicas: Int, steps: Int, faults: Set<Fault>, seed: UInt64
    ) -> Plan where Subject.Action == Action {
        precondition((1...64).contains(replicas), "1 to 64 replicas")
        let faults = subject.codec == nil ? faults.subtracting([.alteration]) : faults
        var generator = SeededGenerator(seed: seed)
        var events: [Step] = []
        var backedUp: [Int] = []
        while events.count < steps {
            let time = events.count
            guard faults.contains(.burst), generator.oneIn(24) else {
                let event = event(subject, replicas, faults, backedUp, &generator)
                if case .backup(let replica) = event, !backedUp.contains(replica) { backedUp.append(replica) }
                events.append(Step(number: time, time: time, event: event))
                continue
            }
            for number in time..<min(steps, time + generator.number(in: 2...4)) {
                let replica = generator.number(in: 0...replicas - 1)
                events.append(Step(number: number, time: time, event: act(subject, replica, faults, &generator)))
            }
        }
        return Plan(replicaCount: replicas, steps: events)
    }

    private static func event<Subject: ReplicatedType>(
        _ subject: Subject.Type, _ replicas: Int, _ faults: Set<Fault>, _ backedUp: [Int],
        _ generator: inout SeededGenerator
    ) -> Event where Subject.Action == Action {
        let kind = generator.number(in: 0...99)
        let replica = generator.number(in: 0...replicas - 1)
        if faults.contains(.alteration), generator.oneIn(16) {
            return .alter(
                of: replica, takenBy: generator.number(in: 0...replicas - 1), Alteration(seed: generator.next()),
                subject.randomAction(using: &generator))
        }
        if kind < 40 { return act(subject, replica, faults, &generator) }
        if kind < 85 || faults.isDisjoint(with: [.partition, .oneWay, .crash, .backup, .skew]) {
            let other = (replica + generator.number(in: 1...max(1, replicas - 1))) % replicas
            return .send(from: replica, to: other, fate(faults, &generator))
        }
        return fault(replica, replicas, faults, backedUp, &generator)
    }

    private static func act<Subject: ReplicatedType>(
        _ subject: Subject.Type, _ replica: Int, _ faults: Set<Fault>, _ generator: inout SeededGenerator
    ) -> Event where Subject.Action == Action {
        let action = subject.randomAction(using: &generator)
        let isInterrupted = faults.contains(.torn) && generator.oneIn(12)
        let ends: [Interruption] = [.lost, .torn, .unacknowledged]
        return .act(replica: replica, action, isInterrupted ? ends[generator.number(in: 0...2)] : nil)
    }

    private static func fault(
        _ replica: Int, _ replicas: Int, _ faults: Set<Fault>, _ backedUp: [Int], _ generator: inout SeededGenerator
    ) -> Event {
        let kinds = faults.intersection([.partition, .oneWay, .crash, .backup, .skew]).sorted()
        let isFirst = generator.oneIn(2)
        switch kinds[generator.number(in: 0...kinds.count - 1)] {
        case .partition where isFirst: return .partition(side: generator.next(), isOneWay: false)
        case .oneWay where isFirst: return .partition(side: generator.next(), isOneWay: true)
        case .crash where isFirst: return .crash(replica: replica, keeping: generator.number(in: 0...2))
        case .crash: return .restart(replica: replica)
        case .backup where isFirst: return .backup(replica: replica)
        // Without a backup there is nothing to restore.
        case .backup: return .restore(replica: backedUp.isEmpty ? replica : backedUp[replica % backedUp.count])
        case .skew: return .skew(replica: replica, milliseconds: Int64(generator.number(in: -60...60)) * 60_000)
        default: return .heal
        }
    }

    private static func fate(_ faults: Set<Fault>, _ generator: inout SeededGenerator) -> Fate {
        func copies(_ generator: inout SeededGenerator) -> [Int] {
            if faults.contains(.loss), generator.oneIn(5) { return [] }
            let count = faults.contains(.duplication) && generator.oneIn(6) ? 2 : 1
            return (0..<count).map { _ in
                faults.contains(.delay) && generator.oneIn(3) ? generator.number(in: 2...20) : 1
            }
        }
        return Fate(request: copies(&generator), reply: copies(&generator))
    }
}
