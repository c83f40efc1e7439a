import DeltaCRDT

enum MVRegisterSpecimen: Specimen {
    typealias State = MVRegister<Int64>

    /// nil empties the register.
    static func operation(_ random: inout SplitMix64) -> Int64? {
        random.below(5) == 0 ? nil : Int64(random.below(100))
    }

    static func perform(_ operation: Int64?, on state: inout State, by replica: ReplicaID) -> State {
        if let value = operation { state.set(value, by: replica) } else { state.clear() }
    }

    static func overwrites(_ later: Int64?, _ earlier: Int64?) -> Bool { true }

    static func view(_ state: State) -> [Int64] { state.values.sorted() }

    static func follow(_ view: [Int64], _ change: [Int64], _ after: [Int64]) -> [Int64] { change.sorted() }

    /// The values of the writes that no write or clearing overwrote.
    static func expected(_ known: [Event<Int64?>], in history: [Event<Int64?>]) -> [Int64] {
        known.alive().compactMap { $0.operation }.sorted()
    }
}

enum LWWRegisterSpecimen: Specimen {
    typealias State = LWWRegister<String>

    static func operation(_ random: inout SplitMix64) -> String { "value \(random.below(5))" }

    static func perform(_ operation: String, on state: inout State, by replica: ReplicaID) -> State {
        state.set(operation, by: replica) ?? State()
    }

    static func view(_ state: State) -> String? { state.value }

    static func follow(_ view: String?, _ change: String, _ after: String?) -> String? { change }

    /// The write with the longest chain of writes before it; of equal ones, that of the greatest replica.
    static func expected(_ known: [Event<String>], in history: [Event<String>]) -> String? {
        var times: [Int] = []
        for event in history { times.append(1 + (history.filter(event.saw).map { times[$0.number] }.max() ?? 0)) }
        let last = known.max { (times[$0.number], $0.replica) < (times[$1.number], $1.replica) }
        return last?.operation
    }
}

enum EnableWinsFlagSpecimen: Specimen {
    typealias State = EnableWinsFlag

    static func operation(_ random: inout SplitMix64) -> Bool { random.below(2) == 0 }

    static func perform(_ operation: Bool, on state: inout State, by replica: ReplicaID) -> State {
        operation ? state.enable(by: replica) : state.disable()
    }

    static func overwrites(_ later: Bool, _ earlier: Bool) -> Bool { true }

    static func view(_ state: State) -> Bool { state.isEnabled }

    static func follow(_ view: Bool, _ change: Bool, _ after: Bool) -> Bool { change }

    static func expected(_ known: [Event<Bool>], in history: [Event<Bool>]) -> Bool {
        known.alive().contains { $0.operation }
    }
}

enum DisableWinsFlagSpecimen: Specimen {
    typealias State = DisableWinsFlag

    static func operation(_ random: inout SplitMix64) -> Bool { random.below(3) > 0 }

    static func perform(_ operation: Bool, on state: inout State, by replica: ReplicaID) -> State {
        operation ? state.enable(by: replica) : state.disable(by: replica)
    }

    static func overwrites(_ later: Bool, _ earlier: Bool) -> Bool { true }

    static func view(_ state: State) -> Bool { state.isEnabled }

    static func follow(_ view: Bool, _ change: Bool, _ after: Bool) -> Bool { change }

    static func expected(_ known: [Event<Bool>], in history: [Event<Bool>]) -> Bool {
        let alive = known.alive()
        return !alive.isEmpty && alive.allSatisfy { $0.operation }
    }
}
