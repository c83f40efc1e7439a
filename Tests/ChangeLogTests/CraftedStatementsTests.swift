import Convergence
import DeltaCRDT
import Testing
import TripSimulation

@testable import ChangeLog

/// Statements that a member crafts on forks, so that they have not seen each other. Their cost is counted in pasts.
@Suite("Statements on forks cost no more than others, and say the same as to a naive derivation")
struct CraftedStatementsTests {
    /// Expects that a derivation looks at a few pasts for each statement, and says what the rules say.
    private func expectLinear(_ craft: (inout Crafted, _ count: Int) -> Void) {
        var large = Crafted()
        craft(&large, 300)
        let before = large.order.looked
        _ = large.roster.cuts(large.order)
        let looked = large.order.looked - before
        #expect(looked < 60 * large.statements.count, "\(looked) for \(large.statements.count) statements")
        var small = Crafted()
        craft(&small, 12)
        small.expectAsTheRulesSay("12 of a kind")
    }

    @Test("farewells on forks, and what their author wrote on others")
    func farewells() {
        expectLinear { crafted, count in
            for _ in 0..<count {
                crafted.say(.remove(person: 1), by: 1, on: [2])
                let opening = crafted.say(.open(invite: 1, uses: 1), by: 1, on: [2])
                crafted.say(.open(invite: 1, uses: 1), by: 1, on: [opening, crafted.statements.count - 2])
            }
        }
    }

    @Test("removals of one person on forks, each of which had seen another act of that person")
    func removals() {
        expectLinear { crafted, count in
            for index in 0..<count {
                let opening = crafted.say(.open(invite: 1, uses: 1), by: 1, on: [2])
                crafted.say(.remove(person: 1, kept: index % 2 == 0 ? nil : [opening]), by: 0, on: [opening])
            }
        }
    }

    @Test("removals of one person, one of which had seen many forks of that person, and the others none")
    func removalsOfForks() {
        expectLinear { crafted, count in
            // Nobody sees this one, so no past is a prefix.
            crafted.say(.open(invite: 0, uses: 9), by: 0, on: [2])
            let openings = (0..<count / 4).map { _ in crafted.say(.open(invite: 1, uses: 1), by: 1, on: [2]) }
            crafted.say(.remove(person: 1), by: 0, on: openings)
            for _ in 0..<count { crafted.say(.remove(person: 1), by: 0, on: [2]) }
        }
    }

    @Test("admissions of one person by people above those who admitted that person before")
    func keepings() {
        expectLinear { crafted, count in
            let opening = crafted.say(.open(invite: 1, uses: 1), by: 1, on: [2])
            crafted.say(.remove(person: 1), by: 0, on: [2])
            crafted.say(.admit(device: 3), by: 0, on: [2])
            let own = crafted.say(.open(invite: 3, uses: 1), by: 3, on: [5])
            let child = crafted.say(.admit(device: 4), by: 3, on: [own])
            let first = crafted.say(.admit(device: 2), by: 4, on: [child, opening])
            for _ in 0..<count {
                crafted.say(.admit(device: 2), by: 4, on: [child, opening])
                crafted.say(.admit(device: 2), by: 3, on: [child, opening])
            }
            crafted.say(.admit(device: 2), by: 3, on: [first])
        }
    }

    @Test("removals that end an invite, openings of it, and admissions by it")
    func endings() {
        expectLinear { crafted, count in
            let removals = (0..<count).map { _ in crafted.say(.remove(person: 1), by: 0, on: [2]) }
            let first = crafted.say(.open(invite: 0, uses: 9), by: 0, on: removals)
            let openings = (0..<count).map { _ in crafted.say(.open(invite: 0, uses: 9), by: 0, on: [first]) }
            let last = crafted.say(.open(invite: 0, uses: 9), by: 0, on: openings)
            for _ in 0..<count { crafted.say(.admit(device: 3), by: 0, on: [last]) }
        }
    }

    @Test("further devices that admit each other in the reverse order")
    func furtherDevices() {
        expectLinear { crafted, count in
            let devices = (0..<count / 2).map { _ in crafted.addDevice(of: 1) }
            var admissions: [Int] = []
            for (device, author) in zip(devices, [1] + devices).reversed() {
                admissions.append(crafted.say(.admit(device: device), by: author, on: [2]))
            }
            crafted.say(.remove(person: 1), by: 0, on: admissions)
        }
    }

    @Test("whatever is crafted, what follows from it is what the rules say")
    func random() {
        for seed in UInt64(1)...150 {
            var crafted = Crafted()
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<24 { crafted.sayAnything(using: &generator) }
            crafted.expectAsTheRulesSay("seed \(seed)")
        }
    }

    @Test("how many of some changes a past holds, and what all of some pasts hold, is what a naive count says")
    func indices() {
        for seed in UInt64(1)...60 {
            var generator = SeededGenerator(seed: seed)
            func number(_ bound: Int) -> Int { Int(generator.below(UInt64(bound))) }
            let order = ForkedOrder()
            var some = ChangeIndexSet()
            for index in 0..<60 {
                let heads = index == 0 ? [] : (0..<number(3)).map { _ in number(index) }
                order.add(to: Int32(number(12)), on: heads)
                if number(3) == 0 { some.append(index, order) }
            }
            for index in 0..<60 {
                let held = some.indices.count { order.hasSeen($0, by: index) }
                #expect(some.count(upTo: index, order) == held)
                #expect(some.count(before: index, order) == held - (some.indices.contains(index) ? 1 : 0))
                #expect(some.count(in: order.closure(of: [index])) == held)
            }
            for _ in 0..<20 {
                let lists = (0...number(4)).map { _ in (0..<number(3)).map { _ in number(60) } }
                let common = CausalCut.intersection(of: lists.map { order.closure(of: $0) })
                for index in 0..<60 {
                    let isHeld = lists.allSatisfy { list in list.contains { order.hasSeen(index, by: $0) } }
                    #expect(common?.contains(index, branch: order.branch(of: index)) == isHeld)
                }
            }
        }
    }
}

/// Statements of six people, each on a branch of its own.
private struct Crafted {
    var names = RosterNames()
    private(set) var statements: [RosterStatement] = []
    let order = ForkedOrder()

    /// The founder opens an invite and admits somebody by it.
    init() {
        names.persons = [nil, 0, 1, 0, 3, 4].map { RosterNames.Person(parent: $0, invite: $0) }
        names.devices = names.persons.indices.map { RosterNames.Device(person: $0, isFirst: true) }
        names.openers = Array(names.persons.indices)
        say(.found(device: 0), by: 0, on: [])
        say(.open(invite: 0, uses: 9), by: 0, on: [0])
        say(.admit(device: 1), by: 0, on: [1])
    }

    @discardableResult
    mutating func say(_ kind: RosterStatement.Kind, by author: Int, on heads: [Int]) -> Int {
        let index = order.add(to: Int32(statements.count), on: heads)
        statements.append(RosterStatement(index: index, author: author, kind: kind))
        return index
    }

    mutating func addDevice(of person: Int) -> Int {
        names.devices.append(RosterNames.Device(person: person, isFirst: false))
        return names.devices.count - 1
    }

    /// Something that a node takes, on some of what was said.
    mutating func sayAnything(using generator: inout SeededGenerator) {
        func number(_ bound: Int) -> Int { Int(generator.below(UInt64(bound))) }
        let heads = (0...number(3)).map { _ in max(2, number(statements.count)) }
        let seen = statements.indices.filter { index in heads.contains { order.hasSeen(index, by: $0) } }
        var (known, opened) = ([0], Set<Int>())
        for index in seen {
            switch statements[index].kind {
            case .admit(let device) where !known.contains(device): known.append(device)
            case .open(let invite, _): opened.insert(invite)
            default: break
            }
        }
        let (author, subject) = (known[number(known.count)], known[number(known.count)])
        let comers = names.persons.indices.filter { names.persons[$0].parent.map(opened.contains) ?? false }
        switch number(8) {
        case 0, 1: say(.open(invite: author, uses: author == 0 ? 9 : 1 + author % 2), by: author, on: heads)
        case 2 where opened.contains(subject): say(.close(invite: subject), by: author, on: heads)
        case 3, 4:
            let kept = number(2) == 0 ? nil : (0..<number(3)).map { _ in seen[number(seen.count)] }
            say(.remove(person: subject, kept: kept), by: author, on: heads)
        default: say(.admit(device: comers[number(comers.count)]), by: author, on: heads)
        }
    }

    var roster: Roster { Roster(RosterIndex(statements, names, order), order) }

    func expectAsTheRulesSay(_ context: String) {
        var graph = SmallGraph(names: names)
        graph.changes = statements.map { statement in
            let past = statements.indices.filter { $0 != statement.index && order.hasSeen($0, by: statement.index) }
            return SmallGraph.SmallChange(
                device: statement.author, past: past.reduce(0) { $0 | 1 << UInt64($1) }, kind: statement.kind)
        }
        let (roster, naive) = (self.roster, NaiveRoster(graph))
        #expect(roster.states == naive.states, "\(context)")
        let counting = statements.filter { statement in
            let isAboutDevices =
                if case .admit(let device) = statement.kind { !names.devices[device].isFirst } else { false }
            return roster.counts(statement.index, by: statement.author, isAboutDevices: isAboutDevices, order)
        }
        #expect(counting.map(\.index) == graph.changes.indices.filter(naive.counts), "\(context)")
        let known = RosterIndex(statements, names, order)
        let cuts = roster.cuts(order).indices
        let removals = names.persons.indices.map { roster.removals(of: $0).map(\.index) }
        let naiveCuts = removals.flatMap { indices in
            indices.filter { index in !indices.contains { $0 != index && order.hasSeen($0, by: index) } }
        }
        let farewells = names.persons.indices.flatMap { roster.farewells(of: $0) }
        #expect(cuts == Set(naiveCuts + farewells).sorted(), "\(context)")
        for statement in statements {
            guard case .admit(let device) = statement.kind, names.devices[device].isFirst,
                let invite = names.persons[device].invite
            else { continue }
            func isSeen(_ index: Int) -> Bool { index != statement.index && order.hasSeen(index, by: statement.index) }
            let open = known.invites[invite].openings.filter {
                isSeen($0.index) && naive.isOpen($0.index, for: device, isSeen: isSeen)
            }
            #expect(known.openings(openBefore: statement, order).map(\.index) == open.map(\.index), "\(context)")
        }
    }
}

/// Changes on branches, and how much of their pasts was looked at.
private final class ForkedOrder: StatementOrder {
    private var branches: [Int32] = []
    private var pasts: [CausalCut] = []
    private(set) var looked = 0

    /// Adds a change after the last one of its branch.
    @discardableResult
    func add(to branch: Int32, on heads: [Int]) -> Int {
        let previous = branches.lastIndex(of: branch).map { [$0] } ?? []
        var past = closure(of: heads + previous)
        past.advancePrefix(before: branches.count) { [branches] in branches[$0] }
        past.removeReach(ofBranch: branch)
        branches.append(branch)
        pasts.append(past)
        return branches.count - 1
    }

    func branch(of index: Int) -> Int32 { branches[index] }

    func past(of index: Int) -> CausalCut {
        looked += 1 + pasts[index].beyond.count
        return pasts[index]
    }

    func hasSeen(_ index: Int, by later: Int) -> Bool {
        looked += 1
        let branch = branches[index]
        return branch == branches[later] ? index <= later : pasts[later].contains(index, branch: branch)
    }
}
