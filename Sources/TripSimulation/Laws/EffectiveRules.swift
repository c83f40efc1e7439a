package import ChangeLog
package import DeltaCRDT

/// Changes that somebody holds, which hold the past of each, as the rules of what is effective look at them.
package protocol ChangeHistory {
    /// What names a change.
    associatedtype Name: Hashable
    /// Those that say something of who is in.
    var statements: [(name: Name, statement: Statement)] { get }
    func replica(of name: Name) -> ReplicaID
    func stamp(of name: Name) -> ChangeStamp
    /// Whether a change stands on another.
    func past(of name: Name, contains other: Name) -> Bool
    /// The change before it in its log.
    func previous(of name: Name) -> Name?
    /// The changes on which it stands directly.
    func links(of name: Name) -> [Name]
    /// How many changes came before it.
    func arrival(of name: Name) -> Int
}

/// What a node could get wrong about what is effective.
package enum CountingFault: CaseIterable, Sendable {
    /// What a remover had seen last does not count.
    case cutTooLow
    /// The change after what a remover had seen counts.
    case cutTooHigh
    /// People are taken out by those whom they brought, or by anybody else.
    case cutFromBelow
    /// People are taken out by what somebody wrote who was out by then.
    case cutByOutcast
    /// What came before a removal counts.
    case cutByArrival
    /// People are settled by what came first, not by the lowest stamp.
    case settledByArrival
}

/// What is effective, as Documentation/Protocol.md says it in section 5: from the statements held alone, step by step, with no
/// thought of speed, and without a look at what any node derived.
package struct EffectiveRules<History: ChangeHistory> {
    package typealias Name = History.Name

    /// Somebody who was let in.
    package struct Person: Equatable {
        package let parent: Bytes16?
        package let settledBy: ChangeStamp
        package var removals: Set<Name> = []
        package var farewells: Set<Name> = []
        package var devices: Set<ReplicaID> = []

        package var isIn: Bool { removals.isEmpty && farewells.isEmpty }
    }

    package private(set) var persons: [Bytes16: Person] = [:]
    private let history: History
    private let statements: [(name: Name, statement: Statement)]
    private let participants: [ReplicaID: Bytes16]
    private let cryptography: any Cryptography
    private let fault: CountingFault?

    /// - Parameter fault: what they get wrong, to see that histories come to where it shows; nil for what the page says.
    package init(_ history: History, using cryptography: any Cryptography, fault: CountingFault? = nil) {
        self.history = history
        self.cryptography = cryptography
        self.fault = fault
        statements = history.statements.sorted { history.stamp(of: $0.name) < history.stamp(of: $1.name) }
        participants = statements.reduce(into: [:]) { participants, entry in
            switch entry.statement {
            case .found(let device, _, _): participants[device.replica] = device.participant
            case .admit(let admission): participants[admission.device.replica] = admission.device.participant
            default: break
            }
        }
        settleEverybody()
    }

    /// Its device is admitted, and it lies within all removals and all farewells of its person.
    package func isEffective(_ name: Name) -> Bool {
        guard let person = author(name).flatMap({ persons[$0] }), person.devices.contains(history.replica(of: name))
        else { return false }
        return lies(name, within: person.removals.union(person.farewells))
    }

    // MARK: - Persons, one after the other

    private mutating func settleEverybody() {
        for (name, statement) in statements {
            guard case .found(let device, _, _) = statement, persons[device.participant] == nil else { continue }
            settle(device.participant, below: nil, by: name)
        }
        while let (name, admission) = nextSettling() {
            settle(admission.device.participant, below: parent(by: name, admission), by: name)
        }
    }

    /// Of the admissions of a device whose person is not settled, effective ones of a higher stamp than what settled their author:
    /// the one with the lowest.
    private func nextSettling() -> (name: Name, admission: Admission)? {
        let those = admissions.filter { name, admission in
            guard persons[admission.device.participant] == nil, let author = author(name).flatMap({ persons[$0] })
            else { return false }
            return author.settledBy < history.stamp(of: name) && isEffective(name)
        }
        guard fault == .settledByArrival else { return those.first }
        return those.min { history.arrival(of: $0.name) < history.arrival(of: $1.name) }
    }

    private mutating func settle(_ id: Bytes16, below parent: Bytes16?, by settling: Name) {
        var person = Person(parent: parent, settledBy: history.stamp(of: settling))
        var above: Set<Bytes16> = []
        var elder = parent
        while let id = elder {
            above.insert(id)
            elder = persons[id]?.parent
        }
        for removal in removals(of: id) {
            if fault == .cutFromBelow, let author = author(removal), author != id { person.removals.insert(removal) }
            guard let elder = author(removal), above.contains(elder), let their = persons[elder],
                their.devices.contains(history.replica(of: removal)),
                lies(removal, within: their.removals) || fault == .cutByOutcast
            else { continue }
            person.removals.insert(removal)
        }
        if isGuest(settledBy: settling), let host = parent.flatMap({ persons[$0] }) {
            person.removals.formUnion(host.removals.union(host.farewells))
        }
        for farewell in removals(of: id) where author(farewell) == id && lies(farewell, within: person.removals) {
            person.farewells.insert(farewell)
        }
        person.devices = devices(of: id, settledBy: settling, within: person.removals.union(person.farewells))
        persons[id] = person
    }

    private func devices(of id: Bytes16, settledBy settling: Name, within ends: Set<Name>) -> Set<ReplicaID> {
        var devices: Set<ReplicaID> = []
        for (name, statement) in statements {
            switch statement {
            case .found(let device, _, _) where device.participant == id: devices.insert(device.replica)
            case .admit(let admission) where name == settling: devices.insert(admission.device.replica)
            default: break
            }
        }
        let further = admissions.filter { name, admission in
            admission.device.participant == id && author(name) == id && lies(name, within: ends)
        }
        for _ in further.indices {
            for (name, admission) in further where devices.contains(history.replica(of: name)) {
                devices.insert(admission.device.replica)
            }
        }
        return devices
    }

    // MARK: - Invites

    private func parent(by name: Name, _ admission: Admission) -> Bytes16? {
        guard !admission.isGuest, let id = admission.invite else { return author(name) }
        let replica = admission.device.replica
        let isOpen = isOpen(id, for: replica) { history.past(of: name, contains: $0) }
        return isOpen.flatMap { author($0) } ?? author(name)
    }

    /// The first effective opening of an invite that is open for a device in a set of changes.
    package func isOpen(_ id: Bytes32, for device: ReplicaID, in isHeld: (Name) -> Bool) -> Name? {
        let held = statements.filter { isHeld($0.name) }
        return held.first { opening, statement in
            guard case .invite(let invite) = statement,
                invite.id(openedBy: history.replica(of: opening), using: cryptography) == id, isEffective(opening)
            else { return false }
            var others: Set<ReplicaID> = []
            for (name, statement) in held {
                switch statement {
                case .closeInvite(id): return false
                case .remove: if !history.past(of: opening, contains: name) { return false }
                case .admit(let admission) where admission.invite == id: others.insert(admission.device.replica)
                default: break
                }
            }
            return others.subtracting([device]).count < invite.uses
        }?.name
    }

    // MARK: - What is said

    private func lies(_ name: Name, within removals: Set<Name>) -> Bool {
        removals.allSatisfy { removal in
            let isWithin = removal == name || history.past(of: removal, contains: name)
            switch fault {
            case .cutTooLow: return isWithin && !history.links(of: removal).contains(name)
            case .cutTooHigh:
                return isWithin || history.previous(of: name).map { history.past(of: removal, contains: $0) } ?? false
            case .cutByArrival: return history.arrival(of: name) <= history.arrival(of: removal)
            default: return isWithin
            }
        }
    }

    private func author(_ name: Name) -> Bytes16? { participants[history.replica(of: name)] }

    private var admissions: [(name: Name, admission: Admission)] {
        statements.compactMap { name, statement in
            if case .admit(let admission) = statement { (name, admission) } else { nil }
        }
    }

    private func isGuest(settledBy settling: Name) -> Bool {
        admissions.contains { $0.name == settling && $0.admission.isGuest }
    }

    private func removals(of id: Bytes16) -> [Name] {
        statements.compactMap { if case .remove(id, _) = $0.statement { $0.name } else { nil } }
    }
}
