import DeltaCRDT

/// Who is in, who waits and what counts: Documentation/Protocol.md, section 5, as a function of the statements held, derived whole.
///
/// People are resolved from the founder down. The people above somebody are resolved before them, so all that could cut what a person
/// wrote is known once that person is resolved, and never changes after that.
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
        var isResolved = false
        /// The removals of them that count.
        var removals: [RosterStatement] = []
        /// What all removals of them and of a guest's host leave alone; nil where there are none. Then the same of
        /// removals that nothing can ever void: by the founder's first device, which nobody removes or ends.
        var kept: CausalCut?, keptForGood: CausalCut?
        /// The farewells that count and have none in their past.
        var farewells = ChangeIndexSet()
    }

    private let names: RosterNames
    private var persons: [Person]
    /// Of each device, whether it belongs to its person, who is resolved.
    private var belongs: [Bool]
    /// Of each device that is ended, the ends that count, and what all of them leave alone.
    private var ends: [Int: (said: [RosterStatement], kept: CausalCut?)] = [:]
    /// Of each invite, the openings that count, by how many statements they had seen that end it.
    private var openings: [Int: [Int: ChangeIndexSet]] = [:]
    private let cutsNothing: Bool
    /// Of each person.
    package private(set) var states: [MembershipState] = []

    /// O(statements · (depth + the branches that their pasts name) · log statements).
    package init(_ said: RosterIndex, _ order: some StatementOrder) {
        self.init(said, order, cutsNothing: false)
        // Who is not resolved may have been removed all the same.
        for person in persons.indices where !persons[person].isResolved { findRemovals(of: person, said, order) }
        let uncut = persons.allSatisfy(\.isResolved) ? nil : Roster(said, order, cutsNothing: true)
        states = persons.indices.map { state(of: $0, uncut: uncut) }
    }

    /// - Parameter cutsNothing: whether to derive who would be resolved if nothing were cut.
    private init(_ said: RosterIndex, _ order: some StatementOrder, cutsNothing: Bool) {
        self.cutsNothing = cutsNothing
        names = said.names
        persons = Array(repeating: Person(), count: names.persons.count)
        belongs = Array(repeating: false, count: names.devices.count)
        var next = said.founders.sorted()
        while let person = next.popLast() {
            guard !persons[person].isResolved else { continue }
            resolve(person, said, order)
            // These admissions may let somebody in by that.
            for admissions in [said.persons[person].hosted, said.persons[person].children] {
                for admission in admissions where lets(in: admission, said, order) {
                    next.append(said.admitted(admission))
                }
            }
        }
    }

    // MARK: - What was found

    /// Whether a device belongs to its person, who is resolved.
    func belongs(_ device: Int) -> Bool { belongs[device] }

    /// The removals of a person that count; those of a guest's host are not among them.
    func removals(of person: Int) -> [RosterStatement] { persons[person].removals }

    /// The farewells of a person that count and have none in their past.
    func farewells(of person: Int) -> [Int] { persons[person].farewells.indices }

    /// The ends of a device that count.
    func ends(of device: Int) -> [RosterStatement] { ends[device]?.said ?? [] }

    /// All removals, farewells and ends that count, but for removals that have another one of the same person, or of
    /// their host, in their pasts. O(those · (log + the branches that their pasts name)).
    func cuts(_ order: some StatementOrder) -> ChangeIndexSet {
        var cuts = Set(persons.flatMap(\.farewells.indices) + ends.values.flatMap { $0.said.map(\.index) })
        let removals = persons.map { person in
            person.removals.reduce(into: ChangeIndexSet()) { $0.append($1.index, order) }
        }
        for (person, own) in removals.enumerated() {
            let hosts = names.host(of: person).map { removals[$0] } ?? ChangeIndexSet()
            cuts.formUnion(own.indices.filter { own.count(before: $0, order) + hosts.count(before: $0, order) == 0 })
        }
        return cuts.sorted().reduce(into: ChangeIndexSet()) { $0.append($1, order) }
    }

    /// Whether a change counts. O((log removals, farewells and ends of its author) · the branches that its past names).
    ///
    /// No farewell cuts what is about devices, an end or an admission of a further one: which farewells count depends on the devices.
    package func counts(
        _ index: Int, by device: Int, isAboutDevices: Bool = false, _ order: some StatementOrder
    ) -> Bool {
        guard belongs[device] else { return false }
        guard !cutsNothing else { return true }
        let (person, branch) = (names.devices[device].person, order.branch(of: index))
        guard persons[person].kept?.contains(index, branch: branch) ?? true,
            ends[device]?.kept?.contains(index, branch: branch) ?? true
        else { return false }
        return isAboutDevices
            || persons[person].farewells.count(before: index, order) == 0
                && (names.host(of: person).map { persons[$0].farewells.count(before: index, order) } ?? 0) == 0
    }

    /// The removals, ends and farewells that cut a change, by index. O(those of its author's person and device · `hasSeen`).
    func cuts(of index: Int, by device: Int, _ order: some StatementOrder) -> [Int] {
        let person = names.devices[device].person
        let hosts = names.host(of: person).map { removals(of: $0) } ?? []
        return (hosts + removals(of: person) + ends(of: device)).filter { !$0.keeps(index, order) }.map(\.index)
            + farewells(of: person).filter { $0 != index && order.hasSeen($0, by: index) }
    }

    /// Whether a removal cuts a change that nothing can ever void. O(log log branches).
    func cutsForGood(_ index: Int, by device: Int, _ order: some StatementOrder) -> Bool {
        !(persons[names.devices[device].person].keptForGood?.contains(index, branch: order.branch(of: index)) ?? true)
    }

    // MARK: - From the founder down

    private mutating func resolve(_ person: Int, _ said: RosterIndex, _ order: some StatementOrder) {
        persons[person].isResolved = true
        var next = said.persons[person].devices.filter { names.devices[$0].isFirst }
        for device in next { belongs[device] = true }
        findRemovals(of: person, said, order)
        for end in said.persons[person].ends where counts(end.index, by: end.author, isAboutDevices: true, order) {
            if case .end(let device, _) = end.kind { ends[device, default: ([], nil)].said.append(end) }
        }
        for device in said.persons[person].devices {
            if let cuts = ends[device]?.said { ends[device]?.kept = Self.kept(by: cuts, order) }
        }
        // A device that one admission makes the person's may have written an earlier one.
        let admissions = Dictionary(grouping: said.persons[person].furtherAdmissions, by: \.author)
        while let author = next.popLast() {
            for admission in admissions[author] ?? [] {
                guard case .admit(let device) = admission.kind, !belongs[device],
                    counts(admission.index, by: author, isAboutDevices: true, order)
                else { continue }
                belongs[device] = true
                next.append(device)
            }
        }
        for farewell in said.persons[person].farewells where counts(farewell.index, by: farewell.author, order) {
            persons[person].farewells.append(farewell.index, order)
        }
        for invite in said.persons[person].invites {
            for opening in said.invites[invite].openings where counts(opening.index, by: opening.author, order) {
                guard let seen = said.endingsSeen[opening.index] else { continue }
                openings[invite, default: [:]][seen, default: ChangeIndexSet()].append(opening.index, order)
            }
        }
    }

    /// Finds the removals of a person that count, as far as those above are resolved, and what these leave alone.
    private mutating func findRemovals(of person: Int, _ said: RosterIndex, _ order: some StatementOrder) {
        let host = names.host(of: person)
        guard !cutsNothing, host != nil || !said.persons[person].removals.isEmpty else { return }
        let removals = said.persons[person].removals.filter { counts($0.index, by: $0.author, order) }
        let forGood = removals.filter { removal in
            let author = names.devices[removal.author]
            return author.isFirst && names.persons[author.person].parent == nil
        }
        persons[person].removals = removals
        persons[person].kept = Self.kept(by: removals, besides: host.flatMap { persons[$0].kept }, order)
        persons[person].keptForGood = Self.kept(by: forGood, besides: host.flatMap { persons[$0].keptForGood }, order)
    }

    /// What all of some removals or ends leave alone; nil where there are none.
    private static func kept(
        by cuts: [RosterStatement], besides other: CausalCut? = nil, _ order: some StatementOrder
    ) -> CausalCut? {
        CausalCut.intersection(of: cuts.map { order.closure(of: $0.kept) } + [other].compactMap { $0 })
    }

    /// Whether an admission lets in a person whose parent is resolved.
    private func lets(in admission: RosterStatement, _ said: RosterIndex, _ order: some StatementOrder) -> Bool {
        let person = said.admitted(admission)
        guard !persons[person].isResolved, let parent = names.persons[person].parent, persons[parent].isResolved,
            counts(admission.index, by: admission.author, order)
        else { return false }
        let host = names.devices[admission.author].person
        if names.persons[person].isGuest || names.isAbove(host, person) || said.keepings.contains(admission.index) {
            return true
        }
        guard let invite = names.persons[person].invite, let seen = said.endingsSeen[admission.index],
            let openings = openings[invite]?[seen]
        else { return false }
        return openings.count(before: admission.index, order) > 0
    }

    private func state(of person: Int, uncut: Roster?) -> MembershipState {
        if !persons[person].removals.isEmpty { return .removed }
        if let host = names.host(of: person) {
            let hosts = state(of: host, uncut: uncut)
            if hosts != .isIn { return hosts }
        }
        if persons[person].isResolved { return persons[person].farewells.indices.isEmpty ? .isIn : .left }
        return uncut?.persons[person].isResolved ?? false ? .waits : .neverIn
    }
}
