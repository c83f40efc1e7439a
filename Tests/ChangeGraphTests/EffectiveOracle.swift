import ChangeGraph
import DeltaCRDT

import struct ChangeLog.Bytes16
import struct ChangeLog.Bytes32
import protocol ChangeLog.Cryptography
import struct ChangeLog.Device
import struct ChangeLog.Invite

/// What is effective, as Documentation/Protocol.md says it in section 5: from the set of changes alone, step by step, with no
/// thought of speed.
struct EffectiveOracle {
    struct Person: Equatable {
        var parent: Bytes16?
        var name: String
        var settledBy: ChangeStamp
        var removals: Set<Bytes32>
        var farewells: Set<Bytes32> = []
        var devices: [ReplicaID: ChangeStamp] = [:]
    }

    private let changes: [Bytes32: SignedChange]
    private let pasts: [Bytes32: Set<Bytes32>]
    private let devices: [ReplicaID: Device]
    private let cryptography: any Cryptography
    private var admissions: [Admitting] = []
    private(set) var persons: [Bytes16: Person] = [:]

    init(_ held: [SignedChange], using cryptography: any Cryptography) {
        self.cryptography = cryptography
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
        admissions = valid(
            held.sorted { $0.stamp < $1.stamp }.compactMap { signed in
                guard case .admit(let admission) = signed.change.statement else { return nil }
                return (signed, admission)
            })
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

    /// Of the valid admissions of a first device whose person is not settled, effective ones whose author's device was admitted
    /// by something of a lower stamp: the one with the lowest.
    private func settling() -> Admitting? {
        admissions.filter { signed, admission in
            guard persons[admission.device.participant] == nil, author(signed) != admission.device.participant,
                let own = persons[author(signed) ?? admission.device.participant]?.devices[signed.change.replica]
            else { return false }
            return own < signed.stamp && isEffective(signed.hash)
        }.min { $0.signed.stamp < $1.signed.stamp }
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
            guard let elder = author(removal), above.contains(elder), let their = persons[elder],
                their.devices[removal.change.replica] != nil, lies(removal.hash, within: their.removals)
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
                person.devices[device.replica] = min(person.devices[device.replica] ?? signed.stamp, signed.stamp)
            case .admit(let admission) where signed.stamp == stamp: person.devices[admission.device.replica] = stamp
            default: break
            }
        }
        let further = admissions.filter { signed, admission in
            admission.device.participant == id && author(signed) == id
                && lies(signed.hash, within: person.removals.union(person.farewells))
        }
        for _ in further.indices {
            for (signed, admission) in further where person.devices[signed.change.replica] != nil {
                let known = person.devices[admission.device.replica] ?? signed.stamp
                person.devices[admission.device.replica] = min(known, signed.stamp)
            }
        }
        persons[id] = person
    }

    private func parent(of next: Admitting) -> Bytes16? {
        if !next.admission.isGuest, let id = next.admission.invite {
            for (opening, invite) in openings(of: id) where past(next.signed.hash).contains(opening.hash) {
                guard let inviter = author(opening), inviter != next.admission.device.participant,
                    persons[inviter] != nil, isEffective(opening.hash),
                    isOpen(invite, opening, id, inPastOf: next)
                else { continue }
                return inviter
            }
        }
        return author(next.signed)
    }

    private func isOpen(_ invite: Invite, _ opening: SignedChange, _ id: Bytes32, inPastOf next: Admitting) -> Bool {
        let seen = past(next.signed.hash).compactMap { changes[$0] }
        let ends = seen.filter { signed in
            switch signed.change.statement {
            case .closeInvite(id), .remove: !past(opening.hash).contains(signed.hash)
            default: false
            }
        }
        let used = admissions.filter {
            $0.admission.invite == id && $0.admission.device != next.admission.device
                && past(next.signed.hash).contains($0.signed.hash)
        }
        return ends.isEmpty && Set(used.map(\.admission.device.replica)).count < invite.uses
    }

    func isEffective(_ hash: Bytes32) -> Bool {
        guard let signed = changes[hash], let person = author(signed).flatMap({ persons[$0] }),
            person.devices[signed.change.replica] != nil
        else { return false }
        return lies(hash, within: person.removals.union(person.farewells))
    }

    private func lies(_ hash: Bytes32, within removals: Set<Bytes32>) -> Bool {
        removals.allSatisfy { $0 == hash || past($0).contains(hash) }
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

    private func openings(of id: Bytes32) -> [(SignedChange, Invite)] {
        changes.values.compactMap { signed -> (SignedChange, Invite)? in
            guard case .invite(let invite) = signed.change.statement, invite.id(using: cryptography) == id,
                invite.participant == nil || invite.participant == author(signed)
            else { return nil }
            return (signed, invite)
        }.sorted { $0.0.stamp < $1.0.stamp }
    }

    /// The valid ones of some admissions, of which each comes after those in its past.
    private func valid(_ all: [Admitting]) -> [Admitting] {
        all.reduce(into: []) { valid, one in
            let earlier = valid.filter {
                past(one.signed.hash).contains($0.signed.hash) && $0.admission.device != one.admission.device
            }
            if isValid(one, after: earlier) { valid.append(one) }
        }
    }

    private func isValid(_ one: Admitting, after earlier: [Admitting]) -> Bool {
        let (device, host) = (one.admission.device, author(one.signed))
        let isFirst = device.isFirst(using: cryptography)
        guard isFirst || device.participant == host, isFirst || !one.admission.isGuest else { return false }
        let devices = Set(
            earlier.filter { $0.admission.device.participant == device.participant }.map(\.admission.device))
        let guests = Set(earlier.filter { $0.admission.isGuest && author($0.signed) == host }.map(\.admission.device))
        return devices.count < ChangeBounds.devicesMax
            && (!one.admission.isGuest || guests.count < ChangeBounds.guestsMax)
    }
}
