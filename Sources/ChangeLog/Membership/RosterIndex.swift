/// Statements by the person they concern. O(statements) to make.
struct RosterIndex {
    private(set) var founded: Set<Int> = []
    /// Of each person: their devices; admissions of first devices, and of further ones by the same person; removals by somebody above;
    /// farewells; ends of further devices.
    private(set) var devices: [[Int]]
    private(set) var admissions, furtherAdmissions, removals, farewells, ends: [[RosterStatement]]
    /// Of each person, the admissions that their devices wrote, and those of whoever is right below them.
    private var hosted, children: [[RosterStatement]]
    /// Of each invite, its openings, and the closings of it by its opener or somebody above.
    private var openings: [[RosterStatement]]
    private var closings: [[Int]]
    /// Of each invite, the admissions by it.
    private var uses: [[RosterStatement]]
    /// Of each person, what ends the invites of that person, and of everybody below: removals. And of that person alone: farewells.
    private var removalsBy: [[Int]]
    private let devicePersons: [Int]

    init(_ statements: [RosterStatement], _ names: RosterNames) {
        let none = Array(repeating: [RosterStatement](), count: names.persons.count)
        (admissions, furtherAdmissions, removals, farewells, ends, hosted, children) = (
            none, none, none, none, none, none, none
        )
        devices = Array(repeating: [], count: names.persons.count)
        removalsBy = Array(repeating: [], count: names.persons.count)
        openings = Array(repeating: [], count: names.openers.count)
        closings = Array(repeating: [], count: names.openers.count)
        uses = openings
        devicePersons = names.devices.map(\.person)
        for (device, name) in names.devices.enumerated() { devices[name.person].append(device) }
        for statement in statements { add(statement, names) }
    }

    private mutating func add(_ statement: RosterStatement, _ names: RosterNames) {
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
            if let invite = names.persons[person].invite { uses[invite].append(statement) }
        case .remove(writer): farewells[writer].append(statement)
        case .remove(let person):
            guard names.isAbove(writer, person) else { return }
            removals[person].append(statement)
            removalsBy[writer].append(statement.place)
        case .end: ends[writer].append(statement)
        }
    }

    /// The person that an admission of a first device admits.
    func admitted(_ admission: RosterStatement) -> Int {
        guard case .admit(let device) = admission.kind else { preconditionFailure("an admission") }
        return devicePersons[device]
    }

    /// The admissions that may let somebody in now that a person is settled: those that the person wrote, and those of whoever is
    /// right below.
    func admissionsToTry(after person: Int) -> [RosterStatement] { hosted[person] + children[person] }

    /// The openings of the invite that somebody's name names, in the past of an admission of them.
    func openings(
        before admission: RosterStatement, _ names: RosterNames, _ order: some CausalOrder
    ) -> [RosterStatement] {
        guard let invite = names.persons[admitted(admission)].invite else { return [] }
        return openings[invite].filter { order.hasSeen($0.place, by: admission.place) }
    }

    /// Whether an invite is open by an opening in the past of an admission: by names alone.
    func isOpen(
        _ opening: RosterStatement, for admission: RosterStatement, _ names: RosterNames, _ order: some CausalOrder
    ) -> Bool {
        guard case .open(let invite, let most) = opening.kind else { return false }
        let isSeen = { (place: Int) in place != admission.place && order.hasSeen(place, by: admission.place) }
        let isNews = { (place: Int) in isSeen(place) && !order.hasSeen(place, by: opening.place) }
        if closings[invite].contains(where: isSeen) { return false }
        let opener = names.openers[invite]
        if farewells[opener].contains(where: { isNews($0.place) }) { return false }
        var above: Int? = opener
        while let person = above {
            if removalsBy[person].contains(where: isNews) { return false }
            above = names.persons[person].parent
        }
        var came: Set<Int> = []
        for use in uses[invite] where isSeen(use.place) { came.insert(admitted(use)) }
        came.remove(admitted(admission))
        return came.count < most
    }
}
