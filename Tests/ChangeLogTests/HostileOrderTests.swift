import DeltaCRDT
import Testing

@testable import ChangeLog

/// What a hostile member signs ends alike for all who hold it, in whatever order it came.
struct HostileOrderTests {
    private func counting(_ log: TripLog) -> Set<Bytes32> {
        Set(log.changes.indices.filter { log.counts($0) }.map { log.changes[$0].hash })
    }

    /// The log as a node has it after a restart.
    private func restarted(_ author: Author) throws -> TripLog {
        var log = TripLog(trip: author.log.trip, cryptography: Author.cryptography, contents: AnyContent())
        log.reader = author.secrets
        for epoch in author.log.epochs { log.addEpoch(secret: epoch.secret) }
        for place in author.log.changes.indices {
            try log.restore(author.log.changes[place].sealed, isVerified: author.log.isVerified[place])
        }
        log.finishRestoring()
        return log
    }

    /// A device that claims another's key for sessions, with a name that is lower, and is then taken out.
    @Test func whoeverClaimsSomebodysKeyPartsThemFromNobody() throws {
        var founder = try Author.founder()
        let member = try founder.admit(2)
        var liar = try founder.admit(3)
        let known = member.secrets.device
        let claim = (100..<200 as Range<UInt64>).lazy.map { number in
            let other = Author.secrets(number).device
            return Device(
                signingKey: other.signingKey, agreementKey: known.agreementKey, participant: other.participant,
                using: Author.cryptography)
        }.first { $0.replica < known.replica }
        let device = try #require(claim)
        let admission = Admission(device: device, name: "X", invite: nil, sealedSecrets: [])
        let admitted = try liar.log.author(.membership(.admit(admission)), wallTime: 0, as: liar.secrets)
        #expect(founder.log.receive([admitted.sealed]).refusal == nil)
        #expect(founder.log.membership.member(agreementKey: known.agreementKey)?.device == known)
        let removal = try liar.log.author(
            .membership(.remove(participant: device.participant, epoch: nil)), wallTime: 0, as: liar.secrets)
        #expect(founder.log.receive([removal.sealed]).refusal == nil)
        #expect(founder.log.membership.member(agreementKey: known.agreementKey)?.device == known)
        #expect(try restarted(founder).membership.member(agreementKey: known.agreementKey)?.device == known)
    }

    /// Nine branches of somebody who is out are nine branches, though each is set aside before the next comes.
    @Test func aCrowdIsOneInWhateverOrderItComes() throws {
        var founder = try Author.founder()
        var liar = try founder.admit(2)
        var friend = try founder.admit(3)
        let first = try liar.write([1])
        let copy = liar
        for number in UInt8(2)...3 { try liar.write([number]) }
        founder.receive(from: liar)
        friend.receive(from: liar)
        var other = friend
        let forks = try (10..<UInt8(10 + ChangeLimits.branchesMax)).map { number in
            var fork = copy
            return try fork.write([number]).sealed
        }
        try founder.remove(liar)
        friend.receive(from: founder)
        for fork in forks { #expect(friend.log.receive([fork]).refusal == nil) }
        #expect(other.log.receive(forks).refusal == nil)
        other.receive(from: founder)
        #expect(counting(other.log).contains(first.hash))
        #expect(counting(friend.log) == counting(other.log))
        #expect(friend.log.frontier == other.log.frontier)
        for author in [friend, other] {
            let again = try restarted(author)
            #expect(counting(again) == counting(author.log))
            #expect(again.frontier == author.log.frontier)
        }
    }

    /// A founder founds the trip again with another key for sessions: nobody who is in is out by that.
    @Test(arguments: [true, false]) func aSecondFoundingWithOtherKeysPutsNobodyOut(isLower: Bool) throws {
        var founder = try Author.founder()
        var friend = try founder.admit(2)
        let device = DeviceSecrets(
            signingSeed: Author.secrets(50).signingSeed, agreementSecret: Author.secrets(50).agreementSecret,
            participant: founder.secrets.device.participant, using: Author.cryptography)
        var other = friend
        let secrets = DeviceSecrets(
            signingSeed: founder.secrets.signingSeed, agreementSecret: Author.secrets(60).agreementSecret,
            using: Author.cryptography)
        let first = founder.log.changes[0].hash
        let second = try (0..<64).lazy.map { number in
            try TripLog.found(
                by: secrets, name: "\(number)", epochSecret: friend.log.epochs[0].secret, wallTime: 0,
                cryptography: Author.cryptography, contents: AnyContent()
            ).changes[0]
        }.first { ($0.hash < first) == isLower }
        let founding = try #require(second)
        let admission = Admission(device: device.device, name: "Two", invite: nil, sealedSecrets: [])
        let further = try founder.log.author(.membership(.admit(admission)), wallTime: 0, as: founder.secrets)
        let written = try friend.write([1])
        #expect(other.log.receive([written.sealed]).refusal == nil)
        for change in [founding, further] { #expect(friend.log.receive([change.sealed]).refusal == nil) }
        for change in [further, founding] { #expect(other.log.receive([change.sealed]).refusal == nil) }
        let logs = try [friend.log, other.log, restarted(friend), restarted(other)]
        for log in logs {
            #expect(counting(log).count == log.changes.count)
            #expect(log.frontier == logs[0].frontier)
            #expect(log.membership.allMembers.count == 4)
        }
    }

    /// Of two changes that vouch for an end that is kept as evidence, the same one is kept by all.
    @Test func whatVouchesIsTheSameInWhateverOrderItCame() throws {
        for attempt in UInt8(0)..<8 {
            var founder = try Author.founder()
            let liar = try founder.admit(2)
            var batch: [[UInt8]] = []
            var vouchers: [[UInt8]] = []
            for number in UInt8(0)...UInt8(ChangeLimits.branchesMax) {
                var copy = liar
                batch.append(try Author.unsigned(try copy.write([attempt, number]), copy.log))
                var twin = copy
                batch.append(try copy.write([number, 1]).sealed)
                vouchers.append(try twin.write([number, 2]).sealed)
            }
            var other = founder
            let turned = zip(0..., vouchers).flatMap { [batch[2 * $0], $1] }
            #expect(founder.log.receive(batch).refusal == nil)
            #expect(founder.log.receive(vouchers).refusal == nil)
            #expect(other.log.receive(turned).refusal == nil)
            #expect(other.log.receive(batch).refusal == nil)
            #expect(founder.log.frontier == other.log.frontier, "attempt \(attempt)")
        }
    }

    /// What is set aside still says nothing of what came before it and is kept again.
    @Test func whatStaysAsideSaysNothingOfWhatIsKeptAgain() throws {
        var (founder, host, guest) = try Author.threeGenerations()
        var friend = try founder.admit(4)
        var late = try founder.admit(5)
        friend.receive(from: founder)
        try host.remove(guest)
        let written = try guest.write([1])
        #expect(late.log.receive([written.sealed]).refusal == nil)
        let further = try guest.write([2])
        friend.receive(from: host)
        for change in [written, further] { #expect(friend.log.receive([change.sealed]).refusal == nil) }
        #expect(friend.log.receive([try founder.write([3]).sealed]).refusal == nil)
        let place = try #require(friend.log.place(of: written.hash))
        #expect(!friend.log.isKept(place))
        var knowledge = PeerKnowledge()
        knowledge.learnAll(before: friend.log.changes.count, in: friend.log)
        #expect(friend.log.receive([try late.write([4]).sealed]).refusal == nil)
        let keptAgain = friend.log.takeKeptAgain()
        #expect(keptAgain == [place])
        knowledge.relearn(in: friend.log, keptAgain: keptAgain)
        #expect(!friend.log.isHeld(place, by: knowledge))
    }
}
