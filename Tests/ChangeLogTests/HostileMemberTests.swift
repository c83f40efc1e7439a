import DeltaCRDT
import Testing

@testable import ChangeLog

/// What a member with a node of their own making can sign, and what it must not do to others.
struct HostileMemberTests {
    private func epoch(_ number: UInt64) -> Epoch {
        var generator = Counter(state: 10_000 + number)
        return Epoch(secret: .random(using: &generator), using: Author.cryptography)
    }

    /// Hands one message of what a log holds from a place on to somebody, as a session does; why it was refused, if it was.
    private func passOn(from place: Int, of teller: inout Author, to hearer: inout Author) -> Refusal? {
        let told = teller.log.nextBatch(
            from: place, to: teller.log.changes.count, lackedBy: PeerKnowledge(), witness: nil, countMax: 1_000,
            bytesMax: 1 << 20)
        return hearer.log.receive(told.places.map { teller.log.changes[$0].sealed }).refusal
    }

    /// A secret that was handed on, and that no change speaks of, is kept nowhere: what is sealed with it could not be opened
    /// again after a restart, nor by anybody to whom it is passed on.
    @Test func aSecretThatTheLogDoesNotSpeakOfOpensNothingThatStays() throws {
        var founder = try Author.founder()
        var liar = try founder.admit(2)
        let own = epoch(1)
        founder.log.offerEpoch(secret: own.secret)
        let change = try liar.write([7]).change
        let sealed = SignedChange.make(
            change, signingSeed: liar.secrets.signingSeed, epoch: own, using: Author.cryptography
        ).sealed
        #expect(founder.log.receive([sealed]).refusal == .unknownEpoch)
        var restored = TripLog(trip: founder.log.trip, cryptography: Author.cryptography, contents: AnyContent())
        for epoch in founder.log.epochs { restored.addEpoch(secret: epoch.secret) }
        for change in founder.log.changes { try restored.restore(change.sealed, isVerified: true) }
        #expect(restored.changes.count == founder.log.changes.count)
    }

    /// Where the change that tells of the epoch is lacking too, that is asked for: who refuses the epoch parts from everybody.
    @Test func whatStandsOnAChangeThatTellsOfItsEpochIsNoRefusal() throws {
        var founder = try Author.founder()
        var friend = try founder.admit(2)
        let gone = try founder.admit(3)
        friend.receive(from: founder)
        let epoch = try founder.remove(gone)
        let last = try founder.write([1])
        friend.log.offerEpoch(secret: epoch.secret)
        #expect(friend.log.receive([last.sealed]).refusal == .missingPast)
        #expect(friend.receive(from: founder).refusal == nil)
    }

    /// Grants of what is no epoch: each would be handed to whoever is let in, until an admission is longer than any is read.
    @Test func grantsOfWhatIsNoEpochGiveNoSecrets() throws {
        var founder = try Author.founder()
        var liar = try founder.admit(2)
        var generator = Counter(state: 5)
        let known = founder.log.changes.count
        for number in 0..<UInt64(ChangeLimits.epochsMax) {
            let grant = EpochGrant(epoch(number), to: [founder.secrets.device], using: &generator, Author.cryptography)
            guard (try? liar.log.author(.membership(.grant(grant)), wallTime: 0, as: liar.secrets)) != nil else {
                break
            }
        }
        _ = founder.log.receive(liar.log.changes[known...].map(\.sealed))
        #expect(founder.log.epochs.count == 1)
        let secrets = founder.log.explainedEpochs.flatMap(\.secret.bytes)
        #expect(secrets.count <= ChangeLimits.epochsMax * 32)
    }

    /// Whoever writes what others cannot read has written their last change: so nobody does.
    @Test func nobodyWritesAnAdmissionOrAGrantThatOthersDoNotRead() throws {
        var founder = try Author.founder()
        let admission = Admission(
            device: Author.secrets(9).device, name: "Ada", invite: nil,
            sealedSecrets: [UInt8](repeating: 0, count: SealedBox.overhead + (ChangeLimits.epochsMax + 1) * 32))
        #expect(throws: Refusal.self) {
            try founder.log.author(.membership(.admit(admission)), wallTime: 0, as: founder.secrets)
        }
        var generator = Counter(state: 5)
        var devices: [Device] = []
        for _ in 0...ChangeLimits.grantBoxesMax {
            devices.append(
                Device(
                    signingKey: .random(using: &generator), agreementKey: founder.secrets.device.agreementKey,
                    participant: .init(high: generator.next(), low: 0), using: Author.cryptography))
        }
        let grant = EpochGrant(epoch(1), to: devices, using: &generator, Author.cryptography)
        #expect(grant.boxes.count <= ChangeLimits.grantBoxesMax)
    }

    /// Epochs that nobody needs are soon written; then nobody could be taken out any more, their author among them.
    @Test func nobodyMakesThemselvesStay() throws {
        var founder = try Author.founder()
        var liar = try founder.admit(2)
        let known = founder.log.changes.count
        for number in 1..<UInt64(ChangeLimits.epochsMax) {
            let grant = EpochGrant(epoch: epoch(number).id, boxes: [])
            guard (try? liar.log.author(.membership(.beginEpoch(grant)), wallTime: 0, as: liar.secrets)) != nil else {
                break
            }
        }
        _ = founder.log.receive(liar.log.changes[known...].map(\.sealed))
        try founder.remove(liar)
        #expect(!founder.log.membership.isIn(liar.secrets.device.replica))
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
            batch += [try Author.unsigned(first, copy.log), try copy.write([number, 1]).sealed]
        }
        #expect(founder.log.receive(batch).refusal == nil)
        #expect(passOn(from: known, of: &founder, to: &friend) == nil)
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
        #expect(friend.log.receive([try Author.unsigned(first, liar.log), second.sealed]).refusal == nil)
        try founder.remove(liar)
        #expect(friend.receive(from: founder).refusal == nil)
        #expect(passOn(from: known, of: &friend, to: &other) == nil)
        #expect(other.log.frontier == friend.log.frontier)
    }

    /// A chain that its end alone vouches for does not make a message longer than one is read.
    @Test func aChainOfUnsignedChangesMakesNoMessageTooLong() throws {
        var founder = try Author.founder()
        var liar = try founder.admit(2)
        var batch: [[UInt8]] = []
        for number in UInt8(0)..<4 {
            let signed = try liar.write([number])
            batch.append(number < 3 ? try Author.unsigned(signed, liar.log) : signed.sealed)
        }
        for number in UInt8(0)..<2 { try founder.write([number]) }
        #expect(founder.log.receive(batch).refusal == nil)
        let told = founder.log.nextBatch(
            from: 2, to: founder.log.changes.count, lackedBy: PeerKnowledge(), witness: nil, countMax: 4,
            bytesMax: 1 << 20)
        #expect(told.places.count <= 4)
    }

    /// A change that forks such a chain off stands in its elder branch, far behind what vouches in the other.
    @Test func aForkOfUnsignedChangesMakesNoMessageTooLong() throws {
        var founder = try Author.founder()
        var liar = try founder.admit(2)
        var batch: [[UInt8]] = []
        var forking = liar
        for number in UInt8(0)..<4 {
            let signed = try liar.write([number])
            if number == 0 { forking = liar }
            batch.append(number < 3 ? try Author.unsigned(signed, liar.log) : signed.sealed)
        }
        #expect(founder.log.receive(batch).refusal == nil)
        for number in UInt8(0)..<2 { try founder.write([number]) }
        let sibling = founder.log.changes[3].hash
        for number in UInt8(10)..<250 {
            var copy = forking
            let signed = try copy.write([number])
            guard signed.hash < sibling else { continue }
            #expect(founder.log.receive([signed.sealed]).refusal == nil)
            break
        }
        #expect(founder.log.branches.hasForks)
        let told = founder.log.nextBatch(
            from: 2, to: founder.log.changes.count, lackedBy: PeerKnowledge(), witness: nil, countMax: 4,
            bytesMax: 1 << 20)
        #expect(told.places == [2, 3, 4, 5])
    }

    /// An epoch that only what is set aside tells of, and a change of another that is sealed for it and counts.
    @Test func whatIsSealedForAnEpochThatIsSetAsideCanBePassedOn() throws {
        var founder = try Author.founder()
        var liar = try founder.admit(2)
        var guest = try liar.admit(3)
        founder.receive(from: liar)
        var friend = try founder.admit(4)
        var late = friend
        let known = friend.log.changes.count
        let epoch = epoch(0)
        var generator = Counter(state: 7)
        let devices = friend.log.membership.allMembers.map(\.device)
        let grant = EpochGrant(epoch, to: devices, using: &generator, Author.cryptography)
        let beginning = try guest.log.author(.membership(.beginEpoch(grant)), wallTime: 0, as: guest.secrets)
        // Takes the guest out as of before that, under the new secret.
        liar.log.addEpoch(secret: epoch.secret)
        let removal = try liar.log.author(
            .membership(.remove(participant: guest.secrets.device.participant, epoch: nil)), wallTime: 0,
            as: liar.secrets)
        #expect(friend.log.receive([beginning.sealed]).refusal == nil)
        #expect(friend.log.receive([removal.sealed]).refusal == nil)
        #expect(!friend.log.counts(known))
        late.log.offerEpoch(secret: epoch.secret)
        let told = friend.log.nextBatch(
            from: known, to: friend.log.changes.count, lackedBy: PeerKnowledge(), witness: nil, countMax: 1_000,
            bytesMax: 1 << 20)
        #expect(late.log.receive(told.places.map { friend.log.changes[$0].sealed }).refusal == nil)
        #expect(late.log.frontier == friend.log.frontier)
    }

    /// Somebody who was taken out had begun an epoch meanwhile: whoever comes later must not write under it.
    @Test func whoComesDoesNotWriteForAnEpochThatIsSetAside() throws {
        var founder = try Author.founder()
        var removed = try founder.admit(2)
        var friend = try founder.admit(3)
        removed.log = friend.log
        removed.log.reader = removed.secrets
        var generator = Counter(state: 8)
        let devices = friend.log.membership.allMembers.map(\.device)
        let grant = EpochGrant(epoch(0), to: devices, using: &generator, Author.cryptography)
        let beginning = try removed.log.author(.membership(.beginEpoch(grant)), wallTime: 0, as: removed.secrets)
        #expect(friend.log.receive([beginning.sealed]).refusal == nil)
        #expect(friend.log.newestEpoch == epoch(0))
        try founder.remove(removed)
        #expect(friend.receive(from: founder).refusal == nil)

        var guest = TripLog(trip: friend.log.trip, cryptography: Author.cryptography, contents: AnyContent())
        for epoch in friend.log.explainedEpochs { guest.addEpoch(secret: epoch.secret) }
        let told = friend.log.nextBatch(
            from: 0, to: friend.log.changes.count, lackedBy: PeerKnowledge(), witness: nil, countMax: 1_000,
            bytesMax: 1 << 20)
        #expect(guest.receive(told.places.map { friend.log.changes[$0].sealed }).refusal == nil)
        #expect(guest.newestEpoch == founder.log.newestEpoch)
    }

    /// A founder founds the trip a second time, and leaves as of before that: the name is the same to all.
    @Test func aSecondFoundingIsTheSameToAll() throws {
        var founder = try Author.founder()
        var friend = try founder.admit(2)
        var late = friend
        let known = friend.log.changes.count
        let first = founder.log.changes[0].hash
        let second = try (0..<64).lazy.map { number in
            try TripLog.found(
                by: founder.secrets, name: "\(number)", epochSecret: friend.log.epochs[0].secret, wallTime: 0,
                cryptography: Author.cryptography, contents: AnyContent()
            ).changes[0]
        }.first { $0.hash < first }
        let farewell = try founder.log.author(
            .membership(.remove(participant: founder.secrets.device.participant, epoch: nil)), wallTime: 0,
            as: founder.secrets)
        #expect(friend.log.receive([try #require(second).sealed]).refusal == nil)
        #expect(friend.log.receive([farewell.sealed]).refusal == nil)
        let told = friend.log.nextBatch(
            from: known, to: friend.log.changes.count, lackedBy: PeerKnowledge(), witness: nil, countMax: 1_000,
            bytesMax: 1 << 20)
        #expect(late.log.receive(told.places.map { friend.log.changes[$0].sealed }).refusal == nil)
        let replica = founder.secrets.device.replica
        #expect(late.log.membership.device(replica)?.name == friend.log.membership.device(replica)?.name)
    }

    /// What was set aside and counts again is told to whoever was passed over with it, in the same session.
    @Test func whatIsKeptAgainIsPassedOn() throws {
        var (founder, host, guest) = try Author.threeGenerations()
        var friend = try founder.admit(4)
        var peer = friend
        var knowledge = PeerKnowledge()
        knowledge.learnAll(before: friend.log.changes.count, in: friend.log)
        func pass(from cursor: Int) {
            let told = friend.log.nextBatch(
                from: max(cursor, knowledge.prefix), to: friend.log.changes.count, lackedBy: knowledge, witness: nil,
                countMax: 1_000, bytesMax: 1 << 20)
            friend.log.note(told.places, heldBy: &knowledge)
            #expect(peer.log.receive(told.places.map { friend.log.changes[$0].sealed }).refusal == nil)
        }
        // The host takes the guest out, who writes on; and the founder had taken the host out before.
        try host.remove(guest)
        let written = try guest.write([1])
        friend.receive(from: host)
        #expect(friend.log.receive([written.sealed]).refusal == nil)
        let place = try #require(friend.log.place(of: written.hash))
        #expect(!friend.log.counts(place))
        #expect(friend.log.receive([try founder.write([2]).sealed]).refusal == nil)
        pass(from: 0)
        try founder.remove(host, epoch: 9)
        #expect(friend.receive(from: founder).isRebuilt)
        #expect(friend.log.counts(place))
        let keptAgain = friend.log.takeKeptAgain()
        #expect(keptAgain.contains(place))
        knowledge.relearn(in: friend.log, keptAgain: keptAgain)
        pass(from: 0)
        #expect(peer.log.place(of: written.hash) != nil)
        #expect(peer.log.frontier == friend.log.frontier)
    }

    /// The same where what follows in the message that takes it back is refused.
    @Test func whatIsKeptAgainStaysSoWhereTheRestIsRefused() throws {
        var (founder, host, guest) = try Author.threeGenerations()
        var friend = try founder.admit(4)
        var liar = try founder.admit(5)
        friend.receive(from: founder)
        try host.remove(guest)
        let written = try guest.write([1])
        friend.receive(from: host)
        #expect(friend.log.receive([written.sealed]).refusal == nil)
        let place = try #require(friend.log.place(of: written.hash))
        #expect(!friend.log.isKept(place))
        // Who has not heard of the removal writes on, for an epoch that only this message tells of.
        #expect(liar.log.receive([written.sealed]).refusal == nil)
        var generator = Counter(state: 9)
        let devices = friend.log.membership.allMembers.map(\.device)
        let grant = EpochGrant(epoch(0), to: devices, using: &generator, Author.cryptography)
        let beginning = try liar.log.author(.membership(.beginEpoch(grant)), wallTime: 0, as: liar.secrets)
        liar.log.recount()
        let first = try Author.unsigned(try liar.write([2]), liar.log)
        #expect(liar.log.receive([try founder.write([3]).sealed]).refusal == nil)
        let second = try liar.write([4])
        let version = friend.log.membership.version
        let received = friend.log.receive([beginning.sealed, first, second.sealed])
        // Whoever remembers the version that they have seen looks again.
        #expect(friend.log.membership.version > version)
        #expect(received.refusal == .invalidSignature)
        #expect(received.isRebuilt)
        #expect(friend.log.isKept(place))
        #expect(friend.log.takeKeptAgain().contains(place))
    }

    /// Whoever knows the trip's secret can write anything: what has no signature brings nothing back.
    @Test(arguments: [1, 2]) func whatIsNotSignedBringsNothingBack(count: Int) throws {
        var (founder, host, guest) = try Author.threeGenerations()
        var late = try founder.admit(4)
        var friend = try founder.admit(5)
        let written = try guest.write([1])
        #expect(late.log.receive([written.sealed]).refusal == nil)
        try host.remove(guest)
        friend.receive(from: host)
        #expect(friend.log.receive([written.sealed]).refusal == nil)
        let place = try #require(friend.log.place(of: written.hash))
        #expect(!friend.log.isKept(place))
        let batch = try (0..<count).map { number in try Author.unsigned(late.write([UInt8(number)]), late.log) }
        let received = friend.log.receive(batch)
        #expect(received.refusal == .invalidSignature)
        #expect(!received.isRebuilt)
        #expect(!friend.log.isKept(place))
        #expect(friend.log.takeKeptAgain().isEmpty)
    }
}
