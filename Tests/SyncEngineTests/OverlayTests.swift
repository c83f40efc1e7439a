import ChangeLog
import SyncEngine
import TestTiers
import Testing

/// Who meets whom, and which way changes go.
struct OverlayTests {
    private func haveAll(_ crowd: Crowd, _ count: Int) -> Bool {
        crowd.nodes.allSatisfy { $0.log.count == count }
    }

    @Test("a few all meet each other, and stay together")
    func few() throws {
        var crowd = try Crowd(seed: 1, count: 13)
        #expect(crowd.run(for: 20_000) { crowd in crowd.nodes.allSatisfy { $0.sessions.count == 12 } })
        // And stay together.
        _ = crowd.run(for: 60_000)
        #expect(crowd.nodes.allSatisfy { $0.sessions.count == 12 })
    }

    @Test("of many each meets a few, and all are one piece", .tags(.slow))
    func many() throws {
        var limits = SessionLimits()
        (limits.reshuffleInterval, limits.reshuffleIntervalMin) = (4_000, 2_000)
        for seed in UInt64(1)...2 {
            var crowd = try Crowd(seed: seed, count: 26, limits: limits)
            _ = crowd.run(for: 8_000)
            let before = crowd.pairs
            for round in 0..<4 {
                _ = crowd.run(for: 5_000)
                #expect(crowd.isOnePiece, "seed \(seed), round \(round)")
                for node in crowd.nodes.indices {
                    let (dialled, accepted) = crowd.sessions(of: node)
                    // One more while one is exchanged for another.
                    #expect(dialled <= 7 && accepted <= 12, "seed \(seed): \(dialled) dialled, \(accepted) accepted")
                    #expect(dialled + accepted >= 6, "seed \(seed)")
                }
            }
            #expect(crowd.pairs.subtracting(before).count > 10, "peers must be exchanged")
        }
    }

    /// Who is of a small branch of the trip cannot be with everybody of the great ones.
    ///
    /// - Parameter bringers: of those whom the founder brought, how many brought all the others.
    @Test("a crowd comes to rest where some brought many and others nobody", .tags(.slow), arguments: [1, 3])
    func rest(bringers: Int) throws {
        var limits = SessionLimits()
        limits.reshuffleIntervalMin = limits.reshuffleInterval
        let bringer = { $0 <= bringers + 3 ? 0 : 1 + $0 % bringers }
        var crowd = try Crowd(seed: 3, count: 45, broughtBy: bringer, limits: limits)
        _ = crowd.run(for: 20_000)
        let dialled = crowd.dialCount
        _ = crowd.run(for: 20_000)
        #expect(crowd.isOnePiece)
        #expect(crowd.dialCount - dialled < 100, "\(crowd.dialCount - dialled) dials in twenty seconds")
    }

    @Test("a change reaches all, and mostly once", .tags(.slow))
    func spreading() throws {
        var crowd = try Crowd(seed: 5, count: 26)
        _ = crowd.run(for: 6_000)
        // The first few find the tree.
        for number in 0..<20 {
            crowd.write([UInt8(number)], on: number * 7 % 26)
            _ = crowd.run(for: 400)
        }
        _ = crowd.run(for: 3_000)
        let held = crowd.nodes[0].log.count
        var idle = crowd.deliveredBytes
        _ = crowd.run(for: 20_000)
        idle = crowd.deliveredBytes - idle
        var spent = crowd.deliveredBytes
        for number in 0..<20 {
            crowd.write([UInt8](repeating: UInt8(number), count: 8_000), on: number * 11 % 26)
            #expect(crowd.run(for: 1_000) { haveAll($0, held + number + 1) }, "change \(number)")
            _ = crowd.run(for: 1_000 - crowd.time % 1_000)
        }
        spent = crowd.deliveredBytes - spent - idle
        // One copy a node is 25 times 16,386 bytes: a change of 8,000 fills up half of its frame.
        let copies = Double(spent) / 20 / 25 / 16_386
        #expect(copies > 0.9 && copies < 1.6, "\(copies) copies a node")
    }

    @Test("in a crowd, peers that asked for news alone hear at once of what a node writes, and of the rest 0.2 s later")
    func ownActs() throws {
        var (host, trip) = try Host.founder(members: 4) { $0.meshPeersMax = 2 }
        host.tell(.listening(port: 4_000))
        let epoch = try #require(host.epochCredential)
        var callers = try (1...4).map { try host.call(UInt64($0), as: trip.people[$0], under: epoch) }
        for index in callers.indices {
            callers[index].say(.frontier(trip.log.frontier), to: &host)
            callers[index].say(.lazy, to: &host)
        }
        host.time += 2_000
        host.tell(.woke)
        // News of others' acts, which may wait longer, is due already.
        var log = trip.log
        let other = try log.add(nil, [7], by: trip.people[1])
        _ = callers[0].hand([other.record], to: &host)
        func areTold(of act: Bytes32) -> [Bool] {
            callers.indices.map { index in
                callers[index].hear(from: host)
                return callers[index].heard.contains {
                    if case .have(let heads) = $0 { heads.contains(act) } else { false }
                }
            }
        }
        host.write(nil, [8])
        #expect(areTold(of: try #require(host.node.log.graph.changes.last).hash).allSatisfy { $0 })
        host.write(nil, [9])
        let second = try #require(host.node.log.graph.changes.last).hash
        #expect(areTold(of: second).allSatisfy { !$0 })
        host.time += 200
        host.tell(.woke)
        #expect(areTold(of: second).allSatisfy { $0 })
    }

    /// Some announce made-up changes, the others the act itself, which they never send.
    @Test("peers that announce what they don't send delay a node's question to the peer that does by one pause")
    func emptyAnnouncements() throws {
        var (host, trip) = try Host.founder(members: 8) { $0.meshPeersMax = 2 }
        host.tell(.listening(port: 4_000))
        let epoch = try #require(host.epochCredential)
        var callers = try (1...8).map { try host.call(UInt64($0), as: trip.people[$0], under: epoch) }
        for index in callers.indices { callers[index].say(.frontier(trip.log.frontier), to: &host) }
        var log = trip.log
        try log.add(nil, [7], by: trip.people[8])
        let hash = try #require(log.graph.changes.last).hash
        for index in 0..<7 {
            let empty = (0..<4).map { Bytes32(words: (UInt64(index), UInt64($0), 7, 7)) }
            callers[index].say(.have(index % 2 == 0 ? [hash] : empty), to: &host)
        }
        callers[7].say(.have([hash]), to: &host)
        func isAsked() -> Bool {
            callers[7].hear(from: host)
            return callers[7].heard.contains { if case .want(hash) = $0 { true } else { false } }
        }
        let start = host.time
        while host.time < start + 450, !isAsked() {
            host.time += 10
            host.tell(.woke)
        }
        #expect(isAsked(), "after \(host.time - start) ms")
    }

    /// Two halves that were apart so long that each has found enough others of its own, with no news of names.
    @Test("halves that were apart find each other again, with no news of names", .tags(.slow))
    func halves() throws {
        for seed in [UInt64(1)] {
            var crowd = try Crowd(seed: seed, count: 26)
            _ = crowd.run(for: 10_000)
            #expect(crowd.isOnePiece)
            for node in 0..<13 { crowd.part[node] = 1 }
            _ = crowd.run(for: 40_000)
            #expect(!crowd.isOnePiece)
            let held = crowd.nodes[0].log.count
            crowd.write([1], on: 3)
            crowd.write([2], on: 23)
            _ = crowd.run(for: 5_000)
            #expect(crowd.nodes.allSatisfy { $0.log.count == held + 1 }, "each half has its own")
            for node in 0..<13 { crowd.part[node] = 0 }
            #expect(crowd.run(for: 90_000) { haveAll($0, held + 2) }, "seed \(seed)")
        }
    }

    /// Nobody can reach anybody but one in the middle, who has more to serve than it has places.
    @Test("whoever finds no place is served in turn", .tags(.slow))
    func turns() throws {
        var limits = SessionLimits()
        (limits.acceptedPeersMax, limits.dialledPeersMax, limits.displaceableAge) = (2, 2, 3_000)
        var crowd = try Crowd(seed: 7, count: 16, limits: limits)
        // Everybody but the first is in a part of their own, and the first in all of them.
        crowd.hub = 0
        for node in 1..<16 { crowd.part[node] = node }
        _ = crowd.run(for: 5_000)
        let held = crowd.nodes[0].log.count
        crowd.write([1], on: 5)
        #expect(crowd.run(for: 120_000) { haveAll($0, held + 1) })
        #expect(crowd.sessions(of: 0).accepted <= 2)
    }
}
