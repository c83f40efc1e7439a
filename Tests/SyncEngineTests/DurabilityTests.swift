import ChangeLog
import SyncEngine
import Testing

/// Persist before send, and before anything is said of it.
struct DurabilityTests {
    @Test("nothing of a change leaves before it is durable")
    func ownChange() throws {
        var pipe = try Pipe(seed: 1, changes: 1)
        pipe.run()
        pipe.writesAreQuick = false
        let sent = pipe.sent.map(\.count)
        let shown = pipe.shown
        pipe.write("my own", on: .listener)
        #expect(pipe.sent.map(\.count) == sent, "not a byte")
        #expect(pipe.shown == shown, "and nobody sees it")
        pipe.finishWrites(on: .listener)
        #expect(pipe.sent[1].count > sent[1])
        #expect(pipe.shown[1] == shown[1] + 1)
    }

    @Test("what came is shown at once, and acknowledged when it is durable")
    func receivedChange() throws {
        var pipe = try Pipe(seed: 2, changes: 1)
        pipe.run()
        let replica = pipe.nodes[0].secrets.device.replica
        pipe.writesAreQuick = false
        pipe.write("for the other", on: .listener)
        let shown = pipe.shown[0]
        pipe.finishWrites(on: .listener)
        #expect(pipe.shown[0] == shown + 1)
        #expect(pipe.nodes[1].changesNotKnown(at: replica) == 1, "not durable there yet")
        let answered = pipe.sent[0].count
        pipe.finishWrites(on: .dialler)
        #expect(pipe.sent[0].count > answered)
        #expect(pipe.nodes[1].changesNotKnown(at: replica) == 0)
    }

    @Test("a new session says nothing of what is not durable")
    func newSession() throws {
        var pipe = try Pipe(seed: 3, changes: 1)
        pipe.writesAreQuick = false
        pipe.write("early", on: .listener)
        pipe.run()
        pipe.finishWrites(on: .dialler)
        #expect(pipe.nodes[0].log.count == 4, "all but the one that is not durable")
        pipe.finishWrites(on: .listener)
        #expect(pipe.nodes[0].log.count == 5)
    }

    @Test("a removed device is told of it when the removal is durable")
    func removal() throws {
        var pipe = try Pipe(seed: 4, changes: 1)
        pipe.run()
        pipe.writesAreQuick = false
        let sent = pipe.sent.map(\.count)
        pipe.remove(.dialler, by: .listener)
        #expect(pipe.nodes[1].sessions.isEmpty, "cut at once")
        #expect(pipe.sent.map(\.count) == sent, "not a byte")
        pipe.finishWrites(on: .listener)
        #expect(pipe.nodes[0].ownDeparture?.by == pipe.nodes[1].secrets.device.participant)
        #expect(pipe.isClosed[1])
    }

    @Test("a node that stops closes the session of a removed device too")
    func stop() throws {
        var pipe = try Pipe(seed: 5, changes: 1)
        pipe.run()
        pipe.writesAreQuick = false
        pipe.remove(.dialler, by: .listener)
        #expect(!pipe.isClosed[1])
        pipe.stop(.listener)
        #expect(pipe.isClosed[1])
        #expect(pipe.nodes[0].ownDeparture == nil)
    }
}
