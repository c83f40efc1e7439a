import ChangeLog
import DeltaCRDT

/// What a node knows at one moment, as far as it decides what is put in mailboxes and what is believed of them.
///
/// It shares the log's storage, so it lives only as long as one call: to write the log meanwhile would copy it.
struct MailboxContext: Sendable {
    let log: TripLog
    let local: LocalDevice
    let membership: MembershipDesk
    let replication: Replication
    let photos: ChunkExchange
    /// The epochs whose secrets are here, the newest first; and the members' devices that need not hold the newest.
    let epochs: [Epoch]
    let mayLackEpoch: [Device]
    /// The devices that there are sessions with. What they lack is sent there.
    let met: Set<ReplicaID>
    /// The invitation by which this device joins; nil for a member.
    let invitation: Invitation?
    let time: Now
    let limits: SessionLimits
    let cryptography: any SessionCryptography

    var now: UInt64 { time.monotonic }
    var secrets: DeviceSecrets { local.secrets }
    var own: ReplicaID { local.secrets.device.replica }
    var durableCount: Int { replication.durableCount }

    /// Whether letters are put now. What is not durable yet will be soon.
    var mayPost: Bool {
        replication.writes.isEmpty && !local.lacksOwnActs && (log.isIn(own) || ownFarewell != nil)
    }

    /// The change by which somebody left with this device, by index, as long as others are to hear of it from here.
    var ownFarewell: Int? {
        guard log.person(secrets.device.participant)?.state == .left, let departure = log.departure(of: own),
            log.graph[departure.index].change.replica == own,
            membership.isStillTold(own, in: log, at: time.wall)
        else { return nil }
        return departure.index
    }

    /// What is durable here with its past, by hashes.
    var durableHeads: [Bytes32] {
        log.graph.heads(of: log.heads(from: 0, before: durableCount), limit: MailboxLetter.haveMax)
            .map { log.graph[$0].hash }
    }

    /// What a device without a session is known to hold, and the bodies that are absent there.
    func knowledge(of replica: ReplicaID) -> (held: PeerKnowledge, absent: AbsentBodies) {
        var (held, absent) = replication.durableKnowledge(of: replica)
        held.learn(logsOf: replica, in: log.graph)
        return (held, absent)
    }

    /// Whether this node may admit a device that asks and proves what it claims.
    func admissibility(of request: JoinRequest, by invite: Bytes32) -> MembershipDesk.Admissibility {
        membership.admissibility(of: request, by: invite, in: log, as: local, at: time.wall, limits: limits)
    }

    /// The epoch in whose slots a device reads, as far as is known here.
    func epochForLetters(to replica: ReplicaID) -> Epoch? {
        guard mayLackEpoch.contains(where: { $0.replica == replica }) else { return epochs.first }
        let known = log.epoch(knownTo: replica, of: epochs)
        return epochs.first { $0.id == known }
    }

    /// What one of some devices is not known to hold and a mailbox doesn't cover, by index.
    func lacking(_ readers: [Device], _ coverage: Coverage) -> [Int] {
        let known = readers.map { knowledge(of: $0.replica) }
        var indices: [Int] = []
        let start = min(durableCount, known.map(\.held.prefix).min() ?? durableCount)
        for index in start..<durableCount
        where log.isRetained(index) && !coverage.contains(index, withBody: log.sendsBody(of: index)) {
            if known.contains(where: { !$0.held.contains(index, in: log.graph) }) { indices.append(index) }
        }
        let bodies = Set(known.flatMap { $0.absent.named }.compactMap { log.graph.index(of: $0) })
            .filter { $0 < durableCount && log.sendsBody(of: $0) && !coverage.contains($0, withBody: true) }
        if !bodies.isEmpty { indices = Set(indices).union(bodies).sorted() }
        guard let farewell = ownFarewell else { return indices }
        return indices.filter { $0 == farewell || log.graph.isPast($0, of: farewell) }
    }

    /// The first of some changes that one letter holds.
    func batch(of indices: [Int]) -> [Int] {
        var batch: [Int] = []
        var bytes = 0
        for index in indices.prefix(MailboxLetter.recordsMax) {
            let size = log.recordToSend(index).count
            guard batch.isEmpty || bytes + size <= MailboxLetter.recordBytesMax else { break }
            batch.append(index)
            bytes += size
        }
        return batch
    }
}

extension BlockCatalogue.Contents {
    /// Whether devices that were admitted at some indices can read it. Nobody reads a letter by somebody else who is out. What is
    /// sealed to devices is for those whose admission its author held.
    func isReadable(in log: TripLog, sinceAdmitted admissions: [Int]) -> Bool {
        if let author, !isOwn, !log.isIn(author) { return false }
        guard let boxedAt else { return true }
        let held = PeerKnowledge(summary: boxedAt, in: log.graph)
        return admissions.allSatisfy { held.contains($0, in: log.graph) }
    }
}

extension TripLog {
    /// Whether a change is sent with a body that is here.
    func sendsBody(of index: Int) -> Bool {
        (isEffective(index) || isUpheld(index)) && graph[index].digest != nil && graph[index].isWhole
    }

    /// Whether a change is sent with all that its header says.
    func sendsWhole(_ index: Int) -> Bool {
        graph[index].digest == nil || sendsBody(of: index)
    }

    /// The newest of some epochs whose secret a device holds as far as the log says: it was admitted with it, or wrote after it had
    /// seen it begin. The last where there is none.
    func epoch(knownTo replica: ReplicaID, of held: [Epoch]) -> Bytes16? {
        let admitted = epoch(admitting: replica)
        return (held.first { $0.id == admitted || hasSeen($0.id, replica) } ?? held.last)?.id
    }

    /// The epoch whose secret a device was admitted, or founded the trip, with. O(admissions of the device).
    func epoch(admitting replica: ReplicaID) -> Bytes16? {
        guard let index = admission(of: replica) else { return nil }
        return switch graph[index].change.statement {
        case .admit(let admission): admission.grant?.epoch
        case .found(_, _, let epoch): epoch
        default: nil
        }
    }
}
