import LogFixtures
import Testing

@testable import ChangeLog

/// Who is admitted, by which member and below which, in every order of arrival: the examples of Documentation/Protocol.md, section 5.
struct AdmissionTests {
    @Test("a person is the opener's by name, no matter who lets them in, and again later (F2)")
    func hijack() throws {
        var founder = try Member.founder()
        let link = try founder.openInvite(9, uses: 5)
        var mallory = try founder.admit(2)
        var early = mallory
        var newcomer = try mallory.admit(3, by: link)
        let act = try newcomer.say(nil, [1])
        founder.receive(from: newcomer)
        // A fork of Mallory's log says it again with a lower stamp; then Mallory removes the newcomer.
        try early.say(early.admitting(newcomer.secrets, by: link))
        try mallory.remove(newcomer)
        try inEveryOrder(founder, mallory, early, newcomer) { member in
            #expect(member.log.person(newcomer.id)?.parent == founder.id)
            #expect(member.isIn(newcomer) && member.isIn(mallory) && member.isEffective(act))
        }
    }

    @Test("an admission is refused whose name doesn't follow from the invite, or before the invite's opening")
    func names() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let (own, later) = (try friend.ownInvite(), try founder.openInvite(8, uses: 5))
        let named = Member.secrets(3, as: .invited(own))
        #expect(throws: WritingFailure.refused(.invalidAdmission)) {
            try friend.say(friend.admitting(named, by: founder.ownInvite()))
        }
        #expect(throws: WritingFailure.refused(.invalidAdmission)) { try friend.say(friend.admitting(named, by: nil)) }
        #expect(throws: WritingFailure.refused(.invalidAdmission)) {
            try friend.say(friend.admitting(Member.secrets(3), by: own))
        }
        // The friend hasn't heard of the later invite.
        #expect(throws: WritingFailure.refused(.invalidAdmission)) { try friend.admit(4, by: later) }
        let device = Member.secrets(5, of: named.device.participant)
        #expect(throws: WritingFailure.refused(.invalidAdmission)) { try friend.say(friend.admitting(device, by: own)) }
        try friend.say(friend.admitting(named, by: own))
        #expect(friend.log.person(named.device.participant)?.parent == friend.id)
    }

    @Test("sixteen people are above somebody, and no more")
    func depth() throws {
        var members = [try Member.founder()]
        for number in 0..<ChangeBounds.depthMax {
            var host = members[number]
            members.append(try host.admit(UInt64(number) + 2))
        }
        var last = members[ChangeBounds.depthMax]
        #expect(last.log.person(last.id)?.depth == ChangeBounds.depthMax)
        #expect(throws: WritingFailure.refused(.tooDeep)) { try last.admit(99) }
        #expect(throws: WritingFailure.refused(.tooDeep)) { try last.admitGuest(99) }
    }

    @Test("a guest says nothing of who is in")
    func guestStatements() throws {
        var founder = try Member.founder()
        var guest = try founder.admitGuest(2)
        let statements: [Statement] = [
            .invite(Invite(seed: Bytes32(words: (1, 0, 0, 0)), uses: 1, expires: nil)),
            .remove(participant: founder.id, grant: nil),
            guest.admitting(Member.secrets(3, as: .guest(of: guest.id)), by: nil),
            .beginEpoch(EpochGrant(epoch: Bytes16(high: 1, low: 1), boxes: [])),
        ]
        for statement in statements {
            #expect(throws: WritingFailure.refused(.statementOfGuest)) { try guest.say(statement) }
        }
        try guest.say(nil, [1])
    }

    @Test("a person waits once the member who admitted them was removed, and is kept with all they did (F3)")
    func doorman() throws {
        var founder = try Member.founder()
        let link = try founder.openInvite(9, uses: 5)
        var mallory = try founder.admit(2)
        var zoe = try founder.admit(3)
        zoe.receive(from: founder)
        mallory.receive(from: founder)
        var newcomer = try mallory.admit(4, by: link)
        let act = try newcomer.say(nil, [1])
        zoe.receive(from: newcomer)
        let vote = try zoe.say(nil, [2])
        var (kept, refused) = (founder, founder)
        try founder.remove(mallory)
        founder.receive(from: zoe)
        try inEveryOrder(founder, zoe, newcomer) { member in
            #expect(member.state(newcomer) == .waits && member.state(mallory) == .removed)
            #expect(!member.isEffective(act) && member.isEffective(vote) && member.isRetained(act))
            #expect(member.log.peopleWaiting == [newcomer.id])
            let departure = try #require(member.log.departure(of: newcomer.id))
            #expect(departure.by == founder.id && departure.waitsFor == mallory.id)
        }
        (kept, refused) = (founder, founder)
        try kept.keep(newcomer)
        try inEveryOrder(kept, zoe, newcomer) { member in
            #expect(member.isIn(newcomer) && member.isEffective(act) && member.state(mallory) == .removed)
            #expect(member.log.peopleWaiting.isEmpty && member.log.departure(of: newcomer.id) == nil)
        }
        try refused.remove(newcomer)
        try inEveryOrder(refused, zoe, newcomer) { member in
            #expect(member.state(newcomer) == .removed && !member.isEffective(act))
        }
        // Kept by one and refused by another at once: an admission undoes no removal.
        try inEveryOrder(kept, refused, zoe) { member in #expect(member.state(newcomer) == .removed) }
    }

    @Test("what somebody writes who waits is pending: theirs alone until they are kept, and everybody's then")
    func pending() throws {
        var founder = try Member.founder()
        let link = try founder.openInvite(9, uses: 5)
        var mallory = try founder.admit(2)
        mallory.receive(from: founder)
        var newcomer = try mallory.admit(4, by: link)
        let early = try newcomer.say(nil, [1])
        // A second device, which wrote what the first has not seen when both hear of the removal; and one that wrote nothing.
        var phone = try newcomer.addDevice(5)
        let fromPhone = try phone.say(nil, [2])
        newcomer.receive(from: phone)
        var silent = try mallory.admit(6, by: link)
        let (known, others) = (newcomer, silent)
        try founder.remove(mallory)
        let heard = founder
        for device in [newcomer, silent] { #expect(!device.log.isWaiting(device.replica)) }
        newcomer.receive(from: founder)
        silent.receive(from: founder)
        #expect(newcomer.log.isWaiting(newcomer.replica) && silent.log.isWaiting(silent.replica))
        let act = try newcomer.say(nil, [3], about: [early.hash, fromPhone.hash])
        #expect(act.change.number == early.change.number + 2 && act.change.heads.contains(fromPhone.hash))
        #expect(act.change.subjects == [early.hash, fromPhone.hash].sorted())
        let first = try silent.say(nil, [4])
        #expect(first.change.number == 1)
        #expect(throws: WritingFailure.out) { try newcomer.openInvite() }
        #expect(throws: WritingFailure.out) { try newcomer.remove(silent) }
        for (member, signed) in [(newcomer, act), (newcomer, early), (silent, first)] {
            let index = try #require(member.log.graph.index(of: signed.hash))
            #expect(member.log.isPending(index) && !member.log.isShown(index) && !member.log.isRetained(index))
        }
        // What others hold is as before: it names nothing that is pending.
        #expect(newcomer.log.heads == newcomer.log.heads.filter { !newcomer.log.isPending($0) })
        var removed = newcomer
        founder.receive(from: known, others)
        var refuser = founder
        try founder.keep(newcomer)
        try founder.keep(silent)
        try inEveryOrder(founder, newcomer, silent, heard) { member in
            #expect([early, fromPhone, act, first].allSatisfy { member.isEffective($0) && member.isRetained($0) })
            let written = [early, fromPhone, act, first].compactMap { member.log.graph.index(of: $0.hash) }
            #expect(written.count == 4 && !written.contains(where: member.log.isPending))
        }
        // Refused: the founder's first device cuts it for good, and the own copy keeps it.
        try refuser.remove(newcomer)
        let records = refuser.changes.map(\.record)
        var elsewhere = removed
        _ = removed.log.receive(records, ownedBy: newcomer.id)
        _ = elsewhere.log.receive(records)
        let index = try #require(removed.log.graph.index(of: act.hash))
        #expect(removed.log.isPending(index) && removed.log.graph[index].isWhole)
        #expect(!elsewhere.log.graph[index].isWhole)
        #expect(throws: WritingFailure.out) { try removed.say(nil, [5]) }
    }

    @Test("a person who waits writes, however many forks their own further device wrote")
    func pendingForks() throws {
        var founder = try Member.founder()
        let link = try founder.openInvite(9, uses: 5)
        var mallory = try founder.admit(2)
        var newcomer = try mallory.admit(4, by: link)
        let phone = try newcomer.addDevice(5)
        for number in 0...UInt64(ChangeBounds.headsMax) {
            var fork = phone
            try fork.say(nil, (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
            newcomer.receive(from: fork)
        }
        try founder.remove(mallory)
        newcomer.receive(from: founder)
        #expect(newcomer.log.isWaiting(newcomer.replica))
        #expect(try newcomer.say(nil, [1]).change.heads.count == ChangeBounds.headsMax)
    }

    @Test("somebody who waits is kept, or removed, however many forks were written")
    func keptAmongForks() throws {
        var founder = try Member.founder()
        let link = try founder.openInvite(9, uses: 5)
        var mallory = try founder.admit(2)
        let forker = try founder.admit(3)
        mallory.receive(from: founder)
        let newcomer = try mallory.admit(4, by: link)
        try founder.remove(mallory)
        for number in 0...UInt64(ChangeBounds.headsMax) {
            var fork = forker
            try fork.say(nil, (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
            founder.receive(from: fork)
        }
        founder.receive(from: newcomer)
        #expect(founder.log.heads.count > ChangeBounds.headsMax)
        var refused = founder
        try founder.keep(newcomer)
        #expect(founder.isIn(newcomer))
        try refused.remove(newcomer)
        #expect(refused.state(newcomer) == .removed)
    }

    @Test("people act on what came lately, admit and remove, and newcomers write, however many forks were written")
    func actsAmongForks() throws {
        var founder = try Member.founder()
        let forker = try founder.admit(2)
        var friend = try founder.admit(3)
        let own = try friend.openInvite(7)
        founder.receive(from: friend)
        let child = try founder.admit(4, by: own)
        var fresh = try founder.admit(5)
        let (item, link) = (try founder.say(nil, [7]), try founder.openInvite(9))
        friend.receive(from: founder)
        for number in 0...UInt64(ChangeBounds.headsMax) {
            var fork = forker
            try fork.say(nil, (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
            friend.receive(from: fork)
        }
        #expect(friend.log.heads.count > ChangeBounds.headsMax)
        fresh.log = friend.log
        try fresh.say(nil, [1])
        var (voter, host, closer, remover) = (friend, friend, friend, friend)
        #expect(try voter.say(nil, [1], about: [item.hash]).change.subjects == [item.hash])
        let newcomer = try host.admit(6, by: link)
        #expect(host.isIn(newcomer))
        try closer.say(.closeInvite(id: link))
        try remover.remove(child)
        #expect(remover.state(child) == .removed)
        remover.log.checkInvariants()
    }

    @Test("who came by a removed person's own link waits, and is kept by somebody above")
    func ownLink() throws {
        var founder = try Member.founder()
        var mallory = try founder.admit(2)
        let before = founder
        let newcomer = try mallory.admit(3)
        try founder.remove(mallory)
        _ = founder.log.receive(mallory.changes.map(\.record))
        #expect(founder.state(newcomer) == .waits && before.state(newcomer) == nil)
        // Nothing retained stands on the admission, and the removal does all the same.
        var refused = founder
        try refused.remove(newcomer)
        try inEveryOrder(refused, mallory) { member in #expect(member.state(newcomer) == .removed) }
        try founder.keep(newcomer)
        try inEveryOrder(founder, mallory) { member in
            #expect(member.isIn(newcomer) && member.log.person(newcomer.id)?.parent == mallory.id)
        }
    }

    @Test("a farewell cuts what its author wrote after it, and touches nobody else (F3)")
    func farewell() throws {
        var founder = try Member.founder()
        var mallory = try founder.admit(2)
        var before = mallory
        var child = try mallory.admit(3)
        let grandchild = try child.admit(4)
        try before.remove(before)
        try inEveryOrder(founder, mallory, before, child, grandchild) { member in
            #expect(member.state(mallory) == .left && member.isIn(child) && member.isIn(grandchild))
        }
    }

    @Test("an end of a device cuts what it wrote after its last change, a farewell and removals too")
    func stolenPhone() throws {
        var founder = try Member.founder()
        let zoe = try founder.admit(2)
        var phone = try founder.addDevice(3)
        let milk = try phone.say(nil, [1])
        founder.receive(from: phone)
        let removal = try phone.remove(zoe)
        let laptop = try phone.addDevice(4)
        try phone.remove(phone)
        try founder.say(.end(replica: phone.replica, last: milk.hash, grant: nil))
        try inEveryOrder(founder, phone, zoe) { member in
            #expect(member.isIn(founder) && member.isIn(zoe))
            #expect(member.isEffective(milk) && !member.isEffective(removal))
            #expect(member.log.person(founder.id)?.devices == [founder.replica])
            #expect(!member.log.isIn(laptop.replica) && member.log.isOut(phone.replica))
        }
    }

    @Test("a device is ended by a first device of its person, as of a change of its own, and by nobody else")
    func ends() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        var phone = try founder.addDevice(3)
        let own = try #require(founder.changes.first)
        friend.receive(from: founder)
        let replica = phone.replica
        #expect(throws: WritingFailure.refused(.invalidEnd)) {
            try friend.say(.end(replica: replica, last: nil, grant: nil))
        }
        #expect(throws: WritingFailure.refused(.invalidEnd)) {
            try phone.say(.end(replica: replica, last: nil, grant: nil))
        }
        let first = founder.replica
        #expect(throws: WritingFailure.refused(.invalidEnd)) {
            try founder.say(.end(replica: first, last: nil, grant: nil))
        }
        #expect(throws: WritingFailure.refused(.invalidEnd)) {
            try founder.say(.end(replica: replica, last: own.hash, grant: nil))
        }
        try founder.say(.end(replica: replica, last: nil, grant: nil))
        #expect(!founder.log.isIn(replica))
    }

    @Test("all forks are kept, with the changes that build on them, in every order of arrival (F1)")
    func forks() throws {
        var founder = try Member.founder()
        var zoe = try founder.admit(2)
        let mallory = try founder.admit(3)
        zoe.receive(from: founder)
        var (forFounder, forZoe): ([SignedChange], [SignedChange]) = ([], [])
        for number in UInt8(0)..<144 {
            var fork = mallory
            let change = try fork.say(nil, [number])
            if number < 72 { forFounder.append(change) } else { forZoe.append(change) }
        }
        #expect(founder.log.receive(forFounder.map(\.record)).refusal == nil)
        #expect(zoe.log.receive(forZoe.map(\.record)).refusal == nil)
        let acts = [try founder.say(nil, [200]), try zoe.say(nil, [201])]
        founder.receive(from: zoe)
        zoe.receive(from: founder)
        #expect(founder.log.frontier == zoe.log.frontier)
        #expect((forFounder + forZoe + acts).allSatisfy { founder.isEffective($0) && zoe.isEffective($0) })
        let short = founder.log.frontier.shortened(to: 10)
        #expect(short.tips.count == 10)
        #expect(Set(short.tips.map(\.replica)) == Set(founder.log.frontier.tips.map(\.replica)), "each log is in it")
        try founder.remove(mallory)
        zoe.receive(from: founder)
        #expect(!zoe.isIn(mallory) && zoe.log.frontier == founder.log.frontier)
    }
}
