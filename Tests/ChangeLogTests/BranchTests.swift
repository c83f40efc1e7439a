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

    /// Two copies of a device write in the same place, under one key: with one nonce for both, whoever holds the two sealed
    /// changes has the difference of their texts.
    @Test func twoCopiesOfADeviceUseNoNonceTwice() throws {
        var (left, right, _) = try fork()
        var nonces: Set<[UInt8]> = []
        for number in 0..<8 as Range<UInt8> {
            for signed in [try left.write([number, 0]), try right.write([number, 1])] {
                nonces.insert(Array(signed.sealed[17..<41]))
            }
        }
        #expect(nonces.count == 16)
        #expect(left.log.changes.map(\.change.counter) == right.log.changes.map(\.change.counter))
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

    /// A branch has a name of its own in view of a sibling that is lower. Who has that not in their past cannot know the
    /// name: whether others hold the sibling or not, what says it is refused.
    @Test func aNameThatFollowsFromMoreThanItsPastIsRefusedByAll() throws {
        var isLower: Set<Bool> = []
        for round in 0..<16 {
            // This log takes anything, and so writes what others refuse.
            var (left, right, friend) = try fork()
            try left.write(DotContent.encode([]))
            try right.write(DotContent.encode([]), operations: 2 + round)
            let (one, other) = (left.log.changes[2], right.log.changes[2])
            isLower.insert(one.hash < other.hash)
            let apart = DotContent.encode([Dot(replica: other.hash.replicaID, counter: 1)])
            let plain = DotContent.encode([Dot(replica: other.change.replica, counter: other.change.counter)])
            var alone = try Author.founder(rules: DotContent())
            _ = try alone.admit(2)
            alone.receive(from: right)
            var both = alone
            both.receive(from: left)
            var (liar, honest) = (right, right)
            let (lie, truth) = (try liar.write(apart), try honest.write(plain))
            for var reader in [alone, both] {
                #expect(reader.log.receive([lie.sealed]).refusal == .content("not in its past"), "round \(round)")
                #expect(reader.log.receive([truth.sealed]).refusal == nil, "round \(round)")
            }
            // In view of both, the younger has a name of its own, and the elder has none.
            friend.receive(from: left)
            friend.receive(from: right)
            let late = try friend.write(apart)
            let refusal = both.log.receive([late.sealed]).refusal
            #expect(refusal == (one.hash < other.hash ? nil : .content("not in its past")), "round \(round)")
        }
        #expect(isLower == [true, false], "both cases must occur")
    }

    /// In whatever order changes came, and forks came to light: what a dot is called follows from the changes alone.
    @Test func namesFollowFromTheSetOfChangesAlone() throws {
        var generator = Counter(state: 7)
        func number(below bound: Int) -> Int { Int(truncatingIfNeeded: generator.next() >> 33) % bound }
        var forked = 0
        for _ in 0..<12 {
            let (left, right, friend) = try fork(rules: DotContent())
            var copies = [left, right, left, friend, friend]
            for _ in 0..<28 {
                let one = number(below: copies.count)
                if number(below: 4) == 0 {
                    copies[one].receive(from: copies[number(below: copies.count)])
                } else {
                    let log = copies[one].log
                    let dots = (0..<3).map { _ in log.applied(number(below: log.changes.count)).first }
                    try copies[one].write(DotContent.encode(dots))
                }
            }
            for one in copies.indices {
                for other in copies.indices { copies[one].receive(from: copies[other]) }
            }
            let names = names(copies[0].log)
            for copy in copies {
                var restored = TripLog(
                    trip: copy.log.trip, cryptography: Author.cryptography, rules: DotContent())
                for epoch in copy.log.epochs { restored.addEpoch(secret: epoch.secret) }
                for change in copy.log.changes { try restored.restore(change.sealed, isVerified: true) }
                restored.finishRestoring()
                #expect(self.names(copy.log) == names)
                #expect(self.names(restored) == names)
            }
            forked = max(forked, copies[0].log.branches.indices(of: left.secrets.device.replica).count)
        }
        #expect(forked > 3, "forks of forks must occur")
    }

    /// What each change's first operation and the dots in it are called.
    private func names(_ log: TripLog) -> [Bytes32: [Dot]] {
        Dictionary(
            uniqueKeysWithValues: log.changes.indices.map { place in
                let applied = log.applied(place)
                var dots: [Dot] = []
                if case .content(let content) = applied.body {
                    dots = (try? DotContent.decode(content)) ?? []
                }
                return (applied.hash, [applied.first] + dots.map { applied.present($0) })
            })
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

    /// With a ninth branch, nothing after the first fork counts: for nobody, whichever branches they hold.
    @Test func ofAReplicaThatBranchesTooOftenNothingAfterItsFirstForkCounts() throws {
        for round in UInt8(0)..<6 {
            var founder = try Author.founder()
            let friend = try founder.admit(2)
            try founder.write([round])
            let shared = founder.log.changes.count
            var copies: [Author] = []
            for number in UInt8(0)..<13 {
                var copy = founder
                // Some branch again later, one has branched before.
                for step in 0...(number % 3) { try copy.write([round, number, step]) }
                copies.append(copy)
            }
            var early = friend
            early.receive(from: founder)
            var readers = [early, early, early]
            for number in 0..<8 { #expect(readers[0].receive(from: copies[number]).refusal == nil) }
            #expect(readers[0].log.changes.indices.allSatisfy { readers[0].log.counts($0) }, "eight may be an accident")
            #expect(readers[0].log.changes.count > shared)
            for number in 0..<9 { readers[1].receive(from: copies[number]) }
            for number in (2..<13).reversed() { readers[2].receive(from: copies[number]) }
            // Somebody builds on what others will never count.
            try readers[0].write([round, 99])
            let word = try #require(readers[0].log.changes.last?.hash)
            for _ in 0..<3 {
                for reader in 0..<3 {
                    for other in 0..<3 where other != reader {
                        // As nodes send: what is kept, and nothing else.
                        let log = readers[other].log
                        let kept = log.changes.indices.filter { log.isKept($0) }.map { log.changes[$0].sealed }
                        #expect(readers[reader].log.receive(kept).refusal == nil)
                    }
                }
            }
            #expect(Set(readers.map(\.log.frontier)).count == 1, "round \(round)")
            for reader in readers {
                let counting = reader.log.changes.indices.filter { reader.log.counts($0) }
                #expect(counting.count == shared + 1)
                #expect(counting.contains { reader.log.changes[$0].hash == word })
                let byFounder = counting.filter {
                    reader.log.changes[$0].change.replica == founder.secrets.device.replica
                }
                #expect(byFounder.count == shared)
            }
        }
    }

    private func firstDots(_ log: TripLog) -> [Bytes32: Dot] {
        Dictionary(uniqueKeysWithValues: log.changes.indices.map { (log.changes[$0].hash, log.applied($0).first) })
    }
}
