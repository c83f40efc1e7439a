/// What goes wrong in a plan, and how often: once in so many times. Faults that are drawn with emphasis come three to four times as often.
struct Frequencies {
    let faults: Set<Fault>
    private let emphasis: Set<Fault>
    /// The faults that are events, those with emphasis four times.
    let kinds: [Fault]

    init(_ faults: Set<Fault>, emphasis: Set<Fault>) {
        (self.faults, self.emphasis) = (faults, emphasis)
        var drawn = faults.intersection(Self.events)
        // Where clocks jump, some of their jumps are days, so that a seed's plan is in all else as it was before there were days.
        if faults.contains(.skew), !emphasis.contains(.days) { drawn.remove(.days) }
        kinds = drawn.sorted().flatMap { Array(repeating: $0, count: emphasis.contains($0) ? 4 : 1) }
    }

    /// Faults that are events of their own.
    static var events: Set<Fault> { [.partition, .oneWay, .crash, .backup, .skew, .days] }

    /// Of 100 events that are no act and no burst, those below this are messages.
    var messagesEnd: Int { emphasis.isDisjoint(with: Self.events) ? 85 : 70 }

    /// Whether a fault happens now.
    func draw(_ fault: Fault, _ usual: UInt64, _ generator: inout SeededGenerator) -> Bool {
        faults.contains(fault) && generator.oneIn(emphasis.contains(fault) ? max(2, usual / 4) : usual)
    }
}

extension Plan {
    /// Draws plans: each unit of draws gives an event, or the few acts of a burst.
    struct Drawing<Subject: ReplicatedType> where Subject.Action == Action {
        private let replicas: Int
        private let frequencies: Frequencies
        private var steps: [Step] = []
        private var backedUp: [Int] = []

        /// 1 to 64 replicas.
        init(_ conditions: Conditions) {
            replicas = conditions.replicas
            let faults = Subject.codec == nil ? conditions.faults.subtracting([.alteration]) : conditions.faults
            frequencies = Frequencies(faults, emphasis: conditions.emphasis)
        }

        /// The plan of a seed: every choice follows from it. O(steps).
        static func plan(_ conditions: Conditions, seed: UInt64) -> Plan {
            var (drawing, generator) = (Self(conditions), SeededGenerator(seed: seed))
            while drawing.steps.count < conditions.steps { drawing.draw(conditions.steps, &generator) }
            return Plan(replicaCount: conditions.replicas, steps: drawing.steps)
        }

        /// The units of a seed's draws, and the steps that each gave.
        static func tape(_ conditions: Conditions, seed: UInt64) -> (steps: [Range<Int>], units: [[UInt64]]) {
            let tape = Tape()
            var (drawing, generator) = (Self(conditions), SeededGenerator(seed: seed, recordingOn: tape))
            var (steps, units): ([Range<Int>], [[UInt64]]) = ([], [])
            while drawing.steps.count < conditions.steps {
                let start = drawing.steps.count
                drawing.draw(conditions.steps, &generator)
                steps.append(start..<drawing.steps.count)
                units.append(tape.given())
            }
            return (steps, units)
        }

        /// The plan of some units of draws, and what of them it took: no more steps than a seed's plan has.
        static func plan(_ conditions: Conditions, playing units: [[UInt64]]) -> (plan: Plan, taken: [[UInt64]]) {
            var (drawing, taken) = (Self(conditions), [[UInt64]]())
            for unit in units where drawing.steps.count < conditions.steps {
                let tape = Tape(unit)
                var generator = SeededGenerator(playing: tape)
                drawing.draw(conditions.steps, &generator)
                taken.append(tape.given())
            }
            return (Plan(replicaCount: conditions.replicas, steps: drawing.steps), taken)
        }

        private mutating func draw(_ end: Int, _ generator: inout SeededGenerator) {
            let time = steps.count
            guard frequencies.draw(.burst, 24, &generator) else {
                let event = event(&generator)
                if case .backup(let replica) = event, !backedUp.contains(replica) { backedUp.append(replica) }
                return steps.append(Step(number: time, time: time, event: event))
            }
            for number in time..<min(end, time + generator.number(in: 2...4)) {
                let replica = generator.number(in: 0...replicas - 1)
                steps.append(Step(number: number, time: time, event: act(replica, &generator)))
            }
        }

        private func event(_ generator: inout SeededGenerator) -> Event {
            let kind = generator.number(in: 0...99)
            let replica = generator.number(in: 0...replicas - 1)
            if frequencies.draw(.alteration, 16, &generator) {
                return .alter(
                    of: replica, takenBy: generator.number(in: 0...replicas - 1), Alteration(seed: generator.next()),
                    Subject.randomAction(using: &generator))
            }
            if kind < 40 { return act(replica, &generator) }
            if kind < frequencies.messagesEnd || frequencies.kinds.isEmpty {
                let other = (replica + generator.number(in: 1...max(1, replicas - 1))) % replicas
                return .send(from: replica, to: other, fate(&generator))
            }
            return fault(replica, &generator)
        }

        private func act(_ replica: Int, _ generator: inout SeededGenerator) -> Event {
            let action = Subject.randomAction(using: &generator)
            let ends: [Interruption] = [.lost, .torn, .unacknowledged]
            let isInterrupted = frequencies.draw(.torn, 12, &generator)
            return .act(replica: replica, action, isInterrupted ? ends[generator.number(in: 0...2)] : nil)
        }

        private func fault(_ replica: Int, _ generator: inout SeededGenerator) -> Event {
            let kinds = frequencies.kinds
            let isFirst = generator.oneIn(2)
            switch kinds[generator.number(in: 0...kinds.count - 1)] {
            case .partition where isFirst: return .partition(side: generator.next(), isOneWay: false)
            case .oneWay where isFirst: return .partition(side: generator.next(), isOneWay: true)
            case .crash where isFirst: return .crash(replica: replica, keeping: generator.number(in: 0...2))
            case .crash: return .restart(replica: replica)
            case .backup where isFirst: return .backup(replica: replica)
            // Without a backup there is nothing to restore.
            case .backup: return .restore(replica: backedUp.isEmpty ? replica : backedUp[replica % backedUp.count])
            case .days: return .pause(days: generator.number(in: 1...10))
            case .skew:
                let minutes = generator.number(in: -60...60)
                if minutes > 50, frequencies.faults.contains(.days) { return .pause(days: minutes - 50) }
                return .skew(replica: replica, milliseconds: Int64(minutes) * 60_000)
            default: return .heal
            }
        }

        private func fate(_ generator: inout SeededGenerator) -> Fate {
            func copies() -> [Int] {
                if frequencies.draw(.loss, 5, &generator) { return [] }
                let count = frequencies.draw(.duplication, 6, &generator) ? 2 : 1
                return (0..<count).map { _ in
                    frequencies.draw(.delay, 3, &generator) ? generator.number(in: 2...20) : 1
                }
            }
            return Fate(request: copies(), reply: copies())
        }
    }
}
