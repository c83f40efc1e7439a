import Convergence
import DeltaCRDT

/// Whether a type has the bug that its file tells of, or is put right; both are one type but for that.
public protocol Repair: Sendable {
    static var isDone: Bool { get }
}

/// With the bug.
public enum Faulty: Repair { public static var isDone: Bool { false } }

/// Without.
public enum Right: Repair { public static var isDone: Bool { true } }

/// A Lamport time, and who made it: no two are equal, and what knew of another is greater.
public struct Stamp: Hashable, Comparable, Sendable {
    var time: UInt64
    var writer: ReplicaID

    var dot: Dot { Dot(replica: writer, counter: time) }

    public static func < (left: Stamp, right: Stamp) -> Bool { (left.time, left.writer) < (right.time, right.writer) }
}

/// What makes stamps.
public struct Clock: Sendable {
    private(set) var last: Stamp

    init(_ birth: Birth) { last = Stamp(time: 0, writer: birth.start) }

    mutating func restart(_ birth: Birth) { last.writer = birth.start }

    mutating func tick() -> Stamp {
        last.time += 1
        return last
    }

    mutating func see(_ time: UInt64) { last.time = max(last.time, time) }
}
