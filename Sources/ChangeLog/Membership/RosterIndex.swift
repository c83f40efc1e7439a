import DeltaCRDT

/// What names and statements say about membership, by the person or the invite that they concern: all that who is in follows from.
/// Only ever added to.
package struct RosterIndex: Sendable {
    /// What is said of one person, or by them.
    struct OfPerson: Sendable {
        var devices: [Int] = []
        /// The first devices of their guests, and the invites that they open.
        var guests: [Int] = [], invites: [Int] = []
        /// Admissions of a first device of theirs, and of further ones by themselves.
        var admissions: [RosterStatement] = [], furtherAdmissions: [RosterStatement] = []
        /// Removals of them by people above, their farewells, and ends of further devices of theirs.
        var removals: [RosterStatement] = [], farewells: [RosterStatement] = [], ends: [RosterStatement] = []
        /// Admissions of first devices that they wrote, and those of the people right below.
        var hosted: [RosterStatement] = [], children: [RosterStatement] = []
        /// Their removals of people below, and again their farewells.
        var removalsBy = ChangeIndexSet(), leavings = ChangeIndexSet()
        /// The admissions of them in whose pasts the invite was open, by each person above the author.
        var openAdmissions: [Int: ChangeIndexSet] = [:]
    }

    /// What is said of one invite.
    struct OfInvite: Sendable {
        var openings: [RosterStatement] = []
        /// The openings by how many statements they had seen that end the invite. It is open by those that had seen all.
        var openingsBySeen: [Int: ChangeIndexSet] = [:]
        /// By its opener, or by people above.
        var closings = ChangeIndexSet()
        /// Admissions of people who are named after it, again as indices, and of each person the first to come.
        var uses: [RosterStatement] = [], useIndices = ChangeIndexSet(), firstUses: [Int] = []
    }

    package private(set) var names = RosterNames()
    private(set) var founders: Set<Int> = []
    private(set) var persons: [OfPerson] = []
    private(set) var invites: [OfInvite] = []
    /// Of each device, the changes that introduced it.
    private(set) var introductions: [[Int]] = []
    /// Of each opening, and of each admission in whose past its invite was open, how many statements it had seen that
    /// end it. So the openings that were open there had seen as many. Nothing that comes later changes that.
    private(set) var endingsSeen: [Int: Int] = [:]
    /// The admissions that had seen another one of the same person, by somebody below their author, in whose past the
    /// invite was open.
    private(set) var keepings: Set<Int> = []

    package init() {}

    /// Statements each after its past. O(statements · (depth + the branches that their pasts name) · log statements).
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
        if let host = names.host(of: device.person) { persons[host].guests.append(names.devices.count) }
        names.devices.append(device)
        introductions.append([])
    }

    mutating func add(inviteOf opener: Int) {
        persons[opener].invites.append(invites.count)
        names.openers.append(opener)
        invites.append(OfInvite())
    }

    /// Adds a statement whose past is here.
    mutating func add(_ statement: RosterStatement, _ order: some StatementOrder) {
        let writer = names.devices[statement.author].person
        switch statement.kind {
        case .found(let device):
            founders.insert(names.devices[device].person)
            introductions[device].append(statement.index)
        case .open(let invite, _):
            let seen = endings(of: invite) { $0.count(before: statement.index, order) }
            endingsSeen[statement.index] = seen
            invites[invite].openings.append(statement)
            invites[invite].openingsBySeen[seen, default: ChangeIndexSet()].append(statement.index, order)
        case .close(let invite):
            let opener = names.openers[invite]
            guard writer == opener || names.isAbove(writer, opener) else { return }
            invites[invite].closings.append(statement.index, order)
        case .admit(let device): add(statement, of: device, by: writer, order)
        case .remove(writer, _):
            persons[writer].farewells.append(statement)
            persons[writer].leavings.append(statement.index, order)
        case .remove(let person, _):
            guard names.isAbove(writer, person) else { return }
            persons[person].removals.append(statement)
            persons[writer].removalsBy.append(statement.index, order)
        case .end: persons[writer].ends.append(statement)
        }
    }

    private mutating func add(
        _ admission: RosterStatement, of device: Int, by writer: Int, _ order: some StatementOrder
    ) {
        introductions[device].append(admission.index)
        let person = names.devices[device].person
        guard names.devices[device].isFirst else { return persons[person].furtherAdmissions.append(admission) }
        persons[person].admissions.append(admission)
        persons[writer].hosted.append(admission)
        if let parent = names.persons[person].parent { persons[parent].children.append(admission) }
        if let invite = names.persons[person].invite {
            noteWhetherOpen(invite, before: admission, of: person, order)
            invites[invite].uses.append(admission)
            invites[invite].useIndices.append(admission.index, order)
            if persons[person].admissions.count == 1 { invites[invite].firstUses.append(admission.index) }
        }
        let known = persons[person].openAdmissions[writer]?.count(before: admission.index, order) ?? 0
        if known > 0 { keepings.insert(admission.index) }
        guard endingsSeen[admission.index] != nil else { return }
        for elder in names.peopleAbove(writer) {
            persons[person].openAdmissions[elder, default: ChangeIndexSet()].append(admission.index, order)
        }
    }

    private mutating func noteWhetherOpen(
        _ invite: Int, before admission: RosterStatement, of person: Int, _ order: some StatementOrder
    ) {
        let index = admission.index
        let seen = endings(of: invite) { $0.count(before: index, order) }
        guard let openings = invites[invite].openingsBySeen[seen], openings.count(before: index, order) > 0,
            invites[invite].closings.count(before: index, order) == 0,
            // All openings of one invite are on the same terms.
            case .open(_, let most)? = invites[invite].openings.first?.kind
        else { return }
        let past = order.past(of: index)
        let own = invites[invite].useIndices.held(beyond: past, ofBranch: order.branch(of: index), before: index)
        if cameBy(invite, in: past, and: own, besides: person) < most { endingsSeen[index] = seen }
    }

    /// The person that an admission admits.
    func admitted(_ admission: RosterStatement) -> Int {
        guard case .admit(let device) = admission.kind else { preconditionFailure("the statement admits nobody") }
        return names.devices[device].person
    }

    /// The openings of its invite that were open in the past of an admission. O(openings of the invite · `hasSeen`).
    func openings(openBefore admission: RosterStatement, _ order: some StatementOrder) -> [RosterStatement] {
        guard let invite = names.persons[admitted(admission)].invite, let seen = endingsSeen[admission.index] else {
            return []
        }
        return invites[invite].openings.filter {
            endingsSeen[$0.index] == seen && order.hasSeen($0.index, by: admission.index)
        }
    }

    /// Why an invite is over, by an opening of it, for people who are not here yet.
    package enum Ending: Sendable {
        case closed
        /// A person who may know its secret was removed, or its opener left.
        case knownOutside
        case usedUp
    }

    /// Why an invite is over by each of some openings, in a set of changes, closed under pasts; nil where it is open.
    /// By names alone: whether what ends it counts makes no difference. O(openings + depth · branches that the set
    /// names · log).
    func endings(of openings: [RosterStatement], of invite: Int, in cut: CausalCut) -> [Ending?] {
        let isClosed = invites[invite].closings.count(in: cut) > 0
        let seen = endings(of: invite) { $0.count(in: cut) }
        let came = cameBy(invite, in: cut)
        return openings.map { opening -> Ending? in
            guard !isClosed, case .open(_, let most) = opening.kind else { return .closed }
            // The past of an opening in the set is in the set, so one that had seen as many had seen all.
            guard endingsSeen[opening.index] == seen else { return .knownOutside }
            return came < most ? nil : .usedUp
        }
    }

    /// How many statements end an invite, by names, for openings that had not seen them. O(depth · `count`).
    private func endings(of invite: Int, _ count: (ChangeIndexSet) -> Int) -> Int {
        let opener = names.openers[invite]
        return names.peopleAbove(opener).reduce(count(persons[opener].leavings) + count(persons[opener].removalsBy)) {
            $0 + count(persons[$1].removalsBy)
        }
    }

    /// How many people an invite has admitted in a set of changes, and by other admissions. O(admissions by it outside
    /// the set's prefix · log admissions).
    private func cameBy(
        _ invite: Int, in cut: CausalCut, and others: ArraySlice<Int> = [], besides newcomer: Int? = nil
    ) -> Int {
        let said = invites[invite]
        func isEarly(_ person: Int) -> Bool { persons[person].admissions[0].index < Int(cut.prefix) }
        var late: Set<Int> = []
        for index in (said.useIndices.held(beyond: cut) + [others]).joined() {
            late.insert(admitted(said.uses[said.uses.partitioningIndex { $0.index >= index }]))
        }
        if let newcomer { late.remove(newcomer) }
        let early = said.firstUses.partitioningIndex { $0 >= Int(cut.prefix) }
        return early + late.count { !isEarly($0) } - (newcomer.map(isEarly) ?? false ? 1 : 0)
    }
}
