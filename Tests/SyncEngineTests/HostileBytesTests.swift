import ChangeLog
import SyncEngine
import TestTiers
import Testing

/// What a session does with bytes that no friend has sent.
struct HostileBytesTests {
    @Test("a session that nobody alters brings everything")
    func untampered() throws {
        var pipe = try Pipe(seed: 1, changes: 3)
        pipe.run()
        #expect(pipe.nodes[0].log.frontier == pipe.nodes[1].log.frontier)
        #expect(pipe.nodes[0].log.count == 6)
        #expect(pipe.isClosed == [false, false])
    }

    /// A session with changes to bring in both directions, before anything was said.
    private func session() throws -> Pipe {
        var pipe = try Pipe(seed: 2, changes: 5)
        for number in 0..<5 { pipe.write("from the dialler, \(number)", on: .dialler) }
        pipe.isHeld = true
        pipe.run()
        return pipe
    }

    /// Calls `body` with the session as it is before each arrival of bytes. Returns how many bytes each side receives.
    private func beforeEachArrival(_ body: (Pipe, Pipe.Side, [UInt8]) throws -> Void) throws -> [Int] {
        var pipe = try session()
        var count = [0, 0]
        repeat {
            guard let (side, bytes) = pipe.nextBytes else { continue }
            try body(pipe, side, bytes)
            count[side.rawValue] += bytes.count
        } while pipe.step()
        #expect(pipe.isClosed == [false, false])
        #expect(pipe.nodes[0].log.frontier == pipe.nodes[1].log.frontier)
        return count
    }

    /// The session ends by itself, at once or within its deadlines, and nobody holds what nobody wrote.
    private func expectACleanEnd(of pipe: Pipe, atOnce: Bool = false, changes: Set<Bytes32>, _ comment: Comment) {
        var pipe = pipe
        pipe.finish()
        if atOnce { #expect(pipe.isClosed.contains(true), "at once: \(comment)") }
        for _ in 0..<4 where !pipe.isClosed.contains(true) {
            pipe.wait(2_500)
            pipe.finish()
        }
        pipe.finish()
        #expect(pipe.isClosed.contains(true), comment)
        for node in pipe.nodes {
            #expect(node.connectionIDs.isEmpty, comment)
            #expect(node.log.graph.changes.allSatisfy { changes.contains($0.hash) }, comment)
        }
    }

    /// Where the lengths of frames stand.
    private func placesOfLengths(in frames: [UInt8]) -> Set<Int> {
        var places: Set<Int> = []
        var start = 0
        while start + 1 < frames.count {
            places.formUnion([start, start + 1])
            start += 2 + (Int(frames[start]) << 8 | Int(frames[start + 1]))
        }
        return places
    }

    private func honestChanges() throws -> Set<Bytes32> {
        var pipe = try session()
        pipe.finish()
        return Set(pipe.nodes[0].log.graph.changes.map(\.hash))
    }

    /// Every byte of the handshake and of every frame, in both directions, one at a time.
    @Test("every altered byte, in both directions, ends the session and is taken for nothing", .tags(.slow))
    func flippedBytes() throws {
        let changes = try honestChanges()
        let received = try beforeEachArrival { pipe, side, bytes in
            let lengths = placesOfLengths(in: bytes)
            for index in bytes.indices {
                var altered = bytes
                altered[index] ^= index.isMultiple(of: 2) ? 0x40 : 0x01
                var pipe = pipe
                pipe.replaceNextBytes(altered)
                // A greater length waits for bytes that may come.
                let atOnce = !lengths.contains(index)
                expectACleanEnd(
                    of: pipe, atOnce: atOnce, changes: changes, "to the \(side), byte \(index) of \(bytes.count)")
            }
        }
        #expect(received.allSatisfy { $0 > 500 }, "\(received)")
    }

    /// The stream cut at every place, in both directions: by silence, and by an end.
    @Test("every cut of the stream, in both directions, ends the session and leaves a whole prefix", .tags(.slow))
    func cuts() throws {
        let changes = try honestChanges()
        let received = try beforeEachArrival { pipe, side, bytes in
            for length in bytes.indices {
                var silent = pipe
                silent.tamper = { from, _, bytes in from == side ? bytes : [] }
                silent.replaceNextBytes(Array(bytes[..<length]))
                var severed = silent
                expectACleanEnd(of: silent, changes: changes, "to the \(side), silent after byte \(length)")
                _ = severed.step()
                severed.sever()
                expectACleanEnd(of: severed, changes: changes, "to the \(side), severed after byte \(length)")
            }
        }
        #expect(received.allSatisfy { $0 > 500 }, "\(received)")
    }
}
