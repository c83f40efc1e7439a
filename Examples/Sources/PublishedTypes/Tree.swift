import Convergence
import DeltaCRDT

/// Somebody puts a folder into another, or at the top.
public struct Move: Sendable, CustomStringConvertible {
    public let folder: String
    public let parent: String?

    static let folders = ["maps", "photos", "songs", "trips"]

    static func random(using generator: inout SeededGenerator) -> Move {
        let folder = folders[generator.number(in: 0...folders.count - 1)]
        let others = folders.filter { $0 != folder }
        return Move(
            folder: folder, parent: generator.oneIn(4) ? nil : others[generator.number(in: 0...others.count - 1)])
    }

    public var description: String { "move \(folder) \(parent.map { "into \($0)" } ?? "to the top")" }
}

/// Each folder's parent. A folder without one is at the top.
struct Parents: Sendable {
    private(set) var parents: [String: String] = [:]

    /// Puts a folder where it may be; where it would be in itself, nothing is done.
    mutating func apply(_ move: Move) {
        if !wouldClose(move) { set(move) }
    }

    mutating func set(_ move: Move) { parents[move.folder] = move.parent }

    func wouldClose(_ move: Move) -> Bool {
        var above = move.parent
        while let folder = above {
            if folder == move.folder { return true }
            above = parents[folder]
        }
        return false
    }

    /// The path of each folder that is reached from the top.
    var paths: [String] {
        func path(_ folder: String, _ depth: Int) -> String? {
            // Nobody is as deep as there are folders, but in a cycle.
            guard depth < Move.folders.count else { return nil }
            guard let parent = parents[folder] else { return folder }
            return path(parent, depth + 1).map { "\($0)/\(folder)" }
        }
        return Move.folders.compactMap { path($0, 0) }.sorted()
    }
}

/// What a tree is held to.
enum FolderSpecification {
    static func check(_ paths: [String], of history: History<Move>) -> Violation? {
        let folders = paths.map { String($0.split(separator: "/").last ?? "") }
        if let missing = Move.folders.first(where: { !folders.contains($0) }) {
            return Violation(.rooted, "\(missing) is in itself, and shown nowhere")
        }
        for path in paths {
            let parts = path.split(separator: "/").map(String.init)
            guard let folder = parts.last, let parent = parts.dropLast().last else { continue }
            if history.events.contains(where: { $0.action.folder == folder && $0.action.parent == parent }) { continue }
            return Violation(.nothingInvented, "nobody put \(folder) into \(parent)")
        }
        return nil
    }
}
