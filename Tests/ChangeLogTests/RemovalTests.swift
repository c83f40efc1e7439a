import LogFixtures
import Testing

@testable import ChangeLog

/// Who is out, and what of theirs counts, in every order of arrival.
struct RemovalTests {
    @Test("a removed person's changes are effective as far as the remover had seen them")
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

    @Test("siblings don’t remove each other, nor does anybody the people above")
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

    @Test("a second device of a person above can remove a member who was admitted before that device")
    func secondDevice() throws {
        var founder = try Member.founder()
        let friend = try founder.admit(2)
        var second = try founder.addDevice(3)
        try second.remove(friend)
        try inEveryOrder(founder, friend, second) { member in #expect(!member.isIn(friend)) }
    }

    @Test("a removal by a person who was removed before is void, and one from before that counts")
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

    @Test("leaving on two branches at once cuts what came after either, and both farewells count")
    func twoFarewells() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        var copy = friend
        let (first, second) = (try friend.say(nil, [1]), try copy.say(nil, [2]))
        let farewells = [try friend.remove(friend), try copy.remove(copy)]
        founder.receive(from: friend)
        try inEveryOrder(founder, friend, copy) { member in
            #expect(!member.isIn(friend) && member.isEffective(first) && member.isEffective(second))
            #expect(farewells.allSatisfy { member.isEffective($0) })
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

    @Test("a removal closes the invites that were not opened after it, for who is out may know them")
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

    @Test("a guest goes with the host, and who came by a link of the host's and is cut waits")
    func guest() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let guest = try friend.admitGuest(3)
        let child = try friend.admit(4)
        founder.receive(from: friend)
        var late = friend
        let unseen = try late.admit(5)
        try founder.remove(friend)
        try inEveryOrder(founder, friend, late) { member in
            #expect(
                !member.isIn(guest) && member.isIn(child) && !member.isIn(friend) && member.state(unseen) == .waits)
        }
    }

    @Test("a guest who is removed gives the place back")
    func places() throws {
        var founder = try Member.founder()
        var guests: [Member] = []
        for number in 0..<UInt64(ChangeBounds.guestsMax) { guests.append(try founder.admitGuest(100 + number)) }
        #expect(throws: WritingFailure.refused(.tooManyGuests)) { try founder.admitGuest(99) }
        try founder.remove(guests[0])
        _ = try founder.admitGuest(99)
        #expect(throws: WritingFailure.refused(.tooManyGuests)) { try founder.admitGuest(98) }
    }

    @Test("nobody is let in who didn't consent, nor under another name")
    func consent() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let invite = try friend.ownInvite()
        let stranger = Member.secrets(3, as: .invited(invite))
        guard case .admit(let admission) = friend.admitting(stranger, by: invite) else { return }
        for (name, consent) in [("somebody else", admission.consent), ("newcomer", [UInt8](repeating: 0, count: 64))] {
            var forger = friend
            let forged = try forger.say(
                .admit(
                    Admission(
                        device: stranger.device, name: name, invite: invite, consent: consent, grant: nil)))
            let received = founder.log.receive(forger.changes.map(\.record))
            #expect(received.refusal == .invalidSignature && founder.log.graph.index(of: forged.hash) == nil)
        }
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
        let index = try #require(founder.log.graph.index(of: unseen.hash))
        let removal = try friend.remove(guest)
        let received = founder.log.receive([removal.record])
        #expect(received.effectivenessChanged == [index])
        #expect(founder.isEffective(seen) && !founder.isEffective(unseen))
    }

    @Test("a person admitted by two members waits once both are removed, and is told of both removals")
    func twoHosts() throws {
        var founder = try Member.founder()
        let link = try founder.openInvite(9, uses: 5)
        var one = try founder.admit(2)
        var other = try founder.admit(3)
        let newcomer = Member.secrets(4, as: .invited(link))
        try one.say(one.admitting(newcomer, by: link))
        try other.say(other.admitting(newcomer, by: link))
        var removals: [Bytes32] = []
        removals.append(try founder.remove(one).hash)
        var halfway = founder
        removals.append(try founder.remove(other).hash)
        for host in [one, other] {
            halfway.receive(from: host)
            founder.receive(from: host)
        }
        let replica = newcomer.device.replica
        #expect(halfway.log.isIn(replica) && halfway.log.departures(of: replica).isEmpty)
        #expect(founder.log.person(newcomer.device.participant)?.state == .waits)
        #expect(founder.log.departures(of: replica).map { founder.log.graph[$0].hash } == removals)
        #expect(founder.log.departures(of: one.replica).map { founder.log.graph[$0].hash } == [removals[0]])
        // The founder had not met the newcomer when they wrote the second.
        let told = removals.compactMap { founder.log.graph.index(of: $0) }
        #expect(founder.log.explanation(to: replica) { $0 == told[0] } == .lacked(told[1]))
        #expect(founder.log.explanation(to: replica) { told.contains($0) } == .held(told[0]))
    }

    @Test("who left, and would wait because their host was removed later, is told of their farewell alone")
    func leftBeforeWaiting() throws {
        var founder = try Member.founder()
        let link = try founder.openInvite(9, uses: 5)
        var host = try founder.admit(2)
        var newcomer = try host.admit(4, by: link)
        let farewell = try newcomer.remove(newcomer)
        let removal = try founder.remove(host)
        founder.receive(from: host, newcomer)
        #expect(founder.log.person(newcomer.id)?.state == .waits)
        #expect(founder.log.departures(of: newcomer.replica).map { founder.log.graph[$0].hash } == [farewell.hash])
        #expect(founder.log.departures(of: host.replica).map { founder.log.graph[$0].hash } == [removal.hash])
    }

    @Test("who knows that they were removed is told nothing that stands on it, once they wait for another reason")
    func removedBeforeWaiting() throws {
        var founder = try Member.founder()
        var host = try founder.admit(2)
        let newcomer = try host.admit(3)
        founder.receive(from: host)
        let first = try host.remove(newcomer)
        founder.receive(from: host)
        let second = try founder.say(.remove(participant: host.id, kept: [], grant: nil))
        let (one, two) = (founder.log.graph.index(of: first.hash), founder.log.graph.index(of: second.hash))
        #expect(founder.log.person(newcomer.id)?.state == .waits)
        #expect(founder.log.explanation(to: newcomer.replica) { _ in false } == two.map { .lacked($0) })
        #expect(founder.log.explanation(to: newcomer.replica) { $0 == one } == nil)
        #expect(founder.log.explanation(to: host.replica) { $0 == one } == two.map { .lacked($0) })
        #expect(founder.log.explanation(to: host.replica) { $0 == two } == two.map { .held($0) })
    }
}
