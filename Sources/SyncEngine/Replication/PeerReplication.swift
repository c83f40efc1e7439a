import ChangeLog
import DeltaCRDT

/// What one session's peer holds as far as it showed, and what it is sent, told and asked for next.
///
/// It decides from the log and from how much of it is durable here. The node sends what it returns.
struct PeerReplication: Sendable {
    // The fields read in every session when something becomes durable are together.
    private(set) var window = SendWindow()
    private var acknowledgements = Acknowledgements()
    private var push = PushLink()
    /// The changes that the peer is known to have, and those that it reported as durable.
    private(set) var knowledge = PeerKnowledge()
    private(set) var durable = PeerKnowledge()
    /// The bodies among them that it reported as absent.
    private(set) var absent = AbsentBodies()
    /// Whether it reported them in this session.
    private var hasToldAbsent = false
    private(set) var comparison = FrontierExchange()
    /// The change that the peer, who is out, was begun to be sent with its past.
    private(set) var told: Int?
    private var bodies = BodyRequests()
    private var missingPast = RepeatedRequest()

    /// When something is to be asked for again, if nothing arrives before: what it announced, bodies, a missing past.
    var missingDeadline: UInt64? { push.requestDeadline }
    var bodiesDeadline: UInt64? { bodies.deadline }
    var pastDeadline: UInt64? { missingPast.deadline }

    /// The earliest of these.
    var deadline: UInt64? { [missingDeadline, bodiesDeadline, pastDeadline].compactMap { $0 }.min() }

    /// Begins with what an earlier session showed to be durable at the peer.
    mutating func remember(_ durable: PeerKnowledge, without absent: AbsentBodies) {
        (self.durable, self.absent) = (durable, absent)
    }

    // MARK: - Comparing

    /// Both sides hold the same frontier.
    /// - Parameters:
    ///   - end: where the changes end that the peer is told of.
    ///   - absent: the bodies that both lack.
    mutating func agreed(
        on frontier: Frontier, before end: Int, without absent: AbsentBodies = AbsentBodies(), in graph: ChangeGraph
    ) {
        precondition(end <= graph.count, "both hold changes up to index \(end) of \(graph.count)")
        for tip in frontier.tips {
            if let index = graph.index(of: tip.hash) { knowledge.learn(index, in: graph) }
        }
        durable = knowledge
        self.absent = absent
        window.hasCompared = true
        window.cursor = end
        acknowledgements.announced = end
    }

    /// Whether the peer was shown a frontier.
    var hasToldFrontier: Bool { comparison.toldEnd != nil }

    /// The peer is shown the frontier of the changes before an index.
    mutating func toldFrontier(before end: Int, durableCount: Int) {
        comparison.toldEnd = end
        acknowledgements.announced = durableCount
    }

    /// The peer showed its frontier. Everything that it lacks is sent.
    /// - Returns: the replicas whose forks differ, so that each side is to locate what the other holds. None before this node has shown its
    ///   own frontier.
    mutating func compare(_ frontier: Frontier, in log: TripLog) -> [ReplicaID] {
        guard let end = comparison.toldEnd else { return [] }
        let result = log.compare(
            with: frontier, toldBefore: end, located: comparison.located, isFirst: !window.hasCompared)
        knowledge = result.knowledge
        comparison.shown = result.knowledge
        // It would have reported some ahead of its frontier. What an earlier session said is past.
        if !hasToldAbsent { absent = AbsentBodies() }
        if window.hasCompared { window.loseOldest() }
        window.hasCompared = true
        window.cursor = 0
        for index in frontier.tips.compactMap({ log.graph.index(of: $0.hash) }) { durable.learn(index, in: log.graph) }
        return result.diverging
    }

    /// The peer named the changes of a forked replica that it holds.
    mutating func located(_ replica: ReplicaID, at indices: [Int], durableCount: Int, in graph: ChangeGraph) {
        comparison.located[replica] = indices
        knowledge.correct(replica, holds: indices, shown: comparison.shown, in: graph)
        window.cursor = 0
        push.pushEnd = durableCount
    }

    /// Changes that were here before are now retained, so the peer may lack them although it was sent everything later.
    mutating func regained() {
        window.cursor = 0
        acknowledgements.announced = 0
    }

    /// The peer turned out to be a member: it is sent everything that it lacks.
    mutating func promoted() { window.cursor = 0 }

    /// Whether the peer may be sent the frontier again, because it sent changes without their past. If not, `pastDeadline` is when.
    mutating func mayAskForPast(at now: UInt64, pause: UInt64) -> Bool { missingPast.mayAsk(at: now, pause: pause) }

    // MARK: - Sending changes

    /// What the peer may be sent.
    enum Audience: Hashable, Sendable {
        /// All changes.
        case member
        /// Only the change at an index, with its past: what proves this device to a peer whose admission is not known.
        case unproven(witness: Int)
        /// The same for a removal, without bodies.
        case outsider(removal: Int)

    }

    /// Whether there may be something to push.
    func lacksSomething(before end: Int) -> Bool {
        window.cursor < end && (push.isEager || window.cursor < push.pushEnd)
    }

    /// The next message of changes, of which some may leave; nil if there is nothing more to send now.
    mutating func nextBatch(
        for audience: Audience, in log: TripLog, durableCount: Int, limits: SessionLimits
    ) -> [[UInt8]]? {
        guard window.hasCompared, window.unacknowledgedBytes < limits.unacknowledgedBytesMax else { return nil }
        let witness: Int?
        switch audience {
        case .member: witness = nil
        case .unproven(let index): witness = index
        case .outsider(let removal): return nextHeads(of: removal, in: log, durableCount: durableCount, limits: limits)
        }
        let end = push.isEager ? durableCount : min(push.pushEnd, durableCount)
        let cursor = max(window.cursor, knowledge.prefix)
        guard cursor < end else { return nil }
        let batch = log.nextBatch(
            from: cursor, to: end, lackedBy: knowledge, witness: witness,
            countMax: limits.batchChangesMax, bytesMax: limits.batchBytesMax)
        window.cursor = batch.cursor
        return sent(batch.indices, as: batch.indices.map(log.recordToSend), in: log)
    }

    /// The next changes of a removal with its past, without bodies; nil once all were sent.
    private mutating func nextHeads(
        of removal: Int, in log: TripLog, durableCount: Int, limits: SessionLimits
    ) -> [[UInt8]]? {
        guard window.cursor < durableCount, removal < durableCount else { return nil }
        let indices = log.nextOfPast(
            of: removal, lackedBy: knowledge, countMax: limits.batchChangesMax, bytesMax: limits.batchBytesMax)
        if indices.isEmpty { window.cursor = durableCount } else { told = removal }
        return indices.isEmpty ? nil : sent(indices, as: indices.map { log.graph[$0].head }, in: log)
    }

    private mutating func sent(_ indices: [Int], as records: [[UInt8]], in log: TripLog) -> [[UInt8]] {
        guard let last = indices.last else { return [] }
        for index in indices { knowledge.learn(index, in: log.graph) }
        window.sent(upTo: last, bytes: records.reduce(0) { $0 + $1.count })
        return records
    }

    /// Learns what a member named, once all of it is here. Then it is sent what leads elsewhere, and told what came.
    /// - Returns: whether it is to be told soon.
    mutating func learnNamed(in graph: ChangeGraph) -> Bool {
        let indices = knowledge.learnNamed(in: graph)
        guard !indices.isEmpty else { return false }
        window.cursor = 0
        for index in indices { acknowledgements.owe(index) }
        return true
    }

    /// Whether the peer was sent all that it may be sent.
    func wasSentAll(before end: Int) -> Bool { window.hasCompared && window.cursor >= end }

    // MARK: - Push or announcement

    /// All below an index is pushed, even if the peer asked not to push.
    mutating func pushAll(before end: Int) { push.pushEnd = end }

    /// The peer asks not to push what comes from now on.
    mutating func becomeLazy(from end: Int) { push.becomeLazy(from: end) }

    /// The peer asks to push again.
    mutating func becomeEager() { push.becomeEager() }

    /// Whether the peer repeated so often what is here that it is asked not to push. Then this node does not push to it either.
    mutating func endsPushing(afterRepetitions most: Int, durableCount: Int) -> Bool {
        guard push.repetitions >= most, push.isEager else { return false }
        push.becomeLazy(from: durableCount)
        return true
    }

    /// The peer announced changes that are not here.
    mutating func miss(_ hashes: [Bytes32], until deadline: UInt64) { push.miss(hashes, until: deadline) }

    /// The first change that the peer announced and that has not arrived from any peer; nil if all are here.
    mutating func firstMissing(in graph: ChangeGraph, isCrowded: Bool) -> Bytes32? {
        // What it announced before it was here is known to be there by now.
        var indices: [Int] = []
        var missing: Bytes32?
        for hash in push.missing {
            if let index = graph.index(of: hash) { indices.append(index) } else if missing == nil { missing = hash }
        }
        if !indices.isEmpty { noteDurable(indices.sorted(), in: graph, isCrowded: isCrowded) }
        if missing == nil { push.forgetMissing() }
        return missing
    }

    /// Another peer was asked for the missing change.
    mutating func waitForMissing(until deadline: UInt64) { push.requestDeadline = deadline }

    /// The peer is asked to push, because of a missing change.
    mutating func askedToPush() {
        push.forgetMissing()
        push.becomeEager()
    }

    // MARK: - Acknowledging

    /// Notes that changes, whose indices ascend, are durable at the peer, which acknowledges what it was sent.
    /// - Returns: whether some of that is news.
    @discardableResult
    mutating func noteDurable(_ indices: [Int], in graph: ChangeGraph, isCrowded: Bool) -> Bool {
        let hasNews = indices.contains { !durable.contains($0, in: graph) }
        if !isCrowded {
            // It may not know yet that they are here too, and would not be told, for it lacks nothing.
            let announced = acknowledgements.announced
            for index in indices where index >= announced {
                if !knowledge.contains(index, in: graph) { acknowledgements.owe(index) }
            }
        }
        for index in indices {
            knowledge.learn(index, in: graph)
            durable.learn(index, in: graph)
        }
        window.free(durable, in: graph)
        return hasNews
    }

    /// The peer sent records, which were received.
    mutating func received(_ received: Received, bytes: Int, in graph: ChangeGraph, pause: UInt64) {
        for index in received.known {
            knowledge.learn(index, in: graph)
            durable.learn(index, in: graph)
        }
        if let last = received.known.last {
            // The last first, which tells when all of it is durable.
            acknowledgements.owe(last, bytes: bytes)
            if received.known.count > max(received.indices.count, 1) {
                // What is new is told of in any case; what was here may have been told of before the peer had it.
                let earlier = Array(received.known.dropLast(received.indices.count))
                for index in graph.heads(of: earlier, beside: [last], limit: PushLink.missingMax) {
                    acknowledgements.owe(index)
                }
            }
        }
        push.repetitions = received.indices.isEmpty && received.refusal == nil ? push.repetitions + 1 : 0
        if !received.indices.isEmpty { missingPast.answered(pause: pause) }
    }

    /// Whether to report at once that what the peer sent is durable here.
    func owesAtOnce(durableCount: Int, isCrowded: Bool, limits: SessionLimits) -> Bool {
        guard let first = acknowledgements.owed.first, first < durableCount else { return false }
        return !isCrowded || acknowledgements.owedBytes > limits.unacknowledgedBytesMax / 4
    }

    /// Whether the peer was not told of all that is durable here.
    func lacksNews(before end: Int) -> Bool { acknowledgements.announced < end }

    /// The indices of the changes to report as durable here: what came from the peer, and to a member which other changes it may lack.
    mutating func report(toMember isMember: Bool, before end: Int, in log: TripLog) -> [Int] {
        let announced = acknowledgements.announced
        let owed = acknowledgements.owed.filter { $0 < end }
        if !isMember {
            acknowledgements.acknowledged(before: end)
            return log.graph.heads(of: owed, limit: PushLink.missingMax)
        }
        if owed.isEmpty {
            guard announced < end, window.hasCompared else { return [] }
            acknowledgements.told(before: end)
            return log.heads(from: announced, before: end).filter { !knowledge.contains($0, in: log.graph) }
        }
        acknowledgements.told(before: end)
        let heads = log.heads(from: announced, before: end)
        let earlier = owed.filter { $0 < announced || !log.isRetained($0) }
        return heads + log.graph.heads(of: earlier, beside: heads, limit: PushLink.missingMax)
    }

    // MARK: - Bodies

    /// Whether the peer is to be told which bodies are absent here, because it was told others. It counts as told then.
    mutating func isTold(absent: AbsentBodies) -> Bool {
        guard acknowledgements.absent != absent else { return false }
        acknowledgements.absent = absent
        return true
    }

    /// The peer said which bodies are absent there.
    mutating func lacks(_ absent: AbsentBodies, pause: UInt64) {
        (self.absent, hasToldAbsent) = (absent, true)
        bodies.answered(pause: pause)
    }

    /// The bodies that are needed here, that the peer showed that it holds, and that it may be asked for now. If there are none,
    /// `bodiesDeadline` is when.
    mutating func bodiesDue(in log: TripLog, at now: UInt64, pause: UInt64) -> Set<Int> {
        var wanted: Set<Int> = []
        if !log.lackingBodies.isEmpty {
            let absent = Set(self.absent.named)
            wanted = log.lackingBodies.filter { index in
                durable.contains(index, in: log.graph) && !absent.contains(log.graph[index].hash)
            }
        }
        return bodies.due(of: wanted, at: now, pause: pause)
    }

    /// The peer is asked for these bodies.
    mutating func ask(forBodiesAt indices: [Int], at now: UInt64, pause: UInt64) {
        bodies.ask(indices, at: now, pause: pause)
    }

    func checkInvariants(before end: Int) {
        precondition(
            push.pushEnd <= end && comparison.toldEnd ?? 0 <= end,
            "\(push.pushEnd) changes are pushed and \(comparison.toldEnd ?? 0) were told of, of \(end)")
        window.checkInvariants(before: end)
        acknowledgements.checkInvariants(before: end)
        push.checkInvariants()
    }
}
