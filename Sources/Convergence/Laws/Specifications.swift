/// What an action means to a set.
public enum SetEffect<Element: Hashable & Comparable & Sendable>: Sendable {
    /// It adds these.
    case add([Element])
    /// It removes this, as far as its author knew of it.
    case remove(Element)
}

/// What a set must show, by happened-before alone.
public enum SetSpecification {
    /// What decides between an add and a remove that did not know of each other.
    public enum Policy: Sendable {
        /// The add.
        case addWins
        /// Either may win, the same one everywhere.
        case either
    }

    /// Compares a set with its history. O(elements + events²) bit operations, 64 at a time.
    public static func check<Action: CustomStringConvertible, Element>(
        _ shown: [Element], before: [Element]?, of history: History<Action>, policy: Policy,
        meaning: (Action) -> SetEffect<Element>
    ) -> Violation? {
        let all = Set(shown)
        var events = Dictionary(uniqueKeysWithValues: all.map { ($0, [HistoryEvent<Action>]()) })
        for event in history.events {
            switch meaning(event.action) {
            case .add(let added): for element in Set(added) { events[element, default: []].append(event) }
            case .remove(let removed): events[removed, default: []].append(event)
            }
        }
        history.look(.nothingInvented, !all.isEmpty)
        for element in events.keys.sorted() {
            let last = History.last(of: events[element] ?? [])
            let adds = last.filter { if case .add = meaning($0.action) { true } else { false } }
            let isShown = all.contains(element)
            history.look(.observedRemoves, adds.isEmpty && !last.isEmpty)
            history.look(.nothingLost, !adds.isEmpty && adds.count == last.count)
            history.look(.nothingVanishes, !adds.isEmpty && before?.contains(element) ?? false)
            if policy == .addWins { history.look(.addWins, !adds.isEmpty && adds.count < last.count) }
            if isShown, adds.isEmpty {
                let law = last.isEmpty ? Law.nothingInvented : .observedRemoves
                return Violation(law, "\(element) is shown; last: \(describe(last))")
            }
            guard !isShown, !adds.isEmpty, adds.count == last.count || policy == .addWins else { continue }
            let wasShown = before.map { $0.contains(element) } ?? false
            let law: Law = adds.count < last.count ? .addWins : wasShown ? .nothingVanishes : .nothingLost
            return Violation(law, "\(element) is not shown; last: \(describe(last))")
        }
        return nil
    }

    private static func describe<Action: CustomStringConvertible>(_ events: [HistoryEvent<Action>]) -> String {
        events.isEmpty ? "nothing" : events.map { "\($0.action) by \($0.replica)" }.joined(separator: ", ")
    }
}

/// What a counter must show: the sum of all that is known.
public enum CounterSpecification {
    /// Compares a counter with its history. O(events).
    public static func check<Action>(
        _ shown: Int, of history: History<Action>, amount: (Action) -> Int
    ) -> Violation? {
        history.look(.everyActCounts, History.areConcurrent(history.events.filter { amount($0.action) != 0 }))
        let sum = history.events.reduce(0) { $0 + amount($1.action) }
        return shown == sum ? nil : Violation(.everyActCounts, "shows \(shown), people did \(sum)")
    }
}

/// What a register must show: one or all of the writes that no known write follows.
public enum RegisterSpecification {
    /// Compares a register with its history; `keepsAll` for one that shows every concurrent value. O(events²).
    public static func check<Action, Value: Hashable & Comparable>(
        _ shown: [Value], of history: History<Action>, keepsAll: Bool, written: (Action) -> Value?
    ) -> Violation? {
        let last = Set(history.last { written($0) != nil }.compactMap { written($0.action) })
        let writes = history.events.filter { written($0.action) != nil }
        history.look(.nothingInvented, !shown.isEmpty)
        history.look(.observedRemoves, writes.count > last.count)
        history.look(.nothingLost, keepsAll ? last.count > 1 : !last.isEmpty)
        if let stale = shown.first(where: { !last.contains($0) }) {
            guard history.events.contains(where: { written($0.action) == stale }) else {
                return Violation(.nothingInvented, "\(stale) is shown, and nobody wrote it")
            }
            return Violation(.observedRemoves, "\(stale) is shown, and was replaced")
        }
        let missing = last.subtracting(shown).sorted()
        guard let lost = missing.first, keepsAll || shown.isEmpty else { return nil }
        return Violation(.nothingLost, "\(lost) is not shown")
    }
}
