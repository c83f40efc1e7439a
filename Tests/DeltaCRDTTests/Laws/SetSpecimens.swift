import DeltaCRDT

enum SetOperation {
    case add(String)
    case remove(String)
    case removeAll

    static func random(_ random: inout SplitMix64) -> SetOperation {
        // Two of them are equal to Swift, and differ in their bytes.
        let element = ["caf\u{E9}", "cafe\u{301}", "beach", "tent with a long name", ""][random.below(5)]
        switch random.below(12) {
        case 0...6: return .add(element)
        case 7...10: return .remove(element)
        default: return .removeAll
        }
    }
}

/// A text as its bytes.
struct Bytes: Hashable {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }
}

extension Bytes: CustomStringConvertible {
    var description: String { String(decoding: bytes, as: UTF8.self) }
}

func following(_ view: Set<Bytes>, _ change: SetChange<String>) -> Set<Bytes> {
    var view = view
    switch change {
    case .inserted(let element): view.insert(Bytes(element))
    case .removed(let element): view.remove(Bytes(element))
    }
    return view
}

enum AddWinsSetSpecimen: Specimen {
    typealias State = AddWinsSet<String>

    static func operation(_ random: inout SplitMix64) -> SetOperation { .random(&random) }

    static func perform(_ operation: SetOperation, on state: inout State, by replica: ReplicaID) -> State {
        switch operation {
        case .add(let element): state.insert(element, by: replica)
        case .remove(let element): state.remove(element)
        case .removeAll: state.removeAll()
        }
    }

    static func overwrites(_ later: SetOperation, _ earlier: SetOperation) -> Bool {
        guard case .add(let element) = earlier else { return false }
        return switch later {
        case .add(let other), .remove(let other): Bytes(other) == Bytes(element)
        case .removeAll: true
        }
    }

    static func view(_ state: State) -> Set<Bytes> {
        var view: Set<Bytes> = []
        // What comes twice, is not found, or is not counted spoils the view.
        var isSound = true
        state.forEach { if !view.insert(Bytes($0)).inserted || !state.contains($0) { isSound = false } }
        return isSound && view.count == state.count ? view : [Bytes("unsound")]
    }

    static func follow(_ view: Set<Bytes>, _ change: SetChange<String>, _ after: Set<Bytes>) -> Set<Bytes> {
        following(view, change)
    }

    /// An element is in the set while some add of it is overwritten by no other add, remove or clearing.
    static func expected(_ known: [Event<SetOperation>], in history: [Event<SetOperation>]) -> Set<Bytes> {
        var view: Set<Bytes> = []
        for event in known.alive() {
            if case .add(let element) = event.operation { view.insert(Bytes(element)) }
        }
        return view
    }
}

enum RemoveWinsSetSpecimen: Specimen {
    typealias State = RemoveWinsSet<String>

    static func operation(_ random: inout SplitMix64) -> SetOperation {
        while true {
            let operation = SetOperation.random(&random)
            if case .removeAll = operation { continue }
            return operation
        }
    }

    static func perform(_ operation: SetOperation, on state: inout State, by replica: ReplicaID) -> State {
        switch operation {
        case .add(let element): state.insert(element, by: replica)
        case .remove(let element): state.remove(element, by: replica)
        case .removeAll: State()
        }
    }

    static func overwrites(_ later: SetOperation, _ earlier: SetOperation) -> Bool {
        element(later) == element(earlier)
    }

    static func view(_ state: State) -> Set<Bytes> {
        let view = Set(state.elements.map(Bytes.init))
        let isSound = isCounted(state, view.count) && state.elements.allSatisfy(state.contains)
        return isSound ? view : [Bytes("unsound")]
    }

    /// A set that was made of the same store has not counted.
    private static func isCounted(_ state: State, _ count: Int) -> Bool {
        let uncounted = State(state.causal)
        return state.count == count && uncounted.count == count && state.isEmpty == (count == 0)
            && uncounted.isEmpty == (count == 0)
    }

    static func follow(_ view: Set<Bytes>, _ change: SetChange<String>, _ after: Set<Bytes>) -> Set<Bytes> {
        following(view, change)
    }

    /// An element is in the set while adds of it are alive and no remove of it is.
    static func expected(_ known: [Event<SetOperation>], in history: [Event<SetOperation>]) -> Set<Bytes> {
        var added: Set<Bytes> = []
        var removed: Set<Bytes> = []
        for event in known.alive() {
            switch event.operation {
            case .add(let element): added.insert(Bytes(element))
            case .remove(let element): removed.insert(Bytes(element))
            case .removeAll: break
            }
        }
        return added.subtracting(removed)
    }

    private static func element(_ operation: SetOperation) -> Bytes? {
        switch operation {
        case .add(let element), .remove(let element): Bytes(element)
        case .removeAll: nil
        }
    }
}

enum GSetSpecimen: Specimen {
    typealias State = GSet<String>

    static func operation(_ random: inout SplitMix64) -> String {
        let ending = ["", "caf\u{E9}", "cafe\u{301}"][random.below(3)]
        return "a place that begins like the others, number \(random.below(20))" + ending
    }

    static func perform(_ operation: String, on state: inout State, by replica: ReplicaID) -> State {
        state.insert(operation)
    }

    static func catchUp(_ state: State, from other: State) -> [State] {
        [state.merging(other.delta(since: state.summary()))]
    }

    static func view(_ state: State) -> Set<Bytes> {
        var view: Set<Bytes> = []
        state.forEach { if state.contains($0) { view.insert(Bytes($0)) } }
        return view.count == state.count ? view : [Bytes("unsound")]
    }

    static func follow(_ view: Set<Bytes>, _ change: String, _ after: Set<Bytes>) -> Set<Bytes> {
        view.union([Bytes(change)])
    }

    /// Inserting what is there changes nothing, and so brings nothing to others.
    static func expected(_ known: [Event<String>], in history: [Event<String>]) -> Set<Bytes> {
        var effective: UInt64 = 0
        for event in history {
            let isThere = history.contains {
                event.saw($0) && effective & $0.bit != 0 && Bytes($0.operation) == Bytes(event.operation)
            }
            if !isThere { effective |= event.bit }
        }
        return Set(known.filter { effective & $0.bit != 0 }.map { Bytes($0.operation) })
    }
}
