/// What an action means to a map.
public enum MapEffect<Key: Hashable & Comparable & Sendable, Value: Hashable & Comparable & Sendable>: Sendable {
    /// It writes a key's value.
    case set(Key, Value)
    /// It removes a key, as far as its author knew of it.
    case remove(Key)
}

/// What a map must show, by happened-before alone: each key is a register that can be removed.
public enum MapSpecification {
    /// Compares a map with its history. `keepsAll` is for one that shows every concurrent value of a key, `policy` decides
    /// between a write and a concurrent removal. O(keys + events²) bit operations, 64 at a time.
    public static func check<Action, Key, Value>(
        _ shown: [Key: [Value]], of history: History<Action>, keepsAll: Bool, policy: SetSpecification.Policy,
        meaning: (Action) -> MapEffect<Key, Value>?
    ) -> Violation? {
        var events: [Key: [HistoryEvent<Action>]] = [:]
        for event in history.events {
            switch meaning(event.action) {
            case .set(let key, _), .remove(let key): events[key, default: []].append(event)
            case nil: break
            }
        }
        for key in Set(events.keys).union(shown.keys).sorted() {
            let values = shown[key] ?? []
            let last = History.last(of: events[key] ?? [])
            let written = last.compactMap { event in
                if case .set(_, let value)? = meaning(event.action) { value } else { nil }
            }
            history.look(.nothingInvented, !values.isEmpty)
            history.look(.observedRemoves, (events[key] ?? []).count > written.count)
            history.look(.nothingLost, keepsAll ? written.count > 1 : !written.isEmpty && written.count == last.count)
            if policy == .addWins { history.look(.addWins, !written.isEmpty && written.count < last.count) }
            if let stale = values.first(where: { !written.contains($0) }) {
                let wasWritten = (events[key] ?? []).contains { event in
                    if case .set(_, stale)? = meaning(event.action) { true } else { false }
                }
                let law: Law = wasWritten ? .observedRemoves : .nothingInvented
                return Violation(law, "\(key) shows \(stale), which \(wasWritten ? "was replaced" : "nobody wrote")")
            }
            let mayBeGone = written.count < last.count && policy == .either
            let missing = Set(written).subtracting(values).sorted()
            guard let lost = missing.first, keepsAll || values.isEmpty, !(values.isEmpty && mayBeGone) else { continue }
            return Violation(written.count < last.count ? .addWins : .nothingLost, "\(key) does not show \(lost)")
        }
        return nil
    }
}
