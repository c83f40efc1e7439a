import DeltaCRDT
import Testing

@testable import ChangeLog

/// What a member with a node of their own making can sign, and what it must not do to others.
struct HostileMemberTests {
    private func epoch(_ number: UInt64) -> Epoch {
        var generator = Counter(state: 10_000 + number)
        return Epoch(secret: .random(using: &generator), using: Author.cryptography)
    }

    /// The same change with a signature that is none: what follows it vouches for it by its hash.
    private func unsigned(_ signed: SignedChange, _ log: TripLog) throws -> [UInt8] {
        SignedChange.make(
            signed.change, signingSeed: epoch(0).secret, epoch: try #require(log.newestEpoch),
            using: Author.cryptography
        ).sealed
    }

    /// A branch too many, and what vouched for the ends that are kept as evidence is set aside.
    @Test func whatIsKeptOfACrowdCanBePassedOn() throws {
        var founder = try Author.founder()
        let liar = try founder.admit(2)
        var friend = try founder.admit(3)
        let known = liar.log.changes.count
        var batch: [[UInt8]] = []
        for number in UInt8(0)...UInt8(ChangeLimits.branchesMax) {
            var copy = liar
            let first = try copy.write([number])
            batch += [try unsigned(first, copy.log), try copy.write([number, 1]).sealed]
        }
        #expect(founder.log.receive(batch).refusal == nil)
        let told = founder.log.nextBatch(
            from: known, to: founder.log.changes.count, lackedBy: PeerKnowledge(), witness: nil, countMax: 1_000,
            bytesMax: 1 << 20)
        let received = friend.log.receive(told.places.map { founder.log.changes[$0].sealed })
        #expect(received.refusal == nil)
        #expect(friend.log.frontier == founder.log.frontier)
    }

    /// The same where a removal's cut lies before what vouches.
    @Test func whatIsKeptOfACutLogCanBePassedOn() throws {
        var founder = try Author.founder()
        var liar = try founder.admit(2)
        var friend = try founder.admit(3)
        var other = try founder.admit(4)
        let known = founder.log.changes.count
        liar.receive(from: founder)
        friend.receive(from: founder)
        let first = try liar.write([1])
        founder.receive(from: liar)
        let second = try liar.write([2])
        #expect(friend.log.receive([try unsigned(first, liar.log), second.sealed]).refusal == nil)
        try founder.remove(liar)
        #expect(friend.receive(from: founder).refusal == nil)
        let told = friend.log.nextBatch(
            from: known, to: friend.log.changes.count, lackedBy: PeerKnowledge(), witness: nil, countMax: 1_000,
            bytesMax: 1 << 20)
        let received = other.log.receive(told.places.map { friend.log.changes[$0].sealed })
        #expect(received.refusal == nil)
        #expect(other.log.frontier == friend.log.frontier)
    }

    /// A chain that its end alone vouches for does not make a message longer than one is read.
    @Test func aChainOfUnsignedChangesMakesNoMessageTooLong() throws {
        var founder = try Author.founder()
        var liar = try founder.admit(2)
        var batch: [[UInt8]] = []
        for number in UInt8(0)..<4 {
            let signed = try liar.write([number])
            batch.append(number < 3 ? try unsigned(signed, liar.log) : signed.sealed)
        }
        for number in UInt8(0)..<2 { try founder.write([number]) }
        #expect(founder.log.receive(batch).refusal == nil)
        let told = founder.log.nextBatch(
            from: 2, to: founder.log.changes.count, lackedBy: PeerKnowledge(), witness: nil, countMax: 4,
            bytesMax: 1 << 20)
        #expect(told.places.count <= 4)
    }
}
