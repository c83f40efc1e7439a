import Convergence
import DeltaCRDT
import TripModel
import TripRules
import TripSimulation

@testable import ChangeLog

/// Changes of any content under valid seals and, mostly, valid signatures: what a member can make of itself.
func tryChanges(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    if choices.isOne(of: 8, but: 1) { return tryBatches(&choices) }
    var forge = Forge(group: .shared)
    var replica = Replayed.group
    var batch: [[UInt8]] = []
    var steps = 0
    while !choices.isEmpty, steps < 24 {
        steps += 1
        batch.append(forge.anySealed(&choices, by: replica))
        if choices.byte() % 4 != 0, batch.count < 8 { continue }
        replica.take(forge.receive(batch), of: forge.log)
        batch = []
    }
    replica.take(forge.receive(batch), of: forge.log)
    guard forge.hasGrown else { return }
    if choices.isOne(of: 64) { replica.show(forge.log) }
    if choices.isOne(of: 8) { forge.expectTheSameInAnotherOrder(replica) }
}

/// Makes changes, honest and not, on top of a log.
struct Forge {
    let group: Group
    var log: TripLog
    private let start: Int

    init(group: Group) {
        self.group = group
        log = group.log
        start = log.changes.count
    }

    var hasGrown: Bool { log.changes.count > start }

    mutating func receive(_ batch: [[UInt8]]) -> Received { log.receive(batch) }

    /// A sealed change that may be whatever the input says.
    func anySealed(_ choices: inout Choices, by replica: Replayed) -> [UInt8] {
        guard let epoch = choices.byte() % 4 == 0 ? choices.pick(log.epochs) : log.newestEpoch else { return [] }
        switch choices.byte() % 8 {
        case 0: return choices.bytes()
        case 1: return choices.altered(log.changes[choices.index(log.changes.count)].sealed)
        case 2:
            // A change that was there, altered before it was signed.
            let old = log.changes[choices.index(log.changes.count)]
            return sealed(choices.altered(old.change.encoding), by: choices.index(group.people.count), epoch)
        default:
            let author = choices.index(group.people.count)
            let encoding = anyChange(&choices, by: author, on: replica).encoding
            let isTrue = choices.byte() % 8 != 1
            return sealed(encoding, by: isTrue ? author : choices.index(group.people.count), epoch)
        }
    }

    /// Signed by a person and sealed, as `SignedChange` does it.
    func sealed(_ encoding: [UInt8], by person: Int, _ epoch: Epoch) -> [UInt8] {
        let cryptography = group.cryptography
        let message = Array("caravan change".utf8) + cryptography.hash(encoding).bytes
        let signed = encoding + cryptography.sign(message, seed: group.people[person].signingSeed)
        let nonce = Array(cryptography.hash(signed, key: epoch.nonceKey).bytes.prefix(24))
        let header = [1] + epoch.id.bytes
        return header + nonce
            + cryptography.encrypt(signed, nonce: nonce, key: epoch.sealingKey, authenticating: header)
    }

    /// A change in which everything is as it must be, but for what the input says.
    private func anyChange(_ choices: inout Choices, by author: Int, on shown: Replayed) -> Change {
        let replica = group.people[author].device.replica
        let own = log.changes.indices.filter { log.changes[$0].change.replica == replica }
        let lies = choices.byte()
        let previousPlace = lies & 1 == 0 ? own.last : choices.pick(own)
        let previous = previousPlace.map { log.changes[$0] }
        var heads = Set(heads(without: previousPlace))
        if lies & 2 != 0 { heads = Set((0..<choices.byte() % 4).compactMap { _ in anyHash(&choices) }) }
        let known = heads.compactMap { log.place(of: $0) } + [previousPlace].compactMap { $0 }
        var lamport = 1 + (known.map { log.changes[$0].change.lamport }.max() ?? 0)
        if lies & 4 != 0 { lamport = max(1, choices.number(6)) }
        var counter = (previous?.change.lastCounter ?? 0) + 1
        if lies & 8 != 0 { counter = max(1, choices.number(4)) }
        var (body, count) = anyBody(&choices, by: author, on: shown)
        if lies & 16 != 0 { count = 1 + Int(choices.number(1)) }
        let wallTime = lies & 32 == 0 ? 1_700_000_000_000 : Int64(bitPattern: choices.number(8))
        return Change(
            trip: lies & 64 == 0 ? log.trip : group.people[0].signingSeed, replica: replica, counter: counter,
            previous: counter == 1 ? nil : previous?.hash ?? group.people[0].signingSeed, heads: heads.sorted(),
            lamport: lamport, wallTime: wallTime, operationCount: count, body: body)
    }

    /// The maximal changes of all others.
    private func heads(without previous: Int?) -> [Bytes32] {
        let tips = log.branches.all.indices.compactMap { log.branches.tip(of: $0, before: log.changes.count) }
        let covering = tips + [previous].compactMap { $0 }
        return tips.filter { tip in !covering.contains { $0 != tip && log.isPast(tip, of: $0) } && tip != previous }
            .map { log.changes[$0].hash }
    }

    private func anyHash(_ choices: inout Choices) -> Bytes32? {
        choices.byte() == 255
            ? Bytes32(choices.bytes()) : log.changes[choices.index(log.changes.count)].hash
    }

    private func anyBody(_ choices: inout Choices, by author: Int, on shown: Replayed) -> (ChangeBody, Int) {
        switch choices.byte() % 8 {
        case 0:
            guard let honest = choices.pick(Planned.contents) else { return (.content([]), 1) }
            return (.content(choices.altered(honest)), 1)
        case 1: return (.content(choices.bytes()), 1)
        case 2, 3: return (.membership(anyOperation(&choices)), 1)
        default:
            let me = ParticipantID(group.people[author].device.participant)
            let content = try? shown.state.perform(anyAction(&choices, with: Replayed.items), by: me)
            return (.content(content ?? []), 1)
        }
    }

    private func anyOperation(_ choices: inout Choices) -> MembershipOperation {
        let cryptography = group.cryptography
        switch choices.byte() % 9 {
        case 6:
            let person = group.people[choices.index(5)].device.participant
            return .remove(participant: person, epoch: choices.byte() % 4 == 0 ? nil : anyGrant(&choices))
        case 7: return .beginEpoch(anyGrant(&choices))
        case 8: return .grant(anyGrant(&choices))
        case 0: return .found(founder: group.people[choices.index(5)].device, name: "x")
        case 1:
            let expires = choices.byte() % 2 == 0 ? nil : Int64(bitPattern: choices.number(8))
            let secret = group.people[choices.index(5)].signingSeed
            let participant = choices.byte() % 4 == 0 ? group.people[choices.index(5)].device.participant : nil
            return .invite(
                Invite(
                    secret: secret, uses: 1 + Int(choices.number(2)) % 1_000, expires: expires, participant: participant
                ))
        case 2:
            let known = choices.byte() % 2 == 0
            return .closeInvite(id: known ? group.invite.id(using: cryptography) : group.people[0].signingSeed)
        default:
            let person = group.people[choices.index(5)]
            let participant = choices.byte() % 4 == 0 ? group.people[choices.index(5)].device.participant : nil
            let device = DeviceSecrets(
                signingSeed: person.signingSeed, agreementSecret: group.people[choices.index(5)].agreementSecret,
                participant: participant ?? person.device.participant, using: cryptography
            ).device
            let invite = choices.byte() % 2 == 0 ? nil : group.invite.id(using: cryptography)
            let name = String(decoding: choices.bytes().prefix(64), as: UTF8.self)
            return .admit(
                Admission(
                    device: device, name: name.utf8.count <= 64 ? name : "x", invite: invite,
                    isGuest: choices.byte() % 4 == 0,
                    sealedSecrets: choices.bytes()))
        }
    }

    /// An epoch of an input's own, or one that is there, sealed to some.
    private func anyGrant(_ choices: inout Choices) -> EpochGrant {
        let cryptography = group.cryptography
        var generator = SeededGenerator(seed: UInt64(choices.byte()))
        let known = choices.byte() % 4 == 0 ? log.newestEpoch : nil
        let epoch = known ?? Epoch(secret: .random(using: &generator), using: cryptography)
        let mask = choices.byte()
        let devices = group.people.indices.filter { mask & 1 << UInt8($0) == 0 }.map { group.people[$0].device }
        let grant = EpochGrant(epoch, to: devices, using: &generator, cryptography)
        guard choices.byte() % 4 == 0 else { return grant }
        // Another's epoch under this name, or boxes that hold something else.
        return EpochGrant(epoch: group.people[choices.index(5)].device.participant, boxes: grant.boxes)
    }

    /// What one node has taken, every node takes, in whatever order of causality it comes, and shows alike.
    func expectTheSameInAnotherOrder(_ replica: Replayed) {
        var other = group.log
        var waiting = takenInAnotherOrder
        while !waiting.isEmpty {
            // Who sealed one with a secret that is told of elsewhere makes others ask for it again.
            let later = waiting.filter { sealed in
                guard let refusal = other.receive([sealed]).refusal else { return false }
                guard refusal == .unknownEpoch || refusal == .missingPast else {
                    fatalError("taken here, refused there: \(refusal)")
                }
                return true
            }
            guard later.count < waiting.count else { fatalError("taken here, never there") }
            waiting = later
        }
        guard other.frontier == log.frontier, other.changes.count == log.changes.count else {
            fatalError("another frontier")
        }
        expectTheSameCounts(in: other, replica)
    }

    /// What counts here counts in another log too, and shows alike.
    func expectTheSameCounts(in other: TripLog, _ replica: Replayed) {
        let counting = { (log: TripLog) in
            Set(log.changes.indices.filter { log.counts($0) }.map { log.changes[$0].hash })
        }
        guard counting(other) == counting(log) else { fatalError("other changes count") }
        guard People(other) == People(log) else { fatalError("other people") }
        guard other.newestEpoch == log.newestEpoch else { fatalError("another epoch") }
        let otherReplica = Replayed(other)
        guard otherReplica.state.encodedState == replica.state.encodedState else { fatalError("another state") }
    }

    /// All that was taken, in an order of causality that is not the one it came in.
    var takenInAnotherOrder: [[UInt8]] {
        log.changes[start...].sorted { ($0.change.lamport, $0.hash) < ($1.change.lamport, $1.hash) }.map(\.sealed)
    }
}

/// Who is in, by whom, and by which invites one may come.
private struct People: Equatable {
    private let people: [String]
    private let invites: [String]

    init(_ log: TripLog) {
        people = log.membership.allPeople.map { person in
            let removals = person.removals.map { "\(log.changes[$0].hash)" }.sorted()
            return "\(person.id) \(person.name) \(person.parent as Any) \(person.devices) \(removals)"
        }
        invites = log.membership.allInvites.map {
            "\($0.author) \($0.invite) \($0.isOpen(at: 0)) \($0.isKnownOutside) \($0.joined.sorted())"
        }.sorted()
    }
}

/// The trip's state beside a log.
struct Replayed {
    private(set) var state = TripReplica()
    private var count = 0
    /// The items that there were in the beginning, and two that there may be.
    static let items = group.state.view.items.map(\.id)

    /// The state of the group's log.
    static let group = Replayed(Group.shared.log)

    init(_ log: TripLog) {
        catchUp(log)
    }

    mutating func take(_ received: Received, of log: TripLog) {
        if received.isRebuilt { self = Replayed(log) }
        catchUp(log)
    }

    mutating func catchUp(_ log: TripLog) {
        for place in count..<log.changes.count {
            guard log.counts(place) else { continue }
            state.apply(log.applied(place))
        }
        count = log.changes.count
    }

    func show(_ log: TripLog) {
        showTrip(state, log.changes.indices.filter { log.counts($0) }.compactMap { log.applied($0).tripChange() })
    }
}
