import ChangeLog
import DeltaCRDT
import TripModel
import TripRules

/// What a machine's people see: a trip, made of the changes that they were shown.
///
/// To make it anew it begins with the longest part that it was made of before: what a trip is follows from the set of
/// its changes and from the names of their dots alone.
struct Shown {
    private(set) var replica = TripReplica()
    /// What it is made of.
    private(set) var part = Part()
    /// As it was after every so many changes, oldest first. Copies on write: they share what did not change since.
    private var marks: [(part: Part, replica: TripReplica)] = []

    /// Equal for equal sets of changes that are applied alike: their dots have equal names, and they replace alike.
    struct Part: Hashable {
        private(set) var count = 0
        private var sum: UInt64 = 0

        mutating func add(_ hash: Bytes32, first: Dot, renaming: [Dot: Dot], isOverIdle: Bool) {
            count += 1
            sum &+= SplitMix64.mixed(hash.words.0 ^ Self.word(of: first)) ^ (isOverIdle ? hash.words.2 : 0)
            for (written, present) in renaming {
                sum &+= SplitMix64.mixed(
                    Self.word(of: written) &+ SplitMix64.mixed(Self.word(of: present) ^ hash.words.1))
            }
        }

        private static func word(of dot: Dot) -> UInt64 {
            SplitMix64.mixed(dot.replica.high ^ SplitMix64.mixed(dot.replica.low ^ SplitMix64.mixed(dot.counter)))
        }
    }

    private static let markInterval = 256
    private static let marksMax = 16

    mutating func apply(_ change: AppliedChange) throws(TripError) {
        try replica.apply(change)
        note(change)
    }

    /// Takes a change's numbers without a look at what it says.
    mutating func pass(over change: AppliedChange) {
        try? replica.pass(over: change.first, operationCount: change.operationCount)
        note(change)
    }

    private mutating func note(_ change: AppliedChange) {
        part.add(
            change.hash, first: change.first, renaming: change.renaming,
            isOverIdle: change.hasSeen != nil)
        guard part.count % Self.markInterval == 0 else { return }
        if marks.count == Self.marksMax { marks.removeFirst() }
        marks.append((part, replica))
    }

    /// Goes back to the longest part that is made of the first of these changes, and says how many those are.
    mutating func goBack(in log: TripLog, _ places: [Int]) -> Int {
        var next = Part()
        var begun = (part: next, replica: TripReplica())
        for place in places {
            let names = log.names(place)
            next.add(
                log.changes[place].hash, first: names.first, renaming: names.renaming, isOverIdle: names.isOverIdle)
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
