import DeltaCRDT

/// Lines that people append, in Lamport order.
struct Feed<V: Variant>: ReplicatedType {
    struct Post: Sendable, CustomStringConvertible { var description: String { "post" } }

    struct Line: Sendable, Comparable, CustomStringConvertible {
        let lamport: UInt64
        let dot: Dot

        static func < (left: Line, right: Line) -> Bool {
            left.lamport != right.lamport ? left.lamport < right.lamport : left.dot < right.dot
        }

        var description: String { "\(dot.replica.high).\(dot.replica.low).\(dot.counter)" }
    }

    private var name: ReplicaID
    private var counter: UInt64 = 0
    /// A hash table with linear probing; its order follows from the order of insertion wherever two lines collide.
    private var slots: [Line?] = Array(repeating: nil, count: 4)
    private var count = 0

    init(birth: Birth) { name = birth.start }
    mutating func restarted(as birth: Birth) { name = birth.start }
    static func randomAction(using generator: inout SeededGenerator) -> Post { Post() }

    mutating func perform(_ action: Post, at now: Int64) -> [Dot] {
        counter += 1
        let dot = Dot(replica: name, counter: counter)
        insert(Line(lamport: 1 + (lines.map { $0.lamport }.max() ?? 0), dot: dot))
        return [dot]
    }

    private var lines: [Line] { slots.compactMap { $0 } }

    private mutating func insert(_ line: Line) {
        if count * 4 >= slots.count * 3 {
            let old = lines
            slots = Array(repeating: nil, count: slots.count * 2)
            count = 0
            for line in old { insert(line) }
        }
        let hash = (line.dot.replica.high &* 31 &+ line.dot.replica.low &* 17 &+ line.dot.counter) &* 0x9E37_79B9
        var index = Int(hash % UInt64(slots.count))
        while let other = slots[index] {
            if other.dot == line.dot { return }
            index = (index + 1) % slots.count
        }
        slots[index] = line
        count += 1
    }

    mutating func message(to peer: Int, at now: Int64) -> [Line]? { lines.sorted() }

    mutating func receive(_ message: [Line], from peer: Int, at now: Int64) -> Reception<[Line]> {
        for line in message { insert(line) }
        return .taken()
    }

    /// The fault: the table's order is shown.
    var view: Elements<Line> { Elements(V.mutation == .hashOrder ? lines : lines.sorted()) }

    static func check(_ observation: Observation<Self>) -> Violation? {
        CounterSpecification.check(observation.view.all.count, of: observation.history) { _ in 1 }
    }
}
