import Testing
import TripFixtures

@testable import TripModel

/// Hidden questions: nobody reads an answer before the closing, and nobody answers in time who could read one.
@Suite struct HiddenQuestionTests {
    private func trip(_ question: String = "one hidden") throws -> (World, who: ItemID) {
        var world = World(participants: [0, 1, 2])
        for (device, name) in ["Ana", "Noah", "Mia"].enumerated() { try world.perform(.setName(name), on: device) }
        let item = try world.add(
            ItemDraft(title: "Who cooks?", fields: [.question: question], options: ["Mia", "Ana"]), on: 0)
        try world.syncAll()
        return (world, item)
    }

    private func revealed(_ option: String, _ seed: UInt8) throws -> RevealedAnswer {
        let answer = try #require(Answer([.init(option)]))
        return try #require(RevealedAnswer(nonce: Array(repeating: seed, count: 32), answer: answer))
    }

    /// Seals an answer on a device.
    @discardableResult
    private func seal(
        _ option: String, _ seed: UInt8 = 1, to item: ItemID, _ world: inout World, on device: Int
    ) throws -> RevealedAnswer {
        let revealed = try revealed(option, seed)
        let sealed = SealedAnswer(
            commitment: revealed.commitment(to: item, by: world.nodes[device].participant),
            note: revealed.note(beside: []))
        try world.perform(.seal(item, try #require(sealed)), on: device)
        return revealed
    }

    private func close(_ item: ItemID, _ world: inout World, on device: Int = 0) throws {
        try world.perform(.mark([item], .done, true), on: device)
    }

    /// The question as all devices show it.
    private func question(_ id: ItemID, _ world: World) throws -> QuestionView {
        let all = world.nodes.indices.map { world.view($0).item(id) }
        #expect(Set(all).count == 1 && Set(world.nodes.map(\.replica.encodedState)).count == 1)
        let item = try #require(all[0])
        return try #require(QuestionView(item, in: world.view(0).group))
    }

    private func names(_ people: [ParticipantID], _ world: World) -> [String] {
        people.map { person in world.view(0).participants.first { $0.id == person }?.displayName ?? "" }
    }

    @Test("before the closing it is known who answered, and after it what those say who revealed it")
    func revealing() throws {
        var (world, item) = try trip()
        let ana = try seal("Mia", to: item, &world, on: 0)
        try seal("Ana", 2, to: item, &world, on: 1)
        try world.syncAll()
        var view = try question(item, world)
        #expect(names(view.sealed, world) == ["Ana", "Noah"] && view.waiting.map(\.displayName) == ["Mia"])
        #expect(view.answerCount == 0 && view.best.isEmpty && view.standings.allSatisfy { $0.score == 0 })
        // Nothing can be revealed yet.
        #expect(throws: TripError.self) { try world.perform(.reveal(item, ana), on: 0) }
        try close(item, &world)
        try world.perform(.reveal(item, ana), on: 0)
        try world.syncAll()
        view = try question(item, world)
        #expect(view.best.map(\.option) == ["Mia"] && names(view.sealed, world) == ["Noah"])
    }

    @Test("what the closing does not name is late, and nobody reveals what they replaced meanwhile")
    func lateness() throws {
        var (world, item) = try trip()
        try seal("Mia", to: item, &world, on: 0)
        let first = try seal("Ana", 2, to: item, &world, on: 1)
        try world.syncAll()
        // Noah changes his answer and Mia gives hers while Ana closes it.
        let changed = try seal("Mia", 3, to: item, &world, on: 1)
        try seal("Mia", 4, to: item, &world, on: 2)
        try close(item, &world)
        try world.syncAll()
        for revealed in [first, changed] {
            #expect(throws: TripError.self) { try world.perform(.reveal(item, revealed), on: 1) }
        }
        #expect(world.nodes[1].replica.unrevealed(of: world.nodes[1].participant).isEmpty)
        let view = try question(item, world)
        #expect(names(view.sealed, world) == ["Ana", "Noah"] && names(view.sealedLate, world) == ["Mia"])
    }

    @Test("of two closings that did not know of each other, both must name an answer")
    func twoClosings() throws {
        var world = World(participants: [0, 0, 1])
        let item = try world.add(ItemDraft(title: "Who cooks?", fields: [.question: "one hidden"]), on: 0)
        try seal("Ana", 7, to: item, &world, on: 0)
        try world.syncAll()
        try seal("Mia", 8, to: item, &world, on: 2)
        try close(item, &world)
        // Ana's other device answers, and closes what it has not seen closed.
        try seal("Ana", to: item, &world, on: 1)
        try close(item, &world, on: 1)
        try world.syncAll()
        let given = try #require(world.view(2).item(item)?.sayings.answers)
        #expect(given.map(\.word) == Array(repeating: GivenAnswer(counted: nil, seal: .late), count: 2))
    }

    private func write(_ operations: [ItemOperation], to item: ItemID, _ world: inout World, on device: Int) throws {
        try world.write(TripContent.encode(operations.map { .item(.there(item.operation), $0) }), on: device)
    }

    @Test("another answer than the one that was sealed shows nothing, nor does anybody else's word for it")
    func falseReveals() throws {
        var (world, item) = try trip()
        let noah = try seal("Ana", to: item, &world, on: 1)
        try world.syncAll()
        try close(item, &world)
        try world.syncAll()
        let closing = OperationReference.there(item.operation)
        let lie = try #require(Answer([.init("Mia")]))
        let other = try #require(RevealedAnswer(nonce: noah.nonce, answer: lie))
        try write([.reveal(other, closing: closing)], to: item, &world, on: 1)
        try write([.reveal(noah, closing: closing)], to: item, &world, on: 2)
        try world.syncAll()
        let view = try question(item, world)
        #expect(view.answerCount == 0 && names(view.sealed, world) == ["Noah"])
    }

    @Test("a reveal does not keep a question beside its removal, and nobody reveals what was removed")
    func removed() throws {
        var (world, item) = try trip()
        let noah = try seal("Ana", to: item, &world, on: 1)
        try world.syncAll()
        try close(item, &world)
        try world.syncAll()
        try world.perform(.reveal(item, noah), on: 1)
        try world.perform(.remove([item]), on: 0)
        try seal(
            "Ana", 9, to: try world.add(ItemDraft(title: "Next?", fields: [.question: "one hidden"]), on: 2), &world,
            on: 2)
        try world.syncAll()
        #expect(world.view(0).item(item)?.isRemoved == true)
        #expect(world.nodes[0].replica.unrevealed(of: world.nodes[0].participant).isEmpty)
    }

    @Test("somebody's first 64 answers are kept, in whatever order they come")
    func bounds() throws {
        var world = World(participants: [0, 1, 1])
        let item = try world.add(ItemDraft(title: "Who cooks?", fields: [.question: "one hidden"]), on: 0)
        try world.syncAll()
        for number in 0..<SealedAnswers.countMax { try seal("Ana", UInt8(number), to: item, &world, on: 1) }
        #expect(throws: TripError.self) { try seal("Ana", 99, to: item, &world, on: 1) }
        for number in 0..<40 { try seal("Mia", UInt8(100 + number), to: item, &world, on: 2) }
        try world.syncAll()
        #expect(Set(world.nodes.map(\.replica.encodedState)).count == 1)
    }

    @Test("only the person who asked closes it, nobody opens it again, and what is said openly counts for nothing")
    func whoCloses() throws {
        var (world, item) = try trip()
        #expect(throws: TripError.self) { try close(item, &world, on: 1) }
        #expect(throws: TripError.self) { try world.perform(.edit(item, [.done: "true"]), on: 1) }
        let done = FieldWrite(field: .done, value: .text(Text("true")), siblings: [])
        let open = try #require(Answer([.init("Ana")]))
        try write([.edit([done]), .close(counting: [:]), .answer(open)], to: item, &world, on: 1)
        try world.syncAll()
        #expect(world.view(0).item(item)?.isDone == false)
        #expect(try question(item, world).answerCount == 0)
        try close(item, &world)
        try world.syncAll()
        #expect(throws: TripError.self) { try world.perform(.mark([item], .done, false), on: 0) }
        #expect(throws: TripError.self) { try world.perform(.act(.answer(nil), on: [item]), on: 0) }
        let cleared = FieldWrite(field: .done, value: .cleared, siblings: [])
        try write([.edit([cleared])], to: item, &world, on: 0)
        try world.syncAll()
        #expect(world.view(1).item(item)?.isDone == true)
    }

    @Test("undo says that a closing stays, and reaches what its author did before it when it is said again")
    func undoOfClosing() throws {
        var (world, item) = try trip()
        try seal("Mia", to: item, &world, on: 1)
        try world.syncAll()
        try close(item, &world)
        let ana = world.nodes[0].participant
        let undoing = try #require(world.nodes[0].replica.undoing(lastOf: ana, among: world.changes))
        #expect(undoing.isEmpty)
        #expect(undoing.lasting == "closing “Who cooks?” can't be undone, because its answers are shown")
        try world.write(try undoing.content(), on: 0)
        #expect(world.view(0).item(item)?.isDone == true)
        let next = try #require(world.nodes[0].replica.undoing(lastOf: ana, among: world.changes))
        #expect(!next.isEmpty && next.lasting == nil)
    }

    @Test("of 20 people one never reveals, and one takes their answer back")
    func twenty() throws {
        var world = World(participants: Array(0..<20))
        let item = try world.add(ItemDraft(title: "Who cooks?", fields: [.question: "one hidden"]), on: 0)
        try world.syncAll()
        var answers: [RevealedAnswer] = []
        for device in 0..<20 {
            answers.append(try seal(device % 3 == 0 ? "Ana" : "Mia", UInt8(device), to: item, &world, on: device))
        }
        try world.perform(.act(.answer(nil), on: [item]), on: 7)
        try world.syncAll()
        try close(item, &world)
        try world.syncAll()
        for device in 0..<20 where device != 7 && device != 12 {
            try world.perform(.reveal(item, answers[device]), on: device)
        }
        try world.syncAll()
        let view = try question(item, world)
        #expect(view.standings.map { [$0.option: $0.score] } == [["Mia": 12], ["Ana": 6]])
        #expect(view.sealed == [world.nodes[12].participant])
    }

    @Test("a note is as long for one option as for all")
    func noteLengths() throws {
        let options = (0..<20).map { "Option number \($0)" }
        let lengths = try [[], ["Option number 3"], options].map { chosen in
            let answer = try #require(Answer(chosen.map { .init($0) }))
            let revealed = try #require(RevealedAnswer(nonce: Array(repeating: 1, count: 32), answer: answer))
            let note = revealed.note(beside: options)
            #expect(RevealedAnswer(note: note) == revealed)
            return note.count
        }
        #expect(Set(lengths).count == 1)
    }

    @Test("options are shown in the order in which they were written")
    func optionOrder() throws {
        var (world, item) = try trip("one")
        try world.perform(.act(.changeOptions(added: ["Zoe", "Bea"], removed: []), on: [item]), on: 1)
        try world.syncAll()
        #expect(try question(item, world).standings.map(\.option) == ["Mia", "Ana", "Bea", "Zoe"])
    }
}
