import ChangeLog
import DeltaCRDT
import Testing

/// Forks: both branches count, whatever the order in which they came.
struct BranchTests {
    /// Two copies of one device that both go on writing, and a friend.
    private func fork() throws -> (Author, Author, friend: Author) {
        var founder = try Author.founder()
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
            #expect(pasts(friend.log) == pasts(other.log))
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

    /// In whatever order changes came, and forks came to light: what a change's author had seen follows from the changes
    /// alone, and nothing has to be derived anew.
    @Test func pastsFollowFromTheSetOfChangesAlone() throws {
        var generator = Counter(state: 7)
        func number(below bound: Int) -> Int { Int(truncatingIfNeeded: generator.next() >> 33) % bound }
        var forked = 0
        for round in 0..<12 as Range<UInt8> {
            let (left, right, friend) = try fork()
            var copies = [left, right, left, friend, friend]
            for step in 0..<28 as Range<UInt8> {
                let one = number(below: copies.count)
                if number(below: 4) == 0 {
                    #expect(!copies[one].receive(from: copies[number(below: copies.count)]).isRebuilt)
                } else {
                    try copies[one].write([round, step, UInt8(one)])
                }
            }
            for one in copies.indices {
                for other in copies.indices { copies[one].receive(from: copies[other]) }
            }
            let pasts = pasts(copies[0].log)
            for copy in copies {
                var restored = TripLog(
                    trip: copy.log.trip, cryptography: Author.cryptography, contents: AnyContent())
                for epoch in copy.log.epochs { restored.addEpoch(secret: epoch.secret) }
                for change in copy.log.changes { try restored.restore(change.sealed, isVerified: true) }
                restored.finishRestoring()
                #expect(self.pasts(copy.log) == pasts)
                #expect(self.pasts(restored) == pasts)
            }
            forked = max(forked, copies[0].log.branches.indices(of: left.secrets.device.replica).count)
        }
        #expect(forked > 3, "forks of forks must occur")
    }

    /// What a change says is never a reason to refuse it, nor is what its bytes name.
    @Test func contentHasNoSay() throws {
        var founder = try Author.founder()
        var friend = try founder.admit(2)
        for content: [UInt8] in [[], [255], [UInt8](repeating: 255, count: 300), [1, 99, 0]] {
            try founder.write(content)
            #expect(friend.receive(from: founder).refusal == nil)
        }
        #expect(friend.log.frontier == founder.log.frontier)
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

    /// Of each change, all that its author had seen.
    private func pasts(_ log: TripLog) -> [Bytes32: Set<Bytes32>] {
        Dictionary(
            uniqueKeysWithValues: log.changes.indices.map { later in
                let past = log.changes.indices.filter { $0 != later && log.isPast($0, of: later) }
                return (log.changes[later].hash, Set(past.map { log.changes[$0].hash }))
            })
    }
}
