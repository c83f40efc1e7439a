import ChangeLog
import DeltaCRDT
import Testing

/// What an author had seen, and what a peer holds, against sets of hashes that say the same at length.
struct PastTests {
    /// A history of people who write, read each other at times, and of whom one writes in several places.
    private func history(seed: UInt64, steps: Int) throws -> (authors: [Author], readers: [Author]) {
        var generator = Counter(state: seed)
        func below(_ bound: Int) -> Int { Int(generator.next() >> 33) % bound }
        var founder = try Author.founder()
        var authors: [Author] = []
        for number in 2..<6 { authors.append(try founder.admit(UInt64(number))) }
        let empty = founder
        authors = authors.map { Author(secrets: $0.secrets, log: founder.log) } + [founder]
        // Copies of one device: their changes fork.
        authors += [authors[0], authors[0]]
        for step in 0..<steps {
            let index = below(authors.count)
            if below(3) == 0 {
                // A prefix of what another holds, for people part in the middle of a talk.
                let other = authors[below(authors.count)].log.changes.map(\.sealed)
                #expect(authors[index].log.receive(Array(other.prefix(other.count - below(4)))).refusal == nil)
            } else {
                try authors[index].write([UInt8(step % 256)], operations: 1 + below(3))
            }
        }
        var readers: [Author] = []
        for _ in 0..<3 {
            var reader = empty
            for _ in 0..<30 {
                let other = authors[below(authors.count)].log.changes.map(\.sealed)
                #expect(reader.log.receive(Array(other.prefix(1 + below(other.count)))).refusal == nil)
            }
            for author in authors { #expect(reader.receive(from: author).refusal == nil) }
            readers.append(reader)
        }
        return (authors, readers)
    }

    /// Every change with all that it stands on, by hash.
    private func ancestry(_ log: TripLog) -> [Bytes32: Set<Bytes32>] {
        var ancestry: [Bytes32: Set<Bytes32>] = [:]
        for signed in log.changes {
            var all: Set = [signed.hash]
            for before in signed.change.heads + [signed.change.previous].compactMap({ $0 }) {
                all.formUnion(ancestry[before] ?? [])
            }
            ancestry[signed.hash] = all
        }
        return ancestry
    }

    @Test func everyPastIsWhatTheHashesSay() throws {
        for seed in UInt64(1)...8 {
            let (authors, readers) = try history(seed: seed, steps: 70)
            for log in (authors + readers).map(\.log) {
                let ancestry = ancestry(log)
                for later in log.changes.indices {
                    let expected = try #require(ancestry[log.changes[later].hash])
                    for place in log.changes.indices {
                        #expect(
                            log.isPast(place, of: later) == expected.contains(log.changes[place].hash),
                            "seed \(seed): \(place) of \(later)")
                    }
                }
            }
            #expect(Set(readers.map(\.log.frontier)).count == 1, "seed \(seed)")
            #expect(readers[0].log.branches.hasForks, "a history without forks says too little")
        }
    }

    @Test func aPeerThatShowedChangesHoldsTheirPasts() throws {
        for seed in UInt64(1)...8 {
            var (_, readers) = try history(seed: seed, steps: 70)
            let ancestry = ancestry(readers[0].log)
            var generator = Counter(state: seed + 100)
            var knowledge = PeerKnowledge()
            var expected: Set<Bytes32> = []
            // What a log knows of a peer outlives its own growth, and branches that are cut anew.
            var log = try Author.founder().log
            let changes = readers[0].log.changes.map(\.sealed)
            for end in stride(from: 1, through: changes.count, by: 1) {
                if log.receive([changes[end - 1]]).isRebuilt { knowledge.relearn(in: log) }
                if generator.next() >> 40 & 1 == 0 {
                    let place = Int(generator.next() >> 33) % log.changes.count
                    knowledge.learn(place, in: log)
                    expected.formUnion(ancestry[log.changes[place].hash] ?? [])
                }
                for place in log.changes.indices {
                    #expect(
                        knowledge.contains(place, in: log) == expected.contains(log.changes[place].hash),
                        "seed \(seed): \(place) of \(end)")
                }
            }
            readers.removeAll()
        }
    }

    @Test func aLogThatWasCopiedSharesNothingThatIsWrittenLater() throws {
        var founder = try Author.founder()
        var friend = try founder.admit(2)
        for number in 0..<300 { try founder.write([UInt8(number % 256)]) }
        friend.receive(from: founder)
        var (left, right) = (friend, friend)
        for number in 0..<300 { try left.write([1, UInt8(number % 256)]) }
        try right.write([2])
        #expect(friend.log.changes.count == 302)
        #expect(left.log.changes.count == 602)
        #expect(right.log.changes.count == 303)
        for log in [friend.log, left.log, right.log] {
            for place in log.changes.indices { #expect(log.place(of: log.changes[place].hash) == place) }
            #expect(log.frontier.tips.count == (log.changes.count == 302 ? 1 : 2))
        }
        #expect(friend.log.place(of: right.log.changes[302].hash) == nil)
    }

    /// A change may name so many heads and no more; one that would name more names the newest.
    @Test func moreHeadsThanAChangeMayNameAreNoReasonToWriteNothing() throws {
        var founder = try Author.founder()
        let count = ChangeLimits.headsMax + 5
        var friends: [Author] = []
        for number in 0..<count { friends.append(try founder.admit(UInt64(number) + 2)) }
        let everybody = founder.log
        for number in 0..<count {
            var friend = Author(secrets: friends[number].secrets, log: everybody)
            let signed = try friend.write()
            #expect(founder.log.receive([signed.sealed]).refusal == nil)
        }
        let signed = try founder.write([7])
        #expect(signed.change.heads.count == ChangeLimits.headsMax)
        var reader = Author(secrets: friends[0].secrets, log: everybody)
        #expect(reader.log.receive(founder.log.changes.dropFirst(count + 1).map(\.sealed)).refusal == nil)
        #expect(reader.log.frontier == founder.log.frontier)
        // What it left out is named by the next.
        #expect(try founder.write().change.heads.count == 5)
    }
}
