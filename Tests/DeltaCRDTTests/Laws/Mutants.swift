import DeltaCRDT

/// Which law a mutant breaks.
protocol Defect: Hashable, Sendable {
    static var law: Law { get }
}

/// A sound type, an add-wins set beside a number that is joined by the greater, with one defect put in.
struct Mutant<D: Defect>: DeltaState, CanonicalCodable {
    var set = AddWinsSet<String>()
    var number: UInt64 = 0
    /// Counts merges; no part of the value.
    var merges: UInt64 = 0

    init() {}

    static func == (left: Mutant, right: Mutant) -> Bool { left.set == right.set && left.number == right.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }

    @discardableResult
    mutating func merge(_ other: Mutant) -> Bool { merge(other) { _ in } }

    @discardableResult
    mutating func merge(_ other: Mutant, onChange: (SetChange<String>) -> Void) -> Bool {
        let before = self
        set.merge(other.set) { if D.law != .tellsChanges { onChange($0) } }
        number = Self.join(number, other.number)
        merges += 1
        return self != before || D.law == .reportsChange
    }

    private static func join(_ left: UInt64, _ right: UInt64) -> UInt64 {
        switch D.law {
        case .idempotent: left + right
        case .commutative: right == 0 ? left : right
        // Each of 1, 2 and 3 beats the one before it.
        case .associative where left != 0 && right != 0: (left + 1) % 3 == right % 3 ? right : left
        default: max(left, right)
        }
    }

    func delta(for other: Mutant) -> Mutant {
        if D.law == .leastDelta { return self }
        var delta = Mutant()
        delta.set = set.delta(for: other.set)
        delta.number = Self.join(other.number, number) != other.number ? number : 0
        return delta
    }

    func decomposed() -> [Mutant] {
        var parts: [Mutant] = []
        for part in set.decomposed() {
            parts.append(Mutant())
            parts[parts.count - 1].set = part
        }
        if number > 0 {
            var part = Mutant()
            part.number = number
            parts.append(part)
        }
        if D.law == .decompositionRejoins, parts.count > 3 { parts.removeFirst() }
        if D.law == .decompositionMinimal, let first = parts.first { parts.append(first) }
        return parts
    }

    func encode(into encoder: inout CanonicalEncoder) {
        set.encode(into: &encoder)
        encoder.encode(number)
        encoder.encode(D.law == .canonical ? merges & 1 : 0)
    }

    init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        set = try AddWinsSet(from: &decoder)
        number = try decoder.decodeUInt64()
        if D.law == .roundTrip { number = 0 }
        // The greatest number that is read, to which the next act adds.
        if D.law == .staysReadable, number > Dot.maximumCounter { throw .tooLarge }
        _ = try decoder.decodeUInt64()
    }
}

enum MutantSpecimen<D: Defect>: Specimen {
    typealias State = Mutant<D>

    static func operation(_ random: inout SplitMix64) -> SetOperation { .random(&random) }

    static func perform(_ operation: SetOperation, on state: inout State, by replica: ReplicaID) -> State {
        var delta = State()
        if case .remove = operation, D.law == .specification { return delta }
        delta.set = AddWinsSetSpecimen.perform(operation, on: &state.set, by: replica)
        if case .add(let element) = operation { delta.number = UInt64(element.unicodeScalars.count % 3 + 1) }
        // Numbers here are 1 to 3: one that is greater was forged, and the next act goes over what is read.
        if D.law == .staysReadable, state.number > 3 { delta.number = state.number + Dot.maximumCounter }
        state.merge(delta)
        return D.law == .deltaEqualsChange ? State() : delta
    }

    static func overwrites(_ later: SetOperation, _ earlier: SetOperation) -> Bool {
        AddWinsSetSpecimen.overwrites(later, earlier)
    }

    static func view(_ state: State) -> Set<Bytes> { AddWinsSetSpecimen.view(state.set) }

    static func follow(_ view: Set<Bytes>, _ change: SetChange<String>, _ after: Set<Bytes>) -> Set<Bytes> {
        AddWinsSetSpecimen.follow(view, change, after)
    }

    static func expected(_ known: [Event<SetOperation>], in history: [Event<SetOperation>]) -> Set<Bytes> {
        AddWinsSetSpecimen.expected(known, in: history)
    }

    static func catchUp(_ state: State, from other: State) -> [State] {
        guard D.law == .catchesUp else { return [state.merging(other)] }
        // Only what is beyond the version vector, which a removal need not be.
        var missing = State()
        for part in other.decomposed() where !part.set.context.isSubset(of: state.set.context) { missing.merge(part) }
        missing.number = other.number
        return [state.merging(missing)]
    }
}

/// A last-writer-wins map posing as an observed-remove set, as in a published library: an add loses to a concurrent remove.
enum ImpostorSpecimen: Specimen {
    typealias State = LWWMap<String, Bool>

    static func operation(_ random: inout SplitMix64) -> SetOperation {
        RemoveWinsSetSpecimen.operation(&random)
    }

    static func perform(_ operation: SetOperation, on state: inout State, by replica: ReplicaID) -> State {
        switch operation {
        case .add(let element): state.updateValue(true, forKey: element, by: replica)
        case .remove(let element): state.removeValue(forKey: element, by: replica)
        case .removeAll: State()
        }
    }

    static func overwrites(_ later: SetOperation, _ earlier: SetOperation) -> Bool {
        AddWinsSetSpecimen.overwrites(later, earlier)
    }

    static func view(_ state: State) -> Set<Bytes> {
        var view: Set<Bytes> = []
        state.forEach { element, _ in view.insert(Bytes(element)) }
        return view
    }

    static func follow(_ view: Set<Bytes>, _ change: MapChange<String>, _ after: Set<Bytes>) -> Set<Bytes> { after }

    static func expected(_ known: [Event<SetOperation>], in history: [Event<SetOperation>]) -> Set<Bytes> {
        AddWinsSetSpecimen.expected(known, in: history)
    }
}
