/// Who is in, who waits and what counts: Documentation/Protocol.md, section 5, as a function of the statements held, derived whole.
///
/// People are settled from the founder down. The people above somebody are settled before them, so all that could cut what a person
/// wrote is known once that person is settled, and never changes after that.
package struct Roster: Sendable {
    package enum MembershipState: String, Sendable {
        case isIn = "in"
        case removed
        case left
        /// Would be in if nothing were cut.
        case waits
        case neverIn = "never in"
    }

    private struct Person: Sendable {
        var isSettled = false
        /// The removals that count, a guest's host's among them.
        var removals: [RosterStatement] = []
        /// The farewells that count and have none in their past.
        var farewells: [Int] = []
    }

    private let names: RosterNames
    private var persons: [Person]
    /// Of each device, whether it belongs to its person, who is settled.
    private var belongs: [Bool]
    /// Of each device that is ended, the ends that count.
    private var ends: [Int: [RosterStatement]] = [:]
    private let cutsNothing: Bool
    /// Whether anybody's farewell counts.
    private(set) var hasFarewells = false
    /// Of each person.
    package private(set) var states: [MembershipState] = []

    /// O(statements · (depth + removals of a person) · the cost of `hasSeen`).
    package init(_ said: RosterIndex, _ order: some StatementOrder) {
        self.init(said, order, cutsNothing: false)
        // Who is not settled may have been removed all the same.
        for person in persons.indices where !persons[person].isSettled {
            persons[person].removals = removals(of: person, said, order)
        }
        let uncut = persons.allSatisfy(\.isSettled) ? nil : Roster(said, order, cutsNothing: true)
        states = persons.indices.map { state(of: $0, uncut: uncut) }
    }

    /// - Parameter cutsNothing: whether to derive who would be settled if nothing were cut.
    private init(_ said: RosterIndex, _ order: some StatementOrder, cutsNothing: Bool) {
        self.cutsNothing = cutsNothing
        names = said.names
        persons = Array(repeating: Person(), count: names.persons.count)
        belongs = Array(repeating: false, count: names.devices.count)
        var next = said.founders.sorted()
        while let person = next.popLast() {
            guard !persons[person].isSettled else { continue }
            settle(person, said, order)
            // These admissions may let somebody in by that.
            for admissions in [said.persons[person].hosted, said.persons[person].children] {
                for admission in admissions where lets(in: admission, said, order) {
                    next.append(said.admitted(admission))
                }
            }
        }
    }

    // MARK: - What was found

    /// Whether a device belongs to its person, who is settled.
    func belongs(_ device: Int) -> Bool { belongs[device] }

    /// The removals of a person that count, a guest's host's among them.
    func removals(of person: Int) -> [RosterStatement] { persons[person].removals }

    /// The farewells of a person that count and have none in their past.
    func farewells(of person: Int) -> [Int] { persons[person].farewells }

    /// The ends of a device that count.
    func ends(of device: Int) -> [RosterStatement] { ends[device] ?? [] }

    /// All removals, farewells and ends that count, but for removals that have another one of the same person in their pasts; ascending.
    package func cuts(_ order: some StatementOrder) -> [Int] {
        var cuts = Set(persons.flatMap(\.farewells) + ends.values.joined().map(\.place))
        for person in persons {
            var first: [Int] = []
            for place in person.removals.map(\.place).sorted()
            where !first.contains(where: { order.hasSeen($0, by: place) }) {
                first.append(place)
            }
            cuts.formUnion(first)
        }
        return cuts.sorted()
    }

    /// Whether a change counts. O(removals and farewells of its author's person, and ends of the device · `hasSeen`).
    ///
    /// No farewell cuts what is about devices, an end or an admission of a further one: which farewells count depends on the devices.
    package func counts(
        _ place: Int, by device: Int, isAboutDevices: Bool = false, _ order: some StatementOrder
    ) -> Bool {
        guard belongs[device] else { return false }
        guard !cutsNothing else { return true }
        let person = names.devices[device].person
        guard persons[person].removals.allSatisfy({ $0.keeps(place, order) }),
            ends(of: device).allSatisfy({ $0.keeps(place, order) })
        else { return false }
        func isAfter(_ farewell: Int) -> Bool { farewell != place && order.hasSeen(farewell, by: place) }
        return isAboutDevices
            || !persons[person].farewells.contains(where: isAfter)
                && !(names.host(of: person).map { persons[$0].farewells.contains(where: isAfter) } ?? false)
    }

    /// The removals, ends and farewells that cut a change, by place. O(those of its author's person and device · `hasSeen`).
    func cuts(of place: Int, by device: Int, _ order: some StatementOrder) -> [Int] {
        let person = names.devices[device].person
        return (removals(of: person) + ends(of: device)).filter { !$0.keeps(place, order) }.map(\.place)
            + farewells(of: person).filter { $0 != place && order.hasSeen($0, by: place) }
    }

    /// Whether a removal cuts a change that nothing can ever void: it is by the founder's first device, which nobody removes or ends.
    /// O(removals of the person · `hasSeen`).
    func cutsForGood(_ place: Int, by device: Int, _ order: some StatementOrder) -> Bool {
        persons[names.devices[device].person].removals.contains { removal in
            let author = names.devices[removal.author]
            return author.isFirst && names.persons[author.person].parent == nil && !removal.keeps(place, order)
        }
    }

    // MARK: - From the founder down

    private mutating func settle(_ person: Int, _ said: RosterIndex, _ order: some StatementOrder) {
        persons[person].isSettled = true
        for device in said.persons[person].devices where names.devices[device].isFirst { belongs[device] = true }
        persons[person].removals = removals(of: person, said, order)
        for end in said.persons[person].ends where counts(end.place, by: end.author, isAboutDevices: true, order) {
            if case .end(let device, _) = end.kind { ends[device, default: []].append(end) }
        }
        // A device that one admission makes the person's may have written an earlier one.
        var isFurther = true
        while isFurther {
            isFurther = false
            for admission in said.persons[person].furtherAdmissions {
                guard case .admit(let device) = admission.kind, !belongs[device],
                    counts(admission.place, by: admission.author, isAboutDevices: true, order)
                else { continue }
                belongs[device] = true
                isFurther = true
            }
        }
        for farewell in said.persons[person].farewells where counts(farewell.place, by: farewell.author, order) {
            persons[person].farewells.append(farewell.place)
            hasFarewells = true
        }
    }

    /// The removals of a person that count, as far as those above are settled; a guest's host's too.
    private func removals(of person: Int, _ said: RosterIndex, _ order: some StatementOrder) -> [RosterStatement] {
        guard !cutsNothing else { return [] }
        return (names.host(of: person).map { persons[$0].removals } ?? [])
            + said.persons[person].removals.filter { counts($0.place, by: $0.author, order) }
    }

    /// Whether an admission lets in a person whose parent is settled.
    private func lets(in admission: RosterStatement, _ said: RosterIndex, _ order: some StatementOrder) -> Bool {
        let person = said.admitted(admission)
        guard !persons[person].isSettled, let parent = names.persons[person].parent, persons[parent].isSettled,
            counts(admission.place, by: admission.author, order)
        else { return false }
        let host = names.devices[admission.author].person
        if names.persons[person].isGuest || names.isAbove(host, person) { return true }
        return said.openings(openBefore: admission).contains { counts($0.place, by: $0.author, order) }
            || said.persons[person].admissions.contains { earlier in
                earlier.place != admission.place && order.hasSeen(earlier.place, by: admission.place)
                    && names.isAbove(host, names.devices[earlier.author].person)
                    && !said.openings(openBefore: earlier).isEmpty
            }
    }

    private func state(of person: Int, uncut: Roster?) -> MembershipState {
        if !persons[person].removals.isEmpty { return .removed }
        if let host = names.host(of: person) {
            let hosts = state(of: host, uncut: uncut)
            if hosts != .isIn { return hosts }
        }
        if persons[person].isSettled { return persons[person].farewells.isEmpty ? .isIn : .left }
        return uncut?.persons[person].isSettled ?? false ? .waits : .neverIn
    }
}
