import Convergence
import DeltaCRDT
import TripSimulation

import struct ChangeLog.Bytes16
import struct ChangeLog.Bytes32
import protocol ChangeLog.Cryptography
import struct ChangeLog.Device
import struct ChangeLog.DeviceSecrets
import struct ChangeLog.Invite

@testable import ChangeGraph

/// Changes as anybody could write them who holds keys of a trip: on any past, in several places at once, about anybody.
struct RandomTrip {
    static let quick = FastCryptography()

    private let cryptography: any Cryptography
    private var generator: SeededGenerator
    private(set) var changes: [SignedChange] = []
    private var devices: [DeviceSecrets] = []
    private var pasts: [Bytes32: Set<Bytes32>] = [:]
    private var introductions: [ReplicaID: Set<Bytes32>] = [:]
    private var invites: [Bytes32] = []
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
        switch number(16) {
        case 0...3: return nil
        case 4...6: return admit(Self.secrets(&generator, using: cryptography), by: author, isGuest: number(4) == 0)
        case 7: return admit(devices[number(devices.count)], by: author, isGuest: false)
        case 8:
            return admit(
                Self.secrets(&generator, of: author.device.participant, using: cryptography), by: author, isGuest: false
            )
        case 9:
            let secret = number(3) == 0 ? invites.last ?? .random(using: &generator) : Bytes32.random(using: &generator)
            invites.append(secret)
            return .invite(Invite(secret: secret, uses: 1 + number(2), expires: nil))
        case 10:
            guard let secret = invites.last else { return nil }
            return .closeInvite(id: Invite.id(ofSecret: secret, using: cryptography))
        case 11...14:
            return .remove(participant: devices[number(devices.count)].device.participant, grant: nil)
        default: return .remove(participant: author.device.participant, grant: nil)
        }
    }

    private mutating func admit(_ secrets: DeviceSecrets, by author: DeviceSecrets, isGuest: Bool) -> Statement {
        if !devices.contains(secrets) { devices.append(secrets) }
        let invite =
            invites.isEmpty || number(2) == 0
            ? nil : Invite.id(ofSecret: invites[number(invites.count)], using: cryptography)
        let name = "\(devices.count)"
        let consent = cryptography.sign(
            Admission.consentMessage(
                trip: trip, invite: invite, host: author.device.agreementKey, device: secrets.device, name: name),
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
