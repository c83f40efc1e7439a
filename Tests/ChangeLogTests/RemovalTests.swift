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
        let people: Set<Bytes16>
        let tree: [Who]
        let invites: [String]
        let epoch: Bytes16?

        struct Who: Hashable {
            let id: Bytes16
            let name: String
            let parent: Bytes16?
            let devices: [ReplicaID]
            let removals: Set<Bytes32>
        }

        init(_ log: TripLog) {
            frontier = log.frontier
            let places = log.changes.indices.filter { log.counts($0) }
            counting = Set(places.map { log.changes[$0].hash })
            people = Set(log.membership.allPeople.filter(\.isIn).map(\.id))
            tree = log.membership.allPeople.map { person in
                Who(
                    id: person.id, name: person.name, parent: person.parent, devices: person.devices,
                    removals: Set(person.removals.map { log.changes[$0].hash }))
            }
            invites = log.membership.allInvites.map {
                "\($0.author) \($0.invite.uses) \($0.isOpen(at: 0)) \($0.isKnownOutside) \($0.joined.sorted())"
            }.sorted()
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
        var elder = try trio().friend
        elder.receive(from: founder)
        try elder.remove(sibling)
        #expect(elder.log.membership.isIn(sibling.secrets.device.replica), "a sibling who came later")
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
        #expect(reader.receive(from: founder).isRebuilt)
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

    @Test func aForkBeyondTheCutChangesNothing() throws {
        for round in 0..<16 {
            var (founder, friend, _) = try trio()
            var copy = friend
            try friend.write([1, UInt8(round)])
            founder.receive(from: friend)
            try founder.remove(friend)
            let before = Outcome(founder.log)
            try copy.write([2, UInt8(round)])
            founder.receive(from: copy)
            #expect(Outcome(founder.log) == before)
        }
    }

    /// A copied home is left from on both sides: each farewell lies beyond the cut of the other.
    @Test func leavingInTwoPlacesEndsAlikeInEveryOrder() throws {
        var (founder, friend, _) = try trio()
        let shared = try friend.write([1])
        var copy = friend
        try friend.write([2])
        try copy.write([3])
        let leaving = MembershipOperation.remove(participant: friend.secrets.device.participant, epoch: nil)
        _ = try friend.log.author(.membership(leaving), wallTime: 0, as: friend.secrets)
        _ = try copy.log.author(.membership(leaving), wallTime: 0, as: copy.secrets)
        var other = founder
        founder.receive(from: friend)
        founder.receive(from: copy)
        other.receive(from: copy)
        other.receive(from: friend)
        #expect(Outcome(founder.log) == Outcome(other.log))
        let counting = Outcome(founder.log).counting
        #expect(counting.contains(shared.hash))
        #expect(founder.log.membership.countingRemovals.count == 2)
        // Whoever is told what is kept ends there too.
        #expect(Outcome(try retold(founder.log)) == Outcome(founder.log))
    }

    /// An epoch that is begun where nobody was ever taken out is the newest wherever it is known, however it came there.
    @Test func anEpochThatNobodyNeedsIsTheNewestForAll() throws {
        var founder = try Author.founder()
        var friend = try founder.admit(2)
        var generator = Counter(state: 5)
        let epoch = Epoch(secret: .random(using: &generator), using: Author.cryptography)
        let devices = founder.log.membership.allMembers.map(\.device)
        let grant = EpochGrant(epoch, to: devices, using: &generator, Author.cryptography)
        _ = try friend.log.author(.membership(.beginEpoch(grant)), wallTime: 0, as: friend.secrets)
        friend.log.recount()
        founder.receive(from: friend)
        #expect(founder.log.newestEpoch == epoch)
        #expect(friend.log.newestEpoch == epoch)
    }

    /// A log that holds what another keeps, and no more.
    private func retold(_ log: TripLog) throws -> TripLog {
        var reader = TripLog(trip: log.trip, cryptography: Author.cryptography, contents: AnyContent())
        for epoch in log.epochs { reader.addEpoch(secret: epoch.secret) }
        for place in log.changes.indices where log.isKept(place) {
            #expect(reader.receive([log.changes[place].sealed]).refusal == nil)
        }
        return reader
    }

    /// Random histories of people who let in, take out, leave, open and close invites, go on in copied homes, write and
    /// hear of each other in every order.
    @Test func everyOrderEndsAlike() throws {
        var removals = 0
        var happened: [String: Int] = [:]
        for seed in UInt64(1)...60 {
            var history = try History(seed: seed)
            try history.go(steps: 50)
            happened.merge(history.happened, uniquingKeysWith: +)
            removals += history.authors[0].log.membership.countingRemovals.count
            let everything = history.authors.flatMap { author in author.log.changes.map(\.sealed) }
            let epochs = history.authors.flatMap { $0.log.epochs.map(\.secret) }
            var outcomes: Set<Outcome> = []
            for _ in 0..<4 {
                var log = TripLog(
                    trip: history.authors[0].log.trip, cryptography: Author.cryptography, contents: AnyContent())
                for secret in epochs { log.addEpoch(secret: secret) }
                var waiting = everything
                // A reader asks again for what had no past yet, in another order each time.
                for _ in 0..<400 where !waiting.isEmpty {
                    let next = waiting.remove(at: history.number(waiting.count))
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
                outcomes.insert(Outcome(try retold(log)))
            }
            #expect(outcomes.count == 1, "seed \(seed)")
        }
        #expect(removals > 40, "people must have been taken out")
        for kind in ["remove", "leave", "admit", "device", "invite", "reopen", "close", "copy", "epoch", "write"] {
            #expect(happened[kind, default: 0] >= 20, "\(kind): \(happened[kind, default: 0])")
        }
    }
}

/// What a few people did at random, each on a device of their own.
private struct History {
    var authors: [Author]
    /// How often each thing was done.
    private(set) var happened: [String: Int] = [:]
    private var generator: Counter
    private var invites: [Invite] = []

    init(seed: UInt64) throws {
        generator = Counter(state: seed &* 0x9e37_79b9)
        authors = [try Author.founder()]
        authors.append(try authors[0].admit(2))
        authors.append(try authors[1].admit(3))
        authors.append(try authors[0].admit(4))
        authors.append(try authors[3].admit(5))
    }

    mutating func number(_ bound: Int) -> Int { Int(generator.next() >> 8) % bound }

    mutating func go(steps: Int) throws {
        for step in 0..<steps {
            let one = number(authors.count)
            let other = number(authors.count)
            let kind = [
                "remove", "leave", "admit", "device", "invite", "reopen", "close", "copy", "epoch", "write", "write",
            ]
            let choice = number(21)
            guard choice < kind.count else {
                if one != other { _ = authors[one].receive(from: authors[other]) }
                continue
            }
            if (try? act(kind[choice], by: one, to: other, step)) == true { happened[kind[choice], default: 0] += 1 }
        }
    }

    /// False where there is nothing to do it to.
    private mutating func act(_ kind: String, by one: Int, to other: Int, _ step: Int) throws -> Bool {
        switch kind {
        case "remove": try authors[one].remove(authors[other], epoch: generator.next())
        case "leave":
            // Whoever founded the trip seldom leaves: nobody would be left to do anything.
            guard one > 0 || step > 40 else { return false }
            let participant = authors[one].secrets.device.participant
            try write(.remove(participant: participant, epoch: nil), by: one)
        case "admit":
            let invite = invites.isEmpty || number(2) == 0 ? nil : invites[number(invites.count)]
            try admit(Author.secrets(UInt64(100 + step)), by: one, invite: invite)
        case "device":
            let secrets = DeviceSecrets(
                signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator),
                participant: authors[one].secrets.device.participant, using: Author.cryptography)
            try admit(secrets, by: one, invite: nil)
        case "invite":
            let invite = Invite(secret: .random(using: &generator), uses: 1 + number(3), expires: nil)
            try write(.invite(invite), by: one)
            invites.append(invite)
        case "reopen":
            guard !invites.isEmpty else { return false }
            let secret = invites[number(invites.count)].secret
            try write(.invite(Invite(secret: secret, uses: 4 + number(3), expires: nil)), by: one)
        case "close":
            guard !invites.isEmpty else { return false }
            try write(.closeInvite(id: invites[number(invites.count)].id(using: Author.cryptography)), by: one)
        case "epoch":
            // Nobody needs one where nobody was taken out, and a member may begin one all the same.
            let epoch = Epoch(secret: .random(using: &generator), using: Author.cryptography)
            let devices = authors[one].log.membership.allMembers.map(\.device)
            try write(.beginEpoch(EpochGrant(epoch, to: devices, using: &generator, Author.cryptography)), by: one)
        case "copy":
            guard authors.count < 9 else { return false }
            authors.append(authors[one])
        default: try authors[one].write([UInt8(step)])
        }
        return true
    }

    private mutating func admit(_ secrets: DeviceSecrets, by one: Int, invite: Invite?) throws {
        let admission = Admission(
            device: secrets.device, name: "Guest \(number(100))", invite: invite?.id(using: Author.cryptography),
            sealedSecrets: [])
        try write(.admit(admission), by: one)
        guard authors.count < 9 else { return }
        var author = Author(secrets: secrets, log: authors[one].log)
        author.log.reader = secrets
        authors.append(author)
    }

    private mutating func write(_ operation: MembershipOperation, by one: Int) throws {
        _ = try authors[one].log.author(.membership(operation), wallTime: 0, as: authors[one].secrets)
        authors[one].log.recount()
    }
}
