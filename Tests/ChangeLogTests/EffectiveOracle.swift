import ChangeLog
import DeltaCRDT

/// What is effective, as Documentation/Protocol.md says it in section 5: from the set of changes alone, step by step, with no
/// thought of speed.
struct EffectiveOracle {
    struct Person: Equatable {
        var parent: Bytes16?
        var name: String
        var settledBy: ChangeStamp
        var removals: Set<Bytes32>
        var farewells: Set<Bytes32> = []
        var devices: Set<ReplicaID> = []
    }

    private let changes: [Bytes32: SignedChange]
    private let pasts: [Bytes32: Set<Bytes32>]
    private let devices: [ReplicaID: Device]
    private let cryptography: any Cryptography
    /// Where a change came among those held, for the fault that goes by it.
    private let arrivals: [Bytes32: Int]
    private let fault: CountingFault?
    private var admissions: [Admitting] = []
    private(set) var persons: [Bytes16: Person] = [:]

    /// - Parameter fault: what it gets wrong; nil for what the page says.
    init(_ held: [SignedChange], using cryptography: any Cryptography, fault: CountingFault? = nil) {
        self.cryptography = cryptography
        self.fault = fault
        arrivals = Dictionary(uniqueKeysWithValues: held.enumerated().map { ($1.hash, $0) })
        changes = Dictionary(uniqueKeysWithValues: held.map { ($0.hash, $0) })
        var pasts: [Bytes32: Set<Bytes32>] = [:]
        var devices: [ReplicaID: Device] = [:]
        for signed in held.sorted(by: { $0.stamp < $1.stamp }) {
            let links = signed.change.heads + [signed.change.previous].compactMap { $0 }
            pasts[signed.hash] = links.reduce(into: []) {
                $0.insert($1); $0.formUnion(pasts[$1] ?? [])
            }
            switch signed.change.statement {
            case .found(let device, _, _): devices[device.replica] = device
            case .admit(let admission): devices[admission.device.replica] = admission.device
            default: break
            }
        }
        (self.pasts, self.devices) = (pasts, devices)
        admissions = held.sorted { $0.stamp < $1.stamp }.compactMap { signed in
            guard case .admit(let admission) = signed.change.statement else { return nil }
            return (signed, admission)
        }
        settleEverybody()
    }

    // MARK: - What is asked

    var effective: Set<Bytes32> { Set(changes.keys.filter(isEffective)) }

    var retained: Set<Bytes32> {
        let ends =
            changes.keys.filter { isEffective($0) || isFounding($0) }
            + persons.values.flatMap { $0.removals.union($0.farewells) }
        return ends.reduce(into: []) {
            $0.insert($1); $0.formUnion(past($1))
        }
    }

    /// Retained changes that no retained one has in its past.
    var heads: Set<Bytes32> {
        let retained = retained
        return retained.subtracting(retained.flatMap { past($0) })
    }

    /// Retained changes with no retained successor in their log.
    var frontier: Set<Bytes32> {
        let retained = retained
        return retained.subtracting(retained.compactMap { changes[$0]?.change.previous })
    }

    // MARK: - Section 5

    private mutating func settleEverybody() {
        for founding in changes.values.filter({ isFounding($0.hash) }).sorted(by: { $0.stamp < $1.stamp }) {
            guard case .found(let device, let name, _) = founding.change.statement else { continue }
            if persons[device.participant] == nil { settle(device.participant, nil, name, founding.stamp) }
        }
        while let next = settling() {
            settle(next.admission.device.participant, parent(of: next), next.admission.name, next.signed.stamp)
        }
    }

    private typealias Admitting = (signed: SignedChange, admission: Admission)

    /// Of the admissions of a device whose person is not settled, effective ones of a higher stamp than what settled their
    /// author: the one with the lowest.
    private func settling() -> Admitting? {
        admissions.filter { signed, admission in
            guard persons[admission.device.participant] == nil, isEffective(signed.hash),
                let host = author(signed).flatMap({ persons[$0] })
            else { return false }
            return host.settledBy < signed.stamp
        }.min {
            fault == .arrivalOrder
                ? arrivals[$0.signed.hash] ?? 0 < arrivals[$1.signed.hash] ?? 0 : $0.signed.stamp < $1.signed.stamp
        }
    }

    private mutating func settle(_ id: Bytes16, _ parent: Bytes16?, _ name: String, _ stamp: ChangeStamp) {
        var person = Person(parent: parent, name: name, settledBy: stamp, removals: [])
        var above: Set<Bytes16> = []
        var elder = parent
        while let id = elder {
            above.insert(id)
            elder = persons[id]?.parent
        }
        for removal in removals(of: id) {
            guard let elder = author(removal), above.contains(elder) || fault == .cutFromBelow && elder != id,
                let their = persons[elder], their.devices.contains(removal.change.replica),
                lies(removal.hash, within: their.removals) || fault == .cutFromCutAuthor
            else { continue }
            person.removals.insert(removal.hash)
        }
        if isGuest(stamp.hash), let host = parent.flatMap({ persons[$0] }) {
            person.removals.formUnion(host.removals.union(host.farewells))
        }
        for farewell in removals(of: id) where author(farewell) == id {
            if lies(farewell.hash, within: person.removals) { person.farewells.insert(farewell.hash) }
        }
        for signed in changes.values {
            switch signed.change.statement {
            case .found(let device, _, _) where device.participant == id:
                person.devices.insert(device.replica)
            case .admit(let admission) where signed.stamp == stamp: person.devices.insert(admission.device.replica)
            default: break
            }
        }
        let further = admissions.filter { signed, admission in
            admission.device.participant == id && author(signed) == id
                && lies(signed.hash, within: person.removals.union(person.farewells))
        }
        for _ in further.indices {
            for (signed, admission) in further where person.devices.contains(signed.change.replica) {
                person.devices.insert(admission.device.replica)
            }
        }
        persons[id] = person
    }

    private func parent(of next: Admitting) -> Bytes16? {
        if !next.admission.isGuest, let id = next.admission.invite {
            let open = openings(of: id).filter { opening, invite in
                isEffective(opening.hash)
                    && isOpen(invite, opening, id, in: past(next.signed.hash), for: next.admission.device)
            }
            if let opening = open.first?.0 { return author(opening) }
        }
        return author(next.signed)
    }

    private func isOpen(
        _ invite: Invite, _ opening: SignedChange, _ id: Bytes32, in set: Set<Bytes32>, for device: Device
    ) -> Bool {
        let isEnded = set.contains { hash in
            switch changes[hash]?.change.statement {
            case .closeInvite(id): true
            case .remove: !past(opening.hash).contains(hash)
            default: false
            }
        }
        let others = admissions.filter { set.contains($0.signed.hash) && $0.admission.invite == id }
            .map(\.admission.device.replica).filter { $0 != device.replica }
        return set.contains(opening.hash) && !isEnded && Set(others).count < invite.uses
    }

    /// The invites by which somebody new may be let in, whatever the time.
    var openInvites: Set<Bytes32> {
        let retained = retained
        let stranger = Device(
            signingKey: Bytes32(words: (0, 0, 0, 0)), agreementKey: Bytes32(words: (0, 0, 0, 0)),
            participant: Bytes16(high: 0, low: 0), using: cryptography)
        return Set(
            invites.filter { id in
                openings(of: id).contains { opening, invite in
                    isEffective(opening.hash) && isOpen(invite, opening, id, in: retained, for: stranger)
                }
            })
    }

    func isEffective(_ hash: Bytes32) -> Bool {
        guard let signed = changes[hash], let person = author(signed).flatMap({ persons[$0] }),
            person.devices.contains(signed.change.replica)
        else { return false }
        return lies(hash, within: person.removals.union(person.farewells))
    }

    private func lies(_ hash: Bytes32, within removals: Set<Bytes32>) -> Bool {
        removals.allSatisfy { removal in
            switch fault {
            case .cutTooLow:
                removal == hash
                    || past(removal).contains(hash) && !(changes[removal]?.change.links.contains(hash) ?? false)
            case .cutTooHigh:
                removal == hash || past(removal).contains(changes[hash]?.change.previous ?? hash)
            default: removal == hash || past(removal).contains(hash)
            }
        }
    }

    // MARK: - What is there

    private func past(_ hash: Bytes32) -> Set<Bytes32> { pasts[hash] ?? [] }

    private func author(_ signed: SignedChange) -> Bytes16? { devices[signed.change.replica]?.participant }

    private func isFounding(_ hash: Bytes32) -> Bool {
        if case .found = changes[hash]?.change.statement { true } else { false }
    }

    private func isGuest(_ hash: Bytes32) -> Bool {
        if case .admit(let admission) = changes[hash]?.change.statement { admission.isGuest } else { false }
    }

    private func removals(of id: Bytes16) -> [SignedChange] {
        changes.values.filter { if case .remove(id, _) = $0.change.statement { true } else { false } }
    }

    private var invites: Set<Bytes32> {
        Set(
            changes.values.compactMap { signed in
                guard case .invite(let invite) = signed.change.statement else { return nil }
                return invite.id(openedBy: signed.change.replica, using: cryptography)
            })
    }

    private func openings(of id: Bytes32) -> [(SignedChange, Invite)] {
        changes.values.compactMap { signed -> (SignedChange, Invite)? in
            guard case .invite(let invite) = signed.change.statement,
                invite.id(openedBy: signed.change.replica, using: cryptography) == id
            else { return nil }
            return (signed, invite)
        }.sorted { $0.0.stamp < $1.0.stamp }
    }
}
