import DeltaCRDT

/// A card on a board, of states of every kind.
struct Card: RecordSchema {
    var title = MVRegister<String>()
    var labels = AddWinsSet<String>()
    var isDone = EnableWinsFlag()
    var estimate = CausalCounter()
    var due = LWWMap<String, Int>()
    var steps = ORMap<UInt64, MVRegister<Bool>>()

    static let fields: [RecordField<Card>] = [
        .init(1, \.title), .init(2, \.labels), .init(3, \.isDone), .init(4, \.estimate), .init(7, \.due),
        .init(300, \.steps),
    ]
}

/// The same card, of a version that knew fewer fields.
struct EarlierCard: RecordSchema {
    var labels = AddWinsSet<String>()

    static let fields: [RecordField<EarlierCard>] = [.init(2, \.labels)]
}

extension Trial {
    /// Every type of the library, and one made of its stores.
    static let all = withoutKeyPaths + [Trial("ORMap of Records", RecordSpecimen.self)]
}

/// Cards under keys, where the removal of a card is concurrent with what is done to it.
enum RecordSpecimen: Specimen {
    typealias State = ORMap<String, Record<Card>>

    enum Act: Equatable {
        case name(String)
        case label(String)
        case unlabel(String)
        case finish
        case resume
        case step(UInt64, Bool)
        case removeAll
    }

    struct Operation {
        let card: String
        let act: Act
    }

    struct Seen: Equatable {
        var titles: [String] = []
        var labels: Set<String> = []
        var isDone = false
        var steps: [UInt64: [Bool]] = [:]
    }

    static func operation(_ random: inout SplitMix64) -> Operation {
        let text = "text \(random.below(3))"
        let acts: [Act] = [
            .name(text), .label(text), .unlabel(text), .finish, .resume,
            .step(UInt64(random.below(2)), random.below(2) == 0),
            .removeAll,
        ]
        return Operation(card: "card \(random.below(2))", act: acts[random.below(acts.count)])
    }

    static func perform(_ operation: Operation, on state: inout State, by replica: ReplicaID) -> State {
        if case .removeAll = operation.act { return state.removeValue(forKey: operation.card) }
        return state.updateValue(forKey: operation.card) { card in
            switch operation.act {
            case .name(let text): card.title.set(text, by: replica)
            case .label(let text): card.labels.insert(text, by: replica)
            case .unlabel(let text): card.labels.remove(text)
            case .finish: card.isDone.enable(by: replica)
            case .resume: card.isDone.disable()
            case .step(let step, let isTaken): card.steps.updateValue(forKey: step) { $0.set(isTaken, by: replica) }
            case .removeAll: break
            }
        }
    }

    static func overwrites(_ later: Operation, _ earlier: Operation) -> Bool {
        guard later.card == earlier.card else { return false }
        return switch (later.act, earlier.act) {
        case (.removeAll, _), (.name, .name), (.finish, .finish), (.resume, .finish): true
        case (.label(let new), .label(let old)), (.unlabel(let new), .label(let old)): new == old
        case (.step(let new, _), .step(let old, _)): new == old
        default: false
        }
    }

    static func view(_ state: State) -> [String: Seen] {
        var view: [String: Seen] = [:]
        state.forEach { key, card in
            var steps: [UInt64: [Bool]] = [:]
            card.steps.forEach { steps[$0] = $1.values.sorted { !$0 && $1 } }
            view[key] = Seen(
                titles: card.title.values.sorted(), labels: Set(card.labels.elements), isDone: card.isDone.isEnabled,
                steps: steps)
        }
        return view
    }

    static func follow(_ view: [String: Seen], _ change: MapChange<String>, _ after: [String: Seen]) -> [String: Seen] {
        var view = view
        switch change {
        case .inserted(let key) where view[key] == nil, .updated(let key) where view[key] != nil: view[key] = after[key]
        case .removed(let key) where view[key] != nil: view[key] = nil
        default: view["changed otherwise than told"] = Seen()
        }
        return view
    }

    static func expected(_ known: [Event<Operation>], in history: [Event<Operation>]) -> [String: Seen] {
        var view: [String: Seen] = [:]
        for event in known.alive() {
            let key = event.operation.card
            switch event.operation.act {
            case .name(let text): view[key, default: Seen()].titles.append(text)
            case .label(let text): view[key, default: Seen()].labels.insert(text)
            case .finish: view[key, default: Seen()].isDone = true
            case .step(let step, let isTaken): view[key, default: Seen()].steps[step, default: []].append(isTaken)
            case .unlabel, .resume, .removeAll: break
            }
        }
        return view.mapValues { card in
            var card = card
            card.titles.sort()
            card.steps = card.steps.mapValues { $0.sorted { !$0 && $1 } }
            return card
        }
    }
}
