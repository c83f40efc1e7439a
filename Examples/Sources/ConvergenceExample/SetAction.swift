public import Convergence

/// What people do with a set of names.
public enum SetAction: Sendable, CustomStringConvertible {
    case add(String)
    case remove(String)

    /// Few names, so that people meet at one.
    public static func random(using generator: inout SeededGenerator) -> SetAction {
        let name = ["tent", "stove", "map"][generator.number(in: 0...2)]
        return generator.oneIn(3) ? .remove(name) : .add(name)
    }

    /// What it means to the specification.
    public var effect: SetEffect<String> {
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
