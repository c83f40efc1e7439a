import DeltaCRDT
import Foundation
import Testing
import TripSimulation

@testable import ChangeLog

/// `Tests/Vectors/rosters.json`: who is in by Documentation/Protocol.md, section 5, as the model in Scripts/conformance/rules says.
private struct RosterVector: Decodable {
    struct Person: Decodable {
        let parent, invite: Int?
        let isGuest: Bool?
        let standing: String
    }

    struct Device: Decodable {
        let person: Int
        let isFirst: Bool
    }

    struct VectorChange: Decodable {
        let device: Int
        let past: UInt64
        let says: String?
        let of, uses, last: Int?
        let kept: [Int]?
    }

    let name: String?
    let people: [Person]
    let devices: [Device]
    let openers: [Int]
    let changes: [VectorChange]
    let counting: [Int]

    func graph() throws -> SmallGraph {
        var graph = SmallGraph()
        graph.names.persons = people.map {
            RosterNames.Person(parent: $0.parent, isGuest: $0.isGuest ?? false, invite: $0.invite)
        }
        graph.names.devices = devices.map { RosterNames.Device(person: $0.person, isFirst: $0.isFirst) }
        graph.names.openers = openers
        graph.changes = try changes.map {
            SmallGraph.SmallChange(device: $0.device, past: $0.past, kind: try kind(of: $0))
        }
        return graph
    }

    private func kind(of change: VectorChange) throws -> RosterStatement.Kind? {
        guard let says = change.says else { return nil }
        let of = try #require(change.of)
        switch says {
        case "found": return .found(device: of)
        case "open": return .open(invite: of, uses: try #require(change.uses))
        case "close": return .close(invite: of)
        case "admit": return .admit(device: of)
        case "remove": return .remove(person: of, kept: change.kept)
        default: return .end(device: of, last: change.last)
        }
    }
}

@Suite("Who is in, against a naive derivation and the model of another implementation")
struct RosterTests {
    private func counting(_ graph: SmallGraph) -> [Int] {
        let roster = Roster(graph.said, graph)
        return graph.changes.indices.filter { index in
            let change = graph.changes[index]
            let isAboutDevices =
                switch change.kind {
                case .end: true
                case .admit(let device): !graph.names.devices[device].isFirst
                default: false
                }
            return roster.counts(index, by: change.device, isAboutDevices: isAboutDevices, graph)
        }
    }

    private func states(_ graph: SmallGraph) -> [Roster.MembershipState] { Roster(graph.said, graph).states }

    /// Calls for each order of arrival in which each change follows its past.
    private func forEachOrder(_ graph: SmallGraph, _ order: [Int] = [], _ body: ([Int]) -> Void) {
        guard order.count < graph.changes.count else { return body(order) }
        for index in graph.changes.indices where !order.contains(index) {
            let past = graph.changes[index].past
            let isNext = graph.changes.indices.allSatisfy { past >> UInt64($0) & 1 == 0 || order.contains($0) }
            if isNext { forEachOrder(graph, order + [index], body) }
        }
    }

    private static func vectors() throws -> [RosterVector] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Vectors/rosters.json")
        return try JSONDecoder().decode([RosterVector].self, from: Data(contentsOf: file))
    }

    @Test("examples and crafted sets have the membership states, and the changes that count, of the model")
    func vectors() throws {
        let vectors = try Self.vectors()
        #expect(vectors.count > 500)
        for (number, vector) in vectors.enumerated() {
            let graph = try vector.graph()
            #expect(states(graph).map(\.rawValue) == vector.people.map(\.standing), "\(vector.name ?? "\(number)")")
            #expect(counting(graph) == vector.counting, "\(vector.name ?? "\(number)")")
            let naive = NaiveRoster(graph)
            #expect(
                naive.states.map(\.rawValue) == vector.people.map(\.standing),
                "naively, \(vector.name ?? "\(number)")")
            #expect(
                graph.changes.indices.filter(naive.counts) == vector.counting, "naively, \(vector.name ?? "\(number)")")
        }
    }

    @Test("every set of up to three crafted statements over four people has one answer, whichever arrived last")
    func everySet() throws {
        var search = SetSearch(upTo: 3)
        try search.run()
        #expect(search.counts.map(\.sets) == [13, 253, 7_932])
        print("sets of up to three statements: \(search.counts)")
    }

    @Test("an admission by an invite costs as much however often that was opened, and however many came by it")
    func manyOpenings() {
        let count = 300
        var names = RosterNames()
        let newcomers = (0..<count).map { _ in RosterNames.Person(parent: 0, invite: 0) }
        names.persons = [RosterNames.Person(parent: nil)] + newcomers
        names.devices = names.persons.indices.map { RosterNames.Device(person: $0, isFirst: true) }
        names.openers = [0]
        var kinds: [RosterStatement.Kind] = [.found(device: 0)]
        for _ in 0..<count { kinds.append(.open(invite: 0, uses: 1_000)) }
        for device in 1...count { kinds.append(.admit(device: device)) }
        let statements = kinds.indices.map { RosterStatement(index: $0, author: 0, kind: kinds[$0]) }
        let order = CountingOrder()
        let said = RosterIndex(statements, names, order)
        #expect(order.asked < 20 * statements.count, "\(order.asked) pasts were looked at")
        #expect(statements.suffix(count).allSatisfy { said.openings(openBefore: $0, order).count == count })
        #expect(Roster(said, order).states.allSatisfy { $0 == .isIn })
    }

    @Test("small sets have one answer in every order of arrival")
    func everyOrder() throws {
        var orders = 0
        for vector in try Self.vectors() {
            let graph = try vector.graph()
            guard graph.changes.count <= 7 else { continue }
            let (counting, states) = (Set(counting(graph)), states(graph))
            forEachOrder(graph) { order in
                orders += 1
                let again = graph.arriving(in: order)
                #expect(
                    Set(self.counting(again).map { order[$0] }) == counting && self.states(again) == states)
            }
        }
        #expect(orders > 900, "\(orders)")
    }
}

/// One chain of changes, and how often it was asked whether one has another in its past.
private final class CountingOrder: StatementOrder {
    private(set) var asked = 0

    func hasSeen(_ index: Int, by later: Int) -> Bool {
        asked += 1
        return index <= later
    }

    func branch(of index: Int) -> Int32 { 0 }

    func past(of index: Int) -> CausalCut {
        asked += 1
        return CausalCut(before: index)
    }
}
