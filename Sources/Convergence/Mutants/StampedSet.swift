import DeltaCRDT

/// What people do with a set of small numbers.
enum SetAction: Sendable, CustomStringConvertible {
    case add(Int)
    case remove(Int)

    static func random(using generator: inout SeededGenerator) -> SetAction {
        let element = generator.number(in: 0...5)
        return generator.oneIn(3) ? .remove(element) : .add(element)
    }

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

extension ReplicatedType where Action == SetAction {
    static var scopeActions: [SetAction] { [.add(0), .remove(0)] }
}

/// A set in which the last writer wins, by Lamport time.
struct StampedSet<V: Variant>: ReplicatedType {
    struct Entry: Sendable {
        let lamport: UInt64
        let writer: Birth
        let isAdd: Bool
        let wall: Int64

        func isBefore(_ other: Entry) -> Bool {
            lamport != other.lamport ? lamport < other.lamport : writer.start < other.writer.start
        }
    }

    private var birth: Birth
    private var clock: UInt64 = 0
    private var entries: [Int: Entry] = [:]
    private static var tombstoneLife: Int64 { 30_000 }

    init(birth: Birth) { self.birth = birth }
    mutating func restarted(as birth: Birth) { self.birth = birth }
    static func randomAction(using generator: inout SeededGenerator) -> SetAction { .random(using: &generator) }

    mutating func perform(_ action: SetAction, at now: Int64) -> [Dot] {
        clock += 1
        switch action {
        case .add(let element): take(element, Entry(lamport: clock, writer: birth, isAdd: true, wall: now))
        case .remove(let element): take(element, Entry(lamport: clock, writer: birth, isAdd: false, wall: now))
        }
        return []
    }

    private mutating func take(_ element: Int, _ entry: Entry) {
        if let mine = entries[element], !mine.isBefore(entry) { return }
        entries[element] = entry
    }

    mutating func message(to peer: Int, at now: Int64) -> [Int: Entry]? { entries }

    mutating func receive(_ message: [Int: Entry], from peer: Int, at now: Int64) -> Reception<[Int: Entry]> {
        for (element, entry) in message {
            take(element, entry)
            // The fault: later writes here may bear an earlier time than what they saw.
            if V.mutation != .frozenClock { clock = max(clock, entry.lamport) }
        }
        // The fault: who was away for longer brings it all back.
        if V.mutation == .expiringTombstones {
            entries = entries.filter { $1.isAdd || now - $1.wall < Self.tombstoneLife }
        }
        return .taken()
    }

    var view: Elements<Int> { Elements(entries.filter { $1.isAdd }.keys.sorted()) }

    static func check(_ observation: Observation<Self>) -> Violation? {
        SetSpecification.check(
            observation.view.all, before: observation.previous?.all, of: observation.history,
            policy: .either, meaning: { $0.effect })
    }
}
