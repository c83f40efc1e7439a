import Testing

@testable import ChangeLog

/// By which of several admissions somebody is in, and whose they are, in every order of arrival.
struct AdmissionTests {
    /// A founder who took a friend out before that friend let somebody in: an admission that is void.
    private func outcast() throws -> (founder: Member, friend: Member, newcomer: Member) {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        try founder.remove(friend)
        let newcomer = try friend.admit(3)
        return (founder, friend, newcomer)
    }

    @Test("whom somebody let in before anything let them in themselves is let in again, or not in")
    func beforeTheyWereIn() throws {
        var (founder, friend, newcomer) = try outcast()
        let child = try newcomer.admit(4)
        for number in UInt8(0)..<9 { try founder.say(nil, [number]) }
        try founder.say(founder.admitting(newcomer.secrets))
        try inEveryOrder(founder, friend, newcomer, child) { member in
            #expect(member.isIn(newcomer) && !member.isIn(child))
        }
        newcomer.receive(from: founder)
        try newcomer.say(newcomer.admitting(child.secrets))
        try inEveryOrder(founder, friend, newcomer, child) { member in #expect(member.isIn(child)) }
    }

    @Test("what a second device admits before its person was in settles nobody")
    func beforeTheirPersonWasIn() throws {
        var (founder, friend, newcomer) = try outcast()
        var second = try newcomer.addDevice(5)
        let child = try second.admit(4)
        for number in UInt8(0)..<9 { try founder.say(nil, [number]) }
        try founder.say(founder.admitting(child.secrets))
        try founder.say(founder.admitting(newcomer.secrets))
        try inEveryOrder(founder, friend, newcomer, second, child) { member in
            #expect(member.isIn(newcomer) && member.log.person(child.id)?.parent == founder.id)
        }
    }

    /// A change on just these, of which one may be its author's last.
    private func change(by author: Member, on heads: [SignedChange], _ statement: Statement?) -> SignedChange {
        let previous = heads.first { $0.change.replica == author.replica }
        return SignedChange(
            Change(
                trip: author.log.trip, replica: author.replica, number: (previous?.change.number ?? 0) + 1,
                previous: previous?.hash, heads: heads.filter { $0 !== previous }.map(\.hash).sorted(),
                lamport: 1 + (heads.map(\.change.lamport).max() ?? 0), wallTime: 0, statement: statement, content: []),
            signingSeed: author.secrets.signingSeed, using: Member.cryptography)
    }

    @Test("whoever invited somebody is their parent, also where it becomes known later that they were in")
    func inviterIsKnownLater() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        var host = try founder.admit(3)
        let admittingHost = try #require(founder.changes.last)
        var second = try founder.addDevice(4)
        try founder.remove(friend)
        // What the friend wrote after the removal had not been seen: who is let in by that is not in, and invites somebody.
        var inviter = try friend.admit(5)
        let id = try inviter.openInvite()
        let opening = try #require(inviter.changes.last)
        let first = change(by: host, on: [admittingHost, opening], nil)
        let next = change(by: host, on: [first], nil)
        let newcomer = Member.secrets(6)
        let admission = change(by: host, on: [next], host.admitting(newcomer, by: id))
        try second.say(second.admitting(inviter.secrets))
        let received = host.log.receive((inviter.changes + [first, next, admission]).map(\.record))
        #expect(received.refusal == nil)
        try inEveryOrder(founder, friend, second, inviter, host) { member in
            #expect(member.isIn(inviter))
            #expect(member.log.person(newcomer.device.participant)?.parent == inviter.id)
        }
    }
}
