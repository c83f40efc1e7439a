/// What names and statements say about membership, by the person they concern: all that who is in follows from. Only ever added to.
package struct RosterIndex: Sendable {
    package private(set) var names = RosterNames()
    private(set) var founded: Set<Int> = []
    /// Of each person: their devices; admissions of first devices, and of further ones by the same person; removals by somebody above;
    /// farewells; ends of further devices.
    private(set) var devices: [[Int]] = []
    private(set) var admissions, furtherAdmissions, removals, farewells, ends: [[RosterStatement]]
    /// Of each person, the admissions that their devices wrote, and those of the people right below.
    private var hosted, children: [[RosterStatement]]
    /// Of each invite, its openings, and the closings of it by its opener or somebody above.
    private(set) var openings: [[RosterStatement]] = []
    private var closings: [[Int]] = []
    /// Of each invite, the admissions of people who are named after it.
    private(set) var uses: [[RosterStatement]] = []
    /// Of each person, what ends the invites of that person, and of everybody below: removals.
    private var removalsBy: [[Int]] = []
    /// Of each admission, the openings of its invite that were open in its past.
    private var openOpenings: [Int: [RosterStatement]] = [:]

    package init() {
        (admissions, furtherAdmissions, removals, farewells, ends, hosted, children) = ([], [], [], [], [], [], [])
    }

    /// Statements each after its past. O(statements · (depth + what was said of an invite) · `hasSeen`).
    package init(_ statements: [RosterStatement], _ names: RosterNames, _ order: some CausalOrder) {
        self.init()
        for person in names.persons { add(person) }
        for device in names.devices { add(device) }
        for opener in names.openers { add(inviteOf: opener) }
        for statement in statements { add(statement, order) }
    }

    package mutating func add(_ person: RosterNames.Person) {
        names.persons.append(person)
        devices.append([])
        removalsBy.append([])
        admissions.append([])
        furtherAdmissions.append([])
        removals.append([])
        farewells.append([])
        ends.append([])
        hosted.append([])
        children.append([])
    }

    package mutating func add(_ device: RosterNames.Device) {
        devices[device.person].append(names.devices.count)
        names.devices.append(device)
    }

    package mutating func add(inviteOf opener: Int) {
        names.openers.append(opener)
        openings.append([])
        closings.append([])
        uses.append([])
    }

    /// Adds a statement whose past is here.
    package mutating func add(_ statement: RosterStatement, _ order: some CausalOrder) {
        let writer = names.devices[statement.author].person
        switch statement.kind {
        case .found(let device): founded.insert(names.devices[device].person)
        case .open(let invite, _): openings[invite].append(statement)
        case .close(let invite):
            let opener = names.openers[invite]
            if writer == opener || names.isAbove(writer, opener) { closings[invite].append(statement.place) }
        case .admit(let device):
            let person = names.devices[device].person
            guard names.devices[device].isFirst else { return furtherAdmissions[person].append(statement) }
            admissions[person].append(statement)
            hosted[writer].append(statement)
            if let parent = names.persons[person].parent { children[parent].append(statement) }
            guard let invite = names.persons[person].invite else { return }
            openOpenings[statement.place] = openings[invite].filter { opening in
                order.hasSeen(opening.place, by: statement.place)
                    && isOpen(opening, for: person, order) {
                        $0 != statement.place && order.hasSeen($0, by: statement.place)
                    }
            }
            uses[invite].append(statement)
        case .remove(writer, _): farewells[writer].append(statement)
        case .remove(let person, _):
            guard names.isAbove(writer, person) else { return }
            removals[person].append(statement)
            removalsBy[writer].append(statement.place)
        case .end: ends[writer].append(statement)
        }
    }

    /// The person that an admission of a first device admits.
    func admitted(_ admission: RosterStatement) -> Int {
        guard case .admit(let device) = admission.kind else { preconditionFailure("an admission") }
        return names.devices[device].person
    }

    /// The admissions that may let somebody in now that a person is settled: those that the person wrote, and those of whoever is
    /// right below.
    func admissionsToTry(after person: Int) -> [RosterStatement] { hosted[person] + children[person] }

    /// The openings of its invite that were open in the past of an admission.
    func openings(openBefore admission: RosterStatement) -> [RosterStatement] { openOpenings[admission.place] ?? [] }

    /// Why an invite is over, by an opening of it, for people who are not here yet.
    package enum Ending: Hashable, Sendable {
        case closed
        /// A person who may know its secret was removed, or its opener left.
        case knownOutside
        case usedUp
    }

    /// Why an invite is over by an opening, in a set of changes, closed under pasts; nil where it is open. By names alone: whether what
    /// ends it counts makes no difference. O(what was said of the invite, depth, and removals by those above · `isSeen`).
    package func ending(
        of opening: RosterStatement, for newcomer: Int?, _ order: some CausalOrder, isSeen: (Int) -> Bool
    ) -> Ending? {
        guard case .open(let invite, let most) = opening.kind else { return .closed }
        if closings[invite].contains(where: isSeen) { return .closed }
        func isNews(_ place: Int) -> Bool { isSeen(place) && !order.hasSeen(place, by: opening.place) }
        let opener = names.openers[invite]
        if farewells[opener].contains(where: { isNews($0.place) }) { return .knownOutside }
        var above: Int? = opener
        while let person = above {
            if removalsBy[person].contains(where: isNews) { return .knownOutside }
            above = names.persons[person].parent
        }
        var came: Set<Int> = []
        for use in uses[invite] where isSeen(use.place) { came.insert(admitted(use)) }
        if let newcomer { came.remove(newcomer) }
        return came.count < most ? nil : .usedUp
    }

    private func isOpen(
        _ opening: RosterStatement, for newcomer: Int, _ order: some CausalOrder, isSeen: (Int) -> Bool
    ) -> Bool {
        ending(of: opening, for: newcomer, order, isSeen: isSeen) == nil
    }
}
