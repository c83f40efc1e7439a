import LogFixtures
import Testing

@testable import ChangeLog

/// When an invite is open, in every order of arrival.
struct InviteTests {
    /// Whether a newcomer is in if a friend admits them by an invite of the founder's, after something happened.
    private func isOpen(
        uses: Int = 1, after event: (inout Member, inout Member, Bytes32) throws -> Void
    ) throws -> Bool {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let id = try founder.openInvite(uses: uses)
        friend.receive(from: founder)
        try event(&founder, &friend, id)
        friend.receive(from: founder)
        let newcomer = try friend.admit(3, by: id)
        founder.receive(from: friend)
        let isIn = founder.isIn(newcomer)
        try inEveryOrder(founder, friend) { member in
            #expect(member.isIn(newcomer) == isIn && member.log.person(newcomer.id)?.parent == founder.id)
        }
        return isIn
    }

    @Test("an invite is open until its opener, or somebody above, closes it or removes somebody, or it is used")
    func endings() throws {
        let unchanged = try isOpen { _, _, _ in }
        let closed = try isOpen { founder, _, id in try founder.say(.closeInvite(id: id)) }
        let used = try isOpen { founder, _, id in _ = try founder.admit(4, by: id) }
        let usedOfTwo = try isOpen(uses: 2) { founder, _, id in _ = try founder.admit(4, by: id) }
        let removal = try isOpen { founder, _, _ in
            let other = try founder.admit(4)
            try founder.remove(other)
        }
        #expect(unchanged && usedOfTwo && !closed && !used && !removal)
    }

    @Test("closings, removals and farewells of others end nobody's invite (F7)")
    func others() throws {
        let closed = try isOpen { _, friend, id in try friend.say(.closeInvite(id: id)) }
        let removalOfFounder = try isOpen { founder, friend, _ in try friend.remove(founder) }
        let removalOfOwn = try isOpen { _, friend, _ in
            let sybil = try friend.admit(4)
            try friend.remove(sybil)
        }
        let farewell = try isOpen { founder, friend, _ in
            var other = try founder.admit(4)
            try other.remove(other)
            friend.receive(from: other)
        }
        #expect(closed && removalOfFounder && removalOfOwn && farewell)
    }

    @Test("the line of a person begins with the founder and ends with them")
    func line() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        var child = try friend.admit(3)
        let guest = try child.admitGuest(4)
        #expect(child.log.line(of: guest.id) == [founder.id, friend.id, child.id, guest.id])
        #expect(child.log.line(of: founder.id) == [founder.id] && founder.log.line(of: guest.id).isEmpty)
    }

    @Test("an invite that a removal by others leaves open is exposed to the removed person, if they may know it")
    func exposure() throws {
        var founder = try Member.founder()
        var (zoe, mallory) = (try founder.admit(2), try founder.admit(3))
        let id = try zoe.openInvite(uses: 5)
        mallory.receive(from: founder, zoe)
        let noah = try mallory.admit(4)
        let guest = try mallory.admitGuest(5)
        zoe.receive(from: mallory)
        func exposure(_ member: Member, _ id: Bytes32) -> TripLog.Exposure? {
            member.log.invite(id).flatMap { member.log.exposure(of: $0) }
        }
        #expect(exposure(zoe, id) == nil)
        try mallory.remove(guest)
        zoe.receive(from: mallory)
        #expect(exposure(zoe, id) == nil, "guests know no invites")
        try mallory.remove(noah)
        zoe.receive(from: mallory)
        let expected = TripLog.Exposure(removed: noah.id, by: mallory.id)
        #expect(exposure(zoe, id) == expected)
        try inEveryOrder(zoe, mallory) { member in #expect(exposure(member, id) == expected) }
        let later = try zoe.openInvite(8, uses: 5)
        #expect(exposure(zoe, later) == nil, "opened after the removal")
        // A removal that the rules end the invite by asks nothing.
        founder.receive(from: zoe)
        try founder.remove(mallory)
        zoe.receive(from: founder)
        #expect(zoe.log.invite(id)?.ending == .knownOutside && exposure(zoe, id) == nil)
        #expect(exposure(zoe, later) == nil)
    }

    @Test("an opener's farewell ends their own invites, and nobody else's")
    func openersFarewell() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let (own, founders) = (try friend.openInvite(), try founder.openInvite())
        var early = friend
        try friend.remove(friend)
        founder.receive(from: friend)
        let after = try founder.admit(3, by: own)
        let besides = try early.admit(4, by: own)
        try inEveryOrder(founder, friend, early) { member in
            #expect(
                member.log.invite(own)?.isOpen(at: 0) == false && member.log.invite(founders)?.isOpen(at: 0) == true)
            #expect(member.isIn(besides))
            // The founder is above, and may admit anybody.
            #expect(member.isIn(after))
        }
    }

    @Test("an invite that was opened again is open after a removal, and not after a closing")
    func openedAgain() throws {
        let afterRemoval = try isOpen { founder, _, id in
            let other = try founder.admit(4)
            try founder.remove(other)
            #expect(founder.log.invite(id)?.ending == .knownOutside)
            try founder.openInvite()
            #expect(founder.log.invite(id)?.isOpen(at: 0) == true)
        }
        let afterClosing = try isOpen { founder, _, id in
            try founder.say(.closeInvite(id: id))
            try founder.openInvite()
            #expect(founder.log.invite(id)?.ending == .closed)
        }
        #expect(afterRemoval && !afterClosing)
    }

    @Test("nobody opens another's invite with its seed, nor its opener on other terms")
    func othersSeed() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let (id, other) = (try founder.openInvite(), try friend.openInvite())
        let others = [other, try founder.openInvite(uses: 2)]
        #expect(!others.contains(id))
        let invite = try #require(founder.log.invite(id))
        #expect(Invite.id(ofSecret: invite.secret, using: Member.cryptography) == id)
    }

    @Test("an invite is over for a stranger once it is used, and not for who came by it, until its time is over")
    func askers() throws {
        var founder = try Member.founder()
        let invite = Invite(seed: Bytes32(words: (1, 0, 0, 0)), uses: 1, expires: 5)
        try founder.say(.invite(invite))
        let id = invite.id(openedBy: founder.secrets.device, using: Member.cryptography)
        let newcomer = try founder.admit(2, by: id)
        let known = try #require(founder.log.invite(id))
        #expect(!known.isOpen(at: 4) && known.isOpen(at: 4, for: newcomer.replica) && known.ending == nil)
        #expect(!known.isOpen(at: 5, for: newcomer.replica) && known.joined == [newcomer.replica])
    }

    @Test("a closing names an invite that its author has seen opened, and a removal somebody who was introduced")
    func subjects() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let (later, stranger) = (try founder.openInvite(), try founder.admit(3))
        #expect(throws: WritingFailure.refused(.unknownSubject)) { try friend.say(.closeInvite(id: later)) }
        #expect(throws: WritingFailure.refused(.unknownSubject)) { try friend.remove(stranger) }
        friend.receive(from: founder)
        try friend.say(.closeInvite(id: later))
        try friend.remove(stranger)
        #expect(friend.isIn(stranger) && friend.log.invite(later)?.isOpen(at: 0) == true)
    }
}
