package import DeltaCRDT

/// Who is in, and up to where what they wrote is effective: what follows from the facts for people.
package struct Standing: Sendable {
    /// Somebody who was let in, with all devices.
    package struct Person: Sendable {
        package let id: Bytes16
        /// The name by which they introduced themselves when they came.
        package let name: String
        /// Who brought them: whoever invited them, or else let them in; nil for the founder.
        package let parent: Bytes16?
        /// How many steps above them the founder is.
        package let depth: Int
        /// Whether they have no node of their own, and their parent's keeps their log.
        package let isGuest: Bool
        /// The admission that settled them, among the facts.
        let admission: Int
        /// The changes that took them out, by place: those of people above them.
        package fileprivate(set) var removals: [Int]
        /// Those by which they left.
        package fileprivate(set) var farewells: [Int] = []
        /// Their devices that are admitted.
        package fileprivate(set) var devices: Set<ReplicaID> = []
        /// Whom they brought.
        fileprivate(set) var children: [Bytes16] = []

        package var isIn: Bool { removals.isEmpty && farewells.isEmpty }
    }

    package private(set) var persons: [Bytes16: Person] = [:]
    /// How many of them are out.
    package private(set) var outsideCount = 0
    /// Of each branch, the place of the last change that is effective, or `noEnd`, or `none`.
    private var effectiveEnds: [Int32] = []

    /// Branches beyond the bound of one log, which are as if they were not here until something retained stands on them.
    private(set) var waiting: Set<Int32> = []
    /// How many branches of one log need nobody who stands on them. This node's own bound.
    private let branchesMax: Int

    private static let noEnd = Int32.max
    private static let none: Int32 = -1

    /// Where the branches ended that were looked at since the last change was noted.
    private var endsBefore: [Int32: Int?] = [:]
    /// Whether somebody's removals were looked at since then.
    private var hasWeighedRemovals = false

    init(branchesMax: Int) { self.branchesMax = branchesMax }

    /// Whether the change at a place is effective. O(1).
    package func isEffective(_ place: Int, in graph: ChangeGraph) -> Bool {
        place <= Int(effectiveEnds[Int(graph.branchOfPlace[place])])
    }

    /// The last effective change of a branch; nil where none is. O(log changes).
    func lastEffective(of branch: Int32, in graph: ChangeGraph) -> Int? {
        switch effectiveEnds[Int(branch)] {
        case Self.none: nil
        case Self.noEnd: graph.branches[Int(branch)].last
        case let end: graph.branches[Int(branch)].last(before: Int(end) + 1)
        }
    }

    /// Every removal and farewell of those who are out, by place, ascending, each once. O(persons).
    package var cuttingRemovals: [Int] {
        Set(persons.values.lazy.filter { !$0.isIn }.flatMap { $0.removals + $0.farewells }).sorted()
    }
}

// MARK: - What is effective: Documentation/Protocol.md, section 5

extension Standing {
    /// Settles persons, each after whoever is above them: of the admissions that settle somebody, that of the lowest stamp first.
    private mutating func settle(from candidates: [Int], _ facts: MembershipFacts, _ graph: ChangeGraph) {
        var waiting = LowestFirst(candidates) { facts.admissions[$0].stamp < facts.admissions[$1].stamp }
        while let index = waiting.popLowest() {
            let fact = facts.admissions[index]
            guard settles(fact, facts, graph) else { continue }
            if let person = persons[fact.device.participant] {
                // Whoever let them in with this was not settled before.
                guard fact.stamp < facts.admissions[person.admission].stamp else { continue }
                for index in unsettle(person.id, facts, graph) { waiting.insert(index) }
            }
            let person = person(settledBy: index, facts, graph)
            persons[person.id] = person
            if !person.isIn {
                outsideCount += 1
                hasWeighedRemovals = true
            }
            if let parent = person.parent { persons[parent]?.children.append(person.id) }
            for replica in facts.devicesOf[person.id] ?? [] { setEnds(of: replica, person, graph) }
            for replica in person.devices.sorted() {
                for index in facts.admissionsByAuthor[replica] ?? [] { waiting.insert(index) }
                // Who was let in by an invite of theirs, and had another parent as long as they were nobody.
                for index in facts.admissionsByInviter[replica] ?? [] {
                    let guest = facts.admissions[index]
                    guard fact.stamp < guest.stamp, let known = persons[guest.device.participant],
                        known.admission == index, known.parent != person.id
                    else { continue }
                    for index in unsettle(known.id, facts, graph) { waiting.insert(index) }
                }
            }
        }
    }

    /// Whether an admission may settle its device's person: it founds the trip, or it is effective and of a higher stamp than what
    /// settled its author.
    private func settles(_ fact: MembershipFacts.AdmissionFact, _ facts: MembershipFacts, _ graph: ChangeGraph) -> Bool
    {
        if fact.isFounding { return true }
        guard let author = facts.participant(of: fact.author).flatMap({ persons[$0] }) else { return false }
        return facts.admissions[author.admission].stamp < fact.stamp && isEffective(fact.place, in: graph)
    }

    /// Somebody, whose parent is settled: their removals, their farewells, their devices.
    private func person(settledBy index: Int, _ facts: MembershipFacts, _ graph: ChangeGraph) -> Person {
        let fact = facts.admissions[index]
        let parent = parent(of: fact, facts, graph)
        let id = fact.device.participant
        var person = Person(
            id: id, name: fact.name, parent: parent?.id, depth: parent.map { $0.depth + 1 } ?? 0, isGuest: fact.isGuest,
            admission: index, removals: removals(of: id, below: parent, facts, graph))
        if fact.isGuest, let parent {
            person.removals = (person.removals + parent.removals + parent.farewells).sorted()
        }
        for index in facts.removalsOf[id] ?? [] {
            let farewell = facts.removals[index]
            if facts.participant(of: farewell.author) == id, lies(farewell.place, within: person.removals, graph) {
                person.farewells.append(farewell.place)
            }
        }
        admitDevices(of: &person, facts, graph)
        return person
    }

    /// Whoever opened the invite, where an effective opening was open; else whoever let them in.
    private func parent(
        of fact: MembershipFacts.AdmissionFact, _ facts: MembershipFacts, _ graph: ChangeGraph
    ) -> Person? {
        if fact.isFounding { return nil }
        let opening = fact.openings.first { isEffective($0.place, in: graph) }
        return facts.participant(of: opening?.author ?? fact.author).flatMap { persons[$0] }
    }

    /// The removals of somebody by people above them that lie within those people's own.
    private func removals(
        of id: Bytes16, below parent: Person?, _ facts: MembershipFacts, _ graph: ChangeGraph
    ) -> [Int] {
        guard let indices = facts.removalsOf[id] else { return [] }
        var above: [Bytes16: Person] = [:]
        var next = parent
        while let person = next {
            above[person.id] = person
            next = person.parent.flatMap { persons[$0] }
        }
        return indices.compactMap { index in
            let removal = facts.removals[index]
            guard let author = facts.participant(of: removal.author), let elder = above[author],
                elder.devices.contains(removal.author), lies(removal.place, within: elder.removals, graph)
            else { return nil }
            return removal.place
        }
    }

    /// Admits the device that settled somebody, any that founded the trip, and what these let in, until there is no more.
    private func admitDevices(of person: inout Person, _ facts: MembershipFacts, _ graph: ChangeGraph) {
        for fact in (facts.admissionsOfFirstDevice[person.id] ?? []).lazy.map({ facts.admissions[$0] })
        where fact.isFounding {
            person.devices.insert(fact.device.replica)
        }
        person.devices.insert(facts.admissions[person.admission].device.replica)
        let further = (facts.admissionsOfFurtherDevices[person.id] ?? []).map { facts.admissions[$0] }
            .filter { lies($0.place, within: person.removals + person.farewells, graph) }
        var before = 0
        while person.devices.count > before {
            before = person.devices.count
            for fact in further where person.devices.contains(fact.author) {
                person.devices.insert(fact.device.replica)
            }
        }
    }

    /// Whether a change is on a branch that is as if it were not here.
    private func waits(_ place: Int, _ graph: ChangeGraph) -> Bool { waiting.contains(graph.branchOfPlace[place]) }

    /// Whether a change, on a branch that does not wait, is, or is in the past of, each of some removals.
    private func lies(_ place: Int, within removals: [Int], _ graph: ChangeGraph) -> Bool {
        !waits(place, graph) && removals.allSatisfy { graph.isPast(place, of: $0) }
    }

    /// Up to where the branches of a log are effective, whose person is settled.
    private mutating func setEnds(of replica: ReplicaID, _ person: Person, _ graph: ChangeGraph) {
        for branch in graph.branchesOfReplica[replica] ?? [] {
            setEnd(of: branch, to: person.devices.contains(replica) ? end(of: branch, person, graph) : Self.none, graph)
        }
    }

    private func end(of branch: Int32, _ person: Person, _ graph: ChangeGraph) -> Int32 {
        if waiting.contains(branch) { return Self.none }
        var end = Self.noEnd
        for removal in person.removals + person.farewells {
            end = min(end, graph.last(of: branch, upTo: removal).map { Int32($0) } ?? Self.none)
        }
        return end
    }

    private mutating func setEnd(of branch: Int32, to end: Int32, _ graph: ChangeGraph) {
        if endsBefore[branch] == nil { endsBefore[branch] = .some(lastEffective(of: branch, in: graph)) }
        effectiveEnds[Int(branch)] = end
    }
}

// MARK: - What comes

extension Standing {
    /// What followed from one more change.
    struct Consequence {
        /// Whether branches or removals that were here were looked at again.
        let isDerivedAnew: Bool
        /// The places of what was here and is effective that was not, or is no longer.
        let turned: [Int]
    }

    /// Takes note of a change that was added to the graph, and what it says to the facts.
    mutating func note(
        _ place: Int, _ recorded: MembershipFacts.Recorded, _ facts: MembershipFacts, _ graph: ChangeGraph
    ) -> Consequence {
        (endsBefore, hasWeighedRemovals) = ([:], false)
        derive(from: place, recorded, facts, graph)
        return Consequence(
            isDerivedAnew: hasWeighedRemovals || !endsBefore.isEmpty,
            turned: endsBefore.flatMap { turned(of: $0.key, since: $0.value, graph) })
    }

    /// What of a branch is effective that was not, or is no longer, by where it ended before. O(those, log changes).
    private func turned(of branch: Int32, since before: Int?, _ graph: ChangeGraph) -> [Int] {
        let (before, now) = (before ?? -1, lastEffective(of: branch, in: graph) ?? -1)
        return graph.branches[Int(branch)].places(after: min(before, now), upTo: max(before, now))
    }

    private mutating func derive(
        from place: Int, _ recorded: MembershipFacts.Recorded, _ facts: MembershipFacts, _ graph: ChangeGraph
    ) {
        let branch = graph.branchOfPlace[place]
        if Int(branch) == effectiveEnds.count {
            let replica = graph.branches[Int(branch)].replica
            let person = facts.participant(of: replica).flatMap { persons[$0] }
            let isAdmitted = person?.devices.contains(replica) ?? false
            let others = graph.branchesOfReplica[replica] ?? []
            if others.count > branchesMax, others.count(where: { !waiting.contains($0) }) > branchesMax {
                waiting.insert(branch)
            }
            effectiveEnds.append(isAdmitted ? person.map { end(of: branch, $0, graph) } ?? Self.none : Self.none)
        }
        // What it says is looked at when the branch is taken in.
        if waiting.contains(branch) { return }
        switch recorded {
        case .other: break
        case .removal(let index):
            let removal = facts.removals[index]
            guard let person = persons[removal.participant], cuts(removal, person, facts, graph) else { return }
            settle(from: unsettle(person.id, facts, graph), facts, graph)
        case .admission(let index):
            let fact = facts.admissions[index]
            let person = persons[fact.device.participant]
            if let person, fact.isFounding || facts.participant(of: fact.author) == person.id {
                let isLowest = fact.stamp < facts.admissions[person.admission].stamp
                guard !person.devices.contains(fact.device.replica) || fact.isFounding && isLowest else { return }
                settle(from: unsettle(person.id, facts, graph), facts, graph)
            } else {
                settle(from: [index], facts, graph)
            }
        }
    }

    /// Takes in the branches that waited and on which something retained stands by now, and derives their persons anew: they may
    /// have let others in there.
    /// - Returns: what is effective now, or no longer; nil where there were none.
    mutating func takeIn(_ retained: CausalCut, _ facts: MembershipFacts, _ graph: ChangeGraph) -> EffectShift? {
        let ready = waiting.filter { graph.last(of: $0, in: retained) != nil }.sorted()
        guard !ready.isEmpty else { return nil }
        endsBefore = [:]
        waiting.subtract(ready)
        for branch in ready {
            let participant = facts.participant(of: graph.branches[Int(branch)].replica)
            if let participant { settle(from: unsettle(participant, facts, graph), facts, graph) }
        }
        var shift = EffectShift()
        for (branch, before) in endsBefore {
            let places = turned(of: branch, since: before, graph)
            if ready.contains(branch) { shift.take(in: places) } else { shift.turn(places) }
        }
        return shift
    }

    /// Whether a removal of somebody who is settled is one of theirs.
    private func cuts(
        _ removal: MembershipFacts.RemovalFact, _ person: Person, _ facts: MembershipFacts, _ graph: ChangeGraph
    ) -> Bool {
        if facts.participant(of: removal.author) == person.id {
            return lies(removal.place, within: person.removals, graph)
        }
        let parent = person.parent.flatMap { persons[$0] }
        return removals(of: person.id, below: parent, facts, graph).contains(removal.place)
    }

    /// Takes back what was found of somebody and of all who follow from them: whom they brought, or let in.
    /// - Returns: the admissions by which these may be settled again.
    private mutating func unsettle(_ id: Bytes16, _ facts: MembershipFacts, _ graph: ChangeGraph) -> [Int] {
        var candidates: [Int] = []
        var next = [id]
        while let id = next.popLast() {
            guard let person = persons.removeValue(forKey: id) else { continue }
            hasWeighedRemovals = true
            if !person.isIn { outsideCount -= 1 }
            if let parent = person.parent { persons[parent]?.children.removeAll { $0 == id } }
            candidates += facts.admissionsOfFirstDevice[id] ?? []
            next += person.children
            for replica in facts.devicesOf[id] ?? [] {
                for index in (facts.admissionsByAuthor[replica] ?? []) + (facts.admissionsByInviter[replica] ?? []) {
                    let participant = facts.admissions[index].device.participant
                    if persons[participant]?.admission == index { next.append(participant) }
                }
                for branch in graph.branchesOfReplica[replica] ?? [] { setEnd(of: branch, to: Self.none, graph) }
            }
        }
        return candidates
    }
}

/// Indices, of which the lowest is taken first.
private struct LowestFirst {
    private var descending: [Int] = []
    private let precedes: (Int, Int) -> Bool

    init(_ indices: [Int], by precedes: @escaping (Int, Int) -> Bool) {
        self.precedes = precedes
        descending = indices.sorted { precedes($1, $0) }
    }

    mutating func insert(_ index: Int) {
        descending.insert(index, at: descending.partitioningIndex { precedes($0, index) })
    }

    mutating func popLowest() -> Int? { descending.popLast() }
}

extension Standing {
    /// Traps where who is in does not follow from the facts alone. For tests. O(facts²).
    func checkInvariants(_ facts: MembershipFacts, _ graph: ChangeGraph) {
        precondition(effectiveEnds.count == graph.branches.count, "a branch has an end")
        precondition(outsideCount == persons.values.count { !$0.isIn }, "who is out is counted")
        for person in persons.values {
            if let parent = person.parent.map({ persons[$0] }) {
                precondition(parent?.children.contains(person.id) ?? false, "whoever brought somebody knows them")
                precondition(person.depth == (parent?.depth ?? 0) + 1, "and stands a step above")
            }
            precondition(person.children.allSatisfy { persons[$0]?.parent == person.id }, "and nobody else")
            let cuts = person.removals + person.farewells
            precondition(!cuts.contains { waits($0, graph) }, "nobody is taken out by what waits")
        }
        var again = Standing(branchesMax: branchesMax)
        again.waiting = waiting
        again.effectiveEnds = Array(repeating: Self.none, count: effectiveEnds.count)
        again.settle(from: facts.admissions.indices.filter { facts.admissions[$0].isFounding }, facts, graph)
        precondition(again.effectiveEnds == effectiveEnds, "what is effective follows from all facts at once")
        precondition(Set(again.persons.keys) == Set(persons.keys), "as does who was let in")
        precondition(again.persons.values.allSatisfy { $0.isIn == persons[$0.id]?.isIn }, "and who is in")
    }
}
