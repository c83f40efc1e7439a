import DeltaCRDT
import Testing
import TripFixtures

@testable import TripModel

/// What isn't done of a change, because later operations of it do it again, makes no difference.
@Suite struct RepetitionTests {
    private static let fields: [Field] = [.title, .price, .done, .note]
    private static let words = ["a", "b", "c"].map { Text($0) }

    /// What is there before: items, a question, a list and a comment.
    private static let base: [TripModel.Operation] = [
        .add(fields: [FieldValue(field: .title, value: Text("Boat"))], quantity: 0, position: nil),
        .add(
            fields: [
                FieldValue(field: .title, value: Text("Who?")), FieldValue(field: .question, value: Text("one")),
            ], quantity: 0, position: nil),
        .add(
            fields: [
                FieldValue(field: .title, value: Text("Secret?")),
                FieldValue(field: .question, value: Text("one hidden")),
            ], quantity: 0, position: nil),
        .addList(fields: [FieldValue(field: .title, value: Text("List"))]),
        .item(.here(0), .comment(Text("hm"))),
        .addList(fields: [FieldValue(field: .title, value: Text("Other"))]),
    ]

    private struct Writer {
        var dice: SeededGenerator
        var state = TripState()
        var applied = AppliedChanges()
        var changes: [TripChange] = []

        mutating func change(_ operations: [TripModel.Operation], _ past: CausalCut, branch: Int32, by author: UInt64)
            -> TripChange
        {
            let hash = ChangeHash(words: (dice.next(), dice.next(), dice.next(), dice.next()))
            let change = TripChange(
                stamp: LamportTimestamp(lamport: UInt64(changes.count + 1), hash: hash),
                participant: ParticipantID(high: author, low: 1), wallTime: 0, index: changes.count, branch: branch,
                past: past, content: TripContent(TripContent.encode(operations)))
            _ = applied.insert(change)
            changes.append(change)
            return change
        }

        mutating func reference(_ index: Int) -> TripModel.OperationReference {
            if index > 0, dice.below(4) == 0 { return .here(OperationIndex(dice.below(index))) }
            return .there(changes[0].cause.operation(OperationIndex(dice.below(6))))
        }

        /// Operations of this change or of any other.
        mutating func siblings(_ index: Int) -> [TripModel.OperationReference] {
            (0..<dice.below(4)).map { _ -> TripModel.OperationReference in
                if index > 0, dice.below(2) == 0 { return .here(OperationIndex(dice.below(index))) }
                let change = changes[dice.below(changes.count)]
                return .there(
                    change.cause.operation(OperationIndex(dice.below(max(1, change.content.operations.count)))))
            }
        }

        mutating func write(_ index: Int, _ fields: [Field]) -> FieldWrite {
            let field = dice.pick(fields)
            let text = field == .done ? Text("true") : Text("\(dice.below(5))")
            let isCleared = field != .title && dice.below(3) == 0
            // A title that no version can show.
            let value: FieldWrite.Value = dice.below(6) == 0 ? .unknown : isCleared ? .cleared : .text(text)
            return FieldWrite(field: field, value: value, siblings: siblings(index))
        }

        mutating func position(_ index: Int) -> Position {
            let list: TripModel.OperationReference? = dice.below(3) == 0 ? nil : reference(index)
            return Position(list: list, anchor: nil, side: .behind)
        }

        mutating func operation(_ index: Int) -> TripModel.Operation {
            let some = (0..<dice.below(3)).map { _ in dice.pick(RepetitionTests.words) }
            let others = (0..<dice.below(3)).map { _ in dice.pick(RepetitionTests.words) }
            let deed: ItemOperation
            switch dice.below(14) {
            case 0: deed = .vote(.for)
            case 1: deed = .remove
            case 2: deed = .restore
            case 3, 4, 5: deed = .edit([write(index, RepetitionTests.fields)])
            case 6: deed = .amenities(added: some, removed: others)
            case 7: deed = .options(added: some, removed: others)
            case 8: deed = .answer(dice.below(2) == 0 ? nil : Answer([]))
            case 9: deed = .place(position(index))
            case 10: deed = .close(counting: [:])
            case 11: deed = .comment(Text("\(index)"))
            case 12: return .setTitle(write(index, [.title]))
            default:
                return .add(
                    fields: [FieldValue(field: .title, value: Text("n\(index)"))], quantity: 0,
                    position: position(index))
            }
            return .item(reference(index), deed)
        }

        mutating func operations(_ count: Int) -> [TripModel.Operation] { (0..<count).map { operation($0) } }
    }

    @Test("a change does what its operations do one by one", arguments: 0..<300)
    func oneByOne(seed: Int) {
        var writer = Writer(dice: SeededGenerator(seed: UInt64(seed)))
        let first = writer.change(Self.base, CausalCut(), branch: 0, by: 0)
        writer.state.apply(first)
        for branch in 1...6 as ClosedRange<Int32> {
            var past = CausalCut(before: 1)
            for other in 1..<branch where writer.dice.below(4) == 0 { past.extend(to: Int(other), ofBranch: other) }
            let operations = writer.operations(4)
            let change = writer.change(operations, past, branch: branch, by: UInt64(branch % 2))
            writer.state.apply(change, of: writer.applied)
        }
        var past = CausalCut(before: 1)
        for branch in 1...6 as ClosedRange<Int32> where writer.dice.below(2) == 0 {
            past.extend(to: Int(branch), ofBranch: branch)
        }
        let operations = writer.operations(40)
        let change = writer.change(operations, past, branch: 7, by: 0)
        var (whole, single) = (writer.state, writer.state)
        var nobody: [HistoryEvent]?
        var events: [HistoryEvent]? = []
        var told = writer.state
        whole.apply(change.content.operations, from: FoldedOperation(change, writer.applied), telling: &nobody)
        told.apply(change.content.operations, from: FoldedOperation(change, writer.applied), telling: &events)
        var act = FoldedOperation(change, writer.applied)
        for (index, operation) in change.content.operations.enumerated() {
            act.index = OperationIndex(index)
            single.apply(operation, by: act)
        }
        #expect(whole.encoded == single.encoded)
        #expect(told.encoded == single.encoded)
    }
}

extension TripState {
    /// Applies a change, operation by operation.
    fileprivate mutating func apply(_ change: TripChange, of applied: AppliedChanges? = nil) {
        var known = applied ?? AppliedChanges()
        _ = known.insert(change)
        var act = FoldedOperation(change, known)
        for (index, operation) in change.content.operations.enumerated() {
            act.index = OperationIndex(index)
            apply(operation, by: act)
        }
    }
}
