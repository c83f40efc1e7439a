import Attachments
import ChangeLog
import Convergence
import Sodium
import Testing

@testable import SyncEngine

/// When machines are to be looked at again: never in the past, which would have a node woken without end.
struct DeadlineTests {
    @Test("chunks that the disk doesn't say are given up, and ask for no look after that")
    func chunksOfABlock() throws {
        var (outbox, generator) = (ChunkOutbox(), SeededGenerator(seed: 1))
        let limits = SessionLimits().mailbox
        let chunk = try #require(BlobHash(bytes: [UInt8](repeating: 1, count: 32)))
        let wish = ChunkOutbox.Wish(chunk: chunk, epoch: Bytes16(high: 0, low: 1), isOwn: true, wanter: nil)
        let due = outbox.due([wish], losses: 0, at: 1_000, under: limits, using: &generator)
        let end = 1_000 + limits.patience
        #expect(due == [wish] && outbox.deadline(after: 1_000) == end)
        // The mailbox may be full meanwhile, so that nothing is put.
        #expect(outbox.deadline(after: end) == nil)
        outbox.expire(at: end - 1)
        let waits = outbox.batch != nil
        outbox.expire(at: end)
        #expect(waits && outbox.batch == nil)
    }

    @Test("names that are behind wait for a port no longer than the transport may take")
    func names() throws {
        let cryptography = try SodiumCryptography()
        var (publication, generator) = (Publication(), SeededGenerator(seed: 1))
        let limits = SessionLimits()
        publication.hosts = ["10.0.0.1"]
        publication.listens(at: 4_000, isRenewable: true)
        let credential = Credential(
            Epoch(secret: Bytes32(words: (1, 2, 3, 4)), using: cryptography), using: cryptography)
        let isRenewed = publication.renew(
            for: [credential], at: 4_000, anew: true, now: 1_000, limits: limits, using: &generator, cryptography)
        #expect(isRenewed && publication.deadline(after: 1_000) == 1_000 + limits.instanceDuration)
        let isAsked = publication.asksForPort(at: 2_000, limits: limits)
        #expect(isAsked && publication.deadline(after: 2_000) == 2_000 + limits.portPatience)
        #expect(publication.deadline(after: 1_000 + limits.instanceDuration) == nil)
    }
}
