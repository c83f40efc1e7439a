import DeltaCRDT
import TestTiers
import Testing
import TripFixtures

@testable import TripModel

/// Contents from outside: what can be read has its effect, what cannot has none, and no byte crashes.
@Suite struct ContentTests {
    private static let ids = (1...6).map {
        OperationID(change: ChangeHash(words: (UInt64($0), 2, 3, 4)), index: OperationIndex($0))
    }

    /// One content with every kind of operation in it.
    private static let operations: [TripModel.Operation] = [
        .setTitle(FieldWrite(field: .title, value: .text(Text("Summer")), siblings: [.there(ids[0])])),
        .setName(Text("Jie")),
        .add(
            fields: [
                FieldValue(field: .title, value: Text("Cabin")),
                FieldValue(field: .link, value: Text("https://a.example")),
                FieldValue(field: .place, value: Text("-12.5,7")), FieldValue(field: .done, value: Text("true")),
            ], quantity: 300, position: nil),
        .add(
            fields: [FieldValue(field: .title, value: Text("Hut"))], quantity: 0,
            position: Position(list: .there(ids[3]), anchor: .here(2), side: .behind)),
        .addList(fields: [FieldValue(field: .title, value: Text("Shortlist"))]),
        .item(
            .there(ids[1]),
            .edit([
                FieldWrite(field: .title, value: .text(Text("民宿")), siblings: [.there(ids[2]), .here(0)]),
                FieldWrite(field: .note, value: .cleared, siblings: []),
            ])),
        .item(.there(ids[2]), .remove),
        .item(.here(2), .restore),
        .item(.there(ids[4]), .vote(.for)),
        .item(.there(ids[5]), .vote(nil)),
        .item(.there(ids[5]), .changeQuantity(by: -70)),
        .item(.there(ids[5]), .place(Position(list: nil, anchor: nil, side: .before))),
        .item(.there(ids[5]), .comment(Text("two\nlines"))),
        .item(.there(ids[5]), .claim(Claim(count: 2))),
        .item(.there(ids[5]), .claim(nil)),
        .item(.there(ids[5]), .attend(.going)),
        .item(.here(2), .attend(.maybe)),
        .item(.there(ids[5]), .attend(.notGoing)),
        .item(.there(ids[5]), .attend(nil)),
        .item(.there(ids[5]), .amenities(added: [Text("wifi")], removed: [Text("sauna")])),
        .item(.there(ids[5]), .answer(Answer([Answer.Choice("Lisbon", 2), Answer.Choice("Porto", 1)]))),
        .item(.there(ids[5]), .answer(Answer([]))),
        .item(.there(ids[5]), .answer(nil)),
        .item(
            .there(ids[5]), .seal(SealedAnswer(commitment: Array(repeating: 7, count: 32), note: [1, 2, 3])!)),
        .item(
            .there(ids[5]),
            .close(counting: [ParticipantID(high: 1, low: 2): ids[3], ParticipantID(high: 1, low: 3): ids[1]])),
        .item(
            .there(ids[5]),
            .reveal(
                RevealedAnswer(nonce: Array(repeating: 9, count: 32), answer: Answer([.init("Lisbon")])!)!,
                closing: .there(ids[4]))),
        .item(.there(ids[5]), .options(added: [Text("Lisbon")], removed: [Text("Faro, or near")])),
        .undo(ids[0].change),
    ]

    private func read(_ bytes: [UInt8], _ vocabulary: Vocabulary = .current) -> [TripModel.Operation] {
        TripContent(bytes, vocabulary: vocabulary).operations
    }

    /// Operations as `kind, body`, each in its frame.
    private func content(_ frames: [(kind: UInt64, body: [UInt8])]) -> [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(count: frames.count)
        for frame in frames {
            encoder.encode(frame.kind)
            encoder.encode(frame.body)
        }
        return encoder.bytes
    }

    @Test("what is written is read")
    func roundTrip() {
        let bytes = TripContent.encode(Self.operations)
        #expect(read(bytes) == Self.operations && !TripContent(bytes).hasUnknown && !TripContent(bytes).isEmpty)
        #expect(read([]).isEmpty && TripContent([]).isEmpty)
    }

    @Test("a vote is small")
    func size() {
        #expect(TripContent.encode([.item(.there(Self.ids[0]), .vote(.for))]).count == 38)
        #expect(TripContent.encode([.item(.here(0), .vote(.for))]).count == 6)
    }

    @Test("what is cut off takes nothing away from what stands before it")
    func truncation() {
        let bytes = TripContent.encode(Self.operations)
        var counts: Set<Int> = []
        for count in bytes.indices {
            let operations = read(Array(bytes[..<count]))
            #expect(operations == Array(Self.operations.prefix(operations.count)), "\(count)")
            counts.insert(operations.count)
        }
        #expect(counts == Set(0..<Self.operations.count))
        #expect(read(bytes + [1, 2, 3]) == Self.operations, "what follows is ignored")
    }

    @Test("a body may grow at its end, and so may each write in it")
    func growth() {
        for (index, operation) in Self.operations.enumerated() {
            let bytes = TripContent.encode([operation])
            var decoder = CanonicalDecoder(bytes)
            _ = try? decoder.decodeUInt64()
            guard let kind = try? decoder.decodeUInt64(), let body = try? decoder.decodeBytes(limit: .max) else {
                Issue.record("no frame")
                continue
            }
            #expect(read(content([(kind, body + [9, 0, 200])])) == [operation], "\(index)")
        }
        // note: 1, "n", beside nothing, and more.
        let item: [UInt8] = [0, 2]
        let edit = content([(4, item + [1, 2, 6, 1, 1, 0x6E, 0, 77, 78])])
        let note = FieldWrite(field: .note, value: .text(Text("n")), siblings: [])
        #expect(read(edit) == [.item(.here(2), .edit([note]))])
    }

    @Test("what is not known stands where it stood, and its neighbours keep their names and effects")
    func unknownOperations() {
        let name: [UInt8] = [3] + Array("Jie".utf8)
        let content = TripContent(content([(99, [1, 2, 3]), (2, name), (0, []), (7, [0, 0, 200]), (2, [200])]))
        #expect(content.operations == [.ineffective, .setName(Text("Jie")), .ineffective, .ineffective, .ineffective])
        #expect(content.hasUnknown)
        let last = Vocabulary.current.fieldMax
        let next = last + 1
        for (frames, hasUnknown) in [
            ([(UInt64(16), [UInt8]())], true), ([(7, [0, 0, 4])], true), ([(7, [0, 0])], false), ([(2, [200])], false),
            ([(8, [0, 0, 0])], false), ([(4, [0, 0, 1, next, 0])], true), ([(4, [0, 0, 1, last, 0])], false),
            ([(4, [0, 0, 1, 9, 0])], false),
            ([(3, [0, 2, 1, 1, 0x61, 200, 1, 0])], true), ([(1, [0])], false), ([(22, [0, 0, 4])], true),
            ([(22, [0, 0, 200])], true), ([(22, [0, 0])], false), ([(22, [200, 0, 1])], false),
            ([(30, [0, 0, 1])], true), ([(28, [0, 0, 1])], false), ([(29, [0, 0])], false), ([(25, [0, 0, 1])], false),
            ([(26, [0, 0, 1])], false),
            ([(27, [0, 0, 1])], false), ([(23, [0, 0, 2])], true), ([(23, [0, 0])], false),
            ([(23, [0, 0, 1, 1, 1, 0x61])], false),
        ] { #expect(TripContent(self.content(frames)).hasUnknown == hasUnknown, "\(frames)") }
    }

    @Test("a field that is not known or breaks its rule takes nothing from the others")
    func fields() {
        // quantity −1, then title "a", an unknown field, a link that is none, a note.
        let add = content([(3, [1, 4, 1, 1, 0x61, 77, 1, 0, 3, 1, 0x78, 2, 1, 0x6E])])
        #expect(
            read(add) == [
                .add(
                    fields: [
                        FieldValue(field: .title, value: Text("a")), FieldValue(field: .note, value: Text("n")),
                        FieldValue(field: .link, value: nil),
                    ], quantity: 0, position: nil)
            ])
        // A title that is blank, missing, or no UTF-8 makes no item.
        for fields: [UInt8] in [[1, 1, 1, 0x20], [1, 2, 1, 0x6E], [0], [1, 1, 1, 0xFF], [2, 1, 1, 0x61]] {
            #expect(read(content([(3, [0] + fields)])) == [.ineffective], "\(fields)")
        }
        // An edit upholds its item, whatever its writes; what cannot be read of one field is kept in mind.
        let unknown = FieldWrite(field: .note, value: .unknown, siblings: [])
        for (writes, read) in [
            ([200], []), ([3, 2], []), ([1, 2, 0], [unknown]), ([1, 2, 1, 7], [unknown]), ([1, 77, 0], []),
            ([1, 2, 2, 0, 0], [FieldWrite(field: .note, value: .cleared, siblings: [])]),
            ([1, 1, 2, 0, 0], [FieldWrite(field: .title, value: .unknown, siblings: [])]),
            // Of several writes of one field, the last that can be read.
            (
                [3, 2, 4, 1, 1, 0x6E, 0, 2, 2, 0, 0, 2, 1, 7],
                [FieldWrite(field: .note, value: .cleared, siblings: [])]
            ), ([2, 2, 1, 7, 2, 1, 7], [unknown]),
        ] as [([UInt8], [FieldWrite])] {
            #expect(self.read(content([(4, [0, 0] + writes)])) == [.item(.here(0), .edit(read))], "\(writes)")
        }
    }

    @Test("what cannot be shown is remembered once for each change and field, however often it is written there")
    func unknownWrites() throws {
        var world = World(participants: [0])
        let boat = try world.add(ItemDraft(title: "Boat"), on: 0)
        let title = FieldWrite(field: .title, value: .text(Text("Trip")), siblings: [])
        // A title of no letters, and a kind that is none.
        let unread = [(kind: UInt64(1), body: [UInt8](arrayLiteral: 0, 0))]
        var body = CanonicalEncoder()
        body.encode(TripModel.OperationReference.there(boat.operation))
        let edits = [(kind: UInt64(4), body: body.bytes + [3, 10, 1, 7, 10, 1, 7, 10, 1, 7])]
        for _ in 0..<3 { try world.write(content(unread + edits + unread + edits + unread), on: 0) }
        let state = world.nodes[0].replica.state
        #expect(state.title.writes.count == 3 && state.items[boat]?.fields[.itemKind].count == 3)
        // What is written over them replaces them all.
        try world.write(TripContent.encode([.setTitle(title)]), on: 0)
        #expect(world.nodes[0].replica.state.title.writes.map(\.text) == [Text("Trip")])
    }

    @Test("a change has at most so many operations, and a write names at most so many beside it")
    func bounds() {
        let many = (0...Limits.operationsPerChange).map { _ in (kind: UInt64(6), body: [UInt8](arrayLiteral: 0, 0)) }
        #expect(read(content(many)).count == Limits.operationsPerChange)
        for (count, isRead) in [(Limits.siblingsPerWrite, true), (Limits.siblingsPerWrite + 1, false)] {
            let siblings = Array(repeating: OperationReference.here(0), count: count)
            let write = FieldWrite(field: .title, value: .text(Text("a")), siblings: siblings)
            guard case .setTitle(let title) = read(TripContent.encode([.setTitle(write)])).first else {
                Issue.record("no title")
                continue
            }
            #expect((title.value != .unknown) == isRead)
        }
        // A count that lies makes no room.
        #expect(read([255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 6, 2, 0, 0]) == [.item(.here(0), .restore)])
        for step in [0, Limits.quantityStep + 1, .min, .max] {
            var body = CanonicalEncoder()
            body.encode(fixed: [0, 0])
            body.encode(step)
            #expect(read(content([(8, body.bytes)])) == [.ineffective], "\(step)")
        }
    }

    @Test("no bytes crash, and what they say is read alike each time", .tags(.slow), arguments: 1...4)
    func garbage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let honest = TripContent.encode(Self.operations)
        var effective = 0
        for round in 0..<4_000 {
            var bytes = honest
            if round % 2 == 0 {
                for _ in 0...generator.below(4) {
                    bytes[generator.below(bytes.count)] = UInt8(truncatingIfNeeded: generator.next())
                }
            } else {
                bytes = (0..<generator.below(60)).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 60) }
            }
            let operations = read(bytes)
            #expect(operations == read(bytes))
            effective += operations.count { $0 != .ineffective }
            var world = World(participants: [0])
            _ = try? world.write(bytes, on: 0)
            _ = world.view(0)
        }
        #expect(effective > 1_000)
    }

    @Test("what is done to another's operation that is no item, or to an item outside the past, has no effect")
    func outsideThePast() throws {
        var world = World(participants: [0, 1])
        try world.perform(.setTitle("trip"), on: 0)
        let boat = try world.add(ItemDraft(title: "Boat"), on: 0)
        let never = OperationReference.there(world.log[0].operation(0))
        let ghost = FieldWrite(field: .title, value: .text(Text("ghost")), siblings: [])
        let deeds: [ItemOperation] = [.edit([ghost]), .vote(.for), .changeQuantity(by: 5), .remove, .restore]
        // Who has not seen the boat can say nothing of it, whichever came first.
        try world.write(
            TripContent.encode(deeds.map { .item(.there(boat.operation), $0) } + [.setName(Text("Ghost"))]), on: 1)
        try world.syncAll()
        try world.write(
            TripContent.encode(deeds.map { .item(never, $0) } + deeds.map { .item(.here(40), $0) }), on: 1)
        try world.syncAll()
        for device in 0..<2 {
            let view = world.view(device)
            #expect(view.items.map(\.title) == ["Boat"] && view.items[0].votes.isEmpty && view.items[0].quantity == nil)
            #expect(view.title?.value == "trip" && view.participants.contains { $0.name == "Ghost" })
        }
        #expect(world.nodes[0].replica.encodedState == world.nodes[1].replica.encodedState)
    }

    @Test("a write replaces what stands at its own place alone, and of that what it does not name")
    func replacing() throws {
        var world = World(participants: [0, 1])
        try world.perform(.setTitle("trip"), on: 0)
        let first = try world.perform(
            .add([ItemDraft(title: "a", fields: [.price: "1"]), ItemDraft(title: "b")]), on: 0)
        try world.syncAll()
        let before = world.view(1)
        let all = (0..<2).flatMap { entry in (0..<3).map { OperationReference.there(world.log[entry].operation($0)) } }
        let price = { (text: String, siblings: [OperationReference]) in
            FieldWrite(field: .price, value: .text(Text(text)), siblings: siblings)
        }
        let item = OperationReference.there(world.log[first].operation(0))
        try world.write(TripContent.encode([.item(item, .edit([price("2", all)]))]), on: 1)
        #expect(world.view(1).items[0].fields[.price]?.alternatives.map(\.value) == ["1"])
        // In one change the later write replaces the earlier one, but where it names that.
        try world.write(
            TripContent.encode([
                .item(item, .edit([price("3", [])])), .item(item, .edit([price("4", [.here(0)])])),
                .item(item, .edit([price("5", [.here(0)])])),
            ]), on: 1)
        let shown = try #require(world.view(1).items[0].fields[.price])
        #expect([shown.value] + shown.alternatives.map(\.value) == ["5", "3"])
        #expect(world.view(1).title == before.title && world.view(1).items[1] == before.items[1])
        #expect(world.view(1).items[0].titles == ["a"])
    }

    @Test("what one change makes it can change, remove and bring back")
    func withinOneChange() throws {
        var world = World(participants: [0])
        var live = LiveTrip(TripReplica())
        _ = live.view
        let add = TripModel.Operation.add(
            fields: [FieldValue(field: .title, value: Text("Boat"))], quantity: 2, position: nil)
        let raft = FieldWrite(field: .title, value: .text(Text("Raft")), siblings: [])
        try world.write(
            TripContent.encode([
                .item(.here(1), .vote(.against)), add, .item(.here(1), .vote(.for)), .item(.here(1), .edit([raft])),
                .item(.here(1), .changeQuantity(by: 3)), .item(.here(1), .remove), add, .item(.here(6), .remove),
                .item(.here(6), .restore), add,
            ]), on: 0)
        live.apply(world.changes[0])
        #expect(live.view == world.view(0))
        #expect(live.view.items.count == 2 && live.view.removedItems.map(\.title) == ["Raft"])
        #expect(live.view.removedItems[0].tally == 1 && live.view.removedItems[0].quantity == 5)
        let raftFound = try live.resolve("raft")
        #expect(raftFound.isRemoved)
    }
}
