import DeltaCRDT

/// What became of a plan.
public struct Outcome: Sendable {
    /// The first law that did not hold.
    public package(set) var violation: Violation?
    /// The step at which it did not; the number of steps for one that fails after healing.
    public package(set) var failedStep: Int?
    /// Follows from all that every replica showed, step by step. Equal runs have equal digests, in every process.
    public internal(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    /// How often each fault happened to something.
    public internal(set) var faults: [Fault: Int] = [:]
    /// What people did.
    public internal(set) var actionCount = 0
    /// Of these, what somebody did who did not know of all that had been done before.
    package internal(set) var concurrentActionCount = 0
    /// Messages that arrived, each copy counted.
    public internal(set) var deliveredCount = 0
    /// What happened, where it was asked for.
    package var moments: [Moment] = []
    /// The laws that were checked in the run, and which of them were at risk.
    package internal(set) var premises = PremiseSet()

    /// How often the run left the polite schedule, in which every replica receives everything before anybody acts, and nothing fails.
    package var deviationCount: Int? { concurrentActionCount + faults.values.reduce(0, +) }

    package init() {}

    package var figures: [Report.Headline] {
        [.init("actions", actionCount, "actions"), .init("delivered", deliveredCount, "messages delivered")]
    }
    package var risks: [String: Bool] { premises.laws }
    package mutating func look(isRepeated: Bool) { premises.look(.determinism) { isRepeated } }

    /// FNV-1a (Fowler, Noll, Vo).
    mutating func digest(_ text: String) {
        for byte in text.utf8 { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}

extension Outcome: SimulatedOutcome {}

/// A plan as it is carried out.
package struct Run<Subject: ReplicatedType>: SimulatedRun {
    struct Machine {
        var subject: Subject
        var disk = SimulatedDisk<Subject.Record>()
        var backup: (disk: SimulatedDisk<Subject.Record>, persisted: [Persisted])?
        var isRunning = true
        var startCount = 1
        var clockOffset: Int64 = 0
        var knowledge = Knowledge()
        /// What was known at each write.
        var persisted: [Persisted] = []
        /// The replica as it was when it last wrote, or read, its disk.
        var written: Subject
        /// What was acknowledged here, and may not be lost.
        var owed = EventSet()
        var lastView: Subject.View?
    }

    struct Persisted {
        let recordCount: Int
        let knowledge: Knowledge
    }

    struct Arrival {
        let from: Int
        let to: Int
        let message: Subject.Message
        let knowledge: Knowledge
        let replyFate: [Int]
        let depth: Int
        /// The number of the moment in which it left.
        let departure: Int
    }

    /// Replies to replies end here.
    static var depthMax: Int { 8 }

    package var plan: Plan<Subject.Action>
    let isTracing: Bool
    var machines: [Machine]
    var events: [HistoryEvent<Subject.Action>] = []
    private var allEvents = EventSet()
    /// Of the events, those by an author who may have known more than their past.
    var doubtfulEvents = EventSet()
    var names = DotRegister()
    let premises = PremiseLog()
    var arrivals = EventQueue<Arrival>()
    var time = 0
    /// The days that passed between steps.
    private var dayCount = 0
    /// When somebody did something last.
    private var lastAct: Int?
    var partition: (side: UInt64, isOneWay: Bool)?
    package var outcome = Outcome()
    /// Nil where nobody wants to see how the run went.
    var recorder: RunRecorder?

    /// Where programs play the replicas.
    let programs: ProgramHost?
    private let isClockStanding: Bool
    /// Answers that arrived since a message was last taken by itself.
    private(set) var repliedCount = 0

    init(
        _ plan: Plan<Subject.Action>, isTracing: Bool, programs: ProgramHost? = nil, isClockStanding: Bool = false
    ) {
        self.isClockStanding = isClockStanding
        self.plan = plan
        self.isTracing = isTracing
        self.programs = programs
        machines = (0..<plan.replicaCount).map {
            let subject = Subject(birth: Birth(replica: $0, startNumber: 0, programs: programs))
            return Machine(subject: subject, written: subject)
        }
    }

    package mutating func begin() {}

    package mutating func conclude() {
        if let violation = outcome.violation { note(.violation, "\(violation)") }
        outcome.premises = premises.premises
    }

    // MARK: - Steps

    package mutating func carryOut(_ step: Plan<Subject.Action>.Step, at place: Int) throws(Violation) {
        try deliver(until: step.time)
        // Of a burst, a step that now happens alone may stand before others.
        time = max(time, step.time)
        outcome.failedStep = step.number
        switch step.event {
        case .act(let replica, let action, let interruption):
            guard machines[replica].isRunning else { return }
            if lastAct == time { happened(.burst) }
            lastAct = time
            try act(replica, action, interruption)
        case .send(let from, let to, let fate):
            if machines[from].isRunning, from != to { send(from: from, to: to, fate) }
        case .partition(let side, let isOneWay):
            let members = members(of: side)
            // One with nobody on a side ends the one before, and cuts nobody off.
            guard !members.isEmpty, members.count < machines.count else { return endPartition() }
            partition = (side, isOneWay)
            recorder?.cutOff(members, by: isOneWay ? .oneWay : .partition, at: time)
            happened(isOneWay ? .oneWay : .partition)
            note(.network, "\(names(of: side)) are \(isOneWay ? "not heard" : "cut off")")
        case .heal: endPartition()
        case .crash(let replica, let keeping):
            guard machines[replica].isRunning else { return }
            happened(.crash)
            note(.stop(replica), "crashes")
            try crash(replica, keeping: keeping, isTorn: false)
        case .restart(let replica):
            if !machines[replica].isRunning { try restart(replica) }
        case .backup(let replica):
            machines[replica].backup = (machines[replica].disk.backup(), machines[replica].persisted)
            note(.incident(replica), "is backed up")
        case .restore(let replica): try restore(replica)
        case .skew(let replica, let milliseconds):
            happened(.skew)
            machines[replica].clockOffset = milliseconds
            note(.incident(replica), "'s clock is \(milliseconds / 1_000) s off")
        case .pause(let days):
            happened(.days)
            dayCount += days
            note(.network, Figures.count(days, "day") + (days == 1 ? " passes" : " pass"))
        case .alter(let source, let target, let alteration, let action):
            guard machines[source].isRunning, machines[target].isRunning else { return }
            try take(alteration, of: source, by: target, acting: action)
        }
    }

    private mutating func endPartition() {
        partition = nil
        recorder?.healed(at: time)
        note(.network, "the network is whole")
    }

    mutating func act(
        _ replica: Int, _ action: Subject.Action, _ interruption: Plan<Subject.Action>.Interruption?
    ) throws(Violation) {
        let knowledge = machines[replica].knowledge
        let action = machines[replica].subject.resolved(action)
        let event = HistoryEvent(
            number: events.count, replica: replica, action: action, past: knowledge.known,
            doubtful: knowledge.doubtful)
        if !event.doubtful.isEmpty { doubtfulEvents.insert(event.number) }
        machines[replica].disk.isFailing = interruption != nil
        let dots = machines[replica].subject.perform(action, at: clock(of: replica))
        events.append(event)
        machines[replica].knowledge.insert(event.number)
        persist(replica)
        outcome.actionCount += 1
        if !event.past.isSuperset(of: allEvents) { outcome.concurrentActionCount += 1 }
        allEvents.insert(event.number)
        note(.act(replica), "\(action)", held: replica)
        if !dots.isEmpty {
            premises.look(.uniqueDots, machines[replica].startCount > 1)
            premises.look(.ownHand, event.past.contains { events[$0].replica != replica })
        }
        try names.add(dots, of: event.number, by: replica)
        if let interruption {
            happened(.torn)
            note(.stop(replica), "crashes in that write (\(interruption.rawValue))")
            try crash(
                replica, keeping: interruption == .unacknowledged ? .max : 0, isTorn: interruption == .torn)
            return try restart(replica)
        }
        machines[replica].owed.insert(event.number)
        try check(replica, after: event)
    }

    private mutating func send(from: Int, to: Int, _ fate: Plan<Subject.Action>.Fate) {
        guard let message = machines[from].subject.message(to: to, at: clock(of: from)) else { return }
        persist(from)
        post(message, from: from, to: to, copies: fate.request, replyFate: fate.reply, depth: 0)
    }

    /// What a replica would send now, for those who decide themselves when it arrives.
    mutating func arrival(from: Int, to: Int) -> Arrival? {
        guard let message = machines[from].subject.message(to: to, at: clock(of: from)) else { return nil }
        persist(from)
        return Arrival(
            from: from, to: to, message: message, knowledge: machines[from].knowledge, replyFate: [1], depth: 0,
            departure: note(.departure(from: from, to: to)))
    }

    /// Lets a message arrive, and all answers that follow.
    mutating func take(_ arrival: Arrival, at time: Int) throws(Violation) {
        self.time = time
        let count = outcome.deliveredCount
        try receive(arrival)
        try deliver(until: .max)
        repliedCount = outcome.deliveredCount - count - 1
    }

    private mutating func post(
        _ message: Subject.Message, from: Int, to: Int, copies: [Int], replyFate: [Int], depth: Int
    ) {
        let departure = note(.departure(from: from, to: to))
        if copies.isEmpty {
            happened(.loss)
            note(.loss(from: from, to: to, departure: departure))
        }
        if copies.count > 1 { happened(.duplication) }
        if copies.contains(where: { $0 > 1 }) { happened(.delay) }
        for delay in copies {
            let arrival = Arrival(
                from: from, to: to, message: message, knowledge: machines[from].knowledge, replyFate: replyFate,
                depth: depth, departure: departure)
            arrivals.add(arrival, at: UInt64(time + delay))
        }
    }

    mutating func deliver(until end: Int) throws(Violation) {
        while let next = arrivals.nextTime, next <= UInt64(end), let (at, arrival) = arrivals.next() {
            time = Int(at)
            outcome.failedStep = time
            let isDown = !machines[arrival.to].isRunning
            guard !isDown, !isCut(from: arrival.from, to: arrival.to) else {
                note(.refusal(to: arrival.to, departure: arrival.departure), isDown ? "down" : "cut off")
                continue
            }
            try receive(arrival)
        }
    }

    mutating func receive(_ arrival: Arrival) throws(Violation) {
        let to = arrival.to
        let reception = machines[to].subject.receive(arrival.message, from: arrival.from, at: clock(of: to))
        outcome.deliveredCount += 1
        if reception.extent != .nothing { machines[to].knowledge.take(arrival.knowledge, reception.isTaken) }
        persist(to)
        note(arrival, reception)
        try check(to)
        guard let reply = reception.reply, arrival.depth < Self.depthMax else { return }
        post(reply, from: to, to: arrival.from, copies: arrival.replyFate, replyFate: [1], depth: arrival.depth + 1)
    }

    // MARK: - Disks

    private mutating func persist(_ replica: Int) {
        let subject = machines[replica].subject
        let before = machines[replica].disk.records.count
        subject.persist(on: &machines[replica].disk)
        let count = machines[replica].disk.records.count
        if count > before { machines[replica].written = subject }
        // Where nothing was written and something else is shown, the disk does not hold what is known.
        guard count > before || subject.view == machines[replica].written.view else { return }
        machines[replica].persisted.append(Persisted(recordCount: count, knowledge: machines[replica].knowledge))
    }

    mutating func crash(_ replica: Int, keeping kept: Int, isTorn: Bool) throws(Violation) {
        let bounded = min(kept, machines[replica].disk.records.count)
        machines[replica].disk.crash(keeping: bounded, tearing: Subject.torn, isTorn: isTorn)
        machines[replica].isRunning = false
        recorder?.stopped(replica, by: isTorn ? .torn : .crash, at: time)
        try remember(replica)
    }

    /// Sets what a stopped replica knows to what its disk holds.
    private mutating func remember(_ replica: Int) throws(Violation) {
        let records = machines[replica].disk.records
        let whole = records.last?.isWhole ?? true ? records.count : records.count - 1
        machines[replica].persisted.removeAll { $0.recordCount > whole }
        machines[replica].knowledge = machines[replica].persisted.last?.knowledge ?? Knowledge()
        machines[replica].lastView = nil
        premises.look(.durability, !machines[replica].owed.isEmpty)
        let lost = machines[replica].owed.subtracting(machines[replica].knowledge.known)
        guard let first = Array(lost).first else { return }
        throw Violation(.durability, "replica \(replica) acknowledged \(events[first].action), and its disk lacks it")
    }

    private mutating func restore(_ replica: Int) throws(Violation) {
        guard let backup = machines[replica].backup else { return }
        happened(.backup)
        note(.stop(replica), "is restored from its backup")
        machines[replica].disk = backup.disk
        machines[replica].persisted = backup.persisted
        // What was done since is gone with the disk, but where others have it.
        let last = backup.persisted.last { $0.recordCount <= backup.disk.records.count }
        machines[replica].owed = machines[replica].owed.intersection(last?.knowledge.known ?? EventSet())
        try remember(replica)
        try restart(replica)
    }

    mutating func restart(_ replica: Int) throws(Violation) {
        let birth = Birth(replica: replica, startNumber: machines[replica].startCount, programs: programs)
        machines[replica].startCount += 1
        machines[replica].subject = Subject.recover(from: machines[replica].disk, birth: birth)
        machines[replica].written = machines[replica].subject
        machines[replica].isRunning = true
        recorder?.started(replica, at: time)
        let count = machines[replica].disk.records.count
        machines[replica].persisted.append(Persisted(recordCount: count, knowledge: machines[replica].knowledge))
        note(.start(replica), held: replica)
        try check(replica)
    }

    // MARK: - Network and clocks

    func clock(of replica: Int) -> Int64 {
        let seconds = Int64(dayCount) * 86_400 + (isClockStanding ? 0 : Int64(time))
        return 1_700_000_000_000 + seconds * 1_000 + machines[replica].clockOffset
    }

    mutating func endFaults() {
        partition = nil
        for replica in machines.indices { machines[replica].clockOffset = 0 }
    }

    private func isCut(from: Int, to: Int) -> Bool {
        guard let partition else { return false }
        let (source, target) = (partition.side >> UInt64(from) & 1, partition.side >> UInt64(to) & 1)
        return partition.isOneWay ? source == 1 && target == 0 : source != target
    }

    private func members(of side: UInt64) -> [Int] { machines.indices.filter { side >> UInt64($0) & 1 == 1 } }

    private func names(of side: UInt64) -> String {
        "replicas " + members(of: side).map(String.init).joined(separator: ", ")
    }

    mutating func happened(_ fault: Fault) { outcome.faults[fault, default: 0] += 1 }
}

extension Birth {
    init(replica: Int, startNumber: Int, programs: ProgramHost? = nil) {
        self.init(
            replica: replica, start: .init(high: UInt64(replica), low: UInt64(startNumber)), programs: programs)
    }
}
