import Convergence
import DeltaCRDT
import TripModel
import TripRules
import TripSimulation

@testable import ChangeLog

/// Makes changes, honest and not, on top of a log.
struct Forge {
    let group: Group
    var log: TripLog
    private let start: Int

    init(group: Group) {
        self.group = group
        log = group.log
        start = log.graph.count
    }

    var hasGrown: Bool { log.graph.count > start }

    mutating func receive(_ batch: [[UInt8]]) -> Received { log.receive(batch) }

    /// All changes that were received, in an order of causality that is not the order of arrival.
    var takenInAnotherOrder: [SignedChange] { log.graph.changes[start...].sorted { $0.stamp < $1.stamp } }

    /// A record that may be whatever the input says.
    func anyRecord(_ choices: inout Choices, by replica: Replayed) -> [UInt8] {
        switch choices.byte() % 8 {
        case 0: return choices.bytes()
        case 1: return choices.altered(choices.pick(log.graph.changes)?.record ?? [])
        case 2:
            // A change that was there, altered before it was signed.
            let header = choices.pick(log.graph.changes).map { Array($0.head.dropLast(64)) } ?? []
            return record(choices.altered(header), by: choices.index(group.people.count))
        default:
            let author = choices.index(group.people.count)
            let change = anyChange(&choices, by: author, on: replica)
            let signer = choices.byte() % 8 != 1 ? author : choices.index(group.people.count)
            let signed = signed(change, by: group.people[signer].signingSeed, using: group.cryptography)
            return choices.byte() % 8 == 0 ? signed.head : signed.record
        }
    }

    private func signed(_ change: Change, by seed: Bytes32, using cryptography: some Cryptography) -> SignedChange {
        SignedChange(change, signingSeed: seed, using: cryptography)
    }

    /// Signed by a person, as `SignedChange` does it.
    func record(_ encoding: [UInt8], by person: Int) -> [UInt8] {
        let message = SignedChange.signedMessage(group.cryptography.hash(encoding))
        return encoding + group.cryptography.sign(message, seed: group.people[person].signingSeed)
    }

    /// A change in which everything is as it must be, but for what the input says.
    private func anyChange(_ choices: inout Choices, by author: Int, on shown: Replayed) -> Change {
        let replica = group.people[author].device.replica
        let own = log.graph.changes.indices.filter { log.graph.changes[$0].change.replica == replica }
        let lies = choices.byte()
        let previousIndex = lies & 1 == 0 ? own.last : choices.pick(own)
        let previous = previousIndex.map { log.graph.changes[$0] }
        var heads = lies & 128 == 0 ? Set(heads(without: previousIndex)) : []
        if lies & 2 != 0 { heads = Set((0..<choices.byte() % 4).compactMap { _ in anyHash(&choices) }) }
        let known = heads.compactMap { log.graph.index(of: $0) } + [previousIndex].compactMap { $0 }
        var lamport = 1 + (known.map { log.graph.changes[$0].change.lamport }.max() ?? 0)
        if lies & 4 != 0 { lamport = max(1, choices.number(6)) }
        var number = (previous?.change.number ?? 0) + 1
        if lies & 8 != 0 { number = max(1, choices.number(4)) }
        let (statement, content) = (anyStatement(&choices, by: author), anyContent(&choices, by: author, on: shown))
        let wallTime = lies & 32 == 0 ? 1_700_000_000_000 : Int64(bitPattern: choices.number(8))
        return Change(
            trip: lies & 64 == 0 ? log.trip : group.people[0].signingSeed, replica: replica, number: number,
            previous: number == 1 ? nil : previous?.hash ?? group.people[0].signingSeed, heads: heads.sorted(),
            subjects: choices.byte() % 4 == 0 ? Set([anyHash(&choices)].compactMap { $0 }).sorted() : [],
            lamport: lamport, wallTime: wallTime, statement: statement, content: content)
    }

    /// The ends of all branches that no other has in its past.
    private func heads(without previous: Int?) -> [Bytes32] {
        let tips = log.graph.branches.map(\.last)
        let covering = tips + [previous].compactMap { $0 }
        return tips.filter { tip in
            tip != previous && !covering.contains { $0 != tip && log.graph.isPast(tip, of: $0) }
        }.map { log.graph.changes[$0].hash }
    }

    private func anyHash(_ choices: inout Choices) -> Bytes32? {
        choices.byte() == 255 ? Bytes32(choices.bytes()) : choices.pick(log.graph.changes)?.hash
    }

    private func anyContent(_ choices: inout Choices, by author: Int, on shown: Replayed) -> [UInt8] {
        switch choices.byte() % 8 {
        case 0: return choices.altered(choices.pick(Planned.contents) ?? [])
        case 1: return choices.bytes()
        case 2...5: return []
        default:
            let me = ParticipantID(group.people[author].device.participant)
            return (try? shown.state.perform(anyAction(&choices, with: Replayed.items), by: me)) ?? []
        }
    }
}

// What it says of who is in.
extension Forge {
    private func anyStatement(_ choices: inout Choices, by author: Int) -> Statement? {
        switch choices.byte() % 16 {
        case 0:
            return .found(founder: anyPerson(&choices).device, name: "x", epoch: anyEpochID(&choices))
        case 1: return .invite(anyInvite(&choices))
        case 2: return .closeInvite(id: anyInviteID(&choices))
        case 3...5: return .admit(anyAdmission(&choices, by: author))
        case 6...7:
            let person = anyPerson(&choices).device.participant
            let kept =
                choices.byte() % 4 == 0
                ? Set((0..<choices.byte() % 3).compactMap { _ in anyHash(&choices) }).sorted() : nil
            return .remove(participant: person, kept: kept, grant: choices.byte() % 4 == 0 ? nil : anyGrant(&choices))
        case 8: return .beginEpoch(anyGrant(&choices))
        case 9: return .grant(anyGrant(&choices))
        case 10: return anyEnd(&choices)
        default: return nil
        }
    }

    /// An end of a device, whose last change may be another's.
    private func anyEnd(_ choices: inout Choices) -> Statement {
        let replica = anyPerson(&choices).device.replica
        let own = log.graph.changes.filter { $0.change.replica == replica }.map(\.hash)
        let last = choices.byte() % 4 == 0 ? anyHash(&choices) : choices.pick(own)
        return .end(replica: replica, last: last, grant: choices.byte() % 4 == 0 ? anyGrant(&choices) : nil)
    }

    /// One that nobody began, mostly.
    private func anyEpochID(_ choices: inout Choices) -> Bytes16 {
        let byte = choices.byte()
        return byte % 4 == 0 ? group.epoch.id : Bytes16(high: 0, low: UInt64(byte))
    }

    private func anyPerson(_ choices: inout Choices) -> DeviceSecrets {
        group.people[choices.index(group.people.count)]
    }

    private func anyInvite(_ choices: inout Choices) -> Invite {
        if choices.byte() % 4 == 0 { return group.invite }
        let expires = choices.byte() % 2 == 0 ? nil : Int64(bitPattern: choices.number(8))
        let participant = choices.byte() % 4 == 0 ? anyPerson(&choices).device.participant : nil
        return Invite(
            seed: anyPerson(&choices).signingSeed, uses: 1 + Int(choices.number(2)) % ChangeBounds.inviteUsesMax,
            expires: expires, participant: participant)
    }

    /// One that somebody opened, or that nobody did.
    private func anyInviteID(_ choices: inout Choices) -> Bytes32 {
        switch choices.byte() % 4 {
        case 0: group.people[0].signingSeed
        case 1: choices.pick(log.invites)?.id ?? group.inviteID
        default: group.inviteID
        }
    }

    private func anyAdmission(_ choices: inout Choices, by host: Int) -> Admission {
        let newcomer = choices.index(group.people.count)
        let secrets = group.people[newcomer]
        let invite = choices.byte() % 4 == 0 ? nil : anyInviteID(&choices)
        let participant: Bytes32
        switch choices.byte() % 16 {
        case 0: participant = anyPerson(&choices).device.participant
        case 1: participant = group.participant(newcomer, as: .guest(of: group.people[host].device.participant))
        case 2...4: participant = group.participant(newcomer, as: invite.map { .invited($0) } ?? .founder)
        default: participant = secrets.device.participant
        }
        let agreement = choices.byte() % 4 == 0 ? anyPerson(&choices).agreementSecret : secrets.agreementSecret
        let device = DeviceSecrets(
            signingSeed: secrets.signingSeed, agreementSecret: agreement, of: participant, using: group.cryptography
        ).device
        let text = String(decoding: choices.bytes().prefix(64), as: UTF8.self)
        let name = text.utf8.count <= ChangeBounds.nameBytesMax ? text : "x"
        let isTrue = choices.byte() % 8 != 1
        let consent = group.consent(
            of: device, signedBy: isTrue ? newcomer : choices.index(group.people.count), name: name)
        return Admission(
            device: device, name: name, invite: invite, consent: consent, grant: anyBox(&choices, for: device))
    }

    /// An epoch's secret sealed to a device, or something else, or nothing.
    private func anyBox(_ choices: inout Choices, for device: Device) -> DeviceGrant? {
        var generator = SeededGenerator(seed: UInt64(choices.byte()))
        switch choices.byte() % 4 {
        case 0: return nil
        case 1:
            let sealed = (0..<SealedBox.size).map { _ in choices.byte() }
            return DeviceGrant(epoch: group.epoch.id, sealed: sealed)
        default: return DeviceGrant(group.epoch, to: device, using: &generator, group.cryptography)
        }
    }

    /// An epoch of an input's own, or one that is there, sealed to some.
    private func anyGrant(_ choices: inout Choices) -> EpochGrant {
        var generator = SeededGenerator(seed: UInt64(choices.byte()))
        let epoch =
            choices.byte() % 4 == 0
            ? group.epoch : Epoch(secret: .random(using: &generator), using: group.cryptography)
        let mask = choices.byte()
        let devices = group.people.indices.filter { mask & 1 << UInt8($0) == 0 }.map { group.people[$0].device }
        let grant = EpochGrant(epoch, to: devices, using: &generator, group.cryptography)
        guard choices.byte() % 4 == 0 else { return grant }
        // Another's epoch under this name, or boxes that hold something else.
        return EpochGrant(epoch: anyEpochID(&choices), boxes: grant.boxes)
    }
}
