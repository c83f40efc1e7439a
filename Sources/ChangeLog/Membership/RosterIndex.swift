/// What names and statements say about membership, by the person or the invite that they concern: all that who is in follows from.
/// Only ever added to.
package struct RosterIndex: Sendable {
    /// What is said of one person, or by them.
    struct OfPerson: Sendable {
        var devices: [Int] = []
        /// Admissions of a first device of theirs, and of further ones by themselves.
        var admissions: [RosterStatement] = [], furtherAdmissions: [RosterStatement] = []
        /// Removals of them by people above, their farewells, and ends of further devices of theirs.
        var removals: [RosterStatement] = [], farewells: [RosterStatement] = [], ends: [RosterStatement] = []
        /// Admissions of first devices that they wrote, and those of the people right below.
        var hosted: [RosterStatement] = [], children: [RosterStatement] = []
        /// Their removals of people below.
        var removalsBy: [Int] = []
    }

    /// What is said of one invite.
    struct OfInvite: Sendable {
        var openings: [RosterStatement] = []
        /// By its opener, or by people above.
        var closings: [Int] = []
        /// Admissions of people who are named after it.
        var uses: [RosterStatement] = []
    }

    package private(set) var names = RosterNames()
    private(set) var founders: Set<Int> = []
    private(set) var persons: [OfPerson] = []
    private(set) var invites: [OfInvite] = []
    /// Of each device, the changes that introduced it.
    private(set) var introductions: [[Int]] = []
    /// Of each admission, the openings of its invite that were open in its past, which nothing that comes later changes, by their
    /// order of arrival.
    private var openOpenings: [Int: [Int32]] = [:]

    package init() {}

    /// Statements each after its past. O(statements · (depth + what was said of an invite) · `hasSeen`).
    package init(_ statements: [RosterStatement], _ names: RosterNames, _ order: some StatementOrder) {
        for person in names.persons { add(person) }
        for device in names.devices { add(device) }
        for opener in names.openers { add(inviteOf: opener) }
        for statement in statements { add(statement, order) }
    }

    mutating func add(_ person: RosterNames.Person) {
        names.persons.append(person)
        persons.append(OfPerson())
    }

    mutating func add(_ device: RosterNames.Device) {
        persons[device.person].devices.append(names.devices.count)
        names.devices.append(device)
        introductions.append([])
    }

    mutating func add(inviteOf opener: Int) {
        names.openers.append(opener)
        invites.append(OfInvite())
    }

    /// Adds a statement whose past is here.
    mutating func add(_ statement: RosterStatement, _ order: some StatementOrder) {
        let writer = names.devices[statement.author].person
        switch statement.kind {
        case .found(let device):
            founders.insert(names.devices[device].person)
            introductions[device].append(statement.place)
        case .open(let invite, _): invites[invite].openings.append(statement)
        case .close(let invite):
            let opener = names.openers[invite]
            if writer == opener || names.isAbove(writer, opener) { invites[invite].closings.append(statement.place) }
        case .admit(let device): add(statement, of: device, by: writer, order)
        case .remove(writer, _): persons[writer].farewells.append(statement)
        case .remove(let person, _):
            guard names.isAbove(writer, person) else { return }
            persons[person].removals.append(statement)
            persons[writer].removalsBy.append(statement.place)
        case .end: persons[writer].ends.append(statement)
        }
    }

    private mutating func add(
        _ admission: RosterStatement, of device: Int, by writer: Int, _ order: some StatementOrder
    ) {
        introductions[device].append(admission.place)
        let person = names.devices[device].person
        guard names.devices[device].isFirst else { return persons[person].furtherAdmissions.append(admission) }
        persons[person].admissions.append(admission)
        persons[writer].hosted.append(admission)
        if let parent = names.persons[person].parent { persons[parent].children.append(admission) }
        guard let invite = names.persons[person].invite else { return }
        let openings = invites[invite].openings
        let seen = openings.indices.filter { order.hasSeen(openings[$0].place, by: admission.place) }
        let endings = endings(of: seen.map { openings[$0] }, of: invite, for: person, order) {
            $0 != admission.place && order.hasSeen($0, by: admission.place)
        }
        openOpenings[admission.place] = zip(seen, endings).filter { $0.1 == nil }.map { Int32($0.0) }
        invites[invite].uses.append(admission)
    }

    /// The person that an admission admits.
    func admitted(_ admission: RosterStatement) -> Int {
        guard case .admit(let device) = admission.kind else { preconditionFailure("the statement admits nobody") }
        return names.devices[device].person
    }

    /// The openings of its invite that were open in the past of an admission.
    func openings(openBefore admission: RosterStatement) -> some Collection<RosterStatement> {
        let openings = names.persons[admitted(admission)].invite.map { invites[$0].openings } ?? []
        return (openOpenings[admission.place] ?? []).lazy.map { openings[Int($0)] }
    }

    /// Why an invite is over, by an opening of it, for people who are not here yet.
    package enum Ending: Sendable {
        case closed
        /// A person who may know its secret was removed, or its opener left.
        case knownOutside
        case usedUp
    }

    /// Why an invite is over by each of some openings, in a set of changes, closed under pasts; nil where it is open. By names alone: whether
    /// what ends it counts makes no difference. O((what was said of the invite, and removals by its opener and those above) · `isSeen` +
    /// openings · `hasSeen`), where each of the removals had seen the one before.
    func endings(
        of openings: [RosterStatement], of invite: Int, for newcomer: Int?, _ order: some StatementOrder,
        isSeen: (Int) -> Bool
    ) -> [Ending?] {
        guard !openings.isEmpty else { return [] }
        let isClosed = invites[invite].closings.contains(where: isSeen)
        let opener = names.openers[invite]
        var removals = persons[opener].farewells.map(\.place) + persons[opener].removalsBy
        for elder in names.peopleAbove(opener) { removals += persons[elder].removalsBy }
        // An opening that had seen the last of these had seen all.
        var last: [Int] = []
        for place in removals.sorted(by: >) where isSeen(place) {
            if !last.contains(where: { order.hasSeen(place, by: $0) }) { last.append(place) }
        }
        var came = Set(invites[invite].uses.filter { isSeen($0.place) }.map { admitted($0) })
        if let newcomer { came.remove(newcomer) }
        return openings.map { opening -> Ending? in
            guard !isClosed, case .open(_, let most) = opening.kind else { return .closed }
            if last.contains(where: { !order.hasSeen($0, by: opening.place) }) { return .knownOutside }
            return came.count < most ? nil : .usedUp
        }
    }
}
