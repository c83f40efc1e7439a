package import ChangeLog
import Convergence
import DeltaCRDT
package import TripSimulation

/// Changes as anybody could write them who holds keys of a trip: on any past, in several places at once, about anybody.
package struct RandomTrip {
    package static let quick = FastCryptography()

    /// Somebody's keys, and by what they may be let in.
    private struct Party: Equatable {
        let secrets: DeviceSecrets
        let origin: Origin?
        let isGuest: Bool
        let depth: Int
    }

    private struct Opened {
        let id: Bytes32
        let invite: Invite
        let opener: Party
        var openings: Set<Bytes32>
    }

    private let cryptography: any Cryptography
    private var generator: SeededGenerator
    package private(set) var changes: [SignedChange] = []
    private var parties: [Party] = []
    private var pasts: [Bytes32: Set<Bytes32>] = [:]
    private var introductions: [ReplicaID: Set<Bytes32>] = [:]
    private var invites: [Opened] = []
    private let trip: Bytes32

    package init(seed: UInt64, count: Int, cryptography: any Cryptography = RandomTrip.quick) {
        self.cryptography = cryptography
        generator = SeededGenerator(seed: seed)
        let founder = DeviceSecrets(
            signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator), firstOf: .founder,
            using: cryptography)
        trip = TripLog.trip(ofRootKey: founder.device.signingKey, using: cryptography)
        parties = [Party(secrets: founder, origin: .founder, isGuest: false, depth: 0)]
        add(
            by: founder, on: [], previous: nil,
            .found(founder: founder.device, name: "founder", epoch: Bytes16(high: 0, low: 1)))
        var attempts = 0
        while changes.count < count, attempts < 40 * count {
            attempts += 1
            step()
        }
    }

    private mutating func number(_ limit: Int) -> Int {
        Int(generator.next().multipliedFullWidth(by: UInt64(limit)).high)
    }

    private mutating func one<Some: Collection>(of some: Some) -> Some.Element? where Some.Index == Int {
        some.isEmpty ? nil : some[some.startIndex + number(some.count)]
    }

    /// One change of somebody, mostly on all that is here, sometimes on less, sometimes beside what they wrote.
    private mutating func step() {
        let author = parties[number(parties.count)]
        let replica = author.secrets.device.replica
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
        let isFounder = author == parties[0] && previous == nil
        guard isFounder || isIntroduced(replica, in: view) else { return }
        add(
            by: author.secrets, on: isFounder ? [] : view, previous: previous,
            isFounder
                ? .found(
                    founder: author.secrets.device, name: "again", epoch: Bytes16(high: 0, low: generator.next()))
                : author.isGuest ? nil : statement(by: author, seeing: view))
    }

    private func isIntroduced(_ replica: ReplicaID, in view: Set<Bytes32>) -> Bool {
        !(introductions[replica] ?? []).isDisjoint(with: view)
    }

    private mutating func statement(by author: Party, seeing view: Set<Bytes32>) -> Statement? {
        let seen = invites.indices.filter { !invites[$0].openings.isDisjoint(with: view) }
        let here = parties.filter { isIntroduced($0.secrets.device.replica, in: view) }
        // Few leave, and the founder hardly ever: who is out says nothing more that could be judged wrongly.
        switch number(44) {
        case 0...6: return nil
        case 7...16: return newcomer(by: author, seen)
        case 17...22: return one(of: parties).flatMap { admission(of: $0, by: author, seen) }
        case 23...24:
            let device = secrets(of: author.secrets.device.participant)
            return admission(
                of: Party(secrets: device, origin: nil, isGuest: false, depth: author.depth), by: author, seen)
        case 25...29: return opening(by: author)
        case 30: return one(of: seen).map { .closeInvite(id: invites[$0].id) }
        case 31...39:
            // Half of the time of somebody below, or removals that count would be rare.
            let own = Set(invites.filter { $0.opener == author }.map(\.id))
            let below = here.filter { party in
                if case .invited(let invite) = party.origin { own.contains(invite) } else { false }
            }
            let removed = !below.isEmpty && number(2) == 0 ? one(of: below) : one(of: here)
            return removed.flatMap { other in
                other.secrets.device.participant == author.secrets.device.participant
                    ? nil : .remove(participant: other.secrets.device.participant, kept: kept(of: view), grant: nil)
            }
        case 40...41: return end(by: author, seeing: view)
        default:
            return author == parties[0] && number(8) > 0
                ? nil : .remove(participant: author.secrets.device.participant, grant: nil)
        }
    }

    /// Now and then some changes of a view, or none of them.
    private mutating func kept(of view: Set<Bytes32>) -> [Bytes32]? {
        guard number(3) == 0 else { return nil }
        let sorted = view.sorted()
        return Set((0..<number(3)).compactMap { _ in one(of: sorted) }).sorted()
    }

    /// Now and then a change that made what another acts on.
    private mutating func subjects(of view: Set<Bytes32>) -> [Bytes32] {
        number(2) == 0 ? [one(of: view.sorted())].compactMap { $0 } : []
    }

    private mutating func newcomer(by author: Party, _ seen: [Int]) -> Statement? {
        if number(4) == 0 {
            let host = author.secrets.device.participant
            return admission(of: party(as: .guest(of: host), depth: author.depth + 1, isGuest: true), by: author, seen)
        }
        guard let invite = one(of: seen).map({ invites[$0] }) else { return opening(by: author) }
        return admission(of: party(as: .invited(invite.id), depth: invite.opener.depth + 1), by: author, seen)
    }

    private mutating func party(as origin: Origin, depth: Int, isGuest: Bool = false) -> Party {
        Party(
            secrets: DeviceSecrets(
                signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator), firstOf: origin,
                using: cryptography), origin: origin, isGuest: isGuest, depth: depth)
    }

    private mutating func secrets(of participant: Bytes32) -> DeviceSecrets {
        DeviceSecrets(
            signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator), of: participant,
            using: cryptography)
    }

    private mutating func opening(by author: Party) -> Statement {
        if number(3) == 0, let index = invites.lastIndex(where: { $0.opener == author }) {
            return .invite(invites[index].invite)
        }
        let invite = Invite(seed: .random(using: &generator), uses: 1 + number(2), expires: nil)
        let id = invite.id(openedBy: author.secrets.device, using: cryptography)
        invites.append(Opened(id: id, invite: invite, opener: author, openings: []))
        return .invite(invite)
    }

    private mutating func end(by author: Party, seeing view: Set<Bytes32>) -> Statement? {
        let own = author.secrets.device.participant
        let further = parties.filter {
            $0.origin == nil && $0.secrets.device.participant == own
                && isIntroduced($0.secrets.device.replica, in: view)
        }
        guard author.origin != nil, let device = one(of: further)?.secrets.device else { return nil }
        let written = changes.filter { $0.change.replica == device.replica && view.contains($0.hash) }
        let last = number(3) == 0 ? nil : one(of: written)?.hash
        return .end(replica: device.replica, last: last, grant: nil)
    }

    private mutating func admission(of party: Party, by author: Party, _ seen: [Int]) -> Statement? {
        var invite: Bytes32?
        switch party.origin {
        case .founder: return nil
        case .invited(let id):
            guard seen.contains(where: { invites[$0].id == id }) else { return nil }
            invite = id
        case .guest(let host): if host != author.secrets.device.participant { return nil }
        case nil: if party.secrets.device.participant != author.secrets.device.participant { return nil }
        }
        guard party.depth <= ChangeBounds.depthMax else { return nil }
        if !parties.contains(party) { parties.append(party) }
        let name = "\(parties.count)"
        let consent = cryptography.sign(
            Admission.consentMessage(trip: trip, device: party.secrets.device, name: name),
            seed: party.secrets.signingSeed)
        return .admit(
            Admission(device: party.secrets.device, name: name, invite: invite, consent: consent, grant: nil))
    }

    private mutating func add(
        by author: DeviceSecrets, on view: Set<Bytes32>, previous: SignedChange?, _ statement: Statement?
    ) {
        let covered = view.reduce(into: Set<Bytes32>()) { $0.formUnion(pasts[$1] ?? []) }
        let heads = view.subtracting(covered).subtracting([previous?.hash].compactMap { $0 }).sorted()
        let lamport = 1 + (changes.filter { view.contains($0.hash) }.map(\.change.lamport).max() ?? 0)
        let change = Change(
            trip: trip, replica: author.device.replica, number: (previous?.change.number ?? 0) + 1,
            previous: previous?.hash, heads: heads, subjects: statement == nil ? subjects(of: view) : [],
            lamport: lamport, wallTime: Int64(changes.count), statement: statement,
            content: statement == nil ? [UInt8(truncatingIfNeeded: changes.count)] : [])
        let signed = SignedChange(change, signingSeed: author.signingSeed, using: cryptography)
        guard pasts[signed.hash] == nil else { return }
        pasts[signed.hash] = view
        changes.append(signed)
        switch statement {
        case .found(let device, _, _): introductions[device.replica, default: []].insert(signed.hash)
        case .admit(let admission): introductions[admission.device.replica, default: []].insert(signed.hash)
        case .invite(let invite):
            let id = invite.id(openedBy: author.device, using: cryptography)
            if let index = invites.firstIndex(where: { $0.id == id }) { invites[index].openings.insert(signed.hash) }
        default: break
        }
    }
}
