import DeltaCRDT

enum GCounterSpecimen: Specimen {
    typealias State = GCounter

    static func operation(_ random: inout SplitMix64) -> UInt64 { UInt64(random.below(4)) }

    static func perform(_ operation: UInt64, on state: inout GCounter, by replica: ReplicaID) -> GCounter {
        state.increment(by: replica, operation)
    }

    static func view(_ state: GCounter) -> UInt64 { state.value }

    static func overwrites(_ later: UInt64, _ earlier: UInt64) -> Bool { false }

    static func expected(_ known: [Event<UInt64>], in history: [Event<UInt64>]) -> UInt64 {
        totalled(known, in: history).reduce(0) { $0 + $1.operation }
    }
}

enum PNCounterSpecimen: Specimen {
    typealias State = PNCounter

    static func operation(_ random: inout SplitMix64) -> Int64 { Int64(random.below(7)) - 3 }

    static func perform(_ operation: Int64, on state: inout PNCounter, by replica: ReplicaID) -> PNCounter {
        state.add(operation, by: replica)
    }

    static func view(_ state: PNCounter) -> Int64 { state.value }

    static func overwrites(_ later: Int64, _ earlier: Int64) -> Bool { false }

    /// What was added and what was taken are two totals.
    static func expected(_ known: [Event<Int64>], in history: [Event<Int64>]) -> Int64 {
        let added = totalled(known.filter { $0.operation > 0 }, in: history.filter { $0.operation > 0 })
        let taken = totalled(known.filter { $0.operation < 0 }, in: history.filter { $0.operation < 0 })
        return (added + taken).reduce(0) { $0 + $1.operation }
    }
}

/// The known events and all that their replicas did before them: a total that is known tells of those too.
private func totalled<Operation>(
    _ known: [Event<Operation>], in history: [Event<Operation>]
) -> [Event<Operation>] {
    history.filter { event in known.contains { $0.replica == event.replica && $0.number >= event.number } }
}

enum AddWinsSetSpecimen: Specimen {
    typealias State = AddWinsSet<String>

    enum Operation {
        case add(String)
        case remove(String)
        case removeAll
    }

    static func operation(_ random: inout SplitMix64) -> Operation {
        let element = ["café", "beach", "tent", "map", ""][random.below(5)]
        switch random.below(12) {
        case 0...6: return .add(element)
        case 7...10: return .remove(element)
        default: return .removeAll
        }
    }

    static func perform(_ operation: Operation, on state: inout State, by replica: ReplicaID) -> State {
        switch operation {
        case .add(let element): state.add(element, by: replica)
        case .remove(let element): state.remove(element)
        case .removeAll: state.removeAll()
        }
    }

    static func view(_ state: State) -> Set<String> {
        var view: Set<String> = []
        state.forEach { view.insert($0) }
        return view
    }

    static func overwrites(_ later: Operation, _ earlier: Operation) -> Bool {
        guard case .add(let element) = earlier else { return false }
        return switch later {
        case .add(let other), .remove(let other): other == element
        case .removeAll: true
        }
    }

    /// An element is in the set while some add of it is overwritten by no other add, remove or clearing.
    static func expected(_ known: [Event<Operation>], in history: [Event<Operation>]) -> Set<String> {
        var alive: Set<String> = []
        for event in known {
            guard case .add(let element) = event.operation else { continue }
            if !known.contains(where: { $0.overwrote(event) }) { alive.insert(element) }
        }
        return alive
    }
}

enum MVRegisterSpecimen: Specimen {
    typealias State = MVRegister<Int>

    static func operation(_ random: inout SplitMix64) -> Int? { random.below(5) == 0 ? nil : random.below(100) }

    static func perform(_ operation: Int?, on state: inout State, by replica: ReplicaID) -> State {
        if let value = operation { state.assign(value, by: replica) } else { state.clear() }
    }

    static func view(_ state: State) -> [Int] { state.values.sorted() }

    static func overwrites(_ later: Int?, _ earlier: Int?) -> Bool { true }

    /// The values of the writes that no write or clearing overwrote.
    static func expected(_ known: [Event<Int?>], in history: [Event<Int?>]) -> [Int] {
        known.filter { event in !known.contains { $0.overwrote(event) } }.compactMap(\.operation).sorted()
    }
}
