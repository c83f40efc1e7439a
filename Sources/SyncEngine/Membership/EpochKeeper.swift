import ChangeLog
import DeltaCRDT

/// The epochs whose secrets are here, and what is owed: an epoch that answers all removals, and its secret to all who are in.
struct EpochKeeper: Sendable {
    /// The epochs whose secrets are here, the newest first, and some before it.
    private(set) var held: [Epoch] = []
    /// Those of them under which others are dialed: not the older ones that only removed people began. To a name under an epoch that one
    /// device alone was given, that device alone comes.
    private(set) var dialled: [Epoch] = []
    private var keys: EpochKeys
    /// When this node does what is owed, unless others did.
    private(set) var deadline: UInt64?
    /// The membership for which that was last looked at.
    private var seenVersion = -1
    /// Devices that said that they lack the newest epoch's secret, and those that this node has granted it since.
    private var wanting: Set<ReplicaID> = []
    private var granted: Set<ReplicaID> = []
    /// Devices that were met under the newest epoch's key.
    private var holders: Set<ReplicaID> = []
    /// Whether something was owed, and this node could not do it.
    private var isExhausted = false
    /// What was owed when that was looked at last; nil once anything has changed of which it is made.
    private var knownDebt: Debt??
    /// The members that need not hold the newest secret, and how many changes there were then.
    private var knownMayLackEpoch: (devices: [Device], count: Int)?
    /// The members in turn, and the membership of which they were made.
    private var knownMembers: (devices: [Device], version: Int)?

    private static let wantingMax = 1_024

    init(of secrets: DeviceSecrets, told: [Bytes32], in log: TripLog, using cryptography: some Cryptography) {
        keys = EpochKeys(of: secrets)
        for secret in told { keys.add(secret: secret, using: cryptography) }
        held = keys.newest(in: log)
        dialled = Self.dialled(of: held, in: log)
    }

    private static func dialled(of held: [Epoch], in log: TripLog) -> [Epoch] {
        let others = log.epochsOfRemovedPeople
        return Array(held.prefix(1)) + held.dropFirst().filter { !others.contains($0.id) }
    }

    /// The newest epoch whose secret is here.
    var newest: Epoch? { held.first }

    mutating func add(secret: Bytes32, in log: TripLog, using cryptography: some Cryptography) {
        keys.add(secret: secret, using: cryptography)
        _ = refresh(in: log)
    }

    /// - Returns: whether the epochs whose secrets are here are others than before.
    private mutating func refresh(in log: TripLog) -> Bool {
        let before = held
        held = keys.newest(in: log)
        dialled = Self.dialled(of: held, in: log)
        if held.first != before.first { (wanting, granted, holders) = ([], [], []) }
        knownDebt = nil
        knownMayLackEpoch = nil
        return held != before
    }

    /// Looks at the log again, where membership has changed.
    /// - Returns: whether the epochs whose secrets are here are others than before.
    mutating func look(at log: TripLog) -> Bool {
        guard seenVersion != log.membershipVersion else { return false }
        seenVersion = log.membershipVersion
        isExhausted = false
        return refresh(in: log)
    }

    mutating func met(_ replica: ReplicaID, under epoch: Bytes16) {
        if epoch == newest?.id, holders.insert(replica).inserted { knownMayLackEpoch = nil }
    }

    /// A device says that it has not got an epoch's secret.
    mutating func isWanted(_ epoch: Bytes16, by replica: ReplicaID) {
        guard epoch == newest?.id, wanting.count < Self.wantingMax else { return }
        wanting.insert(replica)
        knownDebt = nil
    }

    /// The members' devices in the turns of their branches, so that nobody's puppets come before everybody else. O(devices × depth)
    /// where membership has changed, else O(1).
    mutating func membersInTurn(in log: TripLog) -> [Device] {
        if let known = knownMembers, known.version == log.membershipVersion { return known.devices }
        var branches = InvitationBranches<Device>()
        for device in log.membersWithNode { branches.add(device, line: log.line(of: device.replica)) }
        let devices = branches.inTurn
        knownMembers = (devices, log.membershipVersion)
        return devices
    }

    /// The members' devices that need not hold the newest secret: they were not met under it, and wrote nothing since it began. That
    /// their admission grants it proves nothing, because its author may have handed them other bytes. In the turns of their branches.
    /// O(devices) where the log has grown, else O(1).
    mutating func mayLackEpoch(in log: TripLog) -> [Device] {
        guard let newest, log.mayEpochsDiffer else { return [] }
        if let known = knownMayLackEpoch, known.count == log.graph.count { return known.devices }
        let devices = membersInTurn(in: log).filter {
            !holders.contains($0.replica) && !log.hasSeen(newest.id, $0.replica)
        }
        knownMayLackEpoch = (devices, log.graph.count)
        return devices
    }

    /// What is owed to the trip.
    enum Debt: Hashable, Sendable {
        /// No epoch answers all removals, or nobody gave this device the newest one's secret.
        case beginning
        case grant(Epoch, to: [Device])
    }

    /// Whether the log names a newer epoch than any whose secret is here; its name, to ask for it.
    func lacking(in log: TripLog) -> Bytes16? {
        guard let newest = log.newestEpoch, newest != held.first?.id else { return nil }
        return newest
    }

    /// O(devices log devices) where anything has changed, else O(1).
    private mutating func debt(of replica: ReplicaID, in log: TripLog, _ limits: SessionLimits) -> Debt? {
        if let knownDebt { return knownDebt }
        let debt = findDebt(of: replica, in: log, limits)
        knownDebt = .some(debt)
        return debt
    }

    private func findDebt(of replica: ReplicaID, in log: TripLog, _ limits: SessionLimits) -> Debt? {
        guard log.isIn(replica), !isExhausted, let newest else { return nil }
        if lacking(in: log) != nil || log.leavesRemovalsUnanswered(newest.id),
            log.chainTotals(of: replica).epochs < limits.epochsBegunMax
        {
            return .beginning
        }
        // To each once: a device whose key is weak gets no box, and lacks the secret however often it is granted.
        let given = log.holders(of: newest.id)
        let devices = log.membersWithNode.filter {
            !granted.contains($0.replica) && (!given.contains($0.replica) || wanting.contains($0.replica))
        }
        return devices.isEmpty ? nil : .grant(newest, to: devices)
    }

    /// What is to be done now: everybody waits a while of their own, for another may do it first.
    mutating func due(
        of replica: ReplicaID, in log: TripLog, at now: UInt64, limits: SessionLimits,
        using generator: inout some RandomNumberGenerator
    ) -> Debt? {
        let mayOwe = deadline != nil || log.hasRemovals || !wanting.isEmpty || lacking(in: log) != nil
        guard mayOwe, let debt = debt(of: replica, in: log, limits),
            log.chainTotals(of: replica).bytes < limits.epochBytesMax
        else {
            deadline = nil
            return nil
        }
        guard let due = deadline else {
            let doublings = debt == .beginning ? Int(log.chainTotals(of: replica).epochs) / limits.epochPatience : 0
            let pause = generator.next() % max(1, limits.epochDelayMax << doublings)
            deadline = now + pause + (lacking(in: log) == nil ? 0 : limits.epochAnswerMax)
            return nil
        }
        guard due <= now else { return nil }
        deadline = nil
        return debt
    }

    /// Leaves what is owed to others for now.
    mutating func postpone() { deadline = nil }

    /// Notes what came of paying a debt.
    mutating func paid(_ debt: Debt, wasWritten: Bool) {
        isExhausted = !wasWritten
        knownDebt = nil
        guard wasWritten, case .grant(_, let devices) = debt else { return }
        granted.formUnion(devices.prefix(ChangeBounds.grantBoxesMax).map(\.replica))
    }

    /// Traps where what was looked at last is not what there is to see. O(devices log devices).
    func checkInvariants(of replica: ReplicaID, in log: TripLog, _ limits: SessionLimits) {
        precondition(wanting.count <= Self.wantingMax, "\(wanting.count) devices want an epoch's secret")
        // Looked at again before anything is done by it.
        guard seenVersion == log.membershipVersion, let knownDebt else { return }
        let debt = findDebt(of: replica, in: log, limits)
        precondition(
            knownDebt == debt,
            "\(receivers(of: debt)) devices are owed the epoch's secret, and \(receivers(of: knownDebt)) are remembered"
        )
    }

    /// How many devices a grant is owed to. The grant itself holds a secret, which no crash log may have.
    private func receivers(of debt: Debt?) -> Int { if case .grant(_, let devices) = debt { devices.count } else { 0 } }
}
