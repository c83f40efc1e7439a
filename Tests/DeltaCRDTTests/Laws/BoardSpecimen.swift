import DeltaCRDT

/// Stores of every kind under one context, joined by hand: what a type of the user's own may be made of.
struct Board: DeltaState, CanonicalCodable {
    var names = DotMap<String, DotFun<Int64>>()
    var pins = DotSet()
    var notes = DotTable<String>()
    var context = CausalContext()

    init() {}

    @discardableResult
    mutating func merge(_ other: Board) -> Bool { merge(other) { _ in } }

    @discardableResult
    mutating func merge(_ other: Board, onChange: (Bool) -> Void) -> Bool {
        var changed = names.merge(other.names, context: context, otherContext: other.context)
        if pins.merge(other.pins, context: context, otherContext: other.context) { changed = true }
        if notes.merge(other.notes, context: context, otherContext: other.context) { changed = true }
        if context.merge(other.context) { changed = true }
        if changed { onChange(true) }
        return changed
    }

    func part(_ dots: CausalContext) -> Board {
        var part = Board()
        part.names = names.restricted(to: dots)
        part.pins = pins.restricted(to: dots)
        part.notes = notes.restricted(to: dots)
        part.context = dots
        return part
    }

    func delta(for other: Board) -> Board {
        var dots = context.subtracting(other.context)
        other.forEachDot { dot in
            if context.contains(dot), !contains(dot) { dots.insert(dot) }
        }
        return part(dots)
    }

    func decomposed() -> [Board] {
        var parts: [Board] = []
        context.forEachRange { replica, range in
            for counter in range { parts.append(part(CausalContext(Dot(replica: replica, counter: counter)))) }
        }
        return parts
    }

    private func forEachDot(_ body: (Dot) -> Void) {
        names.forEachDot(body)
        pins.forEachDot(body)
        notes.forEachDot(body)
    }

    private func contains(_ dot: Dot) -> Bool { names.contains(dot) || pins.contains(dot) || notes.contains(dot) }

    func encode(into encoder: inout CanonicalEncoder) {
        context.encode(into: &encoder)
        names.encode(into: &encoder)
        pins.encode(into: &encoder)
        notes.encode(into: &encoder)
    }

    init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        context = try CausalContext(from: &decoder)
        names = try DotMap(from: &decoder)
        pins = try DotSet(from: &decoder)
        notes = try DotTable(from: &decoder)
        // Every dot is in the context, and stands in one place: told by ranges, for a few bytes can tell of very many pins.
        var places = CausalContext()
        for dots in [names.dots(), pins.dots(), notes.dots()] {
            guard dots.isSubset(of: context), places.intersection(dots).isEmpty else { throw .notCanonical }
            places.merge(dots)
        }
    }
}

enum BoardSpecimen: Specimen {
    typealias State = Board

    enum Operation {
        case name(String, Int64)
        case forget(String)
        case pin
        case unpin
        case note(String)
        case tearOff(String)
    }

    struct View: Equatable {
        var names: [String: [Int64]] = [:]
        var pins = 0
        var notes: Set<String> = []
    }

    static func operation(_ random: inout SplitMix64) -> Operation {
        let name = "name \(random.below(12))"
        switch random.below(9) {
        case 0...2: return .name(name, Int64(random.below(9)))
        case 3: return .forget(name)
        case 4: return .pin
        case 5: return .unpin
        case 6...7: return .note(name)
        default: return .tearOff(name)
        }
    }

    static func perform(_ operation: Operation, on state: inout Board, by replica: ReplicaID) -> Board {
        let dot = state.context.nextDot(for: replica)
        var delta = Board()
        switch operation {
        case .name(let name, let value):
            delta.names[name] = DotFun(dot, value)
            delta.context = state.names[name].dots()
        case .forget(let name): delta.context = state.names[name].dots()
        case .pin:
            delta.pins = DotSet(dot)
            delta.context = state.pins.dots()
        case .unpin: delta.context = state.pins.dots()
        case .note(let note):
            delta.notes = DotTable(dot, note)
            delta.context = state.notes.dots(of: note)
        case .tearOff(let note): delta.context = state.notes.dots(of: note)
        }
        delta.context.insert(dot)
        state.merge(delta)
        return delta
    }

    static func overwrites(_ later: Operation, _ earlier: Operation) -> Bool {
        switch (later, earlier) {
        case (.name(let new, _), .name(let old, _)), (.forget(let new), .name(let old, _)): new == old
        case (.note(let new), .note(let old)), (.tearOff(let new), .note(let old)): new == old
        case (.pin, .pin), (.unpin, .pin): true
        default: false
        }
    }

    static func view(_ state: Board) -> View {
        var view = View()
        state.names.forEach { name, values in view.names[name] = values.entries.map { $0.value }.sorted() }
        view.pins = state.pins.count
        state.notes.forEachElement { view.notes.insert($0) }
        return view
    }

    static func follow(_ view: View, _ change: Bool, _ after: View) -> View { after }

    static func expected(_ known: [Event<Operation>], in history: [Event<Operation>]) -> View {
        var view = View()
        for event in known.alive() {
            switch event.operation {
            case .name(let name, let value): view.names[name, default: []].append(value)
            case .pin: view.pins += 1
            case .note(let note): view.notes.insert(note)
            case .forget, .unpin, .tearOff: break
            }
        }
        for name in view.names.keys { view.names[name]?.sort() }
        return view
    }
}
