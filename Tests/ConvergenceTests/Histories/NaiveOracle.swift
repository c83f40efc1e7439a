import Convergence

/// Whether a small history can have come about: every way in which news can spread is tried, one after the other.
struct NaiveOracle {
    private let history: RecordedHistory
    private let sessions: [[Int]]
    private let operations: [Int]

    init(_ history: RecordedHistory) {
        self.history = history
        let names = Set(history.entries.map(\.process)).sorted()
        sessions = names.map { name in history.entries.indices.filter { history.entries[$0].process == name } }
        operations = history.entries.indices.filter { if case .did = history.entries[$0].event { true } else { false } }
    }

    private func operation(_ place: Int) -> Operation? {
        if case .did(let operation) = history.entries[place].event { operation } else { nil }
    }

    private struct State: Hashable {
        var places: [Int]
        var known: [Set<Int>]
        var pasts: [Int: Set<Int>]
    }

    /// Of a register that shows one value, and of a list, there is an order of all operations, too: each is tried.
    var isPossible: Bool {
        let kind = history.type.kind
        guard kind == .list || (kind == .register || kind == .map) && !history.type.keepsAll else {
            return isPossible(in: [:])
        }
        let places = operations.filter { kind != .list || isInsert($0) }
        return permutations(places).contains { order in
            isPossible(in: Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) }))
        }
    }

    private func isInsert(_ place: Int) -> Bool { if case .insert? = operation(place) { true } else { false } }

    private func permutations(_ all: [Int]) -> [[Int]] {
        guard let first = all.first else { return [[]] }
        return permutations(Array(all.dropFirst())).flatMap { rest in
            (0...rest.count).map { Array(rest[..<$0]) + [first] + Array(rest[$0...]) }
        }
    }

    private func isPossible(in order: [Int: Int]) -> Bool {
        var seen: Set<State> = []
        var stack = [State(places: sessions.map { _ in 0 }, known: sessions.map { _ in [] }, pasts: [:])]
        while let state = stack.popLast() {
            if zip(state.places, sessions).allSatisfy({ $0 == $1.count }) { return true }
            for session in sessions.indices {
                // News of one operation, with its past.
                for (operation, past) in state.pasts where !state.known[session].contains(operation) {
                    var next = state
                    next.known[session].formUnion(past)
                    next.known[session].insert(operation)
                    if seen.insert(next).inserted { stack.append(next) }
                }
                guard state.places[session] < sessions[session].count else { continue }
                let place = sessions[session][state.places[session]]
                var next = state
                next.places[session] += 1
                switch history.entries[place].event {
                case .did(let operation):
                    guard isAllowed(operation, place, state.known[session], order) else { continue }
                    next.pasts[place] = state.known[session]
                    next.known[session].insert(place)
                case .read(let reading, let isFinal):
                    if isFinal, state.known[session].count < operations.count { continue }
                    guard shows(reading, state.known[session], state.pasts, order) else { continue }
                }
                if seen.insert(next).inserted { stack.append(next) }
            }
        }
        return false
    }

    private func isAllowed(_ operation: Operation, _ place: Int, _ known: Set<Int>, _ order: [Int: Int]) -> Bool {
        switch operation {
        case .erase(let element, _): return known.contains { insert($0) == element }
        case .insert(_, _, let after, let before):
            let (own, all) = (order[place] ?? 0, known)
            func isBeside(_ element: String?, _ isRight: (Int) -> Bool) -> Bool {
                guard let element else { return true }
                guard let other = all.first(where: { insert($0) == element }) else { return false }
                return isRight(order[other] ?? 0)
            }
            return isBeside(after) { $0 < own } && isBeside(before) { $0 > own }
        case .write, .set, .delete:
            return history.type.keepsAll || known.allSatisfy { (order[$0] ?? 0) < (order[place] ?? 0) }
        default: return true
        }
    }

    private func insert(_ place: Int) -> String? {
        if case .insert(let value, _, _, _)? = operation(place) { value } else { nil }
    }

    private func shows(_ reading: Reading, _ known: Set<Int>, _ pasts: [Int: Set<Int>], _ order: [Int: Int]) -> Bool {
        switch reading {
        case .counter(let sum):
            return sum
                == known.reduce(0) { if case .increment(let amount)? = operation($1) { $0 + amount } else { $0 } }
        case .set(let shown):
            let adds = known.filter { place in
                guard case .add(let element)? = operation(place) else { return false }
                return !known.contains { operation($0) == .remove(element) && pasts[$0]?.contains(place) == true }
            }
            return Set(shown)
                == Set(adds.compactMap { if case .add(let element)? = operation($0) { element } else { nil } })
        case .register(let shown): return Set(shown) == values(nil, known, pasts, order)
        case .map(let shown):
            let keys = Set(known.compactMap { key($0) }).union(shown.keys)
            return keys.allSatisfy { Set(shown[$0] ?? []) == values($0, known, pasts, order) }
        case .sequence(let shown):
            let erased = Set(
                known.compactMap { if case .erase(let element, _)? = operation($0) { element } else { nil } })
            let all = known.filter { insert($0).map { !erased.contains($0) } ?? false }.sorted {
                (order[$0] ?? 0) < (order[$1] ?? 0)
            }
            return all.compactMap(insert) == shown
        }
    }

    private func key(_ place: Int) -> String? {
        switch operation(place) {
        case .set(let key, _), .delete(let key): key
        default: nil
        }
    }

    private func values(_ key: String?, _ known: Set<Int>, _ pasts: [Int: Set<Int>], _ order: [Int: Int]) -> Set<String>
    {
        let all = known.filter { key == nil ? true : self.key($0) == key }
        var last = all.filter { place in !all.contains { pasts[$0]?.contains(place) == true } }
        if !history.type.keepsAll { last = Set(all.max { (order[$0] ?? 0) < (order[$1] ?? 0) }.map { [$0] } ?? []) }
        return Set(
            last.compactMap { place in
                switch operation(place) {
                case .write(let value), .set(_, let value): value
                default: nil
                }
            })
    }
}
