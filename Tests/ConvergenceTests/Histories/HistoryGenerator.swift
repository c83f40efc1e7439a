import Convergence

/// Histories as a sound system makes them: news spreads at random, with its past, and readings follow from what is known.
struct HistoryGenerator {
    let type: DataType
    private var generator: SeededGenerator
    private var known: [Set<Int>]
    private var pasts: [Int: Set<Int>] = [:]
    private var history: RecordedHistory
    /// All elements of a list in their one order.
    private var order: [String] = []

    static func history(_ type: DataType, processes: Int, events: Int, seed: UInt64) -> RecordedHistory {
        var maker = HistoryGenerator(type, processes, seed)
        for _ in 0..<events { maker.step() }
        let all = Set(maker.pasts.keys)
        for process in 0..<processes { maker.read(process, all, isFinal: true) }
        return maker.history
    }

    private init(_ type: DataType, _ processes: Int, _ seed: UInt64) {
        self.type = type
        generator = SeededGenerator(seed: seed)
        known = Array(repeating: [], count: processes)
        history = RecordedHistory(type)
    }

    private mutating func step() {
        let process = generator.number(in: 0...known.count - 1)
        switch generator.number(in: 0...2) {
        case 0:
            let other = generator.number(in: 0...known.count - 1)
            known[process].formUnion(known[other])
        case 1: read(process, known[process], isFinal: false)
        default:
            let place = history.entries.count
            let operation = operation(process, place)
            pasts[place] = known[process]
            known[process].insert(place)
            history.entries.append(.init(process: "p\(process)", .did(operation)))
        }
    }

    private mutating func operation(_ process: Int, _ place: Int) -> Operation {
        let name = ["a", "b", "c"][generator.number(in: 0...2)]
        let isRemoval = generator.oneIn(3)
        switch type.kind {
        case .counter: return .increment(Int64(generator.number(in: 1...5)) * (isRemoval ? -1 : 1))
        case .set: return isRemoval ? .remove(name) : .add(name)
        case .register: return .write("v\(place)")
        case .map: return isRemoval ? .delete(name) : .set(name, value: "v\(place)")
        case .list, .text:
            let shown = sequence(known[process])
            if isRemoval, !shown.isEmpty {
                let at = generator.number(in: 0...shown.count - 1)
                return .erase(shown[at], at: at)
            }
            let at = generator.number(in: 0...shown.count)
            let element = "v\(place)"
            order.insert(element, at: at == 0 ? 0 : (order.firstIndex(of: shown[at - 1]) ?? 0) + 1)
            return .insert(
                element, at: at, after: at > 0 ? shown[at - 1] : nil, before: at < shown.count ? shown[at] : nil)
        }
    }

    private mutating func read(_ process: Int, _ known: Set<Int>, isFinal: Bool) {
        history.entries.append(.init(process: "p\(process)", .read(reading(known), isFinal: isFinal)))
    }

    private func did(_ place: Int) -> Operation? {
        if case .did(let operation) = history.entries[place].event { operation } else { nil }
    }

    private func sequence(_ known: Set<Int>) -> [String] {
        var shown: Set<String> = []
        var gone: Set<String> = []
        for place in known {
            switch did(place) {
            case .insert(let element, _, _, _): shown.insert(element)
            case .erase(let element, _): gone.insert(element)
            default: break
            }
        }
        return order.filter { shown.contains($0) && !gone.contains($0) }
    }

    private func reading(_ known: Set<Int>) -> Reading {
        switch type.kind {
        case .counter:
            return .counter(known.reduce(0) { if case .increment(let amount)? = did($1) { $0 + amount } else { $0 } })
        case .set:
            let alive = known.compactMap { place -> String? in
                guard case .add(let element)? = did(place) else { return nil }
                return known.contains { did($0) == .remove(element) && pasts[$0]?.contains(place) == true }
                    ? nil : element
            }
            return .set(Set(alive).sorted())
        case .register: return .register(values(known).sorted())
        case .map:
            var all: [String: [String]] = [:]
            for key in ["a", "b", "c"] {
                let own = known.filter { place in
                    switch did(place) {
                    case .set(key, _), .delete(key): true
                    default: false
                    }
                }
                let values = values(own)
                if !values.isEmpty { all[key] = values.sorted() }
            }
            return .map(all)
        case .list, .text: return .sequence(sequence(known))
        }
    }

    /// The last writes, or the one of them that came last in the run: an order that extends causality.
    private func values(_ known: Set<Int>) -> [String] {
        let last = known.filter { place in !known.contains { pasts[$0]?.contains(place) == true } }
        return (type.keepsAll ? Array(last) : last.max().map { [$0] } ?? []).compactMap { place in
            switch did(place) {
            case .write(let value), .set(_, let value): value
            default: nil
            }
        }
    }
}
