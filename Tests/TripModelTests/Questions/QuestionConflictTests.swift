import Testing
import TripFixtures

@testable import TripModel

/// What people do at the same moment with a question, its options and its closing: the rows of the table in
/// Documentation/Content.md, by replicas that were apart.
@Suite struct QuestionConflictTests {
    private func trip(
        _ question: String = "one", options: [String] = ["Lisbon", "Porto"]
    ) throws -> (World, where: ItemID) {
        var world = World(participants: [0, 1, 2])
        for (device, name) in ["Ana", "Noah", "Mia"].enumerated() { try world.perform(.setName(name), on: device) }
        let item = try world.add(
            ItemDraft(title: "Where to?", fields: [.question: question], options: options), on: 0)
        try world.syncAll()
        return (world, item)
    }

    private func answer(_ options: String..., to item: ItemID) -> TripAction {
        .act(.answer(Answer(options.map { Answer.Choice($0) })), on: [item])
    }

    private func undo(_ world: inout World, on device: Int) throws {
        let node = world.nodes[device]
        let changes = node.order.map { world.change($0, in: node.order) }
        let undoing = try #require(node.replica.undoing(lastOf: node.participant, among: changes))
        try world.write(try undoing.content(), on: device)
    }

    /// The question as all devices show it.
    private func question(_ id: ItemID, _ world: World) throws -> QuestionView {
        let all = world.nodes.indices.map { world.view($0).item(id) }
        #expect(Set(all).count == 1 && Set(world.nodes.map(\.replica.encodedState)).count == 1)
        let item = try #require(all[0])
        return try #require(QuestionView(item, in: world.view(0).group))
    }

    private func scores(_ id: ItemID, _ world: World) throws -> [String: Int] {
        Dictionary(uniqueKeysWithValues: try question(id, world).standings.map { ($0.option, $0.score) })
    }

    @Test("each person's last answer counts, from any device, and nobody is asked twice")
    func lastAnswer() throws {
        var (world, item) = try trip()
        try world.perform(answer("Lisbon", to: item), on: 0)
        try world.perform(answer("Porto", to: item), on: 1)
        try world.syncAll()
        try world.perform(answer("Porto", to: item), on: 0)
        try world.syncAll()
        #expect(try scores(item, world) == ["Lisbon": 0, "Porto": 2])
        #expect(try question(item, world).waiting.map(\.displayName) == ["Mia"])
        #expect(try question(item, world).best.map(\.option) == ["Porto"])
        #expect(throws: TripError.self) { try world.perform(answer("Porto", to: item), on: 0) }
        try world.perform(.act(.answer(nil), on: [item]), on: 1)
        try world.syncAll()
        #expect(try scores(item, world) == ["Lisbon": 0, "Porto": 1])
    }

    @Test("two who add one option add it once, and what somebody chose stays, though it is taken away")
    func options() throws {
        var (world, item) = try trip()
        let add = TripAction.act(.changeOptions(added: ["Faro"], removed: []), on: [item])
        try world.perform(add, on: 1)
        try world.perform(add, on: 2)
        try world.perform(answer("Lisbon", to: item), on: 1)
        try world.perform(.act(.changeOptions(added: [], removed: ["Lisbon", "Porto"]), on: [item]), on: 0)
        try world.syncAll()
        #expect(try question(item, world).standings.map(\.option) == ["Lisbon", "Faro"])
        // Only with its last answer does it go.
        try world.perform(.act(.answer(nil), on: [item]), on: 1)
        try world.syncAll()
        #expect(try question(item, world).standings.map(\.option) == ["Faro"])
        // To add wins over to take away.
        try world.perform(.act(.changeOptions(added: [], removed: ["Faro"]), on: [item]), on: 0)
        try world.perform(.act(.changeOptions(added: ["Porto"], removed: []), on: [item]), on: 1)
        try world.write(
            TripContent.encode([.item(.there(item.operation), .options(added: [Text("Faro")], removed: []))]), on: 2)
        try world.syncAll()
        #expect(try question(item, world).standings.map(\.option) == ["Porto", "Faro"])
    }

    @Test("options that differ only by case are one, and those of others are shown as they are")
    func optionsByCase() throws {
        var (world, item) = try trip()
        try world.perform(.act(.changeOptions(added: ["Faro", "faro", "LISBON"], removed: []), on: [item]), on: 0)
        try world.syncAll()
        #expect(try question(item, world).standings.map(\.option) == ["Lisbon", "Porto", "Faro"])
        #expect(throws: TripError(.nothingChanged, "“Where to?” already has these options")) {
            try world.perform(.act(.changeOptions(added: ["lisbon", "Faro"], removed: []), on: [item]), on: 0)
        }
        // One may take the place of the other.
        try world.perform(.act(.changeOptions(added: ["FARO"], removed: ["Faro"]), on: [item]), on: 0)
        try world.syncAll()
        try world.write(
            TripContent.encode([.item(.there(item.operation), .options(added: [Text("faro")], removed: []))]), on: 2)
        try world.syncAll()
        #expect(try question(item, world).standings.map(\.option) == ["Lisbon", "Porto", "FARO", "faro"])
        try world.perform(.act(.changeOptions(added: [], removed: ["FARO", "faro"]), on: [item]), on: 1)
        try world.syncAll()
        #expect(try question(item, world).standings.map(\.option) == ["Lisbon", "Porto"])
    }

    @Test("an answer that knew of the closing is late: it does not count, and takes nothing away from the one before")
    func late() throws {
        var (world, item) = try trip()
        try world.perform(answer("Lisbon", to: item), on: 0)
        try world.perform(answer("Lisbon", to: item), on: 1)
        try world.syncAll()
        try world.perform(.mark([item], .done, true), on: 0)
        // At the same moment: it counts.
        try world.perform(answer("Porto", to: item), on: 2)
        try world.syncAll()
        try world.perform(answer("Porto", to: item), on: 1)
        try world.syncAll()
        #expect(try scores(item, world) == ["Lisbon": 2, "Porto": 1])
        let noah = try #require(world.view(0).item(item)?.answer(of: world.nodes[1].participant))
        #expect(noah.counted?["Lisbon"] == 1 && noah.late?["Porto"] == 1)
        // When it is open again, everybody's last answer counts; a new closing closes it for what comes after that one.
        try world.perform(.mark([item], .done, false), on: 2)
        try world.syncAll()
        #expect(try scores(item, world) == ["Lisbon": 1, "Porto": 2])
        try world.perform(.mark([item], .done, true), on: 1)
        try world.syncAll()
        #expect(try scores(item, world) == ["Lisbon": 1, "Porto": 2])
        try world.perform(answer("Porto", to: item), on: 0)
        try world.syncAll()
        #expect(try scores(item, world) == ["Lisbon": 1, "Porto": 2])
    }

    @Test("of two closings at one moment, an answer that knew of either is late; it stays closed beside a reopening")
    func closings() throws {
        var (world, item) = try trip()
        try world.perform(.mark([item], .done, true), on: 0)
        try world.perform(.mark([item], .done, true), on: 1)
        try world.perform(answer("Porto", to: item), on: 1)
        try world.perform(answer("Lisbon", to: item), on: 2)
        try world.syncAll()
        #expect(try scores(item, world) == ["Lisbon": 1, "Porto": 0])
        // One opens it, another closes it again: setting wins over clearing, as for any flag.
        try world.perform(.mark([item], .done, false), on: 0)
        try world.sync(from: 0, to: 1)
        try world.perform(.mark([item], .done, true), on: 1)
        try world.perform(answer("Porto", to: item), on: 0)
        try world.syncAll()
        #expect(try scores(item, world) == ["Lisbon": 1, "Porto": 2])
        #expect(world.view(0).item(item)?.isDone ?? false)
    }

    @Test("somebody who closes and answers a question over and over takes no room by it")
    func bounded() throws {
        var (world, item) = try trip()
        try world.perform(answer("Lisbon", to: item), on: 0)
        try world.syncAll()
        let close = FieldWrite(field: .done, value: .text(Text(Field.setValue)), siblings: [])
        let reference = OperationReference.there(item.operation)
        let operations = (0..<500).flatMap { number -> [TripModel.Operation] in
            let answer = Answer([Answer.Choice(number.isMultiple(of: 2) ? "Lisbon" : "Porto")])
            return [.item(reference, .edit([close])), .item(reference, .answer(answer))]
        }
        try world.write(TripContent.encode(operations), on: 1)
        try world.syncAll()
        #expect(world.nodes[0].replica.encodedState.count < 4_096)
        #expect(try scores(item, world) == ["Lisbon": 2, "Porto": 0])
        let last = world.view(0).item(item)?.answer(of: world.nodes[1].participant)
        #expect(last?.late?["Porto"] == 1)
    }

    @Test("the way to answer is written once, and only a question is answered")
    func writtenOnce() throws {
        var (world, item) = try trip("points 5")
        let tent = try world.add(ItemDraft(title: "Tent"), on: 1)
        #expect(throws: TripError.self) { try world.perform(.edit(item, [.question: "one"]), on: 0) }
        #expect(throws: TripError.self) { try world.perform(answer("Lisbon", to: tent), on: 1) }
        #expect(throws: TripError.self) {
            try world.perform(.act(.answer(Answer([.init("Lisbon", 3), .init("Porto", 3)])), on: [item]), on: 0)
        }
        // A changed client writes it all the same.
        let write = FieldWrite(field: .question, value: .text(Text("one")), siblings: [])
        let greedy = try #require(Answer([.init("Lisbon", 9)]))
        try world.write(
            TripContent.encode([
                .item(.there(item.operation), .edit([write])), .item(.there(tent.operation), .edit([write])),
                .item(.there(tent.operation), .answer(greedy)),
                .item(.there(tent.operation), .options(added: [Text("Lisbon")], removed: [])),
                .item(.there(item.operation), .answer(greedy)),
            ]), on: 1)
        try world.perform(.act(.answer(Answer([.init("Lisbon", 2), .init("Porto", 3)])), on: [item]), on: 2)
        try world.syncAll()
        #expect(try scores(item, world) == ["Lisbon": 2, "Porto": 3])
        let other = try #require(world.view(2).item(tent))
        #expect(other.question == nil && other.sayings.answers.isEmpty && other.sayings.options.isEmpty)
        #expect(throws: TripError.self) { try world.perform(.claim([item], 1), on: 0) }
        #expect(throws: TripError.self) { try world.perform(.mark([item], .chosen, true), on: 0) }
    }

    @Test("an answer beside the removal brings the question back, with all answers")
    func removed() throws {
        var (world, item) = try trip()
        try world.perform(answer("Lisbon", to: item), on: 0)
        try world.syncAll()
        try world.perform(.remove([item]), on: 0)
        try world.perform(answer("Porto", to: item), on: 1)
        try world.syncAll()
        #expect(try scores(item, world) == ["Lisbon": 1, "Porto": 1])
        #expect(world.view(2).questions.map(\.id) == [item] && world.view(2).plan.items.isEmpty)
    }

    @Test("a threshold is a share of those who are in")
    func threshold() throws {
        var (world, item) = try trip("several threshold 60")
        try world.perform(answer("Lisbon", "Porto", to: item), on: 0)
        try world.syncAll()
        #expect(try question(item, world).agreed?.isEmpty == true)
        try world.perform(answer("Porto", to: item), on: 1)
        try world.syncAll()
        #expect(try question(item, world).agreed?.map(\.option) == ["Porto"])
        #expect(try trip().0.view(0).items[0].question?.threshold == nil)
    }

    @Test("days are answered with yes and if need be, and more of the first go first")
    func dates() throws {
        var (world, item) = try trip("dates", options: ["2026-06-12 14:30", "2026-06-13", "12 July 2026"])
        let options = ["2026-06-12T14:30", "2026-06-13", "2026-07-12"]
        #expect(try question(item, world).standings.map(\.option) == options)
        for (device, numbers) in [[1, 2], [2, 1], [0, 2]].enumerated() {
            let choices = zip(options, numbers).filter { $1 > 0 }.map { Answer.Choice($0, $1) }
            try world.perform(.act(.answer(Answer(choices)), on: [item]), on: device)
        }
        try world.syncAll()
        let standings = try question(item, world).standings
        #expect(standings.map(\.option) == [options[1], options[0], options[2]])
        #expect(standings.map(\.score) == [1, 1, 0] && standings.map(\.ifNeedBe) == [2, 1, 0])
        #expect(standings.map(\.place) == [1, 2, 3])
        #expect(throws: TripError.self) {
            try world.perform(.act(.changeOptions(added: ["soon"], removed: []), on: [item]), on: 0)
        }
    }

    @Test("undo takes back an answer, options and a closing, and leaves those of others")
    func undo() throws {
        var (world, item) = try trip()
        try world.perform(answer("Lisbon", to: item), on: 1)
        try world.syncAll()
        let before = try #require(world.view(0).item(item))
        for action in [
            answer("Porto", to: item), .act(.changeOptions(added: ["Faro"], removed: ["Porto"]), on: [item]),
            .mark([item], .done, true),
        ] {
            try world.perform(action, on: 0)
            #expect(world.view(0).item(item)?.sayings != before.sayings || action == .mark([item], .done, true))
            try undo(&world, on: 0)
            let after = try #require(world.view(0).item(item))
            #expect(after.sayings == before.sayings && after.fields == before.fields, "\(action)")
        }
        try world.perform(answer("Porto", to: item), on: 1)
        try undo(&world, on: 1)
        #expect(world.view(1).item(item)?.lastAnswer(of: world.nodes[1].participant)?["Lisbon"] == 1)
    }
}
