public import Convergence
public import DeltaCRDT

/// A delta of blocks: what one author wrote in a row is one block, and grows. The answer to somebody who has the beginning of a block
/// leaves the whole block out, as it begins before the end of what they know.
///
/// Source: yjs/yjs issue 308, https://github.com/yjs/yjs/issues/308 (“diffUpdate producing incorrect results”), of which this is a likely
/// form: a block of which a part is known must be cut.
public struct WholeBlocks<R: Repair>: ReplicatedType {
    public struct Note: Sendable, CustomStringConvertible { public var description: String { "note" } }

    public enum Message: Sendable {
        case question(lifeOf: ReplicaID, [ReplicaID: Int])
        case answer(to: ReplicaID, [ReplicaID: Block])
    }

    /// Notes of one author from a number on.
    public struct Block: Sendable {
        let start: Int
        let count: Int
    }

    private var name: ReplicaID
    private var counts: [ReplicaID: Int] = [:]

    public init(birth: Birth) { name = birth.start }
    public mutating func restarted(as birth: Birth) { name = birth.start }
    public static func randomAction(using generator: inout SeededGenerator) -> Note { Note() }

    public mutating func perform(_ action: Note, at now: Int64) -> [Dot] {
        counts[name, default: 0] += 1
        return [Dot(replica: name, counter: UInt64(counts[name] ?? 1))]
    }

    public mutating func message(to peer: Int, at now: Int64) -> Message? { .question(lifeOf: name, counts) }

    public mutating func receive(_ message: Message, from peer: Int, at now: Int64) -> Reception<Message> {
        switch message {
        case .question(let life, let known):
            var blocks: [ReplicaID: Block] = [:]
            for (author, count) in counts {
                let start = known[author] ?? 0
                if count > start, R.isDone || start == 0 { blocks[author] = Block(start: start, count: count - start) }
            }
            return .ignored(reply: .answer(to: life, blocks))
        case .answer(let life, let blocks):
            for (author, block) in blocks where counts[author, default: 0] >= block.start {
                counts[author] = max(counts[author] ?? 0, block.start + block.count)
            }
            return life == name ? .taken() : .part()
        }
    }

    public var view: Int { counts.values.reduce(0, +) }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        CounterSpecification.check(observation.view, of: observation.history) { _ in 1 }
    }
}
