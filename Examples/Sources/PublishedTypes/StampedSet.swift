public import Convergence
import ConvergenceExample
public import DeltaCRDT

/// The set in which the last writer wins, right: LWW-element-Set asks for times that differ and that follow what their author
/// had seen (Shapiro, Preguiça, Baquero, Zawirski: *A comprehensive study of convergent and commutative replicated data
/// types*, 2011). No clock on a wall gives them. A Lamport clock does, with the writer's name where it ties.
public struct StampedSet: ReplicatedType {
    public struct Entry: Sendable {
        let stamp: Stamp
        let isPresent: Bool
    }

    private var name: ReplicaID
    private var clock: UInt64 = 0
    private var entries: [String: Entry] = [:]

    public init(birth: Birth) { name = birth.start }

    public mutating func restarted(as birth: Birth) { name = birth.start }

    public static func randomAction(using generator: inout SeededGenerator) -> SetAction { .random(using: &generator) }

    public mutating func perform(_ action: SetAction, at now: Int64) -> [Dot] {
        let stamp = Stamp(time: clock + 1, replica: name)
        switch action {
        case .add(let element): take(element, Entry(stamp: stamp, isPresent: true))
        case .remove(let element): take(element, Entry(stamp: stamp, isPresent: false))
        }
        return []
    }

    private mutating func take(_ element: String, _ entry: Entry) {
        clock = max(clock, entry.stamp.time)
        if let mine = entries[element], mine.stamp >= entry.stamp { return }
        entries[element] = entry
    }

    public mutating func message(to peer: Int, at now: Int64) -> [String: Entry]? { entries }

    public mutating func receive(
        _ message: [String: Entry], from peer: Int, at now: Int64
    ) -> Reception<[String: Entry]> {
        for (element, entry) in message { take(element, entry) }
        return .taken()
    }

    public var view: [String] { entries.filter { $1.isPresent }.keys.sorted() }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        SetSpecification.check(
            observation.view, before: observation.previous, of: observation.history, policy: .either, meaning: \.effect)
    }
}
