import ChangeLog
import SyncEngine
import Testing

/// What a session does with bytes that no friend has sent.
struct HostileBytesTests {
    @Test func theUntamperedSessionBringsEverything() throws {
        var pipe = try Pipe(seed: 1, changes: 3)
        pipe.run()
        #expect(pipe.nodes[0].log.frontier == pipe.nodes[1].log.frontier)
        #expect(pipe.nodes[0].log.changes.count == 5)
        #expect(pipe.isClosed == [false, false])
    }

    @Test func everyFlippedByteEndsTheSessionAndIsTakenForNothing() throws {
        var honest = try Pipe(seed: 2, changes: 1)
        honest.run()
        for side in Pipe.Side.allCases {
            let length = honest.sent[side.rawValue].count
            #expect(length > 300)
            // Every byte of the handshake, and a sample of what follows.
            for index in Array(0..<210) + Array(stride(from: 210, to: length, by: 5)) where index < length {
                var pipe = try Pipe(seed: 2, changes: 1)
                pipe.tamper = { from, start, bytes in
                    guard from == side, bytes.indices.contains(index - start) else { return bytes }
                    var altered = bytes
                    altered[index - start] ^= 0x40
                    return altered
                }
                pipe.run()
                let before = pipe.nodes[0].log.changes.count
                // A length that was altered is waited for, and then given up.
                for _ in 0..<4 { pipe.wait(2_500) }
                #expect(pipe.isClosed.contains(true), "\(side) byte \(index)")
                #expect(pipe.nodes[0].log.changes.count == before, "\(side) byte \(index)")
                #expect([2, 3].contains(before))
            }
        }
    }

    @Test func everyCutLeavesAWholePrefix() throws {
        for length in stride(from: 0, to: 1_200, by: 37) {
            var pipe = try Pipe(seed: 3, changes: 4)
            pipe.tamper = { from, start, bytes in
                from == .listener ? Array(bytes.prefix(max(0, length - start))) : bytes
            }
            pipe.run()
            #expect(pipe.nodes[0].log.changes.count <= 6)
            for _ in 0..<4 { pipe.wait(2_500) }
            if pipe.sent[1].count > length { #expect(pipe.isClosed.contains(true), "cut at \(length)") }
        }
    }

    @Test func aReplayedFirstMessageGetsNoAnswer() throws {
        var pipe = try Pipe(seed: 4, changes: 1)
        pipe.run()
        let first = Array(pipe.sent[0].prefix(50))
        #expect(pipe.answer(toStrangerSaying: first).isEmpty)
    }

    @Test func aStrangerGetsNoByteOfAnswer() throws {
        let other = try Pipe(seed: 6, changes: 1)
        var stranger = other
        stranger.run()
        var pipe = try Pipe(seed: 5, changes: 1)
        // A well-formed first message, under the key of another trip.
        #expect(pipe.answer(toStrangerSaying: Array(stranger.sent[0].prefix(50))).isEmpty)
        var garbage: [UInt8] = [0, 48]
        for byte in 0..<48 { garbage.append(UInt8(byte)) }
        #expect(pipe.answer(toStrangerSaying: garbage).isEmpty)
        #expect(pipe.answer(toStrangerSaying: [255, 255] + [UInt8](repeating: 7, count: 70_000)).isEmpty)
        #expect(pipe.answer(toStrangerSaying: [0, 0]).isEmpty)
        // The same node still answers a friend.
        pipe.run()
        #expect(pipe.nodes[0].log.frontier == pipe.nodes[1].log.frontier)
    }
}
