import Convergence
import DeltaCRDT
import LogFixtures
import Testing

@testable import ChangeLog
@testable import SyncEngine

/// Two logs that compare what they have send each other what the other lacks, and no more.
struct ReplicationTests {
    /// What one sends another until there is nothing left, in batches of so many.
    private func exchange(_ left: inout Member, _ right: inout Member, batch: Int) -> Int {
        var sent = 0
        var located: (left: [ReplicaID: [Int]], right: [ReplicaID: [Int]]) = ([:], [:])
        for _ in 0..<3 {
            let frontiers = (left.log.frontier, right.log.frontier)
            if frontiers.0 == frontiers.1 { return sent }
            let views = (
                left.log.compare(with: frontiers.1, toldBefore: left.log.graph.count, located: located.left),
                right.log.compare(with: frontiers.0, toldBefore: right.log.graph.count, located: located.right)
            )
            for replica in views.0.diverging {
                located.right[replica] = left.log.locator(for: replica).compactMap { right.log.graph.index(of: $0) }
            }
            for replica in views.1.diverging {
                located.left[replica] = right.log.locator(for: replica).compactMap { left.log.graph.index(of: $0) }
            }
            let again = (
                left.log.compare(with: frontiers.1, toldBefore: left.log.graph.count, located: located.left),
                right.log.compare(with: frontiers.0, toldBefore: right.log.graph.count, located: located.right)
            )
            // Each sends what it had when it was asked.
            let ends = (left.log.graph.count, right.log.graph.count)
            sent += send(from: left, before: ends.0, to: &right, lacked: again.0.knowledge, batch: batch)
            sent += send(from: right, before: ends.1, to: &left, lacked: again.1.knowledge, batch: batch)
        }
        return sent
    }

    private func send(
        from member: Member, before end: Int, to other: inout Member, lacked: PeerKnowledge, batch: Int
    ) -> Int {
        var (cursor, sent) = (0, 0)
        while cursor < end {
            let next = member.log.nextBatch(
                from: cursor, to: end, lackedBy: lacked, witness: nil, countMax: batch,
                bytesMax: 1 << 20)
            cursor = next.cursor
            sent += next.indices.count
            let received = other.log.receive(next.indices.map { member.log.graph.changes[$0].record })
            #expect(received.refusal == nil || received.refusal == .missingPast)
        }
        return sent
    }

    @Test("separated nodes have the same changes after they meet, forks and removals included, for any size of batch")
    func convergence() throws {
        for seed in UInt64(1)...30 {
            let trip = RandomTrip(seed: 1_000 + seed, count: 40)
            var generator = SeededGenerator(seed: seed)
            var sides: [Member] = []
            for _ in 0..<2 {
                // Each holds a part that is closed under pasts.
                var log = TripLog(trip: trip.changes[0].change.trip, cryptography: Member.cryptography)
                _ = log.add(shuffled(trip.changes, using: &generator).prefix(10 + Int(generator.below(30))))
                sides.append(Member(secrets: Member.secrets(1), log: log))
            }
            var (left, right) = (sides[0], sides[1])
            _ = exchange(&left, &right, batch: 1 + Int(generator.below(8)))
            #expect(left.log.frontier == right.log.frontier, "seed \(seed)")
            left.log.checkInvariants()
            right.log.checkInvariants()
        }
    }

    @Test("nothing is sent that the other side has, but where two branches of one log are compared")
    func nothingTwice() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        for number in UInt8(0)..<20 { try founder.say(nil, [number]) }
        for number in UInt8(0)..<10 { try friend.say(nil, [number]) }
        #expect(exchange(&founder, &friend, batch: 7) == 30)
        #expect(exchange(&founder, &friend, batch: 7) == 0)
    }

    @Test("what was sent in the belief that a peer holds a branch is sent again once it says that it holds another")
    func correction() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        founder.receive(from: friend)
        // The friend's disk came back from a backup. What the friend wrote before has a higher number.
        var copy = friend
        for number in UInt8(0)..<5 { try copy.say(nil, [number]) }
        let own = try (UInt8(10)..<12).map { try friend.say(nil, [$0]).hash }
        let frontier = copy.log.frontier
        let comparison = friend.log.compare(with: frontier, toldBefore: friend.log.graph.count, located: [:])
        var knowledge = comparison.knowledge
        func known(_ hash: Bytes32) -> Bool {
            friend.log.graph.index(of: hash).map { knowledge.contains($0, in: friend.log.graph) } ?? false
        }
        #expect(own.allSatisfy(known))
        let sent = try friend.say(nil, [12]).hash
        knowledge.learn(try #require(friend.log.graph.index(of: sent)), in: friend.log.graph)
        let replica = friend.secrets.device.replica
        let indices = copy.log.locator(for: replica).compactMap { friend.log.graph.index(of: $0) }
        knowledge.correct(replica, holds: indices, shown: comparison.knowledge, in: friend.log.graph)
        #expect(!own.contains(where: known))
        #expect(!known(sent))
        #expect(indices.allSatisfy { knowledge.contains($0, in: friend.log.graph) })
    }

    @Test("a frontier of thousands of tips is compared with a log of hundreds of forks, each in another")
    func manyTips() throws {
        var founder = try Member.founder()
        var mallory = try founder.admit(2)
        var forks = [try mallory.say(nil, [1])]
        for number in UInt64(0)..<400 {
            var other = mallory
            forks.append(try mallory.say(nil, [0, UInt8(truncatingIfNeeded: number)]))
            forks.append(try other.say(nil, [1, UInt8(truncatingIfNeeded: number)]))
            mallory = other
        }
        #expect(founder.log.receive(forks.map(\.record)).refusal == nil && founder.log.graph.hasForks)
        let (log, replica) = (founder.log, mallory.replica)
        func compare(_ number: UInt64) -> TripLog.Comparison {
            let tips = (UInt64(1)...12_000).map {
                Frontier.Tip(replica: replica, number: number, hash: Bytes32(words: ($0, 0, 0, 0)))
            }
            return log.compare(with: Frontier(tips: tips), toldBefore: log.graph.count, located: [:])
        }
        let ahead = compare(1 << 20)
        #expect(ahead.diverging.isEmpty)
        let indices = forks.compactMap { log.graph.index(of: $0.hash) }
        #expect(indices.count == forks.count && indices.allSatisfy { ahead.knowledge.contains($0, in: log.graph) })
        #expect(compare(1).diverging == [replica])
    }

    @Test("what a summary of a peer says is known again, and no more")
    func summary() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let shown = try friend.say(nil, [1])
        founder.receive(from: friend)
        let own = try founder.say(nil, [2])
        var knowledge = PeerKnowledge()
        let graph = founder.log.graph
        knowledge.learn(graph.index(of: shown.hash) ?? 0, in: graph)
        let again = PeerKnowledge(summary: knowledge.summary(in: graph), in: graph)
        #expect(again.contains(graph.index(of: shown.hash) ?? 0, in: graph))
        #expect(!again.contains(graph.index(of: own.hash) ?? 0, in: graph))
    }

    @Test("how many retained changes a peer lacks is what counting them one by one gives, with forks and removals")
    func missing() throws {
        for seed in UInt64(1)...30 {
            let trip = RandomTrip(seed: seed, count: 40)
            var generator = SeededGenerator(seed: seed)
            var log = TripLog(trip: trip.changes[0].change.trip, cryptography: RandomTrip.quick)
            #expect(log.add(shuffled(trip.changes, using: &generator)).refusal == nil)
            for _ in 0..<20 {
                var knowledge = PeerKnowledge()
                for _ in 0..<generator.below(4) {
                    let index = Int(generator.below(UInt64(log.graph.count)))
                    if generator.below(2) == 0 {
                        knowledge.learn(index, in: log.graph)
                    } else {
                        knowledge.assume(index, in: log.graph)
                    }
                }
                let end = Int(generator.below(UInt64(log.graph.count) + 1))
                let counted = (0..<end).count { log.isRetained($0) && !knowledge.contains($0, in: log.graph) }
                #expect(RetainedCounts(of: log, before: end).missing(at: knowledge) == counted, "seed \(seed)")
            }
        }
    }
}
