import DeltaCRDT
import Foundation
import Testing
import TripFixtures

@testable import TripModel

/// What a hostile member's content costs everybody who applies it.
@Suite(.serialized) struct HostileCostTests {
    /// A log as nodes hold it: changes one after the other, each with a past.
    struct Log {
        var trip = LiveTrip()
        var count = 0
        /// The first operation of all.
        var first = OperationID(change: ChangeHash(words: (0, 0, 0, 0)), index: 0)
        var branches: Int32 = 0

        init() { _ = trip.view }

        static func author(_ number: Int) -> ParticipantID { ParticipantID(high: UInt64(number) << 32 | 7, low: 1) }

        /// Applies a change of a branch of its own.
        @discardableResult
        mutating func write(
            _ operations: [TripModel.Operation], seeing past: CausalCut, by author: Int = 0, lamport: UInt64
        ) -> (change: TripChange, entry: HistoryEntry?) {
            var generator = SeededGenerator(seed: UInt64(count))
            let hash = ChangeHash(words: (generator.next(), generator.next(), generator.next(), generator.next()))
            let change = TripChange(
                stamp: LamportTimestamp(lamport: lamport, hash: hash), participant: Self.author(author), wallTime: 0,
                index: count, branch: branches, past: past, content: TripContent(TripContent.encode(operations)))
            if count == 0 { first = change.cause.operation(0) }
            count += 1
            branches += 1
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

    /// What each of many writes at one moment, and then one change 10,000 times.
    enum Act: String, CaseIterable {
        case vote, removeAndRestore, title, tripTitle, note, amenity, answer, place

        func operation(_ number: Int, on item: OperationID) -> TripModel.Operation {
            let reference = TripModel.OperationReference.there(item)
            let text = Text("\(number)")
            return switch self {
            case .vote: .item(reference, .vote(.for))
            case .removeAndRestore: .item(reference, number.isMultiple(of: 2) ? .restore : .remove)
            case .title:
                .item(reference, .edit([FieldWrite(field: .title, value: .text(text), siblings: [])]))
            case .tripTitle: .setTitle(FieldWrite(field: .title, value: .text(text), siblings: []))
            case .note: .item(reference, .edit([FieldWrite(field: .note, value: .text(text), siblings: [])]))
            case .amenity: .item(reference, .amenities(added: [Text("wifi")], removed: []))
            case .answer: .item(reference, .answer(Answer([])))
            case .place: .item(reference, .place(Position(list: nil, anchor: nil, side: .before)))
            }
        }
    }

    static func cost(_ act: Act, beside concurrent: Int, operations: Int) -> Duration {
        var log = Log()
        let made = log.write(item(asks: act == .answer), seeing: CausalCut(), lamport: 1)
        let item = made.change.cause.operation(0)
        let past = CausalCut(before: 1)
        for number in 0..<concurrent {
            let operation: TripModel.Operation =
                act == .answer
                ? .item(
                    .there(item), .edit([FieldWrite(field: .done, value: .text(Text("true")), siblings: [])]))
                : act.operation(number * 2, on: item)
            log.write([operation], seeing: past, lamport: 2)
        }
        return ContinuousClock().measure {
            log.write((0..<operations).map { act.operation($0, on: item) }, seeing: past, lamport: 3)
        }
    }

    @Test("operations of one change cost no more beside many concurrent ones", arguments: Act.allCases)
    func operationsOfOneChange(_ act: Act) {
        let (alone, few, many) = (
            Self.cost(act, beside: 2, operations: 2_000), Self.cost(act, beside: 1_000, operations: 2_000),
            Self.cost(act, beside: 2_000, operations: 2_000)
        )
        print("COST \(act) alone \(alone) beside 1000 \(few) beside 2000 \(many)")
        // Of the title of the trip, 256 are told.
        #expect(many < alone * (act == .tripTitle ? 60 : 10))
    }

    @Test("concurrent changes of a title cost what other concurrent changes of an item cost")
    func concurrentTitles() {
        func all(_ act: Act) -> Duration { ContinuousClock().measure { _ = Self.cost(act, beside: 1_500, operations: 1) } }
        let (votes, titles, trip, note, amenity) = (all(.vote), all(.title), all(.tripTitle), all(.note), all(.amenity))
        print("FORKS vote \(votes) title \(titles) trip \(trip) note \(note) amenity \(amenity)")
        #expect(titles < votes * 5)
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
            print("UPHOLDERS \(people): \(told) in \(entry?.events.count ?? 0) events")
            #expect(told <= 2_000)
        }
    }

    @Test("answers that know of ever more closings take no memory in the square of them")
    func closings() throws {
        func resident() throws -> Int {
            let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            return (Int(words[1]) ?? 0) * 4_096
        }
        let count = 1_500
        var log = Log()
        let made = log.write(Self.item(asks: true), seeing: CausalCut(), lamport: 1)
        let item = made.change.cause.operation(0)
        let close = FieldWrite(field: .done, value: .text(Text("true")), siblings: [])
        for _ in 0..<count { log.write([.item(.there(item), .edit([close]))], seeing: CausalCut(before: 1), lamport: 2) }
        let before = try resident()
        for number in 0..<count {
            log.write(
                [.item(.there(item), .answer(Answer([])))], seeing: CausalCut(before: 1 + number),
                lamport: UInt64(3 + number))
        }
        let grown = try resident() - before
        let parts = log.trip.replica.state.items[ItemID(operation: item)]?.extras.value?.answers.parts ?? []
        print("CLOSINGS \(count): \(parts.count) parts, \(grown >> 10) KiB")
        #expect(grown < 20 << 20)
        #expect(parts.map(\.seen.count) == Array(0..<count))
    }

    @Test("an edit of a note costs no more beside many pieces that one change wrote there")
    func noteOfManyPieces() {
        func cost(_ pieces: Int) -> Duration {
            var log = Log()
            let insertion = NoteEdit.Insertion(place: .beginning, text: Text("a"))
            let edit = NoteEdit(insertions: Array(repeating: insertion, count: 250), removals: [])
            log.write(Array(repeating: .editNote(edit), count: pieces / 250), seeing: CausalCut(), lamport: 1)
            _ = log.trip.note
            let element = NoteEdit.Element(operation: .there(log.first), number: 1)
            let caret = Caret(item: nil, element: element)
            let carets = ContinuousClock().measure { for _ in 0..<10 { _ = log.trip.offsets(of: [caret]) } }
            print("CARETS beside \(pieces): \(carets)")
            return ContinuousClock().measure {
                for number in 0..<10 {
                    let edit = NoteEdit(insertions: [insertion], removals: [])
                    log.write([.editNote(edit)], seeing: CausalCut(before: 1), lamport: UInt64(2 + number))
                }
            }
        }
        let (few, many) = (cost(5_000), cost(20_000))
        print("PIECES 5000: \(few) 20000: \(many)")
        #expect(many < few * 2)
    }
}
