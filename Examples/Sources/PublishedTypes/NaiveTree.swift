public import Convergence
import DeltaCRDT

/// A tree in which every folder's parent is a register whose last writer wins. A replica refuses a move that would put a folder inside
/// itself. But when two people move two folders into each other, neither replica sees the cycle, and both folders are gone. Kleppmann,
/// Mulligan, Gomes and Beresford found this fault in shared file systems (*A highly-available move operation for replicated trees*,
/// 2022).
public struct NaiveTree: OperationBased {
    public var log: CausalLog<Move>
    private var written: [String: Delivery<Move>] = [:]
    private var tree = Parents()

    public init(birth: Birth) { log = CausalLog(birth) }

    public static func randomAction(using generator: inout SeededGenerator) -> Move { .random(using: &generator) }

    public func prepare(_ action: Move) -> Move? { tree.wouldClose(action) ? nil : action }

    public mutating func deliver(_ delivery: Delivery<Move>) {
        let folder = delivery.operation.folder
        if let last = written[folder], delivery.precedes(last) { return }
        written[folder] = delivery
        tree.set(delivery.operation)
    }

    public var view: [String] { tree.paths }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        FolderSpecification.check(observation.view, of: observation.history)
    }
}

/// The tree of the paper: moves are done in one order everywhere, and one that would put a folder into itself is passed over. A
/// move that comes late is put in its place, and what follows is done again.
public struct OrderedTree: OperationBased {
    public var log: CausalLog<Move>
    private var moves: [Delivery<Move>] = []
    private var tree = Parents()

    public init(birth: Birth) { log = CausalLog(birth) }

    public static func randomAction(using generator: inout SeededGenerator) -> Move { .random(using: &generator) }

    public func prepare(_ action: Move) -> Move? { action }

    public mutating func deliver(_ delivery: Delivery<Move>) {
        let place = moves.firstIndex { delivery.precedes($0) } ?? moves.count
        moves.insert(delivery, at: place)
        if place == moves.count - 1 { return tree.apply(delivery.operation) }
        tree = Parents()
        for move in moves { tree.apply(move.operation) }
    }

    public var view: [String] { tree.paths }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        FolderSpecification.check(observation.view, of: observation.history)
    }
}
