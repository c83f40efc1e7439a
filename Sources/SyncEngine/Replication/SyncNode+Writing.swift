import ChangeLog
import DeltaCRDT

// Changes of one's own: written, made durable, and only then shown and sent.
extension SyncNode {
    /// - Parameters:
    ///   - subjects: the changes that made what the content acts on.
    ///   - replica: the log to write in, which is kept here; nil for the device's own.
    ///   - ticket: whoever asked for it; nil where this node writes by itself.
    /// - Returns: whether it was written.
    @discardableResult
    mutating func write(
        _ statement: Statement?, content: [UInt8] = [], about subjects: [Bytes32] = [], as replica: ReplicaID? = nil,
        ticket: UInt64?
    ) -> Bool {
        do throws(WritingFailure) {
            guard let author = local.credentials(of: replica) else { throw .notAdmitted }
            let index = try append(statement, content: content, about: subjects, as: author)
            persist(index..<index + 1, then: ticket.map { .authored(ticket: $0, index: index) } ?? .written(index))
            return true
        } catch {
            if let ticket { turn.effects.append(.authored(ticket: ticket, .failure(error))) }
            return false
        }
    }

    /// Adds a change of one's own to the log.
    mutating func append(
        _ statement: Statement?, content: [UInt8] = [], about subjects: [Bytes32] = [], as author: DeviceSecrets,
        besides: [Int] = []
    ) throws(WritingFailure) -> Int {
        let retained = log.retentionVersion
        let written = try log.write(
            statement, content: content, about: subjects, wallTime: now.wall, as: author, besides: besides)
        if statement != nil { turn.mustLook = true }
        showAnew(written.added.effectivenessChanged)
        alter(written.added.altered)
        if log.retentionVersion != retained { sendRegained() }
        promoteProven()
        noteMembership(arrivedFrom: log.graph.count)
        noteAbsentBodies()
        return log.graph.count - 1
    }

    /// Shows changes as far as they are effective, or the person's here and pending.
    mutating func show(_ indices: some Sequence<Int>) {
        var changes: [AppliedChange] = []
        changes.reserveCapacity(indices.underestimatedCount)
        for index in indices where isInView(index) { changes.append(applied(index)) }
        if !changes.isEmpty { turn.effects.append(.apply(changes)) }
    }

    /// Has what is effective that was not, or is no longer, shown anew.
    mutating func showAnew(_ changed: [Int]) {
        if !changed.isEmpty { turn.effects.append(.rebuild(for: changed)) }
    }

    mutating func persist(_ indices: Range<Int>, then completion: WriteQueue.Completion) {
        let changes = indices.map { log.graph[$0] }
        let bytes = changes.reduce(0) { $0 + $1.record.count }
        let token = replication.writes.append(before: indices.upperBound, bytes: bytes, then: completion)
        turn.effects.append(.persist(token: token, changes))
    }

    /// Keeps changes whose bodies have come, or have gone: after what that follows from is kept.
    mutating func alter(_ indices: [Int]) { for index in indices { turn.altered.append(log.graph[index]) } }

    mutating func persisted(_ token: UInt64) {
        turns.lookAgain()
        var isOwn = false
        for written in replication.writes.take(upTo: token) {
            if let index = written.completion.index {
                isOwn = true
                show(CollectionOfOne(index))
            }
            switch written.completion {
            case .none, .written: break
            case .authored(let ticket, let index):
                turn.effects.append(.authored(ticket: ticket, .success(log.graph[index].hash)))
            case .admitted(_, let id, let answer):
                // The people here see the newcomer, then the newcomer hears of it.
                send(answer, on: id)
                // Where they asked again, there is a session in which they were nobody.
                promoteProven()
            }
        }
        sendDismissals()
        spread(isOwn: isOwn)
    }
}
