package import ChangeLog
package import DeltaCRDT

/// Changes that somebody holds, which hold the past of each, as they were written.
package protocol ChangeHistory {
    /// What names a change.
    associatedtype Name: Hashable
    /// Those that say something of who is in.
    var statements: [(name: Name, statement: Statement)] { get }
    func replica(of name: Name) -> ReplicaID
    func stamp(of name: Name) -> ChangeTimestamp
    /// Whether a change stands on another.
    func past(of name: Name, contains other: Name) -> Bool
    /// The change before it in its log.
    func previous(of name: Name) -> Name?
    /// The changes on which it stands directly.
    func links(of name: Name) -> [Name]
    /// How many changes came before it.
    func arrival(of name: Name) -> Int
    /// The change of a hash.
    func name(of hash: Bytes32) -> Name?
}

/// What counts of some changes: their names read by the rules of Documentation/Protocol.md, section 2, and the rest by `NaiveRoster`.
package struct EffectiveRules<History: ChangeHistory> {
    package typealias Name = History.Name

    /// Somebody who was admitted.
    package struct Person: Equatable {
        package let parent: Bytes32?
        package let state: Roster.MembershipState
        /// And of a guest's host.
        package let removals: Set<Name>
        package let farewells: Set<Name>
        /// Of a guest's host.
        package let farewellsOfHost: Set<Name>
        /// Those that belong to them, but for those that were ended.
        package let devices: Set<ReplicaID>
        /// Of their devices that were ended, the ends that count.
        package let ends: [ReplicaID: Set<Name>]

        package var isIn: Bool { state == .isIn }
        package var isOut: Bool { state != .isIn && state != .neverIn }
    }

    package private(set) var persons: [Bytes32: Person] = [:]
    private let named: NamedHistory<History>
    private let roster: NaiveRoster<NamedHistory<History>>

    /// - Parameter fault: what they get wrong, to see that histories come to where it shows; nil for what the page says.
    package init(_ history: History, using cryptography: any Cryptography, fault: CountingFault? = nil) {
        named = NamedHistory(history, using: cryptography)
        roster = NaiveRoster(named, fault: fault)
        let states = roster.states
        for (index, id) in named.persons.enumerated() {
            let belonging = named.devices.indices.filter {
                named.names.devices[$0].person == index && roster.resolved.contains(index) && roster.belongs($0)
            }
            let ends = Dictionary(
                uniqueKeysWithValues: belonging.map { (named.devices[$0].replica, named.ends(of: $0, by: roster)) })
            let parent = roster.names.persons[index].parent
            let host = named.names.persons[index].isGuest ? parent : nil
            persons[id] = Person(
                parent: parent.map { named.persons[$0] }, state: states[index],
                removals: Set(roster.removals(of: index) + (host.map { roster.removals(of: $0) } ?? [])),
                farewells: Set(roster.farewells(of: index)),
                farewellsOfHost: Set(host.map { roster.farewells(of: $0) } ?? []),
                devices: Set(ends.filter(\.value.isEmpty).keys), ends: ends.filter { !$0.value.isEmpty })
        }
    }

    package func isEffective(_ name: Name) -> Bool { roster.counts(name) }

    /// Whether somebody new may be let in by an invite, in a set of changes, by an opening that counts.
    package func isOpen(_ id: Bytes32, in isHeld: (Name) -> Bool) -> Bool {
        guard let invite = named.invites.firstIndex(of: id) else { return false }
        return named.statements.contains { opening in
            guard case .open(invite, _) = named.kind(of: opening), isHeld(opening), isEffective(opening) else {
                return false
            }
            return roster.isOpen(opening, for: nil, isSeen: isHeld)
        }
    }
}

/// Statements with the people, devices and invites that they name as numbers.
struct NamedHistory<History: ChangeHistory>: RosterHistory {
    private let history: History
    private(set) var names = RosterNames()
    private(set) var persons: [Bytes32] = []
    private(set) var devices: [Device] = []
    private(set) var invites: [Bytes32] = []
    private(set) var statements: [History.Name] = []
    private var kinds: [History.Name: RosterStatement.Kind] = [:]
    private var lasts: [History.Name: History.Name] = [:]
    private var keptChanges: [History.Name: [History.Name]] = [:]
    private var deviceOfReplica: [ReplicaID: Int] = [:]

    init(_ history: History, using cryptography: any Cryptography) {
        self.history = history
        // A stamp is higher than those in its past.
        for (name, statement) in history.statements.sorted(by: {
            history.stamp(of: $0.name) < history.stamp(of: $1.name)
        }) {
            guard let kind = read(statement, name, using: cryptography) else { continue }
            statements.append(name)
            kinds[name] = kind
        }
    }

    private mutating func read(
        _ statement: Statement, _ name: History.Name, using cryptography: any Cryptography
    ) -> RosterStatement.Kind? {
        let author = deviceOfReplica[history.replica(of: name)]
        switch statement {
        case .found(let device, _, _): return .found(device: take(device) { RosterNames.Person(parent: nil) })
        case .invite(let invite):
            guard let author else { return nil }
            let id = invite.id(openedBy: devices[author], using: cryptography)
            if !invites.contains(id) {
                invites.append(id)
                names.openers.append(names.devices[author].person)
            }
            return invites.firstIndex(of: id).map { .open(invite: $0, uses: invite.uses) }
        case .closeInvite(let id): return invites.firstIndex(of: id).map { .close(invite: $0) }
        case .admit(let admission):
            guard let author else { return nil }
            let (device, host) = (admission.device, names.devices[author].person)
            let isGuest =
                device.participant
                == Origin.guest(of: persons[host]).participant(signingKey: device.signingKey, using: cryptography)
            let invite = admission.invite.flatMap { invites.firstIndex(of: $0) }
            let parent = isGuest ? host : invite.map { names.openers[$0] }
            return .admit(
                device: take(device) { RosterNames.Person(parent: parent, isGuest: isGuest, invite: invite) })
        case .remove(let participant, let kept, _):
            keptChanges[name] = kept?.compactMap { history.name(of: $0) }
            return persons.firstIndex(of: participant).map { .remove(person: $0) }
        case .end(let replica, let last, _):
            lasts[name] = last.flatMap { history.name(of: $0) }
            return deviceOfReplica[replica].map { .end(device: $0, last: nil) }
        case .beginEpoch, .grant: return nil
        }
    }

    private mutating func take(_ device: Device, as person: () -> RosterNames.Person) -> Int {
        if let known = deviceOfReplica[device.replica] { return known }
        let whose = persons.firstIndex(of: device.participant)
        if whose == nil {
            names.persons.append(person())
            persons.append(device.participant)
        }
        let index = whose ?? persons.count - 1
        let first = devices.indices.first { names.devices[$0].person == index }
        names.devices.append(
            RosterNames.Device(
                person: index, isFirst: first.map { devices[$0].signingKey == device.signingKey } ?? true))
        devices.append(device)
        deviceOfReplica[device.replica] = devices.count - 1
        return devices.count - 1
    }

    /// The ends of a device that count.
    func ends(of device: Int, by roster: NaiveRoster<NamedHistory>) -> Set<History.Name> {
        Set(statements.filter { if case .end(device, _) = kinds[$0] { roster.counts($0) } else { false } })
    }

    func device(of name: History.Name) -> Int? { deviceOfReplica[history.replica(of: name)] }
    func kind(of name: History.Name) -> RosterStatement.Kind? { kinds[name] }
    func last(of end: History.Name) -> History.Name? { lasts[end] }
    func kept(of removal: History.Name) -> [History.Name]? { keptChanges[removal] }
    func isPast(_ name: History.Name, of later: History.Name) -> Bool {
        name != later && history.past(of: later, contains: name)
    }
    func links(of name: History.Name) -> [History.Name] { history.links(of: name) }
    func previous(of name: History.Name) -> History.Name? { history.previous(of: name) }
    func arrival(of name: History.Name) -> Int { history.arrival(of: name) }
}
