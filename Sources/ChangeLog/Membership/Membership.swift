package import DeltaCRDT

/// Who is in, and up to where what they wrote counts: what follows from the facts for people and for branches.
package struct Membership: Sendable {
    /// Somebody who was admitted, with all devices.
    package struct Person: Sendable {
        package let id: Bytes32
        /// The name by which they introduced themselves when they came.
        package let name: String
        /// The opener of the invite that they are named after, or a guest's host; nil for the founder.
        package let parent: Bytes32?
        /// How many people are above them.
        package let depth: Int
        /// Whether they have no node of their own, and their parent's keeps their log.
        package let isGuest: Bool
        package let standing: Roster.Standing
        /// The removals of them that count, and a guest's host's, by place.
        package let removals: [Int]
        /// Their farewells that count; none has another in its past.
        package let farewells: [Int]
        /// Their devices that belong to them, but for those that were ended.
        package let devices: Set<ReplicaID>

        package var isIn: Bool { standing == .isIn }
        /// Whether they were in, or would be: removed, gone, or waiting.
        package var isOut: Bool { standing != .isIn && standing != .neverIn }
    }

    package private(set) var roster = Roster(RosterIndex(), ChangeGraph())
    /// The same as if nothing were cut, by which people wait; nil where everybody is settled.
    private var uncutRoster: Roster?
    /// By participant, everybody who was ever admitted.
    package private(set) var persons: [Bytes32: Person] = [:]
    /// How many of them are out.
    package private(set) var outsideCount = 0
    /// Every device that is in and has a node of its own, ascending by replica.
    package private(set) var devicesWithNode: [Device] = []
    /// Of each branch, the place of the last change that counts, or `noEnd`, or `none`.
    private var effectiveEnds: [Int32] = []
    /// Ends of devices and admissions of further ones that count although a farewell is in their past.
    private(set) var countingAfterFarewells: Set<Int> = []

    /// Whether anybody has left: what is written later may have that in its past.
    private var isAnybodyGone = false

    private static let noEnd = Int32.max
    private static let none: Int32 = -1

    init() {}

    /// Whether the change at a place counts. O(1).
    package func isEffective(_ place: Int, in graph: ChangeGraph) -> Bool {
        place <= Int(effectiveEnds[Int(graph.branchOfPlace[place])]) || countingAfterFarewells.contains(place)
    }

    /// The last change of a branch of those that count up to a point; nil where none does. O(log changes).
    func lastEffective(of branch: Int32, in graph: ChangeGraph) -> Int? {
        switch effectiveEnds[Int(branch)] {
        case Self.none: nil
        case Self.noEnd: graph.branches[Int(branch)].last
        case let end: graph.branches[Int(branch)].last(before: Int(end) + 1)
        }
    }

    // MARK: - Deriving

    /// Derives everything anew. O(statements · depth + branches · cuts · log changes).
    mutating func derive(_ facts: MembershipFacts, _ graph: ChangeGraph) {
        roster = Roster(facts.said, graph)
        uncutRoster = roster.uncut(facts.said, graph)
        persons = [:]
        for (index, id) in facts.persons.enumerated() {
            persons[id] = person(index, roster.standing(of: index, facts.said.names, uncut: uncutRoster), facts, graph)
        }
        outsideCount = persons.values.count { $0.isOut }
        isAnybodyGone = persons.values.contains { !$0.farewells.isEmpty }
        devicesWithNode = persons.values.flatMap { Self.nodes(of: $0, facts) }.sorted { $0.replica < $1.replica }
        effectiveEnds = graph.branches.indices.map { end(of: $0, facts, graph) }
        countingAfterFarewells = []
        for statement in (facts.said.ends + facts.said.furtherAdmissions).joined() {
            noteDevices(statement, facts, graph)
        }
    }

    /// Takes note of an end or an admission of a further device, which no farewell cuts.
    private mutating func noteDevices(_ statement: RosterStatement, _ facts: MembershipFacts, _ graph: ChangeGraph) {
        guard statement.place > Int(effectiveEnds[Int(graph.branchOfPlace[statement.place])]),
            roster.counts(statement.place, by: statement.author, isAboutDevices: true, facts.said.names, graph)
        else { return }
        countingAfterFarewells.insert(statement.place)
    }

    /// Takes in a person, or a device, of whom nothing was here before. O(openings, admissions and removals of the person).
    mutating func take(_ admission: RosterStatement, _ facts: MembershipFacts, _ graph: ChangeGraph) {
        roster.take(admission, facts.said, graph)
        uncutRoster?.take(admission, facts.said, graph)
        guard case .admit(let device) = admission.kind else { return }
        if !facts.said.names.devices[device].isFirst { noteDevices(admission, facts, graph) }
        let index = facts.said.names.devices[device].person
        let id = facts.persons[index]
        if let before = persons[id] {
            let person = person(index, before.standing, facts, graph)
            persons[id] = person
            noteNodes(of: person, facts)
            return
        }
        // The first who is not settled; those after it are taken step by step.
        if uncutRoster == nil, !roster.isSettled(index) { uncutRoster = roster.uncut(facts.said, graph) }
        let standing = roster.standing(of: index, facts.said.names, uncut: uncutRoster)
        let person = person(index, standing, facts, graph)
        persons[id] = person
        if person.isOut { outsideCount += 1 }
        noteNodes(of: person, facts)
    }

    private static func nodes(of person: Person, _ facts: MembershipFacts) -> [Device] {
        person.isIn && !person.isGuest ? person.devices.compactMap { facts.device($0) } : []
    }

    /// Adds the devices of somebody that are new. O(members' devices).
    private mutating func noteNodes(of person: Person, _ facts: MembershipFacts) {
        for device in Self.nodes(of: person, facts) {
            let index = devicesWithNode.partitioningIndex { $0.replica >= device.replica }
            if index < devicesWithNode.count, devicesWithNode[index].replica == device.replica { continue }
            devicesWithNode.insert(device, at: index)
        }
    }

    private func person(
        _ index: Int, _ standing: Roster.Standing, _ facts: MembershipFacts, _ graph: ChangeGraph
    ) -> Person {
        let named = facts.said.names.persons[index]
        let devices = facts.said.devices[index]
        let those = devices.filter { roster.belongs($0) && roster.ends(of: $0).isEmpty }
        return Person(
            id: facts.persons[index], name: name(of: devices, facts, graph),
            parent: named.parent.map { facts.persons[$0] }, depth: facts.said.names.depth(of: index),
            isGuest: named.isGuest, standing: standing,
            removals: roster.removals(of: index).map(\.place), farewells: roster.farewells(of: index),
            devices: Set(those.map { facts.devices[$0].replica }))
    }

    /// The name in the admission of a first device that counts and has the lowest stamp; where none counts, in any.
    private func name(of devices: [Int], _ facts: MembershipFacts, _ graph: ChangeGraph) -> String {
        let names = facts.said.names
        let known = devices.lazy.filter { names.devices[$0].isFirst }.flatMap { facts.admissions[$0] }
        let counting = known.filter { [roster] fact in
            facts.index(ofDevice: fact.author).map { roster.counts(fact.place, by: $0, names, graph) } ?? false
        }
        let first = counting.min { $0.stamp < $1.stamp } ?? known.min { $0.stamp < $1.stamp }
        return first?.name ?? ""
    }

    // MARK: - Branches

    /// Takes note of a content change, or of what is said that changes nobody's standing, at the end of the graph.
    mutating func note(_ place: Int, _ facts: MembershipFacts, _ graph: ChangeGraph) {
        let branch = Int(graph.branchOfPlace[place])
        if branch == effectiveEnds.count {
            effectiveEnds.append(end(of: branch, facts, graph))
        } else if isAnybodyGone, effectiveEnds[branch] == Self.noEnd {
            // What its author had seen may hold a farewell of theirs.
            effectiveEnds[branch] = end(of: branch, facts, graph)
        }
    }

    /// Up to where a branch counts. O(cuts of its author · log changes).
    private func end(of index: Int, _ facts: MembershipFacts, _ graph: ChangeGraph) -> Int32 {
        let branch = graph.branches[index]
        guard let device = facts.index(ofDevice: branch.replica), roster.belongs(device) else { return Self.none }
        let whose = facts.said.names.devices[device].person
        let person = facts.said.names.persons[whose]
        var end = Self.noEnd
        func cut(after place: Int?) { end = min(end, place.map { Int32($0) } ?? Self.none) }
        for removal in roster.removals(of: whose) {
            var last = [removal.place]
            if case .remove(_, let kept?) = removal.kind { last = kept }
            cut(after: last.compactMap { graph.last(of: Int32(index), upTo: $0) }.max())
        }
        for ended in roster.ends(of: device) {
            guard case .end(_, let last?) = ended.kind else { return Self.none }
            cut(after: graph.last(of: Int32(index), upTo: last))
        }
        var farewells = roster.farewells(of: whose)
        if person.isGuest, let host = person.parent { farewells += roster.farewells(of: host) }
        for farewell in farewells {
            var seen = branch.places.partitioningIndex { graph.isPast(farewell, of: Int($0)) }
            // A farewell doesn't cut itself.
            if seen < branch.places.count, Int(branch.places[seen]) == farewell { seen += 1 }
            if seen < branch.places.count { cut(after: seen > 0 ? Int(branch.places[seen - 1]) : nil) }
        }
        return end
    }

    /// What of the branches counts now and did not by an earlier derivation, or no longer, ascending.
    func turned(since before: Membership, _ graph: ChangeGraph) -> [Int] {
        var turned = countingAfterFarewells.symmetricDifference(before.countingAfterFarewells)
        for branch in before.effectiveEnds.indices where before.effectiveEnds[branch] != effectiveEnds[branch] {
            let (low, high) = (before.effectiveEnds[branch], effectiveEnds[branch])
            turned.formUnion(
                graph.branches[branch].places(after: Int(min(low, high)), upTo: Int(max(low, high))))
        }
        return turned.sorted()
    }

    /// Traps where what was taken step by step is not what follows from the whole. For tests.
    func checkInvariants(_ facts: MembershipFacts, _ graph: ChangeGraph) {
        precondition(effectiveEnds.count == graph.branches.count, "a branch has an end")
        var again = Membership()
        again.derive(facts, graph)
        for place in graph.changes.indices {
            precondition(
                again.isEffective(place, in: graph) == isEffective(place, in: graph), "what counts follows from all")
        }
        precondition(Set(again.persons.keys) == Set(persons.keys), "as does who was admitted")
        for (id, person) in again.persons {
            precondition(persons[id]?.standing == person.standing, "and who is in")
            precondition(persons[id]?.devices == person.devices, "by which devices")
            precondition(persons[id]?.name == person.name, "under which name")
        }
        precondition(again.outsideCount == outsideCount, "and how many are out")
    }
}
