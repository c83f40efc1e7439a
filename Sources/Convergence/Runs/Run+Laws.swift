import DeltaCRDT

extension Run {
    /// Checks what holds at every step, for a replica that has just changed; by an act of its own, where there is one.
    mutating func check(_ replica: Int, after act: HistoryEvent<Subject.Action>? = nil) throws(Violation) {
        let view = machines[replica].subject.view
        outcome.digest("\(time) \(replica) \(view)\n")
        sample()
        if let violation = machines[replica].subject.checkInvariants() {
            throw Violation(violation.law, "replica \(replica): \(violation.finding)")
        }
        try names.check(machines[replica].knowledge.known)
        try checkReadability(of: machines[replica].subject, replica, .readability)
        for other in machines.indices where other != replica && machines[other].isRunning {
            try compare(replica, view, with: other)
            try checkOneForm(replica, other)
        }
        defer { machines[replica].lastView = view }
        guard isHeldToSpecification(replica) else { return }
        let history = History(all: events, known: machines[replica].knowledge.known, log: premises)
        let observation = Observation<Subject>(
            view: view, previous: machines[replica].lastView, history: history, act: act,
            type: programs?.type)
        if let violation = Subject.check(observation) {
            throw Violation(violation.law, "replica \(replica): \(violation.finding)")
        }
    }

    /// Whether anybody can say what a replica must show: not where it took a message in part, nor where it knows of an
    /// event whose author had, and knew what of it nobody can say.
    private func isHeldToSpecification(_ replica: Int) -> Bool {
        let knowledge = machines[replica].knowledge
        guard knowledge.doubtful.isEmpty else { return false }
        return knowledge.known.intersection(doubtfulEvents).allSatisfy {
            events[$0].doubtful.intersection(knowledge.known).isEmpty
        }
    }

    private mutating func sample() {
        guard recorder != nil else { return }
        let running = machines.filter { $0.isRunning }
        recorder?.sample(
            Set(running.map { $0.knowledge.known }).count, running: running.count, events: events.count, at: time)
    }

    /// Lets what is under way arrive, ends all faults, lets everybody talk to everybody, and checks what must hold then.
    package mutating func heal() throws(Violation) {
        try deliver(until: .max)
        outcome.failedStep = (plan.steps.last?.number ?? -1) + 1
        note(.network, "all faults end")
        endFaults()
        recorder?.faultsEnd(at: time)
        for replica in machines.indices where !machines[replica].isRunning { try restart(replica) }
        let participants = plan.participants
        premises.look(.delivery, Set(participants.map { machines[$0].knowledge.known }).count > 1)
        // News crosses the graph in one round; the second brings what an answer had asked for, the rest is margin.
        for _ in 0..<participants.count + 4 {
            time += 1
            for from in participants {
                for to in participants where from != to { try exchange(from: from, to: to) }
            }
            let known = participants.map { machines[$0].knowledge.known }
            if known.allSatisfy({ $0 == known[0] }) { break }
        }
        for replica in participants {
            let first = machines[participants[0]].knowledge.known
            let missing = first.subtracting(machines[replica].knowledge.known)
            let surplus = machines[replica].knowledge.known.subtracting(first)
            if let event = Array(missing).first ?? Array(surplus).first {
                let lacking = Array(missing).isEmpty ? participants[0] : replica
                throw Violation(.delivery, "replica \(lacking) never hears of \(events[event].action)")
            }
            try compare(replica, machines[replica].subject.view, with: participants[0])
            try check(replica)
        }
    }

    private mutating func exchange(from: Int, to: Int) throws(Violation) {
        guard let message = machines[from].subject.message(to: to, at: clock(of: from)) else { return }
        arrivals.add(
            Arrival(
                from: from, to: to, message: message, knowledge: machines[from].knowledge, replyFate: [0], depth: 0,
                departure: note(.departure(from: from, to: to))),
            at: UInt64(time))
        while let (_, arrival) = arrivals.next() { try receive(arrival) }
    }

    /// Compares two replicas that know the same.
    private func compare(_ replica: Int, _ view: Subject.View, with other: Int) throws(Violation) {
        let (knowledge, othersKnowledge) = (machines[replica].knowledge, machines[other].knowledge)
        guard knowledge.known == othersKnowledge.known, knowledge.doubtful.isEmpty, othersKnowledge.doubtful.isEmpty
        else { return }
        let others = machines[other].subject.view
        premises.look(.convergence, History.areConcurrent(knowledge.known.map { events[$0] }))
        guard view != others else { return }
        throw Violation(
            .convergence, "replicas \(replica) and \(other) know the same; they show \(view) and \(others)")
    }
}

/// Which event each dot names.
struct DotRegister {
    private var owners: [ReplicaID: Int] = [:]
    private var events: [Dot: Int] = [:]
    /// Dots that name two events, which is seen where both are known.
    private var doubles: [(dot: Dot, first: Int, second: Int)] = []

    mutating func add(_ dots: [Dot], of event: Int, by replica: Int) throws(Violation) {
        for dot in dots {
            if let owner = owners[dot.replica], owner != replica {
                throw Violation(.ownHand, "replica \(replica) writes under the name of replica \(owner)")
            }
            owners[dot.replica] = replica
            if let first = events[dot], first != event { doubles.append((dot, first, event)) }
            events[dot] = event
        }
    }

    func check(_ known: EventSet) throws(Violation) {
        for double in doubles where known.contains(double.first) && known.contains(double.second) {
            throw Violation(.uniqueDots, "\(double.dot) names events \(double.first) and \(double.second)")
        }
    }
}
