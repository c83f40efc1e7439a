import ChangeLog
import Convergence
import DeltaCRDT

/// What is effective, as Documentation/Protocol.md says it in section 5: from the statements held alone, step by step, with no
/// thought of speed, and without a look at what any node derived.
struct EffectiveOracle {
    /// Somebody who was let in. Changes are named by their numbers in the ledger.
    struct Person {
        let parent: Bytes16?
        var removals: Set<Int> = []
        var farewells: Set<Int> = []
        let settledBy: ChangeStamp
        var devices: Set<ReplicaID> = []

        var isIn: Bool { removals.isEmpty && farewells.isEmpty }
    }

    private(set) var persons: [Bytes16: Person] = [:]
    private let entries: [TripLedger.Entry]
    private let statements: [(index: Int, statement: Statement)]
    private let participants: [ReplicaID: Bytes16]
    private let cryptography: any Cryptography
    /// A fault of counting, to see that runs come to where it shows.
    private let fault: TripMutation?

    /// - Parameter held: changes, with the past of each.
    init(_ held: EventSet, in ledger: TripLedger, fault: TripMutation? = nil) {
        self.fault = fault
        entries = ledger.entries
        participants = ledger.participants
        cryptography = ledger.cryptography
        statements = ledger.statements.filter { held.contains($0) }.compactMap { index in
            ledger.entries[index].statement.map { (index, $0) }
        }
        settleEverybody()
    }

    /// Of changes, those that are effective.
    func effective(among held: EventSet) -> EventSet {
        var effective = EventSet()
        for index in held where isEffective(index) { effective.insert(index) }
        return effective
    }

    private func isEffective(_ index: Int) -> Bool {
        guard let person = author(index).flatMap({ persons[$0] }), person.devices.contains(entries[index].replica)
        else { return false }
        return lies(index, within: person.removals.union(person.farewells))
    }

    // MARK: - Section 5

    private mutating func settleEverybody() {
        let foundings = statements.filter { if case .found = $0.statement { true } else { false } }
        for (index, statement) in foundings.sorted(by: { entries[$0.index].stamp < entries[$1.index].stamp }) {
            guard case .found(let device, _, _) = statement, persons[device.participant] == nil else { continue }
            settle(device.participant, below: nil, by: index)
        }
        while let (index, admission) = nextSettling() {
            settle(admission.device.participant, below: parent(by: index, admission), by: index)
        }
    }

    private var admissions: [(index: Int, admission: Admission)] {
        statements.compactMap { index, statement in
            if case .admit(let admission) = statement { (index, admission) } else { nil }
        }
    }

    /// Of the admissions of a device whose person is not settled, effective ones of a higher stamp than what settled their author:
    /// the one with the lowest.
    private func nextSettling() -> (index: Int, admission: Admission)? {
        admissions.filter { index, admission in
            guard persons[admission.device.participant] == nil, author(index) != admission.device.participant,
                let author = author(index).flatMap({ persons[$0] })
            else { return false }
            return author.settledBy < entries[index].stamp && isEffective(index)
        }.min { entries[$0.index].stamp < entries[$1.index].stamp }
    }

    private mutating func settle(_ id: Bytes16, below parent: Bytes16?, by settling: Int) {
        var person = Person(parent: parent, settledBy: entries[settling].stamp)
        var above: Set<Bytes16> = []
        var elder = parent
        while let id = elder {
            above.insert(id)
            elder = persons[id]?.parent
        }
        for removal in removals(of: id) {
            if fault == .cutFromBelow, let author = author(removal), author != id { person.removals.insert(removal) }
            guard let elder = author(removal), above.contains(elder), let their = persons[elder],
                their.devices.contains(entries[removal].replica),
                lies(removal, within: their.removals) || fault == .cutByOutcast
            else { continue }
            person.removals.insert(removal)
        }
        if case .admit(let admission) = entries[settling].statement, admission.isGuest,
            let host = parent.flatMap({ persons[$0] })
        {
            person.removals.formUnion(host.removals.union(host.farewells))
        }
        for farewell in removals(of: id) where author(farewell) == id && lies(farewell, within: person.removals) {
            person.farewells.insert(farewell)
        }
        person.devices = devices(of: id, settledBy: settling, within: person.removals.union(person.farewells))
        persons[id] = person
    }

    private func devices(of id: Bytes16, settledBy settling: Int, within ends: Set<Int>) -> Set<ReplicaID> {
        var devices: Set<ReplicaID> = []
        for (index, statement) in statements {
            switch statement {
            case .found(let device, _, _) where device.participant == id: devices.insert(device.replica)
            case .admit(let admission) where index == settling: devices.insert(admission.device.replica)
            default: break
            }
        }
        let further = admissions.filter { index, admission in
            admission.device.participant == id && author(index) == id && lies(index, within: ends)
        }
        for _ in further.indices {
            for (index, admission) in further where devices.contains(entries[index].replica) {
                devices.insert(admission.device.replica)
            }
        }
        return devices
    }

    private func parent(by index: Int, _ admission: Admission) -> Bytes16? {
        guard !admission.isGuest, let id = admission.invite else { return author(index) }
        let openings = statements.filter { opening, statement in
            guard case .invite(let invite) = statement, entries[index].past.contains(opening),
                invite.id(openedBy: entries[opening].replica, using: cryptography) == id
            else { return false }
            return isEffective(opening) && isOpen(invite, opening, id, before: index, for: admission.device.replica)
        }
        let first = openings.min { entries[$0.index].stamp < entries[$1.index].stamp }
        return first.flatMap { author($0.index) } ?? author(index)
    }

    /// Whether an invite was open in the past of an admission.
    private func isOpen(
        _ invite: Invite, _ opening: Int, _ id: Bytes32, before index: Int, for device: ReplicaID
    ) -> Bool {
        let past = entries[index].past
        var others: Set<ReplicaID> = []
        for (other, statement) in statements where past.contains(other) {
            switch statement {
            case .closeInvite(id): return false
            case .remove: if !entries[opening].past.contains(other) { return false }
            case .admit(let admission) where admission.invite == id && admission.device.replica != device:
                others.insert(admission.device.replica)
            default: break
            }
        }
        return others.count < invite.uses
    }

    private func removals(of id: Bytes16) -> [Int] {
        statements.compactMap { if case .remove(id, _) = $0.statement { $0.index } else { nil } }
    }

    private func author(_ index: Int) -> Bytes16? { participants[entries[index].replica] }

    private func lies(_ index: Int, within removals: Set<Int>) -> Bool {
        removals.allSatisfy { removal in
            let past = entries[removal].past
            switch fault {
            case .cutTooLow:
                // What the remover had seen last is cut too.
                let isSeenLast = !past.contains {
                    entries[$0].replica == entries[index].replica && entries[$0].past.contains(index)
                }
                return removal == index || past.contains(index) && !isSeenLast
            case .cutTooHigh:
                return removal == index || past.contains(index)
                    || entries[index].past.contains {
                        entries[$0].replica == entries[index].replica && past.contains($0)
                    }
                        && !entries[index].past.contains {
                            entries[$0].replica == entries[index].replica && !past.contains($0)
                        }
            case .cutByArrival: return index <= removal
            default: return removal == index || past.contains(index)
            }
        }
    }
}
