import TestTiers
import Testing
import TripFixtures

@testable import TripModel

/// The laws of DESIGN §1 that a trip's state must keep, over seeded random histories with real concurrency.
@Suite struct LawTests {
    private static let seeds: ClosedRange<UInt64> = 1...40

    /// Five devices of four people act alone and meet in twos, now and then only in part.
    private func history(seed: UInt64, steps: Int = 60) throws -> World {
        var generator = SeededGenerator(seed: seed)
        var world = World(participants: [0, 1, 2, 2, 3])
        try world.perform(.add([ItemDraft(title: "first"), ItemDraft(title: "second", quantity: 3)]), on: 0)
        try world.syncAll()
        for _ in 0..<steps {
            let device = generator.below(world.nodes.count)
            if generator.below(3) == 0 {
                try world.meet(device, generator.below(world.nodes.count), using: &generator)
            } else {
                try world.act(on: device, using: &generator)
            }
        }
        return world
    }

    @Test("a replica shows what happened before, for any set of changes and with liars", .tags(.slow))
    func happenedBefore() throws {
        for seed in Self.seeds {
            var generator = SeededGenerator(seed: seed &+ 99)
            var world = try history(seed: seed)
            for _ in 0..<(seed % 3 == 0 ? 25 : 0) {
                try world.lie(on: generator.below(world.nodes.count), using: &generator)
                try world.meet(
                    generator.below(world.nodes.count), generator.below(world.nodes.count), using: &generator)
            }
            for device in world.nodes.indices {
                let node = world.nodes[device]
                let known = Specification(log: world.log, held: node.held)
                #expect(Specification.describe(node.replica.view) == known.description, "seed \(seed)")
            }
            try world.syncAll()
            let all = Specification(log: world.log).description
            for device in world.nodes.indices { #expect(Specification.describe(world.view(device)) == all, "\(seed)") }
        }
    }

    @Test("concurrent changes converge byte for byte in every order of arrival, however often they come", .tags(.slow))
    func orderOfArrival() throws {
        for seed in Self.seeds {
            var world = try history(seed: seed)
            var generator = SeededGenerator(seed: seed &* 7919)
            for _ in 0..<(seed % 2 == 0 ? 15 : 0) {
                try world.lie(on: generator.below(world.nodes.count), using: &generator)
                try world.meet(
                    generator.below(world.nodes.count), generator.below(world.nodes.count), using: &generator)
            }
            try world.syncAll()
            let expected = world.nodes[0].replica.encodedState
            for item in world.view(0).items { #expect(!item.title.isEmpty) }
            for _ in 0..<4 {
                var replica = TripReplica()
                for change in world.changes(inOrderOf: &generator) {
                    let isNew = replica.apply(change)
                    let isNewAgain = replica.apply(change)
                    #expect(isNew && !isNewAgain, "a repetition changes nothing")
                }
                #expect(replica.encodedState == expected, "seed \(seed)")
                #expect(replica == world.nodes[0].replica, "seed \(seed)")
                #expect(replica.view == world.view(0), "seed \(seed)")
            }
        }
    }

    @Test("a state says all that tells two apart")
    func encodedState() throws {
        let world = try history(seed: 5)
        var states: Set<[UInt8]> = []
        var replicas: Set<TripReplica> = []
        var replica = TripReplica()
        for change in world.changes {
            replica.apply(change)
            states.insert(replica.encodedState)
            replicas.insert(replica)
        }
        #expect(states.count == replicas.count && states.count > world.log.count / 2)
    }
}

extension World {
    /// Brings a random change of one device, with its past, to another one.
    mutating func meet(_ source: Int, _ target: Int, using generator: inout SeededGenerator) throws {
        guard source != target, generator.below(2) == 0, !nodes[source].held.isEmpty else {
            return try sync(from: source, to: target)
        }
        let head = generator.pick(nodes[source].held.sorted())
        for entry in log[head].past.union([head]).subtracting(nodes[target].held).sorted() { take(entry, on: target) }
    }

    /// All changes in an order of arrival, each after its past.
    func changes(
        inOrderOf generator: inout SeededGenerator, vocabulary: Vocabulary = .current
    ) -> [TripChange] {
        var order: [Int] = []
        var held: Set<Int> = []
        while order.count < log.count {
            let entry = generator.below(log.count)
            guard log[entry].past.isSubset(of: held), held.insert(entry).inserted else { continue }
            order.append(entry)
        }
        return order.map { change($0, in: order, vocabulary: vocabulary) }
    }

    /// Performs a random action; one that the rules refuse is passed over.
    mutating func act(on device: Int, using generator: inout SeededGenerator) throws {
        let view = view(device)
        let present = view.items.map(\.id)
        let removed = view.removedItems.map(\.id)
        let word = generator.pick(["red", "green", "blue", "white"])
        let action: TripAction
        if generator.below(3) == 0, let action = sayings(present, view, on: device, using: &generator) {
            do { try perform(action, on: device) } catch let error as TripError
                // Nobody brings a payment.
                where [.nothingChanged, .unknownItem, .malformedValue].contains(error.code)
            {}
            return
        }
        if generator.below(8) == 0 {
            do { try perform(costs(view, on: device, using: &generator), on: device) } catch let error as TripError
                where [.nothingChanged, .malformedValue, .itemRemoved, .itemNotRemoved].contains(error.code)
            {}
            return
        }
        let letters = String(repeating: generator.pick(["a", "b", "c"]), count: 1 + generator.below(3))
        switch generator.below(18) {
        case 0: action = .add([ItemDraft(title: word, fields: [.note: word])])
        case 1: action = .setTitle(word)
        case 2: action = .setName(word)
        case 3 where !removed.isEmpty: action = .restore([generator.pick(removed)])
        case _ where present.isEmpty: action = .add([ItemDraft(title: word, quantity: 2)])
        case 3, 4: action = .remove([generator.pick(present)])
        case 5, 6: action = .vote([generator.pick(present)], generator.pick([.for, .against, .ifNeedBe, nil]))
        case 7: action = .vote(present, .for)
        case 8: action = .changeQuantity(generator.pick(present), by: generator.pick([1, 2, -1]))
        case 9: action = .edit(generator.pick(present), [.title: word, .price: generator.pick([nil, word])])
        case 10: action = .edit(generator.pick(present), [.note: generator.pick([nil, word])])
        case 11, 12: action = .attach(generator.pick(present), [generator.pick(Photos.all)])
        case 13:
            let item = generator.pick(view.items)
            action = .detach(item.id, Array(item.photos.map(\.id).prefix(generator.below(3))))
        case 14:
            let item = generator.pick(view.items)
            let note = item.fields[.note]?.value ?? ""
            let end = note.index(note.startIndex, offsetBy: generator.below(note.count + 1))
            let new =
                generator.below(3) == 0 ? letters + note.dropFirst(2) : String(note[..<end]) + letters + note[end...]
            let shown: [Field: [String]] = generator.below(2) == 0 ? [.note: [note]] : [:]
            action = .edit(item.id, [.note: new], shown: shown)
        case 15, 16:
            let note = view.note?.value ?? ""
            let end = note.index(note.startIndex, offsetBy: generator.below(note.count + 1))
            let rest = note[end...].dropFirst(generator.below(3))
            action = .editNote(note[..<end] + letters + rest, shown: generator.pick([nil, note]))
        default: action = .edit(generator.pick(present), [.done: generator.pick([nil, "true"])])
        }
        do {
            try perform(action, on: device)
        } catch let error as TripError
            // Somebody else's payment is refused as a malformed value.
            where [.nothingChanged, .outOfRange, .malformedValue].contains(error.code)
        {}
    }

    /// Something about who paid: expenses, payments, and what others try with them.
    private func costs(_ view: TripView, on device: Int, using generator: inout SeededGenerator) -> TripAction {
        let known = (view.items + view.removedItems).filter { $0.fields[.cost] != nil || $0.fields[.payment] != nil }
        let payment = generator.below(2) == 0
        let cost = cost(isPayment: payment, by: nodes[device].participant, using: &generator)
        guard !known.isEmpty, generator.below(3) > 0 else {
            return .add([ItemDraft(title: "paid", fields: [payment ? .payment : .cost: cost])])
        }
        let item = generator.pick(known).id
        switch generator.below(4) {
        case 0: return .remove([item])
        case 1: return .restore([item])
        default: return .edit(item, [.cost: cost])
        }
    }

    private func cost(isPayment: Bool, by person: ParticipantID, using generator: inout SeededGenerator) -> String {
        let other = nodes.first { $0.participant != person }?.participant ?? person
        let amount = 1 + generator.below(50)
        let shares =
            isPayment
            ? "exactly \(other):\(amount)"
            : "equally \([person, other].sorted().map(\.description).joined(separator: " "))"
        return "EUR \(amount) by \(person):\(amount) for \(shares)"
    }

    /// Something that people say of items besides votes, or do with lists; nil where there is nothing to say it of.
    private func sayings(
        _ items: [ItemID], _ view: TripView, on device: Int, using generator: inout SeededGenerator
    ) -> TripAction? {
        let word = generator.pick(["red", "green", "blue"])
        let list = view.lists.isEmpty ? nil : generator.pick(view.lists).id
        switch generator.below(14) {
        case 0: return .addList(title: word, kind: .bring, [ItemDraft(title: word), ItemDraft(title: "two")])
        case 1: return list.map { .removeLists([$0]) }
        case 2: return view.removedLists.first.map { .restoreLists([$0.id]) }
        case 3: return list.map { .editList($0, [.title: word]) }
        case 4: return .add([ItemDraft(title: word), ItemDraft(title: "two")], to: list)
        case 12, 13: return question(view, on: device, using: &generator)
        case _ where items.isEmpty: return nil
        case 5, 6:
            let item = generator.pick(items)
            let neighbour = generator.pick(items)
            let ends: [Destination] = [.end(of: list), .before(neighbour), .behind(neighbour)]
            return neighbour == item ? .move([item], .end(of: list)) : .move([item], generator.pick(ends))
        case 7: return .claim([generator.pick(items)], generator.pick([1, 2, nil]))
        case 10:
            return .attend(
                generator.below(2) == 0 ? items : [generator.pick(items)],
                generator.pick([.going, .maybe, .notGoing, nil]))
        case 8: return .comment(generator.pick(items), word)
        case 9:
            return .changeAmenities(
                generator.pick(items), added: generator.below(2) == 0 ? ["wifi"] : [], removed: ["sauna", word])
        default:
            let comments = view.items.flatMap(\.sayings.comments)
            return comments.isEmpty ? nil : .removeComments([generator.pick(comments).id])
        }
    }

    /// A question, or something with one: half of all that is done with questions closes or opens one, so that answers are late.
    private func question(
        _ view: TripView, on device: Int, using generator: inout SeededGenerator
    ) -> TripAction {
        guard !view.questions.isEmpty, generator.below(4) > 0 else {
            let way = generator.pick(["several", "several hidden"])
            return .add([ItemDraft(title: "where", fields: [.question: way], options: ["red", "blue"])])
        }
        let item = generator.pick(view.questions)
        if item.question?.isHidden ?? false { return hidden(item, on: device, using: &generator) }
        switch generator.below(6) {
        case 0:
            return .act(.changeOptions(added: [generator.pick(["red", "green"])], removed: ["blue"]), on: [item.id])
        case 1, 2: return .mark([item.id], .done, !item.isDone)
        default: return .act(.answer(generator.pick(Self.answers)), on: [item.id])
        }
    }

    private func hidden(
        _ item: ItemView, on device: Int, using generator: inout SeededGenerator
    ) -> TripAction {
        let me = nodes[device].participant
        let known = Self.answers.compactMap(\.self).map { revealed($0, on: device) }
        let due = nodes[device].replica.unrevealed(of: me).first { $0.item == item.id }?.commitment
        if let revealed = known.first(where: { $0.commitment(to: item.id, by: me) == due }) {
            return .reveal(item.id, revealed)
        }
        if generator.below(4) == 0 { return .mark([item.id], .done, !item.isDone) }
        guard let answer = generator.pick(Self.answers) else { return .act(.answer(nil), on: [item.id]) }
        return .seal(item.id, seal(answer, to: item.id, on: device))
    }

    private func seal(_ answer: Answer, to item: ItemID, on device: Int) -> SealedAnswer {
        let revealed = revealed(answer, on: device)
        return SealedAnswer(
            commitment: revealed.commitment(to: item, by: nodes[device].participant), note: revealed.note(beside: []))!
    }

    /// One nonce for each device, so that it finds its answers again.
    private func revealed(_ answer: Answer, on device: Int) -> RevealedAnswer {
        RevealedAnswer(nonce: Array(repeating: UInt8(device), count: 32), answer: answer)!
    }

    private static var answers: [Answer?] {
        [nil, Answer([]), Answer([.init("red")]), Answer([.init("green")]), Answer([.init("red"), .init("blue")])]
    }

    /// Writes what no honest node writes: about any operations there are, in its past or not, and beside any.
    mutating func lie(on device: Int, using generator: inout SeededGenerator) throws {
        func any(_ generator: inout SeededGenerator) -> OperationReference {
            if generator.below(4) == 0 { return .here(OperationIndex(generator.below(4))) }
            return .there(generator.pick(log).operation(OperationIndex(generator.below(3))))
        }
        func siblings(_ generator: inout SeededGenerator) -> [OperationReference] {
            (0..<generator.below(12)).map { _ in any(&generator) }
        }
        func write(_ field: Field, _ generator: inout SeededGenerator) -> FieldWrite {
            let text = Text(generator.pick(["lie", "red", "other"]))
            let value: FieldWrite.Value = field != .title && generator.below(4) == 0 ? .cleared : .text(text)
            return FieldWrite(field: field, value: value, siblings: siblings(&generator))
        }
        func position(_ generator: inout SeededGenerator) -> Position {
            Position(
                list: generator.below(2) == 0 ? nil : any(&generator),
                anchor: generator.below(3) == 0 ? nil : any(&generator), side: generator.pick([.before, .behind]))
        }
        var operations: [TripModel.Operation] = []
        for _ in 0...generator.below(4) {
            let item =
                generator.below(3) == 0 || view(device).items.isEmpty
                ? any(&generator) : .there(generator.pick(view(device).items).id.operation)
            switch generator.below(24) {
            case 20:
                guard let known = view(device).questions.last else { break }
                operations.append(.item(item, .seal(seal(Answer([])!, to: known.id, on: device))))
            case 21:
                // Another answer than the one that was sealed, of anybody.
                let known = log.flatMap { TripContent($0.content).sealedAnswers }
                guard !known.isEmpty, let said = RevealedAnswer(note: generator.pick(known).note) else { break }
                let answer = generator.below(2) == 0 ? said.answer : Answer([.init("lie")])!
                let revealed = RevealedAnswer(nonce: said.nonce, answer: answer)!
                operations.append(.item(item, .reveal(revealed, closing: any(&generator))))
            case 23:
                let named = nodes.map {
                    ($0.participant, generator.pick(log).operation(OperationIndex(generator.below(2))))
                }
                operations.append(.item(item, .close(counting: Dictionary(named) { first, _ in first })))
            case 22:
                let value: FieldWrite.Value = generator.below(2) == 0 ? .cleared : .text(Text("true"))
                operations.append(.item(item, .edit([FieldWrite(field: .done, value: value, siblings: [])])))
            case 17: operations.append(.item(item, .answer(generator.pick(Self.answers))))
            case 18: operations.append(.item(item, .options(added: [Text("lie")], removed: [Text("red")])))
            case 19:
                let write = FieldWrite(field: .question, value: .text(Text("one")), siblings: [])
                operations.append(.item(item, .edit([write])))
            case 14:
                // A payment of two others, or an altered one.
                let others = nodes.map(\.participant).filter { $0 != nodes[device].participant }
                let text = Text(cost(isPayment: true, by: generator.pick(others), using: &generator))
                operations.append(
                    .add(
                        fields: [
                            FieldValue(field: .title, value: Text("lie")), FieldValue(field: .payment, value: text),
                        ], quantity: 0, position: nil))
                let write = FieldWrite(field: .payment, value: .text(text), siblings: [])
                operations.append(.item(item, .edit([write])))
            case 15: operations.append(.item(item, .restore))
            case 16: operations.append(.item(item, .attend(generator.pick([.notGoing, nil]))))
            case 5: operations.append(.item(item, .place(position(&generator))))
            case 6: operations.append(.item(item, .comment(Text("lie"))))
            case 7: operations.append(.item(item, .amenities(added: [Text("lie")], removed: [Text("wifi")])))
            case 8: operations.append(.addList(fields: [FieldValue(field: .title, value: Text("lie"))]))
            case 9: operations.append(.item(item, .claim(generator.pick([nil, Claim(count: 3)]))))
            case 10: operations.append(.item(item, .attach(generator.pick(Photos.all))))
            case 11: operations.append(.item(item, .detach(any(&generator))))
            case 0: operations.append(.setTitle(write(.title, &generator)))
            case 1: operations.append(.item(item, .remove))
            case 2: operations.append(.item(item, .vote(generator.pick([.against, nil]))))
            case 3: operations.append(.item(item, .changeQuantity(by: -5)))
            case 4:
                operations.append(
                    .add(
                        fields: [FieldValue(field: .title, value: Text("lie"))], quantity: 0,
                        position: position(&generator)))
            default:
                let fields: [Field] = [.title, .note, .note, .price]
                let writes = (0..<generator.below(4)).map { _ in write(generator.pick(fields), &generator) }
                operations.append(.item(item, .edit(writes)))
            }
        }
        try self.write(TripContent.encode(operations), on: device)
    }
}
