import Convergence
import ConvergenceTesting
import DeltaCRDT
import Testing

/// A replica of a set over a log. It sends its whole log, and takes what it lacks of another one in the order of that.
private struct LoggedReplica<Log: LogRule>: ReplicatedType {
    enum Action: Sendable, CustomStringConvertible {
        case add(Int)
        case remove(Int)

        var effect: SetEffect<Int> {
            switch self {
            case .add(let element): .add([element])
            case .remove(let element): .remove(element)
            }
        }

        var description: String {
            switch self {
            case .add(let element): "add \(element)"
            case .remove(let element): "remove \(element)"
            }
        }
    }

    struct Name: Comparable, Hashable, Sendable {
        let time: Int
        let writer: ReplicaID
        /// How many events the writer made before it.
        let number: Int

        static func < (left: Name, right: Name) -> Bool { (left.time, left.writer) < (right.time, right.writer) }
    }

    struct Entry: LoggedEvent, Sendable {
        let id: Name
        /// How many events of each writer the author had seen.
        let past: [ReplicaID: Int]
        let action: Action

        func hasSeen(_ other: Name) -> Bool { Log.seesAll || other.number < past[other.writer, default: 0] }
    }

    private var writer: ReplicaID
    private var log: [Entry] = []
    private var counts: [ReplicaID: Int] = [:]
    private var elements = LoggedSet<Int, Name>()

    init(birth: Birth) { writer = birth.start }
    mutating func restarted(as birth: Birth) { writer = birth.start }

    static func randomAction(using generator: inout SeededGenerator) -> Action {
        let element = generator.number(in: 0...5)
        return generator.oneIn(3) ? .remove(element) : .add(element)
    }

    mutating func perform(_ action: Action, at now: Int64) -> [Dot] {
        let time = 1 + (log.map(\.id.time).max() ?? 0)
        let name = Name(time: time, writer: writer, number: counts[writer, default: 0])
        take(Entry(id: name, past: counts, action: action))
        return []
    }

    mutating func message(to peer: Int, at now: Int64) -> [Entry]? { log }

    mutating func receive(_ message: [Entry], from peer: Int, at now: Int64) -> Reception<[Entry]> {
        for entry in message where entry.id.number >= counts[entry.id.writer, default: 0] { take(entry) }
        return .taken()
    }

    private mutating func take(_ entry: Entry) {
        log.append(entry)
        counts[entry.id.writer, default: 0] += 1
        switch entry.action {
        case .add(let element): elements.insert(element, by: entry)
        case .remove(let element): elements.remove(element, by: entry)
        }
    }

    var view: [Int] { elements.elements }

    static func check(_ observation: Observation<Self>) -> Violation? {
        SetSpecification.check(
            observation.view, before: observation.previous, of: observation.history, policy: .addWins,
            meaning: \.effect)
    }
}

private protocol LogRule: Sendable {
    static var seesAll: Bool { get }
}

private enum Causal: LogRule { static var seesAll: Bool { false } }
private enum Boastful: LogRule { static var seesAll: Bool { true } }

/// A type over a log under the same simulator and specification as the types over states.
@Suite struct LoggedTypeTests {
    @Test("a set over a causal log keeps every law under faults")
    func causalLog() { expectConvergence(of: LoggedReplica<Causal>.self, seeds: 1...20) }

    @Test("a set over a log whose events claim to have seen everything is caught")
    func boastfulLog() {
        withKnownIssue { expectConvergence(of: LoggedReplica<Boastful>.self) }
    }
}
