import DeltaCRDT
import Testing
import TripFixtures

@testable import TripModel

/// What a hostile member's content costs everybody who applies it.
@Suite(.serialized) struct HostileCostTests {
    /// A log as nodes hold it: changes one after the other, each with a past.
    struct Log {
        var trip = LiveTrip()
        var count = 0

        init() { _ = trip.view }

        static func author(_ number: Int) -> ParticipantID { ParticipantID(high: UInt64(number) << 32 | 7, low: 1) }

        /// A change of a branch of its own.
        func change(
            _ operations: [TripModel.Operation], seeing past: CausalCut, by author: Int = 0, lamport: UInt64
        ) -> TripChange {
            var generator = SeededGenerator(seed: UInt64(count))
            let hash = ChangeHash(words: (generator.next(), generator.next(), generator.next(), generator.next()))
            return TripChange(
                stamp: LamportTimestamp(lamport: lamport, hash: hash), participant: Self.author(author), wallTime: 0,
                index: count, branch: Int32(count), past: past, content: TripContent(TripContent.encode(operations)))
        }

        /// Applies one.
        @discardableResult
        mutating func write(
            _ operations: [TripModel.Operation], seeing past: CausalCut, by author: Int = 0, lamport: UInt64
        ) -> (change: TripChange, entry: HistoryEntry?) {
            let change = change(operations, seeing: past, by: author, lamport: lamport)
            count += 1
            return (change, trip.apply(change))
        }
    }

    static func item(asks: Bool = false) -> [TripModel.Operation] {
        let question = FieldValue(field: .question, value: Text("one"))
        return [
            .add(
                fields: [FieldValue(field: .title, value: Text("Boat"))] + (asks ? [question] : []), quantity: 0,
                position: nil)
        ]
    }

    /// What one change does many times.
    enum Act: String, CaseIterable {
        case vote, removeAndRestore, title, tripTitle, amenity, answer, place

        func operation(_ number: Int, on item: OperationID) -> TripModel.Operation {
            let reference = TripModel.OperationReference.there(item)
            let text = Text("\(number)")
            return switch self {
            case .vote: .item(reference, .vote(.for))
            case .removeAndRestore: .item(reference, number.isMultiple(of: 2) ? .restore : .remove)
            case .title:
                .item(reference, .edit([FieldWrite(field: .title, value: .text(text), siblings: [])]))
            case .tripTitle: .setTitle(FieldWrite(field: .title, value: .text(text), siblings: []))
            case .amenity: .item(reference, .amenities(added: [Text("wifi")], removed: []))
            case .answer: .item(reference, .answer(Answer([])))
            case .place: .item(reference, .place(Position(list: nil, anchor: nil, side: .before)))
            }
        }
    }

    @Test(
        "of what one change does many times at one place, the first and the last look at what stands there",
        arguments: Act.allCases)
    func operationsOfOneChange(_ act: Act) throws {
        var log = Log()
        let made = log.write(Self.item(asks: act == .answer), seeing: CausalCut(), lamport: 1)
        let item = made.change.cause.operation(0)
        let operations = (0..<2_000).map { act.operation($0, on: item) }
        let change = log.change(operations, seeing: CausalCut(before: 1), lamport: 2)
        let first = FoldedOperation(change, AppliedChanges())
        let repetitions = try #require(Repetitions.find(in: operations, by: first, log.trip.replica.state))
        let done = operations.indices.filter { index in
            let index = OperationIndex(index)
            return switch operations[Int(index)] {
            case .setTitle(let write): repetitions.lasts(write, at: index)
            case .item(_, .edit(let writes)): writes.contains { repetitions.lasts($0, at: index) }
            case .item(_, .amenities(let added, _)):
                added.contains { repetitions.lasts($0, isOption: false, of: item, at: index) }
            case .item(_, .answer): repetitions.lastsAnswer(at: index)
            default: repetitions.changesToken(index)
            }
        }
        #expect(done.count <= 2)
        #expect(done.last == operations.indices.last)
    }

    @Test("the history of one change doesn't grow with the people beside it, for each of its operations")
    func upholders() {
        for people in [10, 100] {
            var log = Log()
            let made = log.write(Self.item(), seeing: CausalCut(), lamport: 1)
            let item = made.change.cause.operation(0)
            for number in 0..<people {
                log.write([.item(.there(item), .vote(.for))], seeing: CausalCut(before: 1), by: number + 1, lamport: 2)
            }
            let entry = log.write(
                Array(repeating: .item(.there(item), .remove), count: 1_000), seeing: CausalCut(before: 1), lamport: 3
            ).entry
            var told = 0
            for case .item(_, _, .removed(let upholders), _) in entry?.events ?? [] { told += upholders.count }
            #expect(told <= 2_000)
        }
    }

    @Test("an answer keeps how many closings it knew of")
    func closings() {
        let count = 300
        var log = Log()
        let made = log.write(Self.item(asks: true), seeing: CausalCut(), lamport: 1)
        let item = made.change.cause.operation(0)
        let close = FieldWrite(field: .done, value: .text(Text("true")), siblings: [])
        for _ in 0..<count {
            log.write([.item(.there(item), .edit([close]))], seeing: CausalCut(before: 1), lamport: 2)
        }
        for number in 0..<count {
            log.write(
                [.item(.there(item), .answer(Answer([])))], seeing: CausalCut(before: 1 + number),
                lamport: UInt64(3 + number))
        }
        let parts = log.trip.replica.state.items[ItemID(operation: item)]?.extras.value?.answers.parts ?? []
        #expect(parts.map(\.seen.count).sorted() == Array(0..<count))
    }
}
