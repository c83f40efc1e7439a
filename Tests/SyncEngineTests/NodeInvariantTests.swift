#if DEBUG
import Convergence
import Testing

@testable import SyncEngine

/// What debug builds check. The test fails if they lack `CHECK_INVARIANTS`.
struct NodeInvariantTests {
    @Test("a node whose state contradicts itself ends at its next event, and says by which numbers")
    func contradictionEndsTheNode() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var (host, _) = try Host.founder()
            host.node.turns.note(ConnectionID(rawValue: 9), waits: true)
            let now = Now(monotonic: 1_000, wall: 0)
            _ = host.node.handle(.keepInvites([]), at: now, using: &host.generator)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("1 sessions wait for a turn, and 0 have messages"), "\(message)")
    }
}
#endif
