import Convergence
import DeltaCRDT
import TripSimulation

@testable import ChangeLog

/// Changes as anybody could write them who holds keys of a trip: on any past, in several places at once, about anybody.
struct RandomTrip {
    static let quick = FastCryptography()

    private let cryptography: any Cryptography
    private var generator: SeededGenerator
    private(set) var changes: [SignedChange] = []
    private var devices: [DeviceSecrets] = []
    /// Whom each participant let in first.
    private var brought: [Bytes16: [Bytes16]] = [:]
    private var pasts: [Bytes32: Set<Bytes32>] = [:]
    private var introductions: [ReplicaID: Set<Bytes32>] = [:]
    private var invites: [(opener: ReplicaID, invite: Invite)] = []
    private let trip: Bytes32

    init(seed: UInt64, count: Int, cryptography: any Cryptography = RandomTrip.quick) {
        self.cryptography = cryptography
        generator = SeededGenerator(seed: seed)
        let founder = Self.secrets(&generator, using: cryptography)
        trip = TripLog.trip(ofRootKey: founder.device.signingKey, using: cryptography)
        devices = [founder]
        add(
            by: founder, on: [], previous: nil,
            .found(founder: founder.device, name: "founder", epoch: Bytes16(high: 0, low: 1)))
        var attempts = 0
        while changes.count < count, attempts < 40 * count {
            attempts += 1
            step()
        }
    }

    private static func secrets(
        _ generator: inout SeededGenerator, of participant: Bytes16? = nil, using cryptography: any Cryptography
    ) -> DeviceSecrets {
        DeviceSecrets(
            signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator),
            participant: participant, using: cryptography)
    }

    private mutating func number(_ limit: Int) -> Int {
        Int(generator.next().multipliedFullWidth(by: UInt64(limit)).high)
    }

    /// One change of somebody, mostly on all that is here, sometimes on less, sometimes beside what they wrote.
    private mutating func step() {
        let author = devices[number(devices.count)]
        let replica = author.device.replica
        var view: Set<Bytes32> = []
        for _ in 0..<(1 + number(3)) {
            let back = number(4) == 0 ? number(changes.count) : min(number(5), changes.count - 1)
            let end = changes[changes.count - 1 - back].hash
            view.insert(end)
            view.formUnion(pasts[end] ?? [])
        }
        let own = changes.filter { $0.change.replica == replica }
        var previous: SignedChange?
        if !own.isEmpty {
            let tips = own.filter { tip in !own.contains { $0.change.previous == tip.hash } }
            previous = number(12) == 0 ? own[number(own.count)] : tips[number(tips.count)]
            if number(60) == 0 { previous = nil }
        }
        if let previous {
            view.insert(previous.hash)
            view.formUnion(pasts[previous.hash] ?? [])
        }
        // What follows its own chain elsewhere than at its end knows nothing of what came after.
        if own.contains(where: {
            view.contains($0.hash) && $0.hash != previous?.hash
                && !(pasts[previous?.hash ?? $0.hash] ?? []).contains($0.hash)
        }), number(2) == 0 {
            return
        }
        guard
            replica == devices[0].device.replica && previous == nil
                || !(introductions[replica] ?? []).isDisjoint(with: view)
        else { return }
        let isFounder = author == devices[0] && previous == nil
        add(
            by: author, on: isFounder ? [] : view, previous: previous,
            isFounder
                ? .found(founder: author.device, name: "again", epoch: Bytes16(high: 0, low: generator.next()))
                : statement(by: author))
    }

    private mutating func statement(by author: DeviceSecrets) -> Statement? {
        // Few leave, and the founder hardly ever: whoever is out says nothing more that could be judged wrongly.
        switch number(40) {
        case 0...8: return nil
        case 9...16: return admit(Self.secrets(&generator, using: cryptography), by: author, isGuest: number(4) == 0)
        case 17...24: return admit(devices[number(devices.count)], by: author, isGuest: false)
        case 25...26:
            return admit(
                Self.secrets(&generator, of: author.device.participant, using: cryptography), by: author, isGuest: false
            )
        case 27...29:
            let own = number(3) == 0 ? invites.last { $0.opener == author.device.replica } : nil
            let invite =
                own?.invite ?? Invite(seed: .random(using: &generator), uses: 1 + number(2), expires: nil)
            invites.append((author.device.replica, invite))
            return .invite(invite)
        case 30:
            guard let (opener, invite) = invites.last else { return nil }
            return .closeInvite(id: invite.id(openedBy: opener, using: cryptography))
        case 31...38:
            // Half of the time of somebody whom they brought, or removals of one by another's child would be rare.
            let children = brought[author.device.participant] ?? []
            let isChild = !children.isEmpty && number(2) == 0
            let participant =
                isChild ? children[number(children.count)] : devices[number(devices.count)].device.participant
            return participant == author.device.participant ? nil : .remove(participant: participant, grant: nil)
        default:
            return author == devices[0] && number(8) > 0
                ? nil : .remove(participant: author.device.participant, grant: nil)
        }
    }

    private mutating func admit(_ secrets: DeviceSecrets, by author: DeviceSecrets, isGuest: Bool) -> Statement? {
        guard
            secrets.device.isFirst(using: cryptography) || secrets.device.participant == author.device.participant
        else { return nil }
        if !devices.contains(secrets) {
            devices.append(secrets)
            brought[author.device.participant, default: []].append(secrets.device.participant)
        }
        let opened = invites.isEmpty || number(2) == 0 ? nil : invites[number(invites.count)]
        let invite = opened.map { $0.invite.id(openedBy: $0.opener, using: cryptography) }
        let name = "\(devices.count)"
        let consent = cryptography.sign(
            Admission.consentMessage(
                trip: trip, invite: invite, host: author.device.replica, device: secrets.device, name: name),
            seed: secrets.signingSeed)
        return .admit(
            Admission(
                device: secrets.device, name: name, invite: invite, isGuest: isGuest, consent: consent, grant: nil))
    }

    private mutating func add(
        by author: DeviceSecrets, on view: Set<Bytes32>, previous: SignedChange?, _ statement: Statement?
    ) {
        let covered = view.reduce(into: Set<Bytes32>()) { $0.formUnion(pasts[$1] ?? []) }
        let heads = view.subtracting(covered).subtracting([previous?.hash].compactMap { $0 }).sorted()
        let lamport = 1 + (changes.filter { view.contains($0.hash) }.map(\.change.lamport).max() ?? 0)
        let change = Change(
            trip: trip, replica: author.device.replica, number: (previous?.change.number ?? 0) + 1,
            previous: previous?.hash, heads: heads, lamport: lamport, wallTime: Int64(changes.count),
            statement: statement, content: [])
        let signed = SignedChange(change, signingSeed: author.signingSeed, using: cryptography)
        guard pasts[signed.hash] == nil else { return }
        pasts[signed.hash] = view
        changes.append(signed)
        switch statement {
        case .found(let device, _, _): introductions[device.replica, default: []].insert(signed.hash)
        case .admit(let admission): introductions[admission.device.replica, default: []].insert(signed.hash)
        default: break
        }
    }
}
