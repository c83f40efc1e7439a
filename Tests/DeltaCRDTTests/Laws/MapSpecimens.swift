import DeltaCRDT

enum LWWMapSpecimen: Specimen {
    typealias State = LWWMap<UInt64, String>

    struct Operation {
        let key: UInt64
        /// nil for a removal.
        let value: String?
    }

    static func operation(_ random: inout SplitMix64) -> Operation {
        Operation(key: UInt64(random.below(4)), value: random.below(3) == 0 ? nil : "value \(random.below(5))")
    }

    static func perform(_ operation: Operation, on state: inout State, by replica: ReplicaID) -> State {
        if let value = operation.value {
            state.updateValue(value, forKey: operation.key, by: replica)
        } else {
            state.removeValue(forKey: operation.key, by: replica)
        }
    }

    static func overwrites(_ later: Operation, _ earlier: Operation) -> Bool { later.key == earlier.key }

    static func view(_ state: State) -> [UInt64: String] {
        var view: [UInt64: String] = [:]
        state.forEach { key, value in if state[key] == value { view[key] = value } }
        // A map that was made of the same store has not counted.
        let uncounted = State(state.causal)
        let isCounted =
            [state.count, uncounted.count] == [view.count, view.count]
            && [state.isEmpty, uncounted.isEmpty] == [view.isEmpty, view.isEmpty]
        return isCounted ? view : [99: "unsound"]
    }

    static func follow(
        _ view: [UInt64: String], _ change: MapChange<UInt64>, _ after: [UInt64: String]
    ) -> [UInt64: String] {
        var view = view
        switch change {
        case .inserted(let key) where view[key] == nil: view[key] = after[key]
        case .updated(let key) where view[key] != nil && after[key] != view[key]: view[key] = after[key]
        case .removed(let key) where view[key] != nil: view[key] = nil
        default: view[99] = "changed otherwise than told"
        }
        return view
    }

    /// At each key the surviving write with the longest chain of surviving writes before it; of equal ones, that of the
    /// greatest replica.
    static func expected(_ known: [Event<Operation>], in history: [Event<Operation>]) -> [UInt64: String] {
        var times: [Int] = []
        for event in history {
            let seen = history.filter { event.saw($0) }.alive().filter { $0.operation.key == event.operation.key }
            times.append(1 + (seen.map { times[$0.number] }.max() ?? 0))
        }
        var view: [UInt64: String] = [:]
        for (key, writes) in Dictionary(grouping: known.alive(), by: { $0.operation.key }) {
            let last = writes.max { left, right in
                (times[left.number], left.replica, left.number) < (times[right.number], right.replica, right.number)
            }
            view[key] = last?.operation.value
        }
        return view
    }
}

/// Maps of maps of sets, and removals at every level.
enum ORMapSpecimen: Specimen {
    typealias State = ORMap<String, ORMap<UInt64, AddWinsSet<Int64>>>

    enum Operation {
        case add(String, UInt64, Int64)
        case removeElement(String, UInt64, Int64)
        case removeInner(String, UInt64)
        case remove(String)
    }

    struct Leaf: Hashable {
        let outer: String
        let inner: UInt64
        let element: Int64
    }

    static func operation(_ random: inout SplitMix64) -> Operation {
        let outer = "list \(random.below(3))"
        let inner = UInt64(random.below(3))
        let element = Int64(random.below(3))
        switch random.below(12) {
        case 0...6: return .add(outer, inner, element)
        case 7...8: return .removeElement(outer, inner, element)
        case 9...10: return .removeInner(outer, inner)
        default: return .remove(outer)
        }
    }

    static func perform(_ operation: Operation, on state: inout State, by replica: ReplicaID) -> State {
        switch operation {
        case .add(let outer, let inner, let element):
            state.updateValue(forKey: outer) { $0.updateValue(forKey: inner) { $0.insert(element, by: replica) } }
        case .removeElement(let outer, let inner, let element):
            state.updateValue(forKey: outer) { $0.updateValue(forKey: inner) { $0.remove(element) } }
        case .removeInner(let outer, let inner): state.updateValue(forKey: outer) { $0.removeValue(forKey: inner) }
        case .remove(let outer): state.removeValue(forKey: outer)
        }
    }

    static func overwrites(_ later: Operation, _ earlier: Operation) -> Bool {
        guard case .add(let outer, let inner, let element) = earlier else { return false }
        return switch later {
        case .add(let o, let i, let e), .removeElement(let o, let i, let e): o == outer && i == inner && e == element
        case .removeInner(let o, let i): o == outer && i == inner
        case .remove(let o): o == outer
        }
    }

    static func view(_ state: State) -> Set<Leaf> {
        var view: Set<Leaf> = []
        state.forEach { outer, map in
            map.forEach { inner, set in
                set.forEach { element in
                    if state[outer][inner].contains(element) {
                        view.insert(Leaf(outer: outer, inner: inner, element: element))
                    }
                }
            }
        }
        return view
    }

    static func follow(_ view: Set<Leaf>, _ change: MapChange<String>, _ after: Set<Leaf>) -> Set<Leaf> {
        let key: String
        let (wasHere, isHere): (Bool, Bool)
        switch change {
        case .inserted(let inserted): (key, wasHere, isHere) = (inserted, false, true)
        case .updated(let updated): (key, wasHere, isHere) = (updated, true, true)
        case .removed(let removed): (key, wasHere, isHere) = (removed, true, false)
        }
        guard view.contains(where: { $0.outer == key }) == wasHere, after.contains(where: { $0.outer == key }) == isHere
        else { return [Leaf(outer: "changed otherwise than told", inner: 0, element: 0)] }
        return view.filter { $0.outer != key }.union(after.filter { $0.outer == key })
    }

    static func expected(_ known: [Event<Operation>], in history: [Event<Operation>]) -> Set<Leaf> {
        var view: Set<Leaf> = []
        for event in known.alive() {
            guard case .add(let outer, let inner, let element) = event.operation else { continue }
            view.insert(Leaf(outer: outer, inner: inner, element: element))
        }
        return view
    }
}
