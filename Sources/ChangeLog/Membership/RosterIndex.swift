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
    /// Of each admission, the openings of its invite that were open in its past, which nothing that comes later changes.
    private var openOpenings: [Int: [RosterStatement]] = [:]

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
        openOpenings[admission.place] = invites[invite].openings.filter { opening in
            order.hasSeen(opening.place, by: admission.place)
                && ending(of: opening, for: person, order) {
                    $0 != admission.place && order.hasSeen($0, by: admission.place)
                } == nil
        }
        invites[invite].uses.append(admission)
    }

    /// The person that an admission admits.
    func admitted(_ admission: RosterStatement) -> Int {
        guard case .admit(let device) = admission.kind else { preconditionFailure("the statement admits nobody") }
        return names.devices[device].person
    }

    /// The openings of its invite that were open in the past of an admission.
    func openings(openBefore admission: RosterStatement) -> [RosterStatement] { openOpenings[admission.place] ?? [] }

    /// Why an invite is over, by an opening of it, for people who are not here yet.
    package enum Ending: Sendable {
        case closed
        /// A person who may know its secret was removed, or its opener left.
        case knownOutside
        case usedUp
    }

    /// Why an invite is over by an opening, in a set of changes, closed under pasts; nil where it is open. By names alone: whether what
    /// ends it counts makes no difference. O(what was said of the invite, and removals by its opener and those above · `isSeen`).
    func ending(
        of opening: RosterStatement, for newcomer: Int?, _ order: some StatementOrder, isSeen: (Int) -> Bool
    ) -> Ending? {
        guard case .open(let invite, let most) = opening.kind else { return .closed }
        if invites[invite].closings.contains(where: isSeen) { return .closed }
        func isNews(_ place: Int) -> Bool { isSeen(place) && !order.hasSeen(place, by: opening.place) }
        let opener = names.openers[invite]
        if persons[opener].farewells.contains(where: { isNews($0.place) })
            || persons[opener].removalsBy.contains(where: isNews)
            || names.peopleAbove(opener).contains(where: { persons[$0].removalsBy.contains(where: isNews) })
        {
            return .knownOutside
        }
        var came = Set(invites[invite].uses.filter { isSeen($0.place) }.map { admitted($0) })
        if let newcomer { came.remove(newcomer) }
        return came.count < most ? nil : .usedUp
    }
}
