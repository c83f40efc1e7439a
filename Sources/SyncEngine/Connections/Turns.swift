import ChangeLog
import DeltaCRDT

/// Whose messages are handled, and who pays for that. What takes a node long is done in small parts, and each branch of the tree of
/// admissions has its share, so that nobody waits for what somebody else sends.
///
/// What one branch writes much of is taken no faster than it is made durable, and than others take it from here: all that is written
/// here has it in its past, and arrives nowhere before it. Credits do the same at each hop (Kung, Blackwell and Chapman, SIGCOMM 1994).
struct Turns: Sendable {
    /// The sessions whose messages wait, because the node had enough to do when they came.
    private(set) var waiting: Set<ConnectionID> = []
    private(set) var shares = Shares()
    /// What was handled since the turn began cost so much.
    private(set) var spent = 0
    /// Up to when what was handled of branches that are paced has used up their pace.
    private var pacedUntil: UInt64 = 0
    /// Whether all that waits is paced.
    private var areAllPaced = false
    private var lines: [ReplicaID: [Bytes32]] = [:]
    private let limits: SessionLimits

    private static let linesMax = 4_096
    /// People of a line that are told apart.
    private static let depthMax = 8

    init(limits: SessionLimits) { self.limits = limits }

    /// What turns depend on, beside the sessions and the log. These are arguments of their own, which are lent and not copied.
    struct Load {
        let now: UInt64
        /// Bytes of changes that wait for the disk.
        let unwritten: Int
    }

    // MARK: - Whose turn it is

    mutating func note(_ id: ConnectionID, waits: Bool) { if waits { waiting.insert(id) } else { waiting.remove(id) } }

    mutating func forget(_ id: ConnectionID) { waiting.remove(id) }

    /// When the next turn is; nil where nothing waits, or all waits for the disk.
    func next(at now: UInt64, unwritten: Int) -> UInt64? {
        guard !waiting.isEmpty, unwritten < limits.unwrittenBytesMax else { return nil }
        return now + (areAllPaced ? limits.pacedTurnInterval : 1)
    }

    /// What was paced may not be any more.
    mutating func lookAgain() { areAllPaced = false }

    /// Whether messages of a session are handled at once.
    mutating func isFree(for id: ConnectionID, _ load: Load, _ table: SessionTable, _ log: TripLog) -> Bool {
        guard spent < limits.turnCostMax, !waiting.contains(where: { $0 != id }),
            load.unwritten < limits.unwrittenBytesMax
        else { return false }
        return !isPaced(line(ofPeerOn: id, table, log), load, table, log)
    }

    mutating func begin() { spent = 0 }

    /// Of the sessions that wait, that whose branch cost least; nil where the turn is over.
    mutating func nextSession(_ load: Load, _ table: SessionTable, _ log: TripLog) -> ConnectionID? {
        guard spent < limits.turnCostMax, next(at: load.now, unwritten: load.unwritten) != nil else { return nil }
        var first: (id: ConnectionID, costs: [Int])?
        for id in waiting.sorted() {
            let line = line(ofPeerOn: id, table, log)
            guard !isPaced(line, load, table, log) else { continue }
            let costs = shares.costs(along: line)
            if first.map({ costs.lexicographicallyPrecedes($0.costs) }) ?? true { first = (id, costs) }
        }
        areAllPaced = first == nil
        return first?.id
    }

    /// What a session that is over may still cost, up to which sum; nil for nothing.
    mutating func last(of id: ConnectionID, _ load: Load, _ table: SessionTable, _ log: TripLog) -> Int? {
        guard waiting.contains(id), !isPaced(line(ofPeerOn: id, table, log), load, table, log) else { return nil }
        return spent + limits.turnCostMax
    }

    // MARK: - Pace

    /// Whether what a session says is to wait for the disk, or for members who lag behind.
    private mutating func isPaced(_ line: [Bytes32], _ load: Load, _ table: SessionTable, _ log: TripLog) -> Bool {
        load.now + limits.pacedAtOnceMax < pacedUntil && outpaces(line, load, table, log)
    }

    /// Whether the branch of a person that the founder admitted writes much while the disk or a member of another branch lags behind.
    private mutating func outpaces(_ line: [Bytes32], _ load: Load, _ table: SessionTable, _ log: TripLog) -> Bool {
        guard line.count > 1, shares.written(inBranchOf: line[1]) > limits.bulkCostMin else { return false }
        if load.unwritten > limits.laggingBytesMin { return true }
        // What waits here may be what a session acknowledges.
        for (id, session) in zip(table.keys, table.values) where session.isWithMember {
            guard session.replication.window.unacknowledgedBytes > limits.laggingBytesMin, !waiting.contains(id)
            else { continue }
            let other = self.line(ofPeerOn: id, table, log)
            if other.count == 1 || other[1] != line[1] { return true }
        }
        return false
    }

    // MARK: - Who pays

    /// Who pays for the messages of a session, and how.
    struct Payer: Hashable, Sendable {
        fileprivate let line: [Bytes32]
        /// Whether the branch has a pace, because others lag behind.
        fileprivate let outpaces: Bool
        /// What of one message is handled at a time may cost so much.
        let costMax: Int
    }

    mutating func payer(of id: ConnectionID, _ load: Load, _ table: SessionTable, _ log: TripLog) -> Payer {
        let line = line(ofPeerOn: id, table, log)
        let outpaces = outpaces(line, load, table, log)
        return Payer(
            line: line, outpaces: outpaces, costMax: outpaces ? limits.pacedCostMax : limits.turnCostMax / 2)
    }

    /// Has a peer pay for a message before it is handled, so that what it forges in others' names is at its own cost.
    /// - Parameter bytes: of the message, where it came whole.
    mutating func charge(for message: Message, bytes: Int, to payer: Payer, at now: UInt64, in log: TripLog) {
        let cost = Self.cost(of: message)
        let further = Self.furtherCost(
            of: message, bytes: bytes, count: log.graph.count, lackingCount: log.lackingBodies.count)
        charge(cost + further, to: payer, at: now)
        guard payer.outpaces else { return }
        // What is written takes so long at that pace.
        pacedUntil = max(pacedUntil, now) + UInt64(cost) * limits.pacedCostDuration
    }

    mutating func charge(_ cost: Int, to payer: Payer, at now: UInt64) {
        shares.age(to: now)
        shares.charge(cost, to: payer.line)
        spent += cost
    }

    /// Has the authors of changes that are new here, and so were signed by them, pay for them in whichever session they came.
    mutating func chargeAuthors(of indices: Range<Int>, in log: TripLog) {
        for index in indices {
            guard let line = line(of: log.graph[index].change.replica, in: log) else { continue }
            shares.charge(Self.cost(bytes: log.graph[index].record.count), to: line, isAuthor: true)
        }
    }

    // About a tenth of a millisecond each: a signature, or some kilobytes.
    static func cost(bytes: Int) -> Int { 1 + bytes / 4_096 }

    // All that has a pace: what is written. `furtherCost` comes on top.
    private static func cost(of message: Message) -> Int {
        guard case .changes(let records) = message else { return 1 }
        return records.reduce(1) { $0 + cost(bytes: $1.count) }
    }

    /// What a message other than one of changes costs beyond 1: for its bytes, and for what it has this node look through or send.
    /// - Parameters:
    ///   - count: of the changes in the log.
    ///   - lackingCount: of the bodies that are needed and absent.
    static func furtherCost(of message: Message, bytes: Int, count: Int, lackingCount: Int) -> Int {
        let size = bytes / 4_096
        return switch message {
        case .changes: 0
        // What the peer lacks is looked for from the first change on, and which bodies it may have.
        case .frontier, .locator: size + (count + lackingCount) / changesPerCost
        case .have, .bodiesAbsent: size + lackingCount / changesPerCost
        // A message of 64 bodies is sealed in half a millisecond.
        case .bodiesWanted(let hashes): size + hashes.count / 8
        default: size
        }
    }

    /// As many are looked through in a tenth of a millisecond.
    private static let changesPerCost = 2_048

    /// Who pays for the messages of a session. All whose admission isn't here share one branch.
    private mutating func line(ofPeerOn id: ConnectionID, _ table: SessionTable, _ log: TripLog) -> [Bytes32] {
        guard let index = table.index(of: id) else { return [] }
        let peer = table[at: index].peer
        return line(of: peer.replica, in: log) ?? [Bytes32(words: (0, 0, 0, 0)), peer.key]
    }

    /// The people from the founder down to the person of a device, each admitted by the one before; nil where the log doesn't say who
    /// admitted it. Of a long line the first. O(1) for a device that was asked for before.
    mutating func line(of replica: ReplicaID, in log: TripLog) -> [Bytes32]? {
        var (path, next, line) = ([ReplicaID](), replica, [Bytes32]())
        while true {
            if let known = lines[next] {
                line = known
                break
            }
            guard let admission = log.firstAdmission(of: next) else { return nil }
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

    func checkInvariants() {
        precondition(lines.count <= Self.linesMax, "the lines of \(lines.count) devices are remembered")
        shares.checkInvariants()
    }
}
