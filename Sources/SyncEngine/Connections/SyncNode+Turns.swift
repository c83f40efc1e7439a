import ChangeLog
import DeltaCRDT

/// The sessions whose messages wait, because the node had enough to do when they came. Each is handled when its turn comes, so that
/// nobody waits for what somebody else sends.
struct Turns: Sendable {
    private(set) var waiting: Set<ConnectionID> = []
    /// What was handled since the turn began cost so much.
    var spent = 0
    var shares = Shares()
    /// Up to when what was handled of branches that are paced (`SyncNode.isPaced`) has used up their pace.
    private(set) var pacedUntil: UInt64 = 0
    /// Whether all that waits is paced.
    var areAllPaced = false
    private var lines: [ReplicaID: [Bytes32]] = [:]

    private static let linesMax = 4_096
    /// People of a line that are told apart.
    private static let depthMax = 8

    mutating func wait(_ id: ConnectionID) { waiting.insert(id) }

    /// What was handled of a branch that is paced takes so long at that pace.
    mutating func spendPace(_ duration: UInt64, at now: UInt64) { pacedUntil = max(pacedUntil, now) + duration }

    mutating func forget(_ id: ConnectionID) { waiting.remove(id) }

    /// The people from the founder down to the person of a device, each admitted by the one before; nil where the log doesn't say who
    /// admitted it. Of a long line the first. O(1) for a device that was asked for before.
    mutating func line(of replica: ReplicaID, in log: TripLog) -> [Bytes32]? {
        var (path, next, line) = ([ReplicaID](), replica, [Bytes32]())
        while true {
            if let known = lines[next] {
                line = known
                break
            }
            guard let admission = log.admission(of: next) else { return nil }
            path.append(next)
            let author = log.graph[admission].change.replica
            // The founder's own.
            if author == next { break }
            next = author
        }
        if lines.count + path.count > Self.linesMax { lines = [:] }
        for replica in path.reversed() {
            if let person = log.device(replica)?.participant, person != line.last, line.count < Self.depthMax {
                line.append(person)
            }
            lines[replica] = line
        }
        return line
    }
}

// Messages are handled in turns: what takes a node long is done in small parts, and each session has its share.
extension SyncNode {
    /// Whether what comes in a session is to wait.
    private func isBusy(besides id: ConnectionID) -> Bool {
        turns.spent >= limits.turnCostMax || turns.waiting.contains { $0 != id }
            || replication.writes.waitingBytes >= limits.unwrittenBytesMax
    }

    /// When the next turn is; nil where nothing waits, or all waits for the disk.
    var nextTurn: UInt64? {
        guard !turns.waiting.isEmpty, replication.writes.waitingBytes < limits.unwrittenBytesMax else { return nil }
        return now.monotonic + (turns.areAllPaced ? limits.pacedTurnInterval : 1)
    }

    /// Takes bytes of a session: handles the messages in them, unless others wait.
    mutating func receivedInSession(
        _ bytes: [UInt8], on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        guard let index = table.index(of: id) else { return }
        table[at: index].channel.append(bytes)
        while !isBusy(besides: id), !isPaced(line(ofPeerOn: id)), handleNext(on: id, using: &generator) {}
        noteWaiting(id)
        turns.areAllPaced = false
    }

    /// Begins a turn: handles messages that wait, as many as it has room for, each time one of the session whose branch cost least.
    mutating func takeTurn(using generator: inout some RandomNumberGenerator) {
        turns.spent = 0
        while turns.spent < limits.turnCostMax, nextTurn != nil, let id = nextWaiting() {
            _ = handleNext(on: id, using: &generator)
            noteWaiting(id)
        }
    }

    /// Handles what a connection that is over has left, as far as one turn has room for it.
    mutating func takeLastTurn(of id: ConnectionID, using generator: inout some RandomNumberGenerator) {
        guard turns.waiting.contains(id), !isPaced(line(ofPeerOn: id)) else { return }
        let end = turns.spent + limits.turnCostMax
        while turns.spent < end, handleNext(on: id, using: &generator) {}
        turns.forget(id)
    }

    private mutating func nextWaiting() -> ConnectionID? {
        var first: (id: ConnectionID, costs: [Int])?
        for id in turns.waiting.sorted() {
            let line = line(ofPeerOn: id)
            guard !isPaced(line) else { continue }
            let costs = turns.shares.costs(along: line)
            if first.map({ costs.lexicographicallyPrecedes($0.costs) }) ?? true { first = (id, costs) }
        }
        turns.areAllPaced = first == nil
        return first?.id
    }

    /// Who pays for what comes in a session. All whose admission isn't here share one branch.
    mutating func line(ofPeerOn id: ConnectionID) -> [Bytes32] {
        guard let peer = table[id]?.peer else { return [] }
        let log = log
        return turns.line(of: peer.replica, in: log) ?? [Bytes32(words: (0, 0, 0, 0)), peer.key]
    }

    /// Has the authors of changes that are new here, and so were signed by them, pay for them in whichever session they came.
    mutating func chargeAuthors(of places: Range<Int>) {
        let log = log
        for place in places {
            guard let line = turns.line(of: log.graph[place].change.replica, in: log) else { continue }
            turns.shares.charge(Self.cost(bytes: log.graph[place].record.count), to: line, isAuthor: true)
        }
    }

    /// Notes whether messages of a session wait, and has no more read than may.
    private mutating func noteWaiting(_ id: ConnectionID) {
        guard let index = table.index(of: id) else { return turns.forget(id) }
        let isWaiting = table[at: index].hasUnhandled
        if isWaiting { turns.wait(id) } else { turns.forget(id) }
        let bytes = table[at: index].channel.waitingBytes
        let isRead = table[at: index].isRead
        if isRead, isWaiting, bytes > limits.unreadBytesMax {
            table[at: index].isRead = false
            turn.effects.append(.read(id, false))
        } else if !isRead, bytes < limits.unreadBytesMax / 4 {
            table[at: index].isRead = true
            turn.effects.append(.read(id, true))
        }
    }

    /// Handles the next message of a session. False where none is whole.
    ///
    /// Its peer pays first, so that what it forges in others' names is at its own cost.
    private mutating func handleNext(on id: ConnectionID, using generator: inout some RandomNumberGenerator) -> Bool {
        guard let index = table.index(of: id) else { return false }
        let line = line(ofPeerOn: id)
        let outpaces = outpaces(line)
        do {
            let costMax = outpaces ? limits.pacedCostMax : limits.turnCostMax / 2
            guard let message = try nextMessage(at: index, costMax: costMax) else { return false }
            table[at: index].times.lastHeard = now.monotonic
            let cost = cost(of: message)
            charge(cost, to: line)
            if outpaces { turns.spendPace(UInt64(cost) * limits.pacedCostDuration, at: now.monotonic) }
            let version = log.membershipVersion
            handle(message, on: id, using: &generator)
            if log.membershipVersion != version { charge(log.facts.devices.count / 32, to: line) }
            return true
        } catch {
            turn.effects.append(.notice(.misbehaved(.malformedMessage, table[at: index].device)))
            drop(id)
            return false
        }
    }

    /// The next message of the session at an index of the table; of many changes, those that together cost no more.
    private mutating func nextMessage(at index: Int, costMax: Int) throws -> Message? {
        var records = table[at: index].unhandled
        if records.isEmpty {
            guard let part = try table[at: index].channel.next() else { return nil }
            let message = try Message(part.bytes, in: part.range, limits: limits, using: cryptography)
            guard case .changes(let all) = message else { return message }
            records = all
        }
        var (count, cost) = (0, 0)
        while count < records.count {
            cost += Self.cost(bytes: records[count].count)
            guard count == 0 || cost <= costMax else { break }
            count += 1
        }
        table[at: index].unhandled = Array(records[count...])
        return .changes(Array(records[..<count]))
    }

    // MARK: - Costs

    private mutating func charge(_ cost: Int, to line: [Bytes32]) {
        turns.shares.age(to: now.monotonic)
        turns.shares.charge(cost, to: line)
        turns.spent += cost
    }

    // About a tenth of a millisecond each: a signature, or some kilobytes.
    private static func cost(bytes: Int) -> Int { 1 + bytes / 4_096 }

    private func cost(of message: Message) -> Int {
        guard case .changes(let records) = message else { return 1 }
        return records.reduce(1) { $0 + Self.cost(bytes: $1.count) }
    }
}
