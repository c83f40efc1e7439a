import Testing

@testable import ChangeLog

/// Who is out, and what of theirs is effective, in every order of arrival.
struct RemovalTests {
    @Test("what somebody wrote who was taken out is effective as far as the remover had seen it")
    func cut() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let seen = try friend.say(nil, [1])
        founder.receive(from: friend)
        try founder.remove(friend)
        let unseen = try friend.say(nil, [2])
        try inEveryOrder(founder, friend) { member in
            #expect(!member.isIn(friend) && member.isIn(founder))
            #expect(member.isEffective(seen) && !member.isEffective(unseen) && !member.isRetained(unseen))
        }
    }

    @Test("what an honest member wrote on what is cut retains that, and does not make it effective")
    func retained() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        var other = try founder.admit(3)
        friend.receive(from: founder)
        try founder.remove(friend)
        let unseen = try friend.say(nil, [1])
        other.receive(from: friend)
        let onTop = try other.say(nil, [2])
        try inEveryOrder(founder, friend, other) { member in
            #expect(member.isEffective(onTop) && member.isRetained(unseen) && !member.isEffective(unseen))
        }
    }

    @Test("siblings do not take each other out, nor does anybody whoever brought them")
    func onlyAncestors() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let sibling = try founder.admit(3)
        friend.receive(from: founder)
        try friend.remove(sibling)
        try friend.remove(founder)
        try inEveryOrder(founder, friend, sibling) { member in
            #expect(member.isIn(founder) && member.isIn(friend) && member.isIn(sibling))
        }
    }

    @Test("an elder's second device, which was admitted after whom it takes out, takes them out")
    func secondDevice() throws {
        var founder = try Member.founder()
        let friend = try founder.admit(2)
        var second = try founder.addDevice(3)
        try second.remove(friend)
        try inEveryOrder(founder, friend, second) { member in #expect(!member.isIn(friend)) }
    }

    @Test("a removal by somebody who was taken out before is void, and one from before that stands")
    func nested() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let early = try friend.admit(3)
        let late = try friend.admit(4)
        try friend.remove(early)
        founder.receive(from: friend)
        try founder.remove(friend)
        try friend.remove(late)
        try inEveryOrder(founder, friend, early, late) { member in
            #expect(!member.isIn(friend) && !member.isIn(early) && member.isIn(late))
        }
    }

    @Test("two partitions that each take somebody out end alike")
    func partitions() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        var child = try friend.admit(3)
        let other = try founder.admit(4)
        founder.receive(from: friend)
        friend.receive(from: founder)
        child.receive(from: founder)
        try founder.remove(other)
        try friend.remove(child)
        let unseen = try child.say(nil, [1])
        try inEveryOrder(founder, friend, child, other) { member in
            #expect(!member.isIn(child) && !member.isIn(other) && member.isIn(friend) && !member.isEffective(unseen))
        }
    }

    @Test("leaving on two branches at once cuts each, and both farewells are retained")
    func twoFarewells() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        var copy = friend
        let (first, second) = (try friend.say(nil, [1]), try copy.say(nil, [2]))
        let farewells = [try friend.remove(friend), try copy.remove(copy)]
        founder.receive(from: friend)
        try inEveryOrder(founder, friend, copy) { member in
            #expect(!member.isIn(friend) && !member.isEffective(first) && !member.isEffective(second))
            #expect(farewells.allSatisfy { member.isRetained($0) && !member.isEffective($0) })
        }
    }

    @Test("a farewell voids no removal that its author wrote")
    func farewellVoidsNoRemoval() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let child = try friend.admit(3)
        var second = try friend.addDevice(4)
        try friend.remove(friend)
        try second.remove(child)
        founder.receive(from: friend)
        try inEveryOrder(founder, friend, second, child) { member in
            #expect(!member.isIn(friend) && !member.isIn(child))
        }
    }

    @Test("a device whose first admission is void is in by another, from its first change on")
    func readmission() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        founder.receive(from: friend)
        try founder.remove(friend)
        var newcomer = try friend.admit(3)
        let early = try newcomer.say(nil, [1])
        var other = try founder.admit(4)
        try other.say(other.admitting(newcomer.secrets))
        let late = try newcomer.say(nil, [2])
        try inEveryOrder(founder, friend, newcomer, other) { member in
            #expect(member.isIn(newcomer) && member.isEffective(early) && member.isEffective(late))
            #expect(member.log.person(newcomer.id)?.parent == other.id)
        }
    }

    @Test("two persons who admit each other's devices are in by whoever brought the first")
    func mutualAdmission() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        var other = try friend.admit(3)
        try other.say(other.admitting(friend.secrets))
        friend.receive(from: other)
        founder.receive(from: other)
        try founder.remove(friend)
        try inEveryOrder(founder, friend, other) { member in
            #expect(!member.isIn(friend) && member.isIn(other))
            #expect(member.log.person(friend.id)?.parent == founder.id)
        }
    }

    @Test("whoever let somebody in by an invite that was closed is their parent, and not who had opened it")
    func closedInvite() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let id = try founder.openInvite()
        try founder.say(.closeInvite(id: id))
        friend.receive(from: founder)
        let newcomer = try friend.admit(3, by: id)
        founder.receive(from: friend)
        try inEveryOrder(founder, friend) { member in #expect(member.log.person(newcomer.id)?.parent == friend.id) }
        try founder.remove(friend)
        #expect(founder.isIn(newcomer))
    }

    @Test("a removal closes the invites that it had not seen opened after it, for whoever is out may know them")
    func removalClosesInvites() throws {
        var founder = try Member.founder()
        let friend = try founder.admit(2)
        let before = try founder.openInvite(1, uses: 2)
        try founder.remove(friend)
        let ids = [before, try founder.openInvite(2, uses: 2)]
        try inEveryOrder(founder) { member in
            #expect(ids.map { member.log.invite($0)?.isOpen(at: 0) } == [false, true])
        }
        let first = try founder.admit(3, by: ids[1])
        #expect(founder.log.person(first.id)?.parent == founder.id && founder.log.invite(ids[1])?.isOpen(at: 0) == true)
        _ = try founder.admit(4, by: ids[1])
        #expect(founder.log.invite(ids[1])?.isOpen(at: 0) == false)
    }

    @Test("a guest goes with the host, and nobody else's protégés do")
    func guest() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let guest = try friend.admit(3, isGuest: true)
        let child = try friend.admit(4)
        founder.receive(from: friend)
        try founder.remove(friend)
        try inEveryOrder(founder, friend) { member in
            #expect(!member.isIn(guest) && member.isIn(child) && !member.isIn(friend))
        }
    }

    @Test("nobody is let in by somebody whom they did not ask")
    func consent() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let other = try founder.admit(3)
        friend.receive(from: founder)
        // What somebody signed for the founder says nothing for the friend.
        let forged = try friend.say(founder.admitting(other.secrets))
        let received = founder.log.receive([forged.record])
        #expect(received.refusal == .invalidSignature && received.places.isEmpty)
    }

    @Test("one node with a fork that is cut and one without have the same frontier")
    func excludedFork() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        try friend.say(nil, [1])
        founder.receive(from: friend)
        var copy = friend
        try founder.remove(friend)
        try copy.say(nil, [2])
        try friend.say(nil, [3])
        var (with, without) = (founder, founder)
        _ = with.log.receive(copy.changes.map(\.record) + friend.changes.map(\.record))
        #expect(with.log.graph.count == without.log.graph.count + 2 && with.log.frontier == without.log.frontier)
        try without.say(nil, [4])
        with.receive(from: without)
        #expect(with.log.frontier == without.log.frontier)
    }

    @Test("a removal says which changes count no more")
    func turned() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        var guest = try friend.admit(3)
        founder.receive(from: friend, guest)
        guest.receive(from: friend)
        let seen = try guest.say(nil, [1])
        founder.receive(from: guest)
        friend.receive(from: guest)
        let unseen = try guest.say(nil, [2])
        founder.receive(from: guest)
        let place = try #require(founder.log.graph.place(of: unseen.hash))
        let removal = try friend.remove(guest)
        let received = founder.log.receive([removal.record])
        #expect(received.shift.turned == [place] && received.shift.takenIn.isEmpty)
        #expect(founder.isEffective(seen) && !founder.isEffective(unseen))
    }
}
