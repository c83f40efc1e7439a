import ChangeLog
import DeltaCRDT

/// What waits for the disk, what is remembered of peers beside their sessions, and what they are told a little later.
struct Replication: Sendable {
    var writes: WriteQueue
    /// What each device said is durable there, and when it was last heard, by its log's name.
    private(set) var peers: [ReplicaID: Peer] = [:]
    /// The bodies that are needed and absent here.
    var absent = AbsentBodies()
    /// When peers are told what has become durable here since they were told last.
    var announcementDeadline: UInt64?
    /// When they were told last.
    var announcedAt: UInt64?
    /// When a peer was first asked for each change that others hold and this node lacks.
    private var requests: [Bytes32: UInt64] = [:]

    init(writes: WriteQueue) { self.writes = writes }

    /// Every index below it is durable here.
    var durableCount: Int { writes.durableCount }

    /// What is remembered of a device between sessions.
    struct Peer: Sendable {
        var durable = PeerKnowledge()
        /// Of that, the bodies that it said are absent there.
        var absent = AbsentBodies()
        /// Milliseconds since 1970 by this node's clock.
        var lastHeard: Int64
    }

    /// What a device said is durable there when it was heard last, and the bodies that are absent of that.
    func durableKnowledge(of replica: ReplicaID) -> (PeerKnowledge, absent: AbsentBodies) {
        peers[replica].map { ($0.durable, $0.absent) } ?? (PeerKnowledge(), AbsentBodies())
    }

    mutating func heard(_ replica: ReplicaID, at wall: Int64) {
        peers[replica, default: Peer(lastHeard: wall)].lastHeard = wall
    }

    /// Keeps what a session showed to be durable at a device.
    mutating func keep(_ durable: PeerKnowledge, without absent: AbsentBodies, of replica: ReplicaID) {
        peers[replica]?.durable = durable
        peers[replica]?.absent = absent
    }

    /// Takes in what a device said in a letter. It replaces what was known, for the device may come from a backup; unless it
    /// was heard since the letter was written.
    /// - Parameter time: of the letter, in milliseconds since 1970.
    mutating func noteLetter(
        _ durable: PeerKnowledge, without absent: AbsentBodies, of replica: ReplicaID, at time: Int64
    ) {
        if let known = peers[replica], known.lastHeard > time { return }
        peers[replica] = Peer(durable: durable, absent: absent, lastHeard: time)
    }

    /// Takes in what was known before this process began; what is known since stays.
    mutating func restore(_ peer: Peer, of replica: ReplicaID) {
        if peers[replica] == nil { peers[replica] = peer }
    }

    static let requestsMax = 1_024

    /// Whether a peer may be asked for a change now; else when. One peer is asked first. Once the pause is over, each other may be
    /// asked: peers that say that they hold a change and don't send it cost one pause, however many they are.
    mutating func mayRequest(_ change: Bytes32, at now: UInt64, pause: UInt64) -> UInt64? {
        if let first = requests[change] { return now < first + pause ? first + pause : nil }
        if requests.count >= Self.requestsMax { requests = requests.filter { now < $0.value + pause } }
        if requests.count >= Self.requestsMax { requests = [:] }
        requests[change] = now
        return nil
    }

    /// - Parameter end: of the log.
    func checkInvariants(before end: Int) {
        writes.checkInvariants(before: end)
        precondition(requests.count <= Self.requestsMax, "\(requests.count) changes were asked for")
    }
}

extension PeerKnowledge {
    /// Learns that a device holds what it wrote, and so the past of that.
    mutating func learn(logsOf replica: ReplicaID, in graph: ChangeGraph) {
        for branch in graph.branchesOfReplica[replica] ?? [] { learn(graph.branches[Int(branch)].last, in: graph) }
    }
}
