import DeltaCRDT
import Testing

@testable import ChangeLog

/// What is taken from others, and what is not.
struct ReceivingTests {
    @Test func everyFlippedBitAndEveryTruncationIsRefused() throws {
        var founder = try Author.founder()
        var friend = try founder.admit(2)
        try founder.write([1, 2, 3])
        let sealed = founder.log.changes[2].sealed
        for index in sealed.indices {
            var altered = sealed
            altered[index] ^= 1 << UInt8(index % 8)
            #expect(friend.log.receive([altered]).refusal != nil, "byte \(index)")
            #expect(friend.log.receive([Array(sealed[..<index])]).refusal != nil, "length \(index)")
        }
        #expect(friend.log.changes.count == 2)
        #expect(friend.log.receive([sealed]).refusal == nil)
    }

    @Test func repetitionChangesNothing() throws {
        var founder = try Author.founder()
        var friend = try founder.admit(2)
        try founder.write()
        friend.receive(from: founder)
        let again = friend.receive(from: founder)
        #expect(again.refusal == nil)
        #expect(again.places.isEmpty)
        #expect(friend.log.changes.count == 3)
    }

    @Test func aGapIsRefusedAndThePrefixKept() throws {
        var founder = try Author.founder()
        var friend = try founder.admit(2)
        for number in 0..<4 { try founder.write([UInt8(number)]) }
        let sealed = founder.log.changes.map(\.sealed)
        let received = friend.log.receive([sealed[2], sealed[4], sealed[5]])
        #expect(received.refusal == .missingPast)
        #expect(friend.log.changes.count == 3)
    }

    /// A number is left out, and a chain goes on from another's change: with hashes, times and signatures that are right.
    @Test func aChainThatIsNoneIsRefused() throws {
        var founder = try Author.founder()
        let friend = try founder.admit(2)
        let last = try founder.write([1])
        let epoch = try #require(founder.log.newestEpoch)
        func signed(counter: UInt64, after previous: SignedChange, by author: Author) -> [UInt8] {
            let change = Change(
                trip: founder.log.trip, replica: author.secrets.device.replica, counter: counter,
                previous: previous.hash, heads: [], lamport: previous.change.lamport + 1, wallTime: 0,
                operationCount: 1, body: .content([9]))
            return SignedChange.make(
                change, signingSeed: author.secrets.signingSeed, epoch: epoch, using: Author.cryptography
            ).sealed
        }
        let next = last.change.lastCounter + 1
        #expect(founder.log.receive([signed(counter: next + 1, after: last, by: founder)]).refusal == .brokenChain)
        #expect(founder.log.receive([signed(counter: next, after: last, by: friend)]).refusal == .brokenChain)
        #expect(founder.log.receive([signed(counter: next, after: last, by: founder)]).refusal == nil)
    }

    @Test func oneSignatureVouchesForAChainAndTheOthersAreCheckedBeforeTheyTravel() throws {
        var founder = try Author.founder()
        var friend = try founder.admit(2)
        for number in 0..<5 { try founder.write([UInt8(number)]) }
        friend.receive(from: founder)
        #expect(Array(friend.log.isVerified[2...]) == [false, false, false, false, true])
        let batch = friend.log.nextBatch(
            from: 0, to: 4, lackedBy: PeerKnowledge(), witness: nil, countMax: 10, bytesMax: 1 << 20)
        #expect(batch.places == [0, 1, 2, 3])
        #expect(friend.log.isVerified[3])
        #expect(!friend.log.isVerified[2])
    }

    @Test func aForgedSignatureIsRefused() throws {
        var founder = try Author.founder()
        var friend = try founder.admit(2)
        // A change in the founder's name, signed with another key.
        var forger = founder
        try forger.write([7])
        let change = forger.log.changes[2].change
        let epoch = try #require(founder.log.newestEpoch)
        let forged = SignedChange.make(
            change, signingSeed: friend.secrets.signingSeed, epoch: epoch, using: Author.cryptography)
        #expect(friend.log.receive([forged.sealed]).refusal == .invalidSignature)
        #expect(friend.log.changes.count == 2)
    }

    /// A member's change that is taken back told of an epoch: with its secret kept, whoever heard of it would seal all that
    /// they write for an epoch that nobody else knows.
    @Test func theSecretsOfAChangeThatIsTakenBackAreNotKept() throws {
        var founder = try Author.founder()
        _ = try founder.admit(2)
        var host = try Author.founder()
        var liar = try host.admit(2)
        var generator = Counter(state: 77)
        let own = Epoch(secret: .random(using: &generator), using: Author.cryptography)
        let grant = EpochGrant(own, to: [founder.secrets.device], using: &generator, Author.cryptography)
        let epoch = try #require(founder.log.newestEpoch)
        _ = try liar.log.author(.membership(.beginEpoch(grant)), wallTime: 0, as: liar.secrets)
        var sealed = [liar.log.changes[2].sealed, try mistimed(try liar.write(), by: liar)]
        // The last vouches for those before it; the first is signed with another key, and the second refused.
        sealed[0] =
            SignedChange.make(
                liar.log.changes[2].change, signingSeed: founder.secrets.signingSeed, epoch: epoch,
                using: Author.cryptography
            ).sealed
        #expect(founder.log.receive(sealed).refusal == .invalidSignature)
        #expect(founder.log.changes.count == 2)
        #expect(founder.log.newestEpoch == epoch)
        #expect(founder.log.epochs == [epoch])
    }

    @Test func nothingIsKeptThatOnlyARefusedChangeVouchedFor() throws {
        let epochOf = { (log: TripLog) in try #require(log.newestEpoch) }
        for isForged in [false, true] {
            var founder = try Author.founder()
            var friend = try founder.admit(2)
            var reader = friend
            try friend.write([0])
            var liar = try Author.founder()
            _ = try liar.admit(2)
            for _ in 0..<3 { try liar.write() }
            var sealed = liar.log.changes[2...].map(\.sealed)
            sealed[2] = try mistimed(liar.log.changes[4], by: liar)
            if isForged {
                sealed[1] =
                    SignedChange.make(
                        liar.log.changes[3].change, signingSeed: friend.secrets.signingSeed,
                        epoch: try epochOf(liar.log), using: Author.cryptography
                    ).sealed
            }
            let received = reader.log.receive([friend.log.changes[2].sealed] + sealed)
            #expect(received.refusal == (isForged ? .invalidSignature : .wrongLamportTime))
            #expect(reader.log.changes.count == (isForged ? 4 : 5))
            #expect(received.places == 2..<reader.log.changes.count)
            #expect(reader.log.isVerified[3...].last == true)
            // What was kept travels on as if it had come alone.
            var other = try Author.founder()
            _ = try other.admit(2)
            #expect(other.receive(from: reader).refusal == nil)
            #expect(other.log.frontier == reader.log.frontier)
        }
    }

    @Test func somebodyWhoWasNotLetInWritesNothing() throws {
        let founder = try Author.founder()
        var reader = founder
        var stranger = founder
        let secrets = Author.secrets(66)
        #expect(throws: Refusal.notAdmitted) {
            try stranger.log.author(.content([1]), wallTime: 0, as: secrets)
        }
        let change = try #require(forge(secrets, on: founder, heads: [founder.log.changes[0].hash], lamport: 2))
        #expect(reader.log.receive([change.sealed]).refusal == .notAdmitted)
    }

    @Test func aLamportTimeFromTheFutureIsRefused() throws {
        var founder = try Author.founder()
        let friend = try founder.admit(2)
        let heads = [founder.log.changes[1].hash]
        for lamport in [1, 2, 4, 1_000_000] as [UInt64] {
            let change = try #require(forge(friend.secrets, on: founder, heads: heads, lamport: lamport))
            #expect(founder.log.receive([change.sealed]).refusal == .wrongLamportTime)
        }
        let right = try #require(forge(friend.secrets, on: founder, heads: heads, lamport: 3))
        #expect(founder.log.receive([right.sealed]).refusal == nil)
    }

    @Test func aHeadInThePastOfAnotherIsRefused() throws {
        var founder = try Author.founder()
        let friend = try founder.admit(2)
        let heads = founder.log.changes.map(\.hash).sorted()
        let change = try #require(forge(friend.secrets, on: founder, heads: heads, lamport: 3))
        #expect(founder.log.receive([change.sealed]).refusal == .redundantHead)
    }

    @Test func nobodyCanTakeAnothersParticipant() throws {
        var founder = try Author.founder()
        var friend = try founder.admit(2)
        let seeds = Author.secrets(3)
        let impostor = DeviceSecrets(
            signingSeed: seeds.signingSeed, agreementSecret: seeds.agreementSecret,
            participant: founder.secrets.device.participant, using: Author.cryptography)
        let admission = Admission(device: impostor.device, name: "Jie", invite: nil, sealedSecrets: [])
        #expect(throws: Refusal.membership) {
            try friend.log.author(.membership(.admit(admission)), wallTime: 0, as: friend.secrets)
        }
        // A second device is its own participant's to let in.
        _ = try founder.log.author(.membership(.admit(admission)), wallTime: 0, as: founder.secrets)
        #expect(
            founder.log.membership.device(impostor.device.replica)?.device.participant
                == founder.secrets.device.participant)
    }

    @Test func aForgedTripIsRefused() throws {
        let founder = try Author.founder()
        let forger = Author.secrets(66)
        var log = TripLog(trip: founder.log.trip, cryptography: Author.cryptography, contents: AnyContent())
        for epoch in founder.log.epochs { log.addEpoch(secret: epoch.secret) }
        #expect(throws: Refusal.membership) {
            try log.author(.membership(.found(founder: forger.device, name: "Jie")), wallTime: 0, as: forger)
        }
    }

    /// A change with whatever its maker likes, properly signed and sealed.
    /// The same change at a time that is not its own, signed by its author.
    private func mistimed(_ signed: SignedChange, by author: Author) throws -> [UInt8] {
        let change = signed.change
        let late = Change(
            trip: change.trip, replica: change.replica, counter: change.counter, previous: change.previous,
            heads: change.heads, lamport: change.lamport + 7, wallTime: 0, operationCount: 1, body: change.body)
        let epoch = try #require(author.log.newestEpoch)
        return SignedChange.make(
            late, signingSeed: author.secrets.signingSeed, epoch: epoch, using: Author.cryptography
        ).sealed
    }

    private func forge(
        _ secrets: DeviceSecrets, on author: Author, heads: [Bytes32], lamport: UInt64
    ) -> SignedChange? {
        var encoder = CanonicalEncoder()
        encoder.encode(fixed: [1])
        encoder.encode(fixed: author.log.trip.bytes)
        encoder.encode(secrets.device.replica)
        encoder.encode(UInt64(1))
        encoder.encode(count: heads.count)
        for head in heads { encoder.encode(fixed: head.bytes) }
        encoder.encode(lamport)
        encoder.encode(Int64(0))
        encoder.encode(count: 1)
        encoder.encode(fixed: [0])
        encoder.encode([1])
        var decoder = CanonicalDecoder(encoder.bytes)
        guard let epoch = author.log.newestEpoch,
            let change = try? Change(from: &decoder, using: Author.cryptography)
        else { return nil }
        return .make(change, signingSeed: secrets.signingSeed, epoch: epoch, using: Author.cryptography)
    }
}

struct LogBytesTests {
    /// A replica's log ends at its bound, wherever it is held, and others go on.
    @Test func aLogHasABoundInBytes() throws {
        var trip = try Author.founder()
        var reader = trip.log
        let content = [UInt8](repeating: 7, count: ChangeLimits.contentBytesMax)
        var refusal: Refusal?
        var written = 0
        while refusal == nil, written < 100 {
            do {
                let signed = try trip.write(content)
                #expect(reader.receive([signed.sealed]).refusal == nil)
                written += 1
            } catch {
                refusal = error as? Refusal
                if refusal == nil { throw error }
            }
        }
        #expect(refusal == .logFull)
        #expect(written == 63)
    }
}
