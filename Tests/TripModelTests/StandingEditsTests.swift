import DeltaCRDT
import Testing

@testable import TripModel

/// Which edits of a note a write of the whole text replaces, and how many it looks at for that.
@Suite struct StandingEditsTests {
    /// A write that has seen what stands before an index, and notes how often it is asked.
    private final class Write: LoggedEvent {
        let id = StandingEditsTests.edit(1_000_000)
        private let end: UInt32
        private(set) var questions = 0

        init(seeing end: UInt32) { self.end = end }

        func hasSeen(_ other: LoggedOperation) -> Bool {
            questions += 1
            return other.changeIndex < end
        }
    }

    private static func edit(_ changeIndex: UInt32) -> LoggedOperation {
        let stamp = LamportTimestamp(lamport: 1, hash: ChangeHash(words: (UInt64(changeIndex), 0, 0, 0)))
        let cause = Cause(stamp: stamp, participant: ParticipantID(high: 0, low: 1), wallTime: 0)
        return LoggedOperation(cause: cause, changeIndex: changeIndex, index: 0)
    }

    @Test("what a write has seen goes once, but for what it leaves alone, in every order of arrival")
    func seen() {
        var standing = StandingEdits()
        for changeIndex in [4, 2, 6] as [UInt32] { standing.insert(Self.edit(changeIndex), ofBranch: 0) }
        standing.insert(Self.edit(3), ofBranch: 1)
        standing.insert(Self.edit(1), ofBranch: StandingEdits.unknownBranch)
        func removed(seeing end: UInt32, except siblings: UInt32...) -> [UInt32] {
            let kept = Set(siblings.map { Self.edit($0).operation })
            return standing.removeSeen(by: Write(seeing: end), except: kept).map(\.changeIndex).sorted()
        }
        #expect(removed(seeing: 5, except: 2, 6) == [1, 3, 4])
        #expect(removed(seeing: 5, except: 2) == [])
        #expect(removed(seeing: 7) == [2, 6])
        #expect(removed(seeing: 7) == [])
    }

    @Test("however many edits stand beside a write, it looks at one of them")
    func concurrent() {
        var standing = StandingEdits()
        for changeIndex in 10..<2_010 as Range<UInt32> { standing.insert(Self.edit(changeIndex), ofBranch: 0) }
        for _ in 0..<100 {
            let write = Write(seeing: 10)
            #expect(standing.removeSeen(by: write, except: []).isEmpty && write.questions == 1)
        }
        for end in 11...100 as ClosedRange<UInt32> {
            let write = Write(seeing: end)
            #expect(standing.removeSeen(by: write, except: []).map(\.changeIndex) == [end - 1] && write.questions == 2)
        }
    }
}
