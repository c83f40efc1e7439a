import ChangeLog
import Sodium
import SyncEngine
import Testing

/// A session's own rules: keys renewed, long messages cut, the peer's pace kept.
struct SessionTests {
    @Test("keys are renewed after so many messages")
    func rekeyByCount() throws {
        var limits = SessionLimits()
        limits.rekeyMessages = 3
        var pipe = try Pipe(seed: 1, changes: 2, limits: limits)
        pipe.run()
        for number in 0..<50 { pipe.write("\(number)", on: number % 3 == 0 ? .dialler : .listener) }
        #expect(pipe.isClosed == [false, false])
        #expect(pipe.nodes[0].log.count == 55)
        #expect(pipe.nodes[0].log.frontier == pipe.nodes[1].log.frontier)
    }

    @Test("keys are renewed after so long")
    func rekeyByTime() throws {
        var limits = SessionLimits()
        limits.rekeyInterval = 1_000
        var pipe = try Pipe(seed: 2, changes: 2, limits: limits)
        pipe.run()
        for number in 0..<20 {
            pipe.wait(700)
            pipe.write("\(number)", on: .listener)
        }
        #expect(pipe.isClosed == [false, false])
        #expect(pipe.nodes[0].log.count == 25)
    }

    @Test("a change longer than a frame arrives whole")
    func longChange() throws {
        var pipe = try Pipe(seed: 3, changes: 2, size: ChangeBounds.contentBytesMax - 10)
        pipe.run()
        #expect(pipe.nodes[0].log.count == 5)
        #expect(pipe.isClosed == [false, false])
    }

    @Test("a peer that does not acknowledge is sent no more")
    func silentPeer() throws {
        var limits = SessionLimits()
        limits.unacknowledgedBytesMax = 100_000
        limits.batchBytesMax = 20_000
        var pipe = try Pipe(seed: 4, changes: 60, size: 10_000, limits: limits)
        // The handshake's two messages, a hello, a frontier, and then the dialler is never heard again.
        pipe.tamper = { from, start, bytes in from == .dialler && start > 400 ? [] : bytes }
        pipe.run()
        #expect(pipe.sent[1].count < 300_000)
        #expect(pipe.sent[1].count > 100_000)
        #expect(pipe.nodes[0].log.count < 40)
    }

    @Test("a catch-up comes in batches and is acknowledged")
    func catchUp() throws {
        var limits = SessionLimits()
        limits.unacknowledgedBytesMax = 100_000
        limits.batchBytesMax = 20_000
        var pipe = try Pipe(seed: 5, changes: 60, size: 10_000, limits: limits)
        pipe.run()
        #expect(pipe.nodes[0].log.count == 63)
        let replica = pipe.nodes[0].secrets.device.replica
        #expect(pipe.nodes[1].changesNotKnown(at: replica) == 0)
    }

    @Test("what is said is padded: a vote and a title look alike")
    func padding() throws {
        for lengths in [[40, 60, 120], [100, 200, 250]] {
            var sizes: Set<Int> = []
            for length in lengths {
                var pipe = try Pipe(seed: 6, changes: 1)
                pipe.run()
                let before = pipe.sent[1].count
                pipe.write(String(repeating: "x", count: length), on: .listener)
                sizes.insert(pipe.sent[1].count - before)
            }
            #expect(sizes.count == 1)
        }
    }
}
