import Testing

@testable import ChangeLog

/// When an invite is open, and whose the person is who comes by it, in every order of arrival.
struct InviteTests {
    /// The parent of whoever a friend lets in by an invite of the founder's, after something happened.
    private func isFounders(
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
        let parent = founder.log.person(newcomer.id)?.parent
        try inEveryOrder(founder, friend) { member in #expect(member.log.person(newcomer.id)?.parent == parent) }
        return parent == founder.id
    }

    @Test("whoever comes by an invite is its opener's, until it is closed, used or known to somebody who is out")
    func endings() throws {
        let unchanged = try isFounders { _, _, _ in }
        let closed = try isFounders { founder, _, id in try founder.say(.closeInvite(id: id)) }
        let used = try isFounders { founder, _, id in _ = try founder.admit(4, by: id) }
        let usedOfTwo = try isFounders(uses: 2) { founder, _, id in _ = try founder.admit(4, by: id) }
        let removal = try isFounders { founder, _, _ in
            let other = try founder.admit(4)
            try founder.remove(other)
        }
        let farewell = try isFounders { founder, friend, _ in
            var other = try founder.admit(4)
            try other.remove(other)
            friend.receive(from: other)
        }
        #expect(unchanged && usedOfTwo && !closed && !used && !removal && !farewell)
    }

    @Test("a void admission uses an invite, but for the device that it admits")
    func voidUse() throws {
        for (voidlyAdmitted, isFounders) in [(UInt64(3), true), (4, false)] {
            var founder = try Member.founder()
            var other = try founder.admit(5)
            var friend = try founder.admit(2)
            let invite = Invite(seed: Bytes32(words: (1, 0, 0, 0)), uses: 1, expires: nil)
            let id = invite.id(openedBy: founder.replica, using: Member.cryptography)
            _ = try other.admit(voidlyAdmitted, by: id)
            // What a friend wrote on it retains it, though the founder took its author out.
            friend.receive(from: other)
            try friend.say()
            try founder.remove(other)
            try founder.say(.invite(invite))
            friend.receive(from: founder)
            let newcomer = try friend.admit(3, by: id)
            try inEveryOrder(founder, friend) { member in
                #expect(member.log.person(newcomer.id)?.parent == (isFounders ? founder.id : friend.id))
            }
        }
    }

    @Test("a removal of nobody ends the invites that it had not seen")
    func removalOfNobody() throws {
        let isOpen = try isFounders { _, friend, _ in
            try friend.say(.remove(participant: Member.secrets(99).device.participant, grant: nil))
        }
        #expect(!isOpen)
    }

    @Test("an invite that is opened again is open after a removal, and not after a closing")
    func openedAgain() throws {
        let afterRemoval = try isFounders { founder, _, id in
            let other = try founder.admit(4)
            try founder.remove(other)
            #expect(founder.log.invite(id)?.ending == .knownOutside)
            try founder.openInvite()
            #expect(founder.log.invite(id)?.isOpen(at: 0) == true)
        }
        let afterClosing = try isFounders { founder, _, id in
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

    @Test("an invite is over for a stranger once it is used, and not for whoever came by it, until its time is over")
    func askers() throws {
        var founder = try Member.founder()
        let invite = Invite(seed: Bytes32(words: (1, 0, 0, 0)), uses: 1, expires: 5)
        try founder.say(.invite(invite))
        let id = invite.id(openedBy: founder.replica, using: Member.cryptography)
        let newcomer = try founder.admit(2, by: id)
        let known = try #require(founder.log.invite(id))
        #expect(!known.isOpen(at: 4) && known.isOpen(at: 4, for: newcomer.replica) && known.ending == nil)
        #expect(!known.isOpen(at: 5, for: newcomer.replica) && known.joined == [newcomer.replica])
    }
}
