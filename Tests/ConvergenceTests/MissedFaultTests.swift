import Convergence
import DeltaCRDT
import Testing

/// Two kinds of fault that runs of two minutes and specifications of sets do not find: what needs days, and what converges on
/// an order that nobody typed.
struct MissedFaultTests {
    private static let seeds: ClosedRange<UInt64> = 1...400

    @Test func tombstonesThatLiveADayAreFoundWhereDaysPass() throws {
        let failure = try #require(Simulator<Basket<Day>>().firstFailure(seeds: Self.seeds))
        #expect([.convergence, .observedRemoves].contains(failure.law), "\(failure)")
        #expect(failure.shrunkOutcome.faults[.days] == 1, "\(failure)")
        #expect(failure.shrunkPlan.size.events <= 8, "\(failure)")
        // A clock that jumps by an hour does not tell.
        let short = Conditions(faults: Set(Fault.allCases).subtracting([.days]))
        #expect(Simulator<Basket<Day>>(short).firstFailure(seeds: Self.seeds) == nil)
        #expect(Simulator<Basket<Day>>(Conditions(faults: [.days, .delay])).firstFailure(seeds: Self.seeds) != nil)
    }

    @Test func tombstonesThatStayHold() {
        #expect(Simulator<Basket<Forever>>().firstFailure(seeds: Self.seeds) == nil)
    }

    @Test func aListOrderedByOwnCountsIsFound() throws {
        let failure = try #require(Simulator<TypedList<OwnCount>>().firstFailure(seeds: Self.seeds))
        #expect(failure.law == .inPlace, "\(failure)")
        #expect(failure.shrunkPlan.size.events <= 8, "\(failure)")
    }

    @Test func aListOrderedByLamportTimeHolds() {
        #expect(Simulator<TypedList<LamportTime>>().firstFailure(seeds: Self.seeds) == nil)
    }
}

private protocol TombstoneLife: Sendable { static var milliseconds: Int64 { get } }
private enum Day: TombstoneLife { static var milliseconds: Int64 { 86_400_000 } }
private enum Forever: TombstoneLife { static var milliseconds: Int64 { .max } }

/// An observed-remove set that keeps the adds which were removed, for a time.
private struct Basket<Life: TombstoneLife>: ReplicatedType {
    enum Action: Sendable, CustomStringConvertible {
        case add(Int), remove(Int)

        var description: String {
            switch self {
            case .add(let element): "add \(element)"
            case .remove(let element): "remove \(element)"
            }
        }
    }

    struct State: Sendable {
        var adds: [Dot: Int] = [:]
        var removals: [Dot: Int64] = [:]
    }

    private var name: ReplicaID
    private var count: UInt64 = 0
    private var state = State()

    init(birth: Birth) { name = birth.start }

    mutating func restarted(as birth: Birth) { (name, count) = (birth.start, 0) }

    static func randomAction(using generator: inout SeededGenerator) -> Action {
        let element = generator.number(in: 0...3)
        return generator.oneIn(3) ? .remove(element) : .add(element)
    }

    mutating func perform(_ action: Action, at now: Int64) -> [Dot] {
        switch action {
        case .add(let element):
            count += 1
            let dot = Dot(replica: name, counter: count)
            state.adds[dot] = element
            return [dot]
        case .remove(let element):
            for (dot, added) in state.adds where added == element {
                state.adds[dot] = nil
                state.removals[dot] = now
            }
            return []
        }
    }

    mutating func message(to peer: Int, at now: Int64) -> State? { state }

    mutating func receive(_ message: State, from peer: Int, at now: Int64) -> Reception<State> {
        for (dot, time) in message.removals { state.removals[dot] = max(time, state.removals[dot] ?? 0) }
        state.adds.merge(message.adds) { mine, _ in mine }
        state.adds = state.adds.filter { state.removals[$0.key] == nil }
        state.removals = state.removals.filter { now - $0.value < Life.milliseconds }
        return .taken()
    }

    var view: [Int] { Set(state.adds.values).sorted() }

    static func check(_ observation: Observation<Self>) -> Violation? {
        SetSpecification.check(
            observation.view, before: observation.previous, of: observation.history, policy: .addWins
        ) {
            switch $0 {
            case .add(let element): .add([element])
            case .remove(let element): .remove(element)
            }
        }
    }
}

private protocol ListClock: Sendable { static var followsOthers: Bool { get } }
private enum LamportTime: ListClock { static var followsOthers: Bool { true } }
/// The fault: a letter that is typed after one has seen others may bear a lower number than theirs.
private enum OwnCount: ListClock { static var followsOthers: Bool { false } }

/// RGA: each letter after the one behind which it was typed, the later before the earlier.
private struct TypedList<Clock: ListClock>: ReplicatedType {
    struct Typed: Sendable, CustomStringConvertible {
        let place: Int
        var letter = ""
        var after: String?
        var before: String?

        var description: String { "type \(letter) between \(after ?? "the beginning") and \(before ?? "the end")" }
    }

    struct Letter: Sendable {
        let text: String
        let stamp: Stamp
        let after: String?
    }

    struct Stamp: Hashable, Comparable {
        let time: UInt64
        let replica: ReplicaID

        static func < (left: Stamp, right: Stamp) -> Bool {
            left.time != right.time ? left.time < right.time : left.replica < right.replica
        }
    }

    private var name: ReplicaID
    private var count = 0
    private var clock: UInt64 = 0
    private var letters: [String: Letter] = [:]

    init(birth: Birth) { name = birth.start }

    mutating func restarted(as birth: Birth) { (name, count) = (birth.start, 0) }

    static func randomAction(using generator: inout SeededGenerator) -> Typed {
        Typed(place: generator.number(in: 0...3))
    }

    func resolved(_ action: Typed) -> Typed {
        let view = view
        let place = min(action.place, view.count)
        return Typed(
            place: place, letter: "\(name.high).\(name.low).\(count + 1)", after: place > 0 ? view[place - 1] : nil,
            before: place < view.count ? view[place] : nil)
    }

    mutating func perform(_ action: Typed, at now: Int64) -> [Dot] {
        count += 1
        clock += 1
        letters[action.letter] = Letter(
            text: action.letter, stamp: Stamp(time: clock, replica: name), after: action.after)
        return []
    }

    mutating func message(to peer: Int, at now: Int64) -> [String: Letter]? { letters }

    mutating func receive(
        _ message: [String: Letter], from peer: Int, at now: Int64
    ) -> Reception<[String: Letter]> {
        letters.merge(message) { mine, _ in mine }
        if Clock.followsOthers { clock = max(clock, message.values.map(\.stamp.time).max() ?? 0) }
        return .taken()
    }

    var view: [String] {
        let children = Dictionary(grouping: letters.values) { $0.after }
        func texts(after letter: String?) -> [String] {
            (children[letter] ?? []).sorted { $0.stamp > $1.stamp }.flatMap { [$0.text] + texts(after: $0.text) }
        }
        return texts(after: nil)
    }

    static func check(_ observation: Observation<Self>) -> Violation? {
        SequenceSpecification.check(observation.view, before: observation.previous, of: observation.history) {
            .insert([$0.letter], after: $0.after, before: $0.before)
        }
    }
}
