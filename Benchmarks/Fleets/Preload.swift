import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripModel
import TripRules
import TripSimulation

/// A trip whose members are all let in already, as every machine's disk holds it.
struct Preload {
    let log: TripLog
    let secrets: [DeviceSecrets]
    /// The one epoch, whose founder has its secret from nobody.
    let epoch: Epoch
    let replica: TripReplica
    let items: [ItemID]

    /// The newcomers that one member admits. So no chain comes near its bound of admissions.
    private static let newcomersMax = ChangeBounds.chainAdmissionsMax / 2

    init(
        members: Int, items count: Int, cryptography: some Cryptography,
        generator: inout SeededGenerator
    ) throws {
        func device(as origin: Origin) -> DeviceSecrets {
            DeviceSecrets(
                signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator),
                firstOf: origin, using: cryptography)
        }
        var secrets = [device(as: .founder)]
        let epoch = Epoch(secret: .random(using: &generator), using: cryptography)
        var log = try TripLog.found(
            by: secrets[0], name: "Jie", epoch: epoch.id, wallTime: 0, cryptography: cryptography)
        var invite = Bytes32(words: (0, 0, 0, 0))
        for number in 1..<max(members, 2) where number < members {
            let host = secrets[(number - 1) / Preload.newcomersMax]
            if (number - 1).isMultiple(of: Preload.newcomersMax) {
                let opened = Invite(
                    seed: .random(using: &generator), uses: min(Preload.newcomersMax, ChangeBounds.inviteUsesMax),
                    expires: nil)
                _ = try log.write(.invite(opened), content: [], wallTime: 0, as: host)
                invite = opened.id(openedBy: host.device, using: cryptography)
            }
            let newcomer = device(as: .invited(invite))
            secrets.append(newcomer)
            let name = "Person \(number)"
            let message = Admission.consentMessage(trip: log.trip, device: newcomer.device, name: name)
            let admission = Admission(
                device: newcomer.device, name: name, invite: invite,
                consent: cryptography.sign(message, seed: newcomer.signingSeed),
                grant: DeviceGrant(epoch, to: newcomer.device, using: &generator, cryptography))
            _ = try log.write(.admit(admission), content: [], wallTime: 0, as: host)
        }
        var replica = TripReplica()
        for index in log.graph.changes.indices { replica.apply(log.applied(index)) }
        for number in 0..<count {
            let content = try replica.perform(
                .add([ItemDraft(title: "Stay \(number)", fields: [.note: "quiet, near the sea"])]),
                by: ParticipantID(secrets[0].device.participant))
            _ = try log.write(nil, content: content, wallTime: 0, as: secrets[0])
            replica.apply(log.applied(log.graph.count - 1))
        }
        self.log = log
        self.secrets = secrets
        self.epoch = epoch
        self.replica = replica
        items = replica.view.items.map(\.id)
    }
}

extension TripAction {
    /// Something that a person does: mostly votes, some edits, amounts and new items.
    static func likely(upon items: [ItemID], using generator: inout SeededGenerator) -> TripAction {
        let item = items[Int(generator.below(UInt64(items.count)))]
        return switch generator.below(20) {
        case 0...1: .add([ItemDraft(title: "Place \(generator.below(100_000))", fields: [:])])
        case 2...4: .edit(item, [.note: "note \(generator.below(100_000))"])
        case 5...7: .changeQuantity(item, by: 1)
        default: .vote([item], generator.oneIn(4) ? .against : .for)
        }
    }
}

extension TripReplica {
    /// A likely next act. Where nothing would change, a vote that the person has not given.
    func performLikely(
        upon items: [ItemID], by participant: ParticipantID, using generator: inout SeededGenerator
    ) throws(TripError) -> [UInt8] {
        let action = TripAction.likely(upon: items, using: &generator)
        do { return try perform(action, by: participant) } catch {
            guard error.code == .nothingChanged else { throw error }
            let item = Array(items.prefix(1))
            do { return try perform(.vote(item, .for), by: participant) } catch {
                return try perform(.vote(item, .against), by: participant)
            }
        }
    }
}

extension Fleet {
    mutating func act(on id: Int) {
        let participant = ParticipantID(machines[id].node.secrets.device.participant)
        let replica = machines[id].replica
        let content: [UInt8]
        do { content = try replica.performLikely(upon: items, by: participant, using: &generator) } catch {
            fail("what may be done was refused: \(error)")
        }
        handle(.write(content: content, ticket: 0), on: id)
    }
}

extension Fleet {
    /// A fleet of members who have met as many others as a crowd lets them.
    static func assembled(nodes: Int, appliesToTrip: Bool) throws -> Fleet {
        var generator = SeededGenerator(seed: seed)
        let cryptography = FastCryptography()
        let begun = seconds()
        let preload = try Preload(
            members: nodes, items: max(50, nodes), cryptography: cryptography,
            generator: &generator)
        var fleet = Fleet(
            latency: UInt64(option("latency", 10)), writeDuration: UInt64(option("write", 1)), seed: seed + 1,
            appliesToTrip: appliesToTrip)
        var limits = SessionLimits()
        limits.crowdedRepetitionsMax = option("repetitions", limits.crowdedRepetitionsMax)
        for number in 0..<nodes {
            fleet.add(
                SyncNode(
                    log: preload.log, secrets: preload.secrets[number],
                    epochSecrets: number == 0 ? [preload.epoch.secret] : [], cryptography: cryptography,
                    limits: limits),
                replica: preload.replica)
        }
        fleet.items = preload.items
        let made = seconds()
        // Discovery shows everybody a random part of the others.
        let contacts = min(option("contacts", 30), nodes - 1)
        for number in 0..<nodes {
            var others: Set<Int> = []
            while others.count < contacts {
                let other = Int(fleet.generator.below(UInt64(nodes)))
                if other != number, others.insert(other).inserted { fleet.introduce(number, to: other) }
            }
        }
        fleet.run(for: 5_000)
        // A few changes by way of greeting: so the links along which changes are pushed are found.
        for number in 0..<option("warmup", 40) {
            fleet.plan(on: number * 7 % nodes, at: fleet.time)
            fleet.run(for: 300)
        }
        fleet.run(for: 2_500)
        complain(
            "\(nodes) nodes made in \(made - begun) s, \(fleet.sessions / 2) sessions in \(seconds() - made) s, "
                + "memory \(peakMemory() >> 20) MiB")
        return fleet
    }
}
