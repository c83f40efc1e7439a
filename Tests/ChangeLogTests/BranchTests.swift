import ChangeLog
import DeltaCRDT
import Testing

/// Forks: both branches count, and everyone names them alike, whatever the order in which they came.
struct BranchTests {
    /// Two copies of one device that both go on writing, and a friend.
    private func fork(rules: any ContentRules = AnyContent()) throws -> (Author, Author, friend: Author) {
        var founder = try Author.founder(rules: rules)
        let friend = try founder.admit(2)
        return (founder, founder, friend)
    }

    @Test func bothBranchesCountAndEveryOrderEndsAlike() throws {
        for round in 0..<8 {
            var (left, right, friend) = try fork()
            for number in 0..<3 {
                try left.write([UInt8(round), 0, UInt8(number)])
                try right.write([UInt8(round), 1, UInt8(number)], operations: 2)
            }
            var other = friend
            #expect(friend.receive(from: left).refusal == nil)
            #expect(friend.receive(from: right).refusal == nil)
            #expect(other.receive(from: right).refusal == nil)
            #expect(other.receive(from: left).refusal == nil)
            #expect(friend.log.changes.count == 8)
            #expect(friend.log.frontier == other.log.frontier)
            #expect(firstDots(friend.log) == firstDots(other.log))
            #expect(Set(firstDots(friend.log).values).count == 8, "no dot names two things")
        }
    }

    @Test func aRenamedBranchIsReported() throws {
        var renamings = 0
        for round in 0..<32 {
            var (left, right, friend) = try fork()
            try left.write([UInt8(round), 0])
            try right.write([UInt8(round), 1])
            let first = friend.receive(from: left)
            let second = friend.receive(from: right)
            #expect(!first.renamed)
            let isLower = right.log.changes[2].hash < left.log.changes[2].hash
            #expect(second.renamed == isLower)
            renamings += isLower ? 1 : 0
        }
        #expect(renamings > 0 && renamings < 32, "both cases must occur")
    }

    @Test func dotsKeepTheirMeaningWhenTheirBranchIsRenamed() throws {
        for round in 0..<12 {
            var (left, right, friend) = try fork(rules: DotContent())
            try left.write(DotContent.encode([]))
            for _ in 0...round { try right.write(DotContent.encode([])) }
            friend.receive(from: left)
            // The friend has seen the left branch alone, and names its last dot.
            let leftDot = friend.log.applied(2).first
            try friend.write(DotContent.encode([leftDot]))
            var observer = try Author.founder(rules: DotContent())
            _ = try observer.admit(2)
            #expect(observer.receive(from: right).refusal == nil)
            #expect(observer.receive(from: friend).refusal == nil)
            let place = try #require(observer.log.place(of: friend.log.changes[3].hash))
            let applied = observer.log.applied(place)
            let meant = try #require(observer.log.place(of: left.log.changes[2].hash))
            #expect(applied.present(leftDot) == observer.log.applied(meant).first)
        }
    }

    @Test func aDotOutsideTheChangesPastIsRefused() throws {
        var founder = try Author.founder(rules: DotContent())
        var friend = try founder.admit(2)
        try founder.write(DotContent.encode([]))
        let unseen = founder.log.applied(2).first
        #expect(throws: Refusal.content("not in its past")) { try friend.write(DotContent.encode([unseen])) }
        friend.receive(from: founder)
        try friend.write(DotContent.encode([unseen]))
    }

    @Test func aNinthBranchIsRefused() throws {
        let founder = try Author.founder()
        var reader = founder
        for number in 0..<8 {
            var copy = founder
            try copy.write([UInt8(number)])
            #expect(reader.receive(from: copy).refusal == nil)
        }
        var ninth = founder
        try ninth.write([9])
        #expect(reader.receive(from: ninth).refusal == .tooManyBranches)
        #expect(reader.log.changes.count == 9)
    }

    private func firstDots(_ log: TripLog) -> [Bytes32: Dot] {
        Dictionary(uniqueKeysWithValues: log.changes.indices.map { (log.changes[$0].hash, log.applied($0).first) })
    }
}
