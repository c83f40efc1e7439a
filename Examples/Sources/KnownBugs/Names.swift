import Convergence

/// What people do with a set of names.
public enum NameAction: Sendable, CustomStringConvertible {
    case add(String)
    case remove(String)

    static func random(using generator: inout SeededGenerator) -> NameAction {
        let name = ["tent", "stove", "map"][generator.number(in: 0...2)]
        return generator.oneIn(3) ? .remove(name) : .add(name)
    }

    var effect: SetEffect<String> {
        switch self {
        case .add(let name): .add([name])
        case .remove(let name): .remove(name)
        }
    }

    public var description: String {
        switch self {
        case .add(let name): "add \(name)"
        case .remove(let name): "remove \(name)"
        }
    }
}

/// What people do with a map.
public struct MapWrite: Sendable, CustomStringConvertible {
    let key: String
    let value: Int

    public var description: String { "write \(value) to \(key)" }

    static func random(using generator: inout SeededGenerator) -> MapWrite {
        MapWrite(key: ["tent", "map"][generator.number(in: 0...1)], value: generator.number(in: 0...9_999))
    }
}

/// A map as people see it.
public struct ShownMap: Equatable, Sendable, CustomStringConvertible {
    let values: [String: Int]

    public var description: String { values.map { "\($0): \($1)" }.sorted().description }

    func check(_ history: History<MapWrite>) -> Violation? {
        MapSpecification.check(values.mapValues { [$0] }, of: history, keepsAll: false, policy: .either) {
            .set($0.key, $0.value)
        }
    }
}

/// What people do with a list of elements that are all different. Drawn places become those of the list that is shown.
public enum ListAction: Sendable, CustomStringConvertible {
    case draw(UInt64)
    case insert(String, after: String?, before: String?)
    case remove(String)

    static func random(using generator: inout SeededGenerator) -> ListAction { .draw(generator.next()) }

    /// People mostly type on behind what they typed last.
    func resolved(in shown: [String], behind last: String?, as name: String, removals: Bool = true) -> ListAction {
        guard case .draw(let draw) = self else { return self }
        var generator = SeededGenerator(seed: draw)
        if removals, generator.oneIn(4), !shown.isEmpty {
            return .remove(shown[generator.number(in: 0...shown.count - 1)])
        }
        let cursor = last.flatMap { shown.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        let place = generator.oneIn(3) ? generator.number(in: 0...shown.count) : cursor
        return .insert(
            name, after: place > 0 ? shown[place - 1] : nil, before: place < shown.count ? shown[place] : nil)
    }

    var effect: SequenceEffect<String>? {
        switch self {
        case .draw: nil
        case .insert(let name, let after, let before): .insert([name], after: after, before: before)
        case .remove(let name): .remove(name)
        }
    }

    public var description: String {
        switch self {
        case .draw: "something"
        case .insert(let name, let after, let before):
            "insert \(name) between \(after ?? "the start") and \(before ?? "the end")"
        case .remove(let name): "remove \(name)"
        }
    }
}
