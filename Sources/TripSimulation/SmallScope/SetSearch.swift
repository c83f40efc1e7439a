import ChangeLog

/// Compares what a node derives with what naive rules say, for all sets of up to so many crafted statements.
///
/// A node's roster is a function of the set if two things hold: the whole derivation says of each set what the naive rules say; and what
/// a node derives from a set with one more is what it derives from the larger set, whichever of its statements came last. For then, by
/// induction over the last to arrive, all orders lead to the same. A batch adds its statements to the index one by one, and is derived
/// whole or step by step as single ones are, so batches lead there too (Documentation/Rules.md, section 4).
package struct SetSearch {
    package struct Count: Sendable {
        /// Sets that were compared with the naive rules, each at least once.
        package var sets = 0
        /// Sets with the statement that arrived last.
        package var arrivals = 0
        /// Those that were taken step by step, and not derived anew.
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
        let said = graph.said
        let roster = Roster(said, graph)
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
            guard isNew || isSilent || isCompared else { continue }
            let whole = larger.said
            let derived = Roster(whole, larger)
            if isNew {
                counts[counts.count - 1].steps += 1
                try step(from: roster, said, to: derived, whole, larger)
            }
            if isSilent {
                counts[counts.count - 1].steps += 1
                guard Self.state(roster, larger) == Self.state(derived, larger),
                    roster.standings(whole, larger) == derived.standings(whole, larger)
                else { throw Finding(description: "the last statement changes the roster of\n\(larger.told)") }
            }
            if isCompared {
                counts[counts.count - 1].sets += 1
                try compare(derived, whole, larger)
            }
        }
    }

    /// Somebody who was not here is taken step by step.
    private func step(
        from before: Roster, _ said: RosterIndex, to derived: Roster, _ whole: RosterIndex, _ graph: SmallGraph
    ) throws(Finding) {
        var (index, roster) = (said, before)
        let (person, place) = (graph.names.persons.count - 1, graph.changes.count - 1)
        index.add(graph.names.persons[person])
        index.add(graph.names.devices[person])
        guard let kind = graph.changes[place].kind else { return }
        let statement = RosterStatement(place: place, author: graph.changes[place].device, kind: kind)
        index.add(statement, graph)
        index.add(inviteOf: person)
        roster.take(statement, index, graph)
        guard Self.state(roster, graph) == Self.state(derived, graph),
            roster.standings(index, graph) == derived.standings(whole, graph)
        else {
            throw Finding(description: "taken step by step, the last statement makes another roster of\n\(graph.told)")
        }
    }

    private struct State: Equatable {
        let settled: [Bool]
        let belonging: [Bool]
        let removals, farewells: [Set<Int>]
    }

    private static func state(_ roster: Roster, _ graph: SmallGraph) -> State {
        let persons = graph.names.persons.indices
        return State(
            settled: persons.map { roster.isSettled($0) }, belonging: persons.map { roster.belongs($0) },
            removals: persons.map { Set(roster.removals(of: $0).map(\.place)) },
            farewells: persons.map { Set(roster.farewells(of: $0)) })
    }

    private func compare(_ derived: Roster, _ said: RosterIndex, _ graph: SmallGraph) throws(Finding) {
        let naive = NaiveRoster(graph)
        let counting = graph.changes.indices.filter {
            derived.counts($0, by: graph.changes[$0].device, graph.names, graph)
        }
        guard counting == graph.changes.indices.filter(naive.counts), derived.standings(said, graph) == naive.standings
        else { throw Finding(description: "the rules say something else of\n\(graph.told)") }
    }
}

extension SmallGraph {
    /// A line a change.
    var told: String {
        changes.enumerated().map { place, change in
            let past = changes.indices.filter { isPast($0, of: place) }
            return "  \(place) by \(change.device): \(change.kind.map { "\($0)" } ?? "content"), on \(past)"
        }.joined(separator: "\n")
    }
}
