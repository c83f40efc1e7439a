import ChangeLog
import DeltaCRDT
import Sodium
import Testing
import TripModel
import TripRules

@testable import SyncEngine

/// What a vote weighs: Documentation/Protocol.md says it beside the buckets.
struct VoteSizeTests {
    /// Seals nothing, at the size of what seals.
    private struct OpenCipher: TransportCipher {
        mutating func seal(_ plaintext: [UInt8]) -> [UInt8]? { plaintext + [UInt8](repeating: 0, count: 16) }
        mutating func open(_ ciphertext: [UInt8]) -> [UInt8]? { Array(ciphertext.dropLast(16)) }
        mutating func rekey() {}
    }

    @Test("a vote is 38 bytes of content, a record of 275, a message of 279 and a frame of 514")
    func vote() throws {
        let cryptography = try SodiumCryptography()
        let seed = Bytes32(words: (1, 2, 3, 4))
        let secrets = DeviceSecrets(
            signingSeed: seed, agreementSecret: seed, firstOf: .founder, using: cryptography)
        let now: Int64 = 1_790_000_000_000
        var log = try TripLog.found(
            by: secrets, name: "Jie", epoch: Bytes16(high: 0, low: 1), wallTime: now, cryptography: cryptography)
        var trip = TripReplica()
        let me = ParticipantID(secrets.device.participant)
        let add = try trip.perform(.add([ItemDraft(title: "Cabin")]), by: me)
        let item = try log.write(nil, content: add, wallTime: now, as: secrets).change
        trip.apply(log.applied(1))
        let content = try trip.perform(.vote([ItemID(change: ChangeHash(item.hash), index: 0)], .for), by: me)
        // As a node writes it: the change names the one that made the item.
        let subjects = TripContent(content).subjectHashes
        let vote = try log.write(nil, content: content, about: subjects, wallTime: now, as: secrets).change
        let message = Message.changes([vote.record]).encoding
        var channel = SecureChannel((OpenCipher(), OpenCipher()), reader: FrameReader())
        let frame = channel.seal(message)
        #expect([content.count, vote.record.count, message.count, frame?.count] == [38, 275, 279, 514])
    }
}
