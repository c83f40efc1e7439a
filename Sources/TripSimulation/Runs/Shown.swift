import ChangeLog
import DeltaCRDT
import SyncEngine
import TripModel
import TripRules

/// What a machine's people see: a trip, made of the changes that they were shown.
///
/// To derive it again, it begins with the longest part that it was derived from before: a trip follows from the set of its changes and
/// from their indices in the log.
struct Shown {
    private(set) var replica = TripReplica()
    /// What it is made of.
    private(set) var part = Part()
    /// As it was after every so many changes, oldest first. Copies on write: they share what did not change since.
    private var marks: [(part: Part, replica: TripReplica)] = []

    /// Equal for equal sets of changes that stand at the same indices, in the same branches, and are shown as much as there.
    struct Part: Hashable {
        private(set) var count = 0
        private var sum: UInt64 = 0

        mutating func add(_ change: AppliedChange) {
            count += 1
            let index = UInt64(change.index) << 33 | UInt64(change.branch) << 1 | (change.isUpheld ? 1 : 0)
            sum &+= SplitMix64.mixed(change.hash.words.0 ^ SplitMix64.mixed(index))
        }
    }

    private static let markInterval = 256
    private static let marksMax = 16

    mutating func apply(_ change: AppliedChange, as version: Version) {
        replica.apply(change, vocabulary: version.vocabulary)
        note(change)
    }

    /// Takes a change as if it were another; nil for one that says nothing.
    mutating func apply(_ change: AppliedChange, as other: TripChange?) {
        if let other { replica.apply(other) }
        note(change)
    }

    /// Takes a change without a look at what it says.
    mutating func pass(over change: AppliedChange) { note(change) }

    private mutating func note(_ change: AppliedChange) {
        part.add(change)
        guard part.count % Self.markInterval == 0 else { return }
        if marks.count == Self.marksMax { marks.removeFirst() }
        marks.append((part, replica))
    }

    /// Goes back to the longest part that is made of the first of these changes, and says how many those are.
    mutating func goBack(in node: SyncNode, _ indices: [Int]) -> Int {
        var next = Part()
        var begun = (part: next, replica: TripReplica())
        for index in indices {
            next.add(node.applied(index))
            if next == part {
                begun = (part, replica)
            } else if next.count % Self.markInterval == 0, let mark = marks.first(where: { $0.part == next }) {
                begun = mark
            }
        }
        marks.removeAll { $0.part.count > begun.part.count }
        (part, replica) = begun
        return part.count
    }
}
