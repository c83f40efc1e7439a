/// A kind of fault in a run. Each can be excluded by name.
public enum Fault: String, CaseIterable, Sendable, Comparable {
    /// Messages are lost.
    case loss
    /// Messages arrive twice.
    case duplication
    /// Messages are late, so that later ones overtake them.
    case delay
    /// Some replicas are separated from the others, in both directions.
    case partition
    /// Some replicas can receive, but nothing that they send arrives.
    case oneWay = "one-way"
    /// A replica stops and starts from its disk.
    case crash
    /// A replica stops while it writes; the write is lost, torn, or done but not acknowledged.
    case torn
    /// A replica starts from an older copy of its disk.
    case backup
    /// A replica's clock jumps.
    case skew
    /// Days pass on all clocks while nobody acts.
    case days
    /// People act within the same millisecond.
    case burst
    /// Somebody alters the bytes of a replica's state, and another replica reads them. For types with a ``ReplicatedType/codec``.
    case alteration

    public static func < (left: Fault, right: Fault) -> Bool { left.rawValue < right.rawValue }
}

/// A kind of fault in some world's runs.
package protocol SimulatedFault: RawRepresentable<String>, CaseIterable, Hashable, Comparable, Sendable {
    /// What it is, in a few words.
    var meaning: String { get }
    /// What it does to replicas as long as it lasts.
    var trouble: Timeline.Trouble { get }
}

extension SimulatedFault {
    /// Their names as an option takes them: "none", or separated by commas.
    package static func list(_ faults: Set<Self>) -> String {
        faults.isEmpty ? "none" : faults.sorted().map { $0.rawValue }.joined(separator: ",")
    }
}

extension Fault: SimulatedFault {}
