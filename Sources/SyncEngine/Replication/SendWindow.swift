import ChangeLog
import DeltaCRDT

/// Up to where changes were sent to a peer, and how much of that it has not acknowledged.
struct SendWindow: Sendable {
    /// Every index below it was sent, or is known to be at the peer.
    var cursor = 0
    /// Whether the peer has shown what it holds, so that what it lacks can be sent.
    var hasCompared = false
    /// The bytes of changes that it was sent and has not acknowledged.
    private(set) var unacknowledgedBytes = 0
    /// The last index and the bytes of every message of changes that it has not acknowledged.
    private var unacknowledged: [(index: Int, bytes: Int)] = []

    mutating func sent(upTo index: Int, bytes: Int) {
        unacknowledged.append((index, bytes))
        unacknowledgedBytes += bytes
    }

    /// The peer refused a message, because it lacks the past. It acknowledges that message only once it has the past, which a
    /// full window would keep back. Which message it was is not known, so the older half of them counts as lost.
    mutating func loseOldest() {
        let most = unacknowledgedBytes / 2
        while unacknowledgedBytes > most, !unacknowledged.isEmpty {
            unacknowledgedBytes -= unacknowledged.removeFirst().bytes
        }
    }

    /// Frees what is durable at the peer by now.
    mutating func free(_ durable: PeerKnowledge, in graph: ChangeGraph) {
        guard unacknowledged.contains(where: { durable.contains($0.index, in: graph) }) else { return }
        unacknowledged.removeAll { durable.contains($0.index, in: graph) }
        unacknowledgedBytes = unacknowledged.reduce(0) { $0 + $1.bytes }
    }

    func checkInvariants(before end: Int) {
        precondition(cursor <= end, "index \(cursor) of \(end) is the next to send")
        precondition(
            unacknowledged.allSatisfy { $0.index < end } && (hasCompared || unacknowledged.isEmpty),
            "one of \(unacknowledged.count) messages has a change that is not here, or came before any frontier")
        let bytes = unacknowledged.reduce(0) { $0 + $1.bytes }
        precondition(
            unacknowledgedBytes == bytes,
            "\(unacknowledgedBytes) bytes are counted, and \(unacknowledged.count) messages have \(bytes)")
    }
}

/// What to report to a peer about durable changes here.
struct Acknowledgements: Sendable {
    /// Every index below it was told of, or was here when it was first told.
    var announced = 0
    /// What came from it, or what it said it holds, until it is told that this is durable here: the last indices of its
    /// messages of changes, and of what in them was here before the indices that those do not stand on.
    private(set) var owed: [Int] = []
    /// The bodies that are absent here, as it was told last.
    var absent = AbsentBodies()
    /// The bytes of the messages of changes that came since it was told last.
    private(set) var owedBytes = 0

    /// - Parameter bytes: of the message that it was the last of.
    mutating func owe(_ index: Int, bytes: Int = 0) {
        owed.append(index)
        owedBytes += bytes
    }

    /// It was told of all below an index.
    mutating func told(before end: Int) {
        announced = max(announced, end)
        acknowledged(before: end)
    }

    /// It was told of what is owed below an index, and of nothing else.
    mutating func acknowledged(before end: Int) {
        owed.removeAll { $0 < end }
        owedBytes = 0
    }

    func checkInvariants(before end: Int) {
        precondition(
            announced <= end && owed.allSatisfy { $0 < end },
            "the peer was told of \(announced) and is owed \(owed.max() ?? -1), of \(end) changes")
    }
}

/// Whether changes are pushed to a peer, or announced to it, and what it announced that has not come (Leitão, Pereira,
/// Rodrigues: *Epidemic broadcast trees*, 2007).
struct PushLink: Sendable {
    /// Whether changes are pushed to it as they arrive. Otherwise they are announced, and it requests those that it lacks.
    var isEager = true
    /// Every index below it is still pushed, because those changes were here when pushing ended.
    var pushEnd = 0
    /// How many messages of changes in a row held nothing new here.
    var repetitions = 0
    /// Changes that it announced and that are not here yet, and when to request them.
    private(set) var missing: [Bytes32] = []
    var requestDeadline: UInt64?

    static let missingMax = 256

    /// Stops pushing what comes from now on.
    mutating func becomeLazy(from end: Int) {
        isEager = false
        pushEnd = max(pushEnd, end)
        repetitions = 0
    }

    mutating func becomeEager() { (isEager, repetitions) = (true, 0) }

    /// Notes changes that are not here: of too many, the newest stay.
    mutating func miss(_ hashes: [Bytes32], until deadline: UInt64) {
        missing = (missing + hashes.prefix(Self.missingMax)).suffix(Self.missingMax)
        requestDeadline = requestDeadline ?? deadline
    }

    mutating func forgetMissing() { (missing, requestDeadline) = ([], nil) }

    func checkInvariants() {
        precondition(
            missing.count <= Self.missingMax && missing.isEmpty == (requestDeadline == nil),
            "\(missing.count) missing changes, due at \(String(describing: requestDeadline))")
    }
}

/// What two peers have told each other of what they hold.
struct FrontierExchange: Sendable {
    /// The first index that the peer was not told of by a frontier; nil before one was sent.
    var toldEnd: Int?
    /// What the peer holds by its last frontier.
    var shown = PeerKnowledge()
    /// What its locators said of replicas that have forked.
    var located: [ReplicaID: [Int]] = [:]
}

/// What a device whose admission is not known has handed over.
struct Probation: Sendable {
    private var changes = 0
    private var bytes = 0

    /// Counts a batch; false where it is more than may be taken.
    mutating func take(_ records: [[UInt8]], under limits: SessionLimits) -> Bool {
        changes += records.count
        bytes += records.reduce(0) { $0 + $1.count }
        return changes <= limits.unprovenChangesMax && bytes <= limits.unprovenBytesMax
    }
}
