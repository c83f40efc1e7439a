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
        package let state: Roster.MembershipState
        /// The removals of them that count, by index; those of a guest's host are not among them.
        package let removals: [Int]
        /// Their farewells that count; none has another in its past.
        package let farewells: [Int]
        /// Their devices that belong to them, but for those that were ended.
        package let devices: Set<ReplicaID>

        package var isIn: Bool { state == .isIn }
        /// Whether they were in, or would be: removed, gone, or waiting.
        package var isOut: Bool { state != .isIn && state != .neverIn }
    }

    package private(set) var roster = Roster(RosterIndex(), ChangeGraph())
    /// By participant, everybody who was ever admitted.
    package private(set) var persons: [Bytes32: Person] = [:]
    /// Whether any of them is out.
    private(set) var isAnybodyOut = false
    /// Every device that is in and has a node of its own, ascending by replica.
    private(set) var devicesWithNode: [Device] = []
    /// Of each branch, the index up to which it counts: `Int.max` where all of it does, -1 where none of it does.
    private var ends: [Int] = []
    /// Ends of devices and admissions of further ones that count although a farewell is in their past.
    private(set) var countingAfterFarewells: Set<Int> = []

    init() {}

    /// Whether the change at an index counts. O(1).
    func isEffective(_ index: Int, in graph: ChangeGraph) -> Bool {
        index <= ends[Int(graph.branchOfChange[index])] || countingAfterFarewells.contains(index)
    }

    /// The last change of a branch of those that count up to a point; nil where none does. O(log changes).
    func lastEffective(of branch: Int32, in graph: ChangeGraph) -> Int? {
        let end = ends[Int(branch)]
        return end < 0 ? nil : graph.branches[Int(branch)].last(before: end == .max ? end : end + 1)
    }

    /// Derives everything. O(what `Roster` says + branches · log changes · the cost of `Roster.counts`).
    mutating func derive(_ facts: MembershipFacts, _ graph: ChangeGraph) {
        roster = Roster(facts.said, graph)
        ends = graph.branches.indices.map { end(of: $0, facts, graph) }
        countingAfterFarewells = []
        for person in facts.said.persons {
            for statement in [person.ends, person.furtherAdmissions].joined()
            where !isEffective(statement.index, in: graph)
                && roster.counts(statement.index, by: statement.author, isAboutDevices: true, graph)
            {
                countingAfterFarewells.insert(statement.index)
            }
        }
        persons = Dictionary(minimumCapacity: facts.persons.count)
        for (index, id) in facts.persons.enumerated() { persons[id] = person(index, facts, graph) }
        isAnybodyOut = persons.values.contains { $0.isOut }
        devicesWithNode = facts.devices.indices.filter { device in
            let person = facts.said.names.devices[device].person
            return roster.states[person] == .isIn && !facts.said.names.persons[person].isGuest
                && roster.belongs(device) && roster.ends(of: device).isEmpty
        }.map { facts.devices[$0] }.sorted { $0.replica < $1.replica }
    }

    private func person(_ index: Int, _ facts: MembershipFacts, _ graph: ChangeGraph) -> Person {
        let names = facts.said.names
        // The name is that of an admission of a first device: one that counts, if there is one, and of the lowest stamp.
        var named: Int?
        var devices: Set<ReplicaID> = []
        for device in facts.said.persons[index].devices {
            if roster.belongs(device), roster.ends(of: device).isEmpty { devices.insert(facts.devices[device].replica) }
            guard names.devices[device].isFirst else { continue }
            for introduction in facts.said.introductions[device] {
                guard let best = named else {
                    named = introduction
                    continue
                }
                let (counts, did) = (isEffective(introduction, in: graph), isEffective(best, in: graph))
                if counts == did ? graph[introduction].stamp < graph[best].stamp : counts { named = introduction }
            }
        }
        return Person(
            id: facts.persons[index], name: named.flatMap { graph[$0].change.statement?.name } ?? "",
            parent: names.persons[index].parent.map { facts.persons[$0] }, depth: names.depth(of: index),
            isGuest: names.persons[index].isGuest, state: roster.states[index],
            removals: roster.removals(of: index).map(\.index), farewells: roster.farewells(of: index), devices: devices)
    }

    /// Takes in changes that say nothing of who is in. What was here counts as before. O(changes · cost of `Roster.counts`).
    mutating func take(_ indices: Range<Int>, _ facts: MembershipFacts, _ graph: ChangeGraph) {
        for index in indices {
            let branch = Int(graph.branchOfChange[index])
            precondition(branch <= ends.count, "index \(index) is in branch \(branch), and \(ends.count) are known")
            if branch == ends.count { ends.append(.max) }
            guard ends[branch] == .max else { continue }
            let device = facts.index(ofDevice: graph.branches[branch].replica)
            let counts = device.map { roster.counts(index, by: $0, graph) } ?? false
            if !counts { ends[branch] = graph.branches[branch].last(before: index) ?? -1 }
        }
    }

    /// Whether below an index everything counts that counted earlier, and nothing else. O(branches · log changes).
    func counts(as before: Membership, below end: Int, in graph: ChangeGraph) -> Bool {
        zip(graph.branches, zip(ends, before.ends)).allSatisfy { branch, ends in
            // What is new may show for the first time that not all of a branch counts.
            ends.0 == ends.1 || branch.last(before: end).map { min($0, ends.0) == min($0, ends.1) } ?? true
        } && countingAfterFarewells == before.countingAfterFarewells
    }

    /// Up to where a branch counts: a change that is cut cuts all that follow it there.
    private func end(of index: Int, _ facts: MembershipFacts, _ graph: ChangeGraph) -> Int {
        let branch = graph.branches[index]
        guard let device = facts.index(ofDevice: branch.replica) else { return -1 }
        if roster.counts(branch.last, by: device, graph) { return .max }
        let count = branch.indices.partitioningIndex { !roster.counts(Int($0), by: device, graph) }
        return count > 0 ? Int(branch.indices[count - 1]) : -1
    }
}

extension Membership {
    /// Traps where what was taken step by step is not what follows from the whole. O(what deriving costs, and changes).
    func checkInvariants(_ facts: MembershipFacts, _ graph: ChangeGraph) {
        precondition(
            ends.count == graph.branches.count, "membership knows \(ends.count) of \(graph.branches.count) branches")
        var whole = Membership()
        whole.derive(facts, graph)
        for index in graph.changes.indices {
            precondition(
                whole.isEffective(index, in: graph) == isEffective(index, in: graph),
                "what counts at index \(index) does not follow from the whole")
        }
        precondition(
            whole.persons.mapValues(\.state) == persons.mapValues(\.state)
                && whole.devicesWithNode == devicesWithNode && whole.isAnybodyOut == isAnybodyOut,
            """
            who is in does not follow from the whole: of \(whole.persons.count) persons \(persons.count) are known, and of \
            \(whole.devicesWithNode.count) devices with a node \(devicesWithNode.count)
            """)
        precondition(
            zip(devicesWithNode, devicesWithNode.dropFirst()).allSatisfy { $0.replica < $1.replica },
            "\(devicesWithNode.count) devices with a node are out of order")
    }
}
