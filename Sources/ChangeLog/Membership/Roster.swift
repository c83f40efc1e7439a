/// Whether one change lies in the past of another.
package protocol CausalOrder {
    /// Whether the change at `place` is the one at `later`, or lies in its past.
    func hasSeen(_ place: Int, by later: Int) -> Bool
}

/// What the names of people, devices and invites say by themselves (Documentation/Rules.md, section 2), as indices.
package struct RosterNames: Sendable {
    package struct Person: Sendable {
        /// The person above: the opener of the invite that the name names, or a guest's host; nil for the founder.
        package let parent: Int?
        package let isGuest: Bool
        /// The invite that the name names.
        package let invite: Int?

        package init(parent: Int?, isGuest: Bool = false, invite: Int? = nil) {
            self.parent = parent
            self.isGuest = isGuest
            self.invite = invite
        }
    }

    package struct Device: Sendable {
        package let person: Int
        /// Whether the person is named by this device.
        package let isFirst: Bool

        package init(person: Int, isFirst: Bool) {
            self.person = person
            self.isFirst = isFirst
        }
    }

    package var persons: [Person] = []
    package var devices: [Device] = []
    /// Of each invite, the person who opens it.
    package var openers: [Int] = []

    package init() {}

    /// How many people are above a person. O(depth).
    func depth(of person: Int) -> Int {
        var depth = 0
        var next = persons[person].parent
        while let above = next {
            depth += 1
            next = persons[above].parent
        }
        return depth
    }

    /// Whether one person is above another. O(depth).
    func isAbove(_ elder: Int, _ person: Int) -> Bool {
        var next = persons[person].parent
        while let above = next {
            if above == elder { return true }
            next = persons[above].parent
        }
        return false
    }
}

/// What a change says about membership, as far as who is in depends on it.
package struct RosterStatement: Sendable {
    package enum Kind: Sendable {
        case found(device: Int)
        case open(invite: Int, uses: Int)
        case close(invite: Int)
        case admit(device: Int)
        /// Of the author's own person: a farewell. Where some changes are kept, those and what is in their pasts count, else what is in
        /// the past of the removal.
        case remove(person: Int, kept: [Int]? = nil)
        /// Of the device's changes, `last` and what lies in its past count.
        case end(device: Int, last: Int?)
    }

    package let place: Int
    /// The device that wrote it.
    package let author: Int
    package let kind: Kind

    package init(place: Int, author: Int, kind: Kind) {
        self.place = place
        self.author = author
        self.kind = kind
    }

    /// Whether a removal leaves a change of the removed person alone.
    func keeps(_ change: Int, _ order: some CausalOrder) -> Bool {
        guard case .remove(_, let kept?) = kind else { return order.hasSeen(change, by: place) }
        return kept.contains { order.hasSeen(change, by: $0) }
    }

    /// Whether a removal cuts no more than any that is in its past.
    fileprivate var keepsItsPast: Bool { if case .remove(_, _?) = kind { false } else { true } }
}

/// Who is in, who waits and what counts: Documentation/Protocol.md, section 5, as a function of the statements held, derived whole.
///
/// People are settled from the founder down. The people above somebody are settled before them, so all that could cut what a person
/// wrote is known once that person is settled, and never changes after that.
package struct Roster: Sendable {
    package enum Standing: String, Sendable {
        case isIn = "in"
        case removed
        case left
        /// Would be in if nothing were cut.
        case waits
        case neverIn = "never in"
    }

    /// Somebody who is settled, or was removed.
    private struct Person: Sendable {
        var isSettled = false
        /// The removals that count, a guest's host's among them, but for those that cut no more than one in their past.
        var removals: [RosterStatement] = []
        /// The farewells that count; none has another in its past.
        var farewells: [Int] = []
    }

    private var persons: [Person]
    /// Of each device, whether it belongs to its person, who is settled.
    private var belongs: [Bool]
    /// Of each device that is ended, the ends that count.
    private var ends: [Int: [RosterStatement]] = [:]
    private let cutsNothing: Bool

    /// O(statements · (depth + removals of a person) · the cost of `hasSeen`).
    package init(_ said: RosterIndex, _ order: some CausalOrder) { self.init(said, order, cutsNothing: false) }

    private init(_ said: RosterIndex, _ order: some CausalOrder, cutsNothing: Bool) {
        self.cutsNothing = cutsNothing
        let names = said.names
        persons = Array(repeating: Person(), count: names.persons.count)
        belongs = Array(repeating: false, count: names.devices.count)
        settle(said.founded.sorted(), said, order)
        guard !cutsNothing else { return }
        // Who is not settled may have been removed all the same.
        for person in persons.indices where !persons[person].isSettled {
            persons[person].removals = removals(of: person, said, names, order)
        }
    }

    /// Takes in an admission of a person, or of a device of one, by whom nothing was here before: nothing else can follow from it.
    /// O(openings, admissions and removals of the person · `hasSeen`).
    mutating func take(_ admission: RosterStatement, _ said: RosterIndex, _ order: some CausalOrder) {
        while persons.count < said.names.persons.count { persons.append(Person()) }
        while belongs.count < said.names.devices.count { belongs.append(false) }
        guard case .admit(let device) = admission.kind else { return }
        let (person, names) = (said.names.devices[device].person, said.names)
        if names.devices[device].isFirst {
            guard !persons[person].isSettled else { return belongs[device] = true }
            if lets(in: admission, said, names, order) {
                settle([person], said, order)
            } else {
                persons[person].removals = removals(of: person, said, names, order)
            }
        } else if persons[person].isSettled, belongs[admission.author],
            isWithinRemovalsAndEnds(admission.place, by: admission.author, names, order)
        {
            belongs[device] = true
        }
    }

    private mutating func settle(_ first: [Int], _ said: RosterIndex, _ order: some CausalOrder) {
        var next = first
        while let person = next.popLast() {
            guard !persons[person].isSettled else { continue }
            settle(person, said, said.names, order)
            for admission in said.admissionsToTry(after: person) where lets(in: admission, said, said.names, order) {
                next.append(said.admitted(admission))
            }
        }
    }

    // MARK: - What was found

    package func isSettled(_ person: Int) -> Bool { persons[person].isSettled }

    /// Whether a device belongs to its person, who is settled.
    package func belongs(_ device: Int) -> Bool { belongs[device] }

    /// The removals of a person that count, a guest's host's among them, but for those that cut no more than one in their past.
    package func removals(of person: Int) -> [RosterStatement] { persons[person].removals }

    /// The farewells of a person that count; none has another in its past.
    package func farewells(of person: Int) -> [Int] { persons[person].farewells }

    /// The ends of a device that count.
    package func ends(of device: Int) -> [RosterStatement] { ends[device] ?? [] }

    /// All removals, farewells and ends that count, but for those that have another of the same kind and person in their pasts; ascending.
    package func cuts(_ order: some CausalOrder) -> [Int] {
        var cuts = Set(persons.flatMap(\.farewells) + ends.values.flatMap { $0.map(\.place) })
        for person in persons {
            let places = person.removals.map(\.place)
            cuts.formUnion(
                places.filter { place in !places.contains { $0 != place && order.hasSeen($0, by: place) } })
        }
        return cuts.sorted()
    }

    // MARK: - What counts

    /// Whether a change counts.
    ///
    /// No farewell cuts what is about devices, an end or an admission of a further one: which farewells count depends on the devices.
    /// O(removals and farewells of its author's person, and ends of the device · `hasSeen`).
    package func counts(
        _ place: Int, by device: Int, isAboutDevices: Bool = false, _ names: RosterNames, _ order: some CausalOrder
    ) -> Bool {
        let whose = names.devices[device].person
        guard persons[whose].isSettled, belongs[device] else { return false }
        guard !cutsNothing else { return true }
        return isWithinRemovalsAndEnds(place, by: device, names, order)
            && (isAboutDevices || !hasSaidFarewell(before: place, whose, names, order))
    }

    private func isWithinRemovalsAndEnds(
        _ place: Int, by device: Int, _ names: RosterNames, _ order: some CausalOrder
    ) -> Bool {
        cutsNothing
            || persons[names.devices[device].person].removals.allSatisfy { $0.keeps(place, order) }
                && (ends[device] ?? []).allSatisfy { end in
                    guard case .end(_, let last?) = end.kind else { return false }
                    return order.hasSeen(place, by: last)
                }
    }

    private func hasSaidFarewell(
        before place: Int, _ person: Int, _ names: RosterNames, _ order: some CausalOrder
    ) -> Bool {
        let isAfter = { (farewell: Int) in farewell != place && order.hasSeen(farewell, by: place) }
        if persons[person].farewells.contains(where: isAfter) { return true }
        guard names.persons[person].isGuest, let host = names.persons[person].parent else { return false }
        return persons[host].farewells.contains(where: isAfter)
    }

    // MARK: - From the founder down

    private mutating func settle(
        _ person: Int, _ said: RosterIndex, _ names: RosterNames, _ order: some CausalOrder
    ) {
        persons[person].isSettled = true
        for device in said.devices[person] where names.devices[device].isFirst { belongs[device] = true }
        persons[person].removals = removals(of: person, said, names, order)
        for end in said.ends[person] {
            guard case .end(let device, _) = end.kind,
                isWithinRemovalsAndEnds(end.place, by: end.author, names, order)
            else { continue }
            ends[device, default: []].append(end)
        }
        var isFurther = true
        while isFurther {
            isFurther = false
            for admission in said.furtherAdmissions[person] {
                guard case .admit(let device) = admission.kind, !belongs[device], belongs[admission.author],
                    isWithinRemovalsAndEnds(admission.place, by: admission.author, names, order)
                else { continue }
                belongs[device] = true
                isFurther = true
            }
        }
        for farewell in said.farewells[person] where counts(farewell.place, by: farewell.author, names, order) {
            Self.keep(farewell.place, in: &persons[person].farewells, order)
        }
    }

    /// The removals of a person that count, as far as those above are settled; a guest's host's too.
    private func removals(
        of person: Int, _ said: RosterIndex, _ names: RosterNames, _ order: some CausalOrder
    ) -> [RosterStatement] {
        guard !cutsNothing else { return [] }
        var removals: [RosterStatement] = []
        if names.persons[person].isGuest, let host = names.persons[person].parent { removals = persons[host].removals }
        for removal in said.removals[person] where counts(removal.place, by: removal.author, names, order) {
            Self.keep(removal, in: &removals, order)
        }
        return removals
    }

    /// Adds a removal to some, and leaves those out that cut no more than one in their past.
    private static func keep(
        _ removal: RosterStatement, in removals: inout [RosterStatement], _ order: some CausalOrder
    ) {
        if removal.keepsItsPast, removals.contains(where: { order.hasSeen($0.place, by: removal.place) }) { return }
        removals.removeAll { $0.keepsItsPast && order.hasSeen(removal.place, by: $0.place) }
        removals.append(removal)
    }

    /// Whether a removal cuts a change that nothing can ever void: it is by the founder's first device, which nobody removes or ends.
    /// O(removals of the person · `hasSeen`).
    package func cutsForGood(_ place: Int, by device: Int, _ names: RosterNames, _ order: some CausalOrder) -> Bool {
        persons[names.devices[device].person].removals.contains { removal in
            let author = names.devices[removal.author]
            return author.isFirst && names.persons[author.person].parent == nil && !removal.keeps(place, order)
        }
    }

    /// Adds a change to some of which none has another in its past: what the earliest of them cut, they cut.
    private static func keep(_ place: Int, in places: inout [Int], _ order: some CausalOrder) {
        if places.contains(where: { order.hasSeen($0, by: place) }) { return }
        places.removeAll { order.hasSeen(place, by: $0) }
        places.append(place)
    }

    /// Whether an admission lets in a person whose parent is settled, or will be.
    private func lets(
        in admission: RosterStatement, _ said: RosterIndex, _ names: RosterNames, _ order: some CausalOrder
    ) -> Bool {
        let person = said.admitted(admission)
        guard !persons[person].isSettled, let parent = names.persons[person].parent, persons[parent].isSettled,
            counts(admission.place, by: admission.author, names, order)
        else { return false }
        let host = names.devices[admission.author].person
        if names.persons[person].isGuest || names.isAbove(host, person) { return true }
        let isOpen = said.openings(openBefore: admission).contains {
            counts($0.place, by: $0.author, names, order)
        }
        return isOpen
            || said.admissions[person].contains { earlier in
                earlier.place != admission.place && order.hasSeen(earlier.place, by: admission.place)
                    && names.isAbove(host, names.devices[earlier.author].person)
                    && !said.openings(openBefore: earlier).isEmpty
            }
    }

    // MARK: - Who is in

    /// The roster as it would be if nothing were cut; nil where everybody is settled. O(what deriving costs).
    func uncut(_ said: RosterIndex, _ order: some CausalOrder) -> Roster? {
        persons.allSatisfy(\.isSettled) ? nil : Roster(said, order, cutsNothing: true)
    }

    /// The standing of everybody. O(what deriving costs, where anybody is not settled).
    package func standings(_ said: RosterIndex, _ order: some CausalOrder) -> [Standing] {
        let uncut = uncut(said, order)
        return persons.indices.map { standing(of: $0, said.names, uncut: uncut) }
    }

    /// The standing of somebody. O(1).
    func standing(of person: Int, _ names: RosterNames, uncut: Roster?) -> Standing {
        if !persons[person].removals.isEmpty { return .removed }
        if names.persons[person].isGuest, let host = names.persons[person].parent {
            let hosts = standing(of: host, names, uncut: uncut)
            if hosts != .isIn { return hosts }
        }
        if persons[person].isSettled { return persons[person].farewells.isEmpty ? .isIn : .left }
        return uncut?.isSettled(person) ?? false ? .waits : .neverIn
    }
}
