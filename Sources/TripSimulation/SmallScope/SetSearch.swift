import ChangeLog

/// Compares what a node derives with what naive rules say, for all sets of up to so many crafted statements.
///
/// A node derives who is in from the whole set whenever a statement says anything of it, and else leaves its roster as it is: openings
/// and closings change nobody by themselves. So all orders and batches lead to the same if the whole derivation is what the naive rules
/// say, of each set, and an opening or a closing that comes last changes nothing (Documentation/Rules.md, section 4).
package struct SetSearch {
    package struct Count: Sendable {
        /// Sets that were compared with the naive rules, each at least once.
        package var sets = 0
        /// Sets with the statement that arrived last.
        package var arrivals = 0
        /// Those after which nothing is derived.
        package var steps = 0
    }

    /// What a node and the rules disagree on.
    package struct Finding: Error, CustomStringConvertible {
        package let description: String
    }

    /// By size, from 1.
    package private(set) var counts: [Count] = []
    private var every = EverySet()
    private let sizeMax: Int
    private let part: (first: Int, of: Int)

    /// - Parameters:
    ///   - sizeMax: statements after the beginning, at most.
    ///   - part: of the sets that the largest are made from, each so-manieth, from one on.
    package init(upTo sizeMax: Int, part: (first: Int, of: Int) = (0, 1)) {
        self.sizeMax = sizeMax
        self.part = part
    }

    /// - Parameter isDone: hears how many of how many sets of a size less than one were looked at; ends the search where it says so.
    package mutating func run(_ isDone: (_ size: Int, _ done: Int, _ of: Int) -> Bool = { _, _, _ in false })
        throws(Finding)
    {
        var level: Set<[UInt32]> = [every.beginning]
        for size in 1...sizeMax {
            counts.append(Count())
            var next: Set<[UInt32]> = []
            let isLargest = size == sizeMax
            let sets = level.sorted { $0.lexicographicallyPrecedes($1) }
            for (place, numbers) in sets.enumerated() {
                if isLargest, part.of > 1, place % part.of != part.first { continue }
                if place % 256 == 0, isDone(size, place, sets.count) { return }
                let held = every.held(numbers)
                let candidates = every.following(held)
                try compare(held, candidates)
                guard !isLargest else { continue }
                for candidate in candidates { next.insert(every.adding(candidate, to: held)) }
            }
            level = next
        }
    }

    private mutating func compare(_ held: EverySet.Held, _ candidates: [EverySet.Candidate]) throws(Finding) {
        let (graph, indices) = every.graph(of: held)
        let roster = Roster(graph.said, graph)
        for candidate in candidates {
            var (larger, known) = (graph, indices)
            let isNew = candidate.kind == .admit && known[candidate.subject] == nil
            if isNew { every.introduce(candidate.subject, in: &larger, &known) }
            larger.changes.append(
                every.change(candidate.author, candidate.kind, candidate.subject, candidate.past, known))
            let isCompared = every.isLast(candidate, of: held)
            counts[counts.count - 1].arrivals += 1
            // An opening or a closing changes nobody by itself: nothing is derived from it.
            let isSilent = candidate.kind == .open || candidate.kind == .close
            guard isSilent || isCompared else { continue }
            let derived = Roster(larger.said, larger)
            if isSilent {
                counts[counts.count - 1].steps += 1
                guard roster.states == derived.states,
                    Self.counting(roster, larger) == Self.counting(derived, larger)
                else { throw Finding(description: "the last statement changes the roster of\n\(larger.told)") }
            }
            if isCompared {
                counts[counts.count - 1].sets += 1
                try compare(derived, larger)
            }
        }
    }

    private static func counting(_ roster: Roster, _ graph: SmallGraph) -> [Int] {
        graph.changes.indices.filter { roster.counts($0, by: graph.changes[$0].device, graph) }
    }

    private func compare(_ derived: Roster, _ graph: SmallGraph) throws(Finding) {
        let naive = NaiveRoster(graph)
        guard Self.counting(derived, graph) == graph.changes.indices.filter(naive.counts),
            derived.states == naive.states
        else { throw Finding(description: "the rules say something else of\n\(graph.told)") }
    }
}

extension SmallGraph {
    /// A line a change.
    var told: String {
        changes.enumerated().map { index, change in
            let past = changes.indices.filter { isPast($0, of: index) }
            return "  \(index) by \(change.device): \(change.kind.map { "\($0)" } ?? "content"), on \(past)"
        }.joined(separator: "\n")
    }
}
