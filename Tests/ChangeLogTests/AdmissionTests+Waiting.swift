import LogFixtures
import Testing

@testable import ChangeLog

/// Who waits, for which reason, and who may keep them.
extension AdmissionTests {
    @Test(
        "a person waits because a device was ended that admitted them, or whose admission did; others wait for the same reason"
    )
    func waitingForEnd() throws {
        var founder = try Member.founder()
        let link = try founder.openInvite(9, uses: 5)
        var mallory = try founder.admit(2)
        var phone = try mallory.addDevice(3)
        var newcomer = try phone.admit(4, by: link)
        let child = try newcomer.admit(5)
        let guest = try newcomer.admitGuest(6)
        try mallory.say(.end(replica: phone.replica, last: nil, grant: nil))
        try inEveryOrder(founder, mallory, child, guest, newcomer) { member in
            for person in [newcomer, child, guest] {
                #expect(member.state(person) == .waits)
                let departure = try #require(member.log.departure(of: person.id))
                #expect(departure.reason == .deviceEnded && departure.by == mallory.id)
                #expect(departure.waitsFor == mallory.id && departure.keeper == founder.id)
            }
            #expect(member.log.departure(of: mallory.id) == nil)
            let ended = try #require(member.log.departure(of: phone.replica))
            #expect(ended.reason == .deviceEnded && ended.waitsFor == nil)
        }
    }

    @Test("a guest is in once their host is kept; a guest admitted by a device that was ended is kept by the host")
    func waitingGuests() throws {
        var founder = try Member.founder()
        let link = try founder.openInvite(9, uses: 5)
        var mallory = try founder.admit(2)
        var phone = try mallory.addDevice(3)
        let friend = try phone.admitGuest(6)
        var newcomer = try phone.admit(4, by: link)
        let guest = try newcomer.admitGuest(7)
        try mallory.say(.end(replica: phone.replica, last: nil, grant: nil))
        founder.receive(from: mallory, guest)
        mallory.receive(from: guest, friend)
        #expect(mallory.log.keepable(friend.id, by: mallory.id) != nil)
        #expect(mallory.log.keepable(friend.id, by: founder.id) == nil)
        #expect(founder.log.keepable(guest.id, by: founder.id) == nil)
        try founder.keep(newcomer)
        try mallory.keep(friend)
        try inEveryOrder(founder, mallory, guest, friend) { member in
            #expect(member.isIn(guest) && member.isIn(newcomer) && member.isIn(friend))
        }
    }

    @Test("a person waits because the host had left; a farewell that cut nothing is not why")
    func waitingForFarewell() throws {
        var founder = try Member.founder()
        let link = try founder.openInvite(9, uses: 5)
        var mallory = try founder.admit(2)
        var leaver = mallory
        let farewell = try leaver.remove(leaver)
        // Mallory goes on after the farewell.
        let late = Member.secrets(4, as: .invited(link))
        let honest = try mallory.say(mallory.admitting(late, by: link)).change
        let change = Change(
            trip: honest.trip, replica: honest.replica, number: honest.number, previous: honest.previous,
            heads: (honest.heads + [farewell.hash]).sorted(), lamport: farewell.change.lamport + 1, wallTime: 0,
            statement: honest.statement, content: [])
        _ = leaver.log.receive([
            SignedChange(change, signingSeed: mallory.secrets.signingSeed, using: Member.cryptography).record
        ])
        try inEveryOrder(founder, leaver) { member in
            let departure = try #require(member.log.departure(of: late.device.participant))
            #expect(departure.reason == .left && departure.waitsFor == mallory.id && departure.keeper == founder.id)
        }
        // The opener of an invite leaves, and the host is removed: the removal is why.
        var opener = try founder.admit(7)
        let other = try opener.openInvite(8, uses: 5)
        var host = try founder.admit(8)
        host.receive(from: opener)
        let newcomer = try host.admit(10, by: other)
        try opener.remove(opener)
        for number in UInt8(0)..<9 { try founder.say(nil, [number]) }
        try founder.remove(host)
        try inEveryOrder(founder, opener, newcomer) { member in
            #expect(member.state(newcomer) == .waits && member.state(opener) == .left)
            let departure = try #require(member.log.departure(of: newcomer.id))
            #expect(departure.reason == .removed && departure.by == founder.id && departure.waitsFor == host.id)
        }
    }
}
