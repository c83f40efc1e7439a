public import Convergence
public import DeltaCRDT

/// Somebody types a letter after so many others, or takes one away.
public enum Typing: Sendable, CustomStringConvertible {
    case insert(Character, after: Int)
    case delete(Int)

    static func random(using generator: inout SeededGenerator) -> Typing {
        let place = generator.number(in: 0...4)
        let letters: [Character] = ["a", "b", "c", "d", "e", "f", "g", "h"]
        return generator.oneIn(3) ? .delete(place) : .insert(letters[generator.number(in: 0...7)], after: place)
    }

    public var description: String {
        switch self {
        case .insert(let letter, let place): "insert \(letter) after \(place)"
        case .delete(let place): "delete \(place)"
        }
    }
}

/// What becomes of a letter that is taken away.
public protocol Deletion: Sendable {
    static var keepsTombstones: Bool { get }
}

/// Nothing is left of it.
public enum Forgetting: Deletion { public static var keepsTombstones: Bool { false } }

/// It stays, unseen.
public enum Tombstones: Deletion { public static var keepsTombstones: Bool { true } }

/// RGA, a text by operations: a letter is put after the one that it was typed after, and after those later ones that were put there too
/// (Roh, Jeon, Kim, Lee: *Replicated abstract data types*, 2011). The paper keeps a deleted letter as a tombstone, for others may have
/// typed after it. Without tombstones, a replica that has already deleted the letter puts their letters somewhere else.
public struct GrowableArray<D: Deletion>: OperationBased {
    public enum Operation: Sendable {
        case insert(Character, after: Dot?)
        case delete(Dot)
    }

    private struct Letter: Sendable {
        let delivery: Delivery<Operation>
        let letter: Character
        var isDeleted = false
    }

    public var log: CausalLog<Operation>
    private var letters: [Letter] = []
    private var visible: [Letter] { letters.filter { !$0.isDeleted } }

    public init(birth: Birth) { log = CausalLog(birth) }

    public static func randomAction(using generator: inout SeededGenerator) -> Typing { .random(using: &generator) }

    public func prepare(_ action: Typing) -> Operation? {
        switch action {
        case .insert(let letter, let place): .insert(letter, after: visible.prefix(place).last?.delivery.dot)
        case .delete(let place): place < visible.count ? .delete(visible[place].delivery.dot) : nil
        }
    }

    public mutating func deliver(_ delivery: Delivery<Operation>) {
        switch delivery.operation {
        case .insert(let letter, let anchor):
            // Without tombstones the anchor may be gone: then the text's beginning is as good as any place.
            var place = letters.firstIndex { $0.delivery.dot == anchor }.map { $0 + 1 } ?? 0
            while place < letters.count, delivery.precedes(letters[place].delivery) { place += 1 }
            letters.insert(Letter(delivery: delivery, letter: letter), at: place)
        case .delete(let dot):
            guard let place = letters.firstIndex(where: { $0.delivery.dot == dot }) else { return }
            if D.keepsTombstones {
                letters[place].isDeleted = true
            } else {
                letters.remove(at: place)
            }
        }
    }

    public var view: String { String(visible.map(\.letter)) }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        var (inserted, deletions) = (0, 0)
        for event in observation.history.events {
            if case .insert = event.action { inserted += 1 } else { deletions += 1 }
        }
        let count = observation.view.count
        if count > inserted { return Violation(.nothingInvented, "\(count) letters of \(inserted) are shown") }
        guard count < inserted - deletions else { return nil }
        return Violation(.nothingLost, "\(count) letters are shown of \(inserted), with \(deletions) deleted")
    }
}
