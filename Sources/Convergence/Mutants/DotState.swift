import DeltaCRDT

/// What dots name that is alive, and every dot ever seen: the state of an add-wins set (Bieniusa et al.: *An optimized
/// conflict-free replicated set*, 2012), with no context compressed.
struct DotState<Value: Sendable>: Sendable {
    private(set) var live: [Dot: Value] = [:]
    private(set) var seen: Set<Dot> = []

    mutating func add(_ value: Value, as dot: Dot) {
        live[dot] = value
        seen.insert(dot)
    }

    mutating func remove(where isGone: (Value) -> Bool) { live = live.filter { !isGone($1) } }

    mutating func merge(_ other: DotState) {
        live = live.filter { other.live[$0.key] != nil || !other.seen.contains($0.key) }
        for (dot, value) in other.live where !seen.contains(dot) { live[dot] = value }
        seen.formUnion(other.seen)
    }

    /// As a reader finds it who believes a half-written record: everything seen, and half of it there.
    var torn: DotState {
        var half = self
        for dot in live.keys.sorted().suffix((live.count + 1) / 2) { half.live[dot] = nil }
        return half
    }
}
