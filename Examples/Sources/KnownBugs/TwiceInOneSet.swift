public import Convergence
public import DeltaCRDT

/// A set of the last writer whose merge puts the other side's list behind one's own: an element that both added is there twice.
///
/// Source: anshulahuja98/python3-crdt issue 6, https://github.com/anshulahuja98/python3-crdt/issues/6
public struct TwiceInOneSet<R: Repair>: ReplicatedType {
    public struct Entry: Hashable, Sendable {
        let stamp: Stamp
        let name: String
    }

    private var clock: Clock
    private var entries: [Entry] = []

    public init(birth: Birth) { clock = Clock(birth) }
    public mutating func restarted(as birth: Birth) { clock.restart(birth) }

    public static func randomAction(using generator: inout SeededGenerator) -> NameAction {
        .add(["tent", "stove", "map"][generator.number(in: 0...2)])
    }

    public mutating func perform(_ action: NameAction, at now: Int64) -> [Dot] {
        guard case .add(let name) = action else { return [] }
        entries = entries.filter { $0.name != name } + [Entry(stamp: clock.tick(), name: name)]
        return []
    }

    public mutating func message(to peer: Int, at now: Int64) -> [Entry]? { entries }

    public mutating func receive(_ message: [Entry], from peer: Int, at now: Int64) -> Reception<[Entry]> {
        for entry in message where !entries.contains(entry) {
            clock.see(entry.stamp.time)
            let mine = entries.first { $0.name == entry.name }
            if R.isDone, let mine, mine.stamp > entry.stamp { continue }
            if R.isDone { entries.removeAll { $0.name == entry.name } }
            entries.append(entry)
        }
        return .taken()
    }

    public var view: [String] { entries.map(\.name).sorted() }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        var seen: Set<String> = []
        if let twice = observation.view.first(where: { !seen.insert($0).inserted }) {
            return Violation(.shownOnce, "\(twice) is there twice")
        }
        return SetSpecification.check(
            observation.view, before: observation.previous, of: observation.history, policy: .either, meaning: \.effect)
    }
}
