import ChangeLog
import DeltaCRDT
import Testing

/// Out means out: what somebody writes who was taken out counts nowhere, in whatever order it comes, and nothing else
/// is lost.
struct RemovalTests {
    /// What follows from a log for people, whatever the order in which it came.
    private struct Outcome: Hashable {
        let frontier: Frontier
        let counting: Set<Bytes32>
        let dots: [Bytes32: Dot]
        let people: Set<Bytes16>
        let epoch: Bytes16?

        init(_ log: TripLog) {
            frontier = log.frontier
            let places = log.changes.indices.filter { log.counts($0) }
            counting = Set(places.map { log.changes[$0].hash })
            dots = Dictionary(uniqueKeysWithValues: places.map { (log.changes[$0].hash, log.applied($0).first) })
            people = Set(log.membership.allPeople.filter(\.isIn).map(\.id))
            epoch = log.membership.epochRanking.first?.id
        }
    }

    /// Founder, a friend whom the founder brought, and a guest of the friend's.
    private func trio() throws -> (founder: Author, friend: Author, child: Author) {
        var founder = try Author.founder()
        var friend = try founder.admit(2)
        let child = try friend.admit(3)
        founder.receive(from: friend)
        return (founder, friend, child)
    }

    @Test func whatComesAfterTheCutCountsNowhereInAnyOrder() throws {
        var (founder, friend, child) = try trio()
        let seen = try friend.write([1])
        founder.receive(from: friend)
        try founder.remove(friend)
        let unseen = try friend.write([2])
        // Somebody builds on it before they hear.
        #expect(child.receive(from: friend).refusal == nil)
        let onTop = try child.write([3])

        var outcomes: Set<Outcome> = []
        for order in [
            [founder, friend, child], [friend, founder, child], [child, founder, friend], [child, friend, founder],
        ] {
            var reader = try Author.founder()
            reader.log.reader = founder.secrets
            for source in order { _ = reader.receive(from: source) }
            outcomes.insert(Outcome(reader.log))
        }
        let outcome = try #require(outcomes.count == 1 ? outcomes.first : nil)
        #expect(outcome.counting.contains(seen.hash))
        #expect(!outcome.counting.contains(unseen.hash))
        #expect(outcome.counting.contains(onTop.hash))
        #expect(!outcome.people.contains(friend.secrets.device.participant))
        #expect(outcome.people.contains(child.secrets.device.participant), "whom they brought before stays")

        // Nobody built on it: it is as if it were not there.
        founder.receive(from: friend)
        let digest = founder.log.frontier.digest(using: Author.cryptography)
        _ = try friend.write([4])
        let late = founder.receive(from: friend)
        #expect(late.refusal == nil)
        #expect(founder.log.frontier.digest(using: Author.cryptography) == digest)
    }

    @Test func onlyThoseAboveMayTakeOut() throws {
        var (founder, friend, child) = try trio()
        let sibling = try founder.admit(4)
        friend.receive(from: founder)
        child.receive(from: friend)
        var copy = sibling
        copy.receive(from: founder)
        try copy.remove(friend)
        #expect(copy.log.membership.isIn(friend.secrets.device.replica), "a sibling")
        try child.remove(friend)
        #expect(child.log.membership.isIn(friend.secrets.device.replica), "whom they brought")
        try friend.remove(founder)
        #expect(friend.log.membership.isIn(founder.secrets.device.replica), "the founder")
        #expect(friend.log.membership.epochRanking.isEmpty, "an epoch that comes with no just removal is none")
        try founder.remove(child)
        #expect(!founder.log.membership.isIn(child.secrets.device.replica), "from two above")
    }

    @Test func whomTheyLetInAfterwardsIsNotIn() throws {
        var (founder, friend, _) = try trio()
        try founder.remove(friend)
        var late = try friend.admit(9)
        let word = try late.write([5])
        founder.receive(from: late)
        #expect(!founder.log.membership.isIn(late.secrets.device.replica))
        let place = founder.log.place(of: word.hash)
        #expect(place.map { founder.log.counts($0) } != true)
        var generator = Counter(state: 3)
        let invite = Invite(secret: .random(using: &generator), uses: 1, expires: nil)
        _ = try friend.log.author(.membership(.invite(invite)), wallTime: 0, as: friend.secrets)
        founder.receive(from: friend)
        #expect(founder.log.membership.openInvites(at: 0).isEmpty)
    }

    @Test func aRemovalBeyondItsAuthorsOwnCutIsNone() throws {
        var (founder, friend, child) = try trio()
        try founder.remove(friend)
        try friend.remove(child, epoch: 8)
        #expect(!friend.log.membership.isIn(child.secrets.device.replica))
        let word = try child.write([6])
        var reader = friend
        reader.receive(from: child)
        let place = try #require(reader.log.place(of: word.hash))
        #expect(!reader.log.counts(place))
        // The founder's word comes, and what the friend had done in vain is undone.
        #expect(reader.receive(from: founder).renamed)
        #expect(reader.log.counts(place))
        #expect(reader.log.membership.isIn(child.secrets.device.replica))
        founder.receive(from: child)
        #expect(Outcome(reader.log) == Outcome(founder.log))
    }

    @Test func oneLeavesByOneself() throws {
        var (founder, friend, _) = try trio()
        let last = try friend.write([1])
        _ = try friend.log.author(
            .membership(.remove(participant: friend.secrets.device.participant, epoch: nil)), wallTime: 0,
            as: friend.secrets)
        friend.log.recount()
        #expect(throws: Refusal.removed) { try friend.write([2]) }
        founder.receive(from: friend)
        #expect(!founder.log.membership.isIn(friend.secrets.device.replica))
        #expect(founder.log.counts(try #require(founder.log.place(of: last.hash))))
        #expect(founder.log.membership.needsEpoch, "whoever left still holds the newest secret")
    }

    @Test func theNewSecretReachesThoseWhoRemainAndNobodyElse() throws {
        var (founder, friend, child) = try trio()
        let before = founder.log.newestEpoch
        let epoch = try founder.remove(friend)
        #expect(founder.log.newestEpoch == epoch)
        try founder.write([1])
        // One batch: what follows in it is sealed with the secret that it brings.
        #expect(child.receive(from: founder).refusal == nil)
        #expect(child.log.newestEpoch == epoch)
        #expect(friend.receive(from: founder).refusal == .unknownEpoch)
        #expect(friend.log.newestEpoch == before)
    }

    @Test func twoRemovalsAtOnceNeedAThirdEpoch() throws {
        var (founder, friend, child) = try trio()
        var other = try founder.admit(4)
        let otherChild = try other.admit(5)
        founder.receive(from: other)
        for _ in 0..<2 {
            friend.receive(from: founder)
            other.receive(from: founder)
        }
        try friend.remove(child, epoch: 11)
        try other.remove(otherChild, epoch: 12)
        founder.receive(from: friend)
        #expect(!founder.log.membership.needsEpoch)
        founder.receive(from: other)
        #expect(founder.log.membership.needsEpoch)
        friend.receive(from: other)
        #expect(Outcome(founder.log) == Outcome(friend.log))
        var generator = Counter(state: 5)
        let third = Epoch(secret: .random(using: &generator), using: Author.cryptography)
        let devices = founder.log.membership.allMembers.map(\.device)
        _ = try founder.log.author(
            .membership(.beginEpoch(EpochGrant(third, to: devices, using: &generator, Author.cryptography))),
            wallTime: 0, as: founder.secrets)
        #expect(founder.log.recount() == false)
        #expect(!founder.log.membership.needsEpoch)
        #expect(founder.log.newestEpoch == third)
        other.receive(from: founder)
        #expect(other.log.newestEpoch == third)
    }

    @Test func aForkBeyondTheCutRenamesNothing() throws {
        var renamed = 0
        for round in 0..<16 {
            var (founder, friend, _) = try trio()
            var copy = friend
            try friend.write([1, UInt8(round)])
            founder.receive(from: friend)
            try founder.remove(friend)
            let before = Outcome(founder.log)
            let fork = try copy.write([2, UInt8(round)])
            renamed += fork.hash < friend.log.changes[friend.log.changes.count - 1].hash ? 1 : 0
            founder.receive(from: copy)
            #expect(Outcome(founder.log) == before)
        }
        #expect(renamed > 0, "some would have taken the branch's name")
    }

    /// Random histories of five people who let in, take out, write and hear of each other in every order.
    @Test func everyOrderEndsAlike() throws {
        var removals = 0
        for seed in UInt64(1)...40 {
            var generator = Counter(state: seed &* 0x9e37_79b9)
            func number(_ bound: Int) -> Int { Int(generator.next() >> 8) % bound }
            var authors = [try Author.founder()]
            authors.append(try authors[0].admit(2))
            authors.append(try authors[1].admit(3))
            authors.append(try authors[0].admit(4))
            authors.append(try authors[3].admit(5))
            for step in 0..<40 {
                let one = number(5)
                let other = number(5)
                switch number(10) {
                case 0: _ = try? authors[one].remove(authors[other], epoch: seed * 100 + UInt64(step))
                case 1: _ = try? authors[one].admit(UInt64(100 + step))
                case 2...4: _ = try? authors[one].write([UInt8(step)])
                default: if one != other { _ = authors[one].receive(from: authors[other]) }
                }
            }
            removals += authors[0].log.membership.countingRemovals.count
            let everything = authors.flatMap { author in author.log.changes.map(\.sealed) }
            let epochs = authors.flatMap { $0.log.epochs.map(\.secret) }
            var outcomes: Set<Outcome> = []
            for _ in 0..<4 {
                var log = TripLog(trip: authors[0].log.trip, cryptography: Author.cryptography, rules: AnyContent())
                for secret in epochs { log.addEpoch(secret: secret) }
                var waiting = everything
                // A reader asks again for what had no past yet, in another order each time.
                for _ in 0..<400 where !waiting.isEmpty {
                    let next = waiting.remove(at: number(waiting.count))
                    if log.receive([next]).refusal != nil { waiting.append(next) }
                }
                while !waiting.isEmpty {
                    let count = waiting.count
                    waiting = waiting.filter { log.receive([$0]).refusal != nil }
                    if waiting.count == count { break }
                }
                let refusals = waiting.map { log.receive([$0]).refusal }
                #expect(refusals.isEmpty, "seed \(seed)")
                outcomes.insert(Outcome(log))
            }
            #expect(outcomes.count == 1, "seed \(seed)")
        }
        #expect(removals > 20, "people must have been taken out")
    }
}
