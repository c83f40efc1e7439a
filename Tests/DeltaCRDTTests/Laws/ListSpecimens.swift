import DeltaCRDT

/// Numbers inserted at random places, alone and several at once, and removed.
enum ListSpecimen: Specimen {
    typealias State = List<Int64>

    final class Operation: CustomStringConvertible {
        let inserted: [Int64]
        let place: Int
        let removed: Int
        var effect: NaiveFugue<Int64>.Effect?

        init(_ inserted: [Int64], place: Int, removed: Int) {
            (self.inserted, self.place, self.removed) = (inserted, place, removed)
        }

        var description: String { "at \(place), \(removed) away, \(inserted) in" }
    }

    static func operation(_ random: inout SplitMix64) -> Operation {
        let removed = random.below(3) == 0 ? 1 + random.below(3) : 0
        let inserted =
            removed > 0 && random.below(2) == 0 ? [] : (0...random.below(3)).map { _ in Int64(random.below(100)) }
        return Operation(inserted, place: random.below(40), removed: removed)
    }

    static func perform(_ operation: Operation, on state: inout State, by replica: ReplicaID) -> State {
        let place = operation.place % (state.count + 1)
        var delta = state.removeSubrange(place..<min(state.count, place + operation.removed))
        delta.merge(state.insert(contentsOf: operation.inserted, at: place, by: replica))
        return delta
    }

    static func view(_ state: State) -> [Int64] {
        let elements = state.elements
        return elements.indices.allSatisfy { state[$0] == elements[$0] } && elements.count == state.count
            ? elements : [-1]
    }

    static func follow(_ view: [Int64], _ change: SequenceChange<[Int64]>, _ after: [Int64]) -> [Int64] {
        var view = view
        switch change {
        case .inserted(let elements, let position): view.insert(contentsOf: elements, at: position)
        case .removed(let range): view.removeSubrange(range)
        }
        return view
    }

    static func catchUp(_ state: State, from other: State) -> [State] {
        [
            state.merging(other.delta(since: state.summary())),
            state.merging(other.delta(since: state.context.versionVector)),
        ]
    }

    static func expected(_ known: [Event<Operation>], in history: [Event<Operation>]) -> [Int64] {
        var counters: [ReplicaID: UInt64] = [:]
        for event in history {
            let first = counters[event.replica, default: 0] + 1
            counters[event.replica] = first + UInt64(event.operation.inserted.count) - 1
            guard event.operation.effect == nil else { continue }
            var seen = NaiveFugue(history.filter(event.saw).compactMap { $0.operation.effect })
            var effect = NaiveFugue<Int64>.Effect()
            let visible = seen.visible
            let place = event.operation.place % (visible.count + 1)
            for dot in visible[place...].prefix(event.operation.removed) {
                if let node = seen.nodes[dot] { effect.removed.append(node) }
                seen.remove(dot)
            }
            for (offset, number) in event.operation.inserted.enumerated() {
                let dot = Dot(replica: event.replica, counter: first + UInt64(offset))
                effect.nodes.append(seen.node(number, at: place + offset, dot: dot))
                seen.add(effect.nodes[offset])
            }
            event.operation.effect = effect
        }
        return NaiveFugue(known.compactMap { $0.operation.effect }).elements
    }
}

/// Numbers inserted, moved and removed. Each number is inserted once, so one that is seen twice is an element that was doubled.
enum MovableListSpecimen: Specimen {
    typealias State = MovableList<Int64>

    struct Place {
        let time: Int
        let name: Dot
        let number: Int64
    }

    final class Operation: CustomStringConvertible {
        enum Act { case insert(Int64), move, remove }

        let act: Act
        let from: Int
        let to: Int
        var effect: NaiveFugue<Place>.Effect?

        init(_ act: Act, from: Int, to: Int) { (self.act, self.from, self.to) = (act, from, to) }

        var description: String { "\(act) from \(from) to \(to)" }

        /// An empty list has nothing to move or to remove.
        func act(of count: Int) -> Act { count == 0 ? .insert(Int64(-from - 1)) : act }
    }

    static func operation(_ random: inout SplitMix64) -> Operation {
        let act: Operation.Act = [.insert(Int64(random.next() >> 2)), .move, .move, .move, .remove][random.below(5)]
        return Operation(act, from: random.below(12), to: random.below(12))
    }

    static func perform(_ operation: Operation, on state: inout State, by replica: ReplicaID) -> State {
        let count = state.count
        return switch operation.act(of: count) {
        case .insert(let number): state.insert(contentsOf: [number], at: operation.to % (count + 1), by: replica)
        case .move: state.move(from: operation.from % count, to: operation.to % count, by: replica)
        case .remove: state.remove(at: operation.from % count)
        }
    }

    static func view(_ state: State) -> [Int64] { state.count == state.elements.count ? state.elements : [-1] }

    static func follow(_ view: [Int64], _ change: [Int64], _ after: [Int64]) -> [Int64] { change }

    static func catchUp(_ state: State, from other: State) -> [State] {
        [
            state.merging(other.delta(since: state.summary())),
            state.merging(other.delta(since: state.context.versionVector)),
        ]
    }

    static func expected(_ known: [Event<Operation>], in history: [Event<Operation>]) -> [Int64] {
        var counters: [ReplicaID: UInt64] = [:]
        for event in history {
            if event.operation.effect == nil {
                let seen = NaiveFugue(history.filter(event.saw).compactMap { $0.operation.effect })
                let dot = Dot(replica: event.replica, counter: counters[event.replica, default: 0] + 1)
                event.operation.effect = effect(of: event.operation, dot, seen)
            }
            counters[event.replica, default: 0] += UInt64(event.operation.effect?.nodes.count ?? 0)
        }
        return shown(NaiveFugue(known.compactMap { $0.operation.effect })).map { $0.place.number }
    }

    private static func effect(
        of operation: Operation, _ dot: Dot, _ seen: NaiveFugue<Place>
    ) -> NaiveFugue<Place>.Effect {
        var (seen, effect) = (seen, NaiveFugue<Place>.Effect())
        let shown = shown(seen)
        func insert(_ name: Dot, _ number: Int64, at target: Int) {
            let place = Place(time: seen.nodes.count, name: name, number: number)
            let rest = self.shown(seen)
            effect.nodes.append(seen.node(place, at: target == 0 ? 0 : rest[target - 1].index + 1, dot: dot))
        }
        func remove(_ name: Dot) {
            for dot in seen.visible {
                guard let node = seen.nodes[dot], node.element.name == name else { continue }
                effect.removed.append(node)
                seen.remove(dot)
            }
        }
        switch operation.act(of: shown.count) {
        case .insert(let number): insert(dot, number, at: operation.to % (shown.count + 1))
        case .move:
            let place = shown[operation.from % shown.count].place
            remove(place.name)
            insert(place.name, place.number, at: operation.to % shown.count)
        case .remove: remove(shown[operation.from % shown.count].place.name)
        }
        return effect
    }

    /// Of each element the latest place, and where that stands among all places.
    private static func shown(_ tree: NaiveFugue<Place>) -> [(index: Int, place: Place)] {
        let visible = tree.visible
        return visible.enumerated().compactMap { index, dot in
            guard let place = tree.nodes[dot]?.element else { return nil }
            let isBeaten = visible.contains { other in
                guard let rival = tree.nodes[other]?.element, rival.name == place.name else { return false }
                return (rival.time, other) > (place.time, dot)
            }
            return isBeaten ? nil : (index, place)
        }
    }
}

/// A list posing as a movable one, whose move is a removal and an insertion: two who move an element double it.
enum DoublingListSpecimen: Specimen {
    typealias State = List<Int64>

    static func operation(_ random: inout SplitMix64) -> MovableListSpecimen.Operation {
        MovableListSpecimen.operation(&random)
    }

    static func perform(
        _ operation: MovableListSpecimen.Operation, on state: inout State, by replica: ReplicaID
    ) -> State {
        let count = state.count
        switch operation.act(of: count) {
        case .insert(let number): return state.insert(number, at: operation.to % (count + 1), by: replica)
        case .move:
            let number = state[operation.from % count]
            var delta = state.remove(at: operation.from % count)
            delta.merge(state.insert(number, at: operation.to % count, by: replica))
            return delta
        case .remove: return state.remove(at: operation.from % count)
        }
    }

    static func view(_ state: State) -> [Int64] { state.elements }

    static func follow(_ view: [Int64], _ change: SequenceChange<[Int64]>, _ after: [Int64]) -> [Int64] { after }

    static func expected(
        _ known: [Event<MovableListSpecimen.Operation>], in history: [Event<MovableListSpecimen.Operation>]
    ) -> [Int64] {
        MovableListSpecimen.expected(known, in: history)
    }
}
