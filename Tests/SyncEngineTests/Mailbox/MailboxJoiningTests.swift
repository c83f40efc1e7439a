import ChangeLog
import Convergence
import DeltaCRDT
import Testing
import TripSimulation

@testable import SyncEngine

/// Somebody who has never been on one network with a member comes in through the mailbox alone.
struct MailboxJoiningTests {
    let minute: UInt64 = 60_000

    /// The founder, who alone is up, removed the third of three members, and opened an invite after that.
    func removed() throws -> (homes: Homes, link: InviteLink) {
        var homes = try Homes(3)
        for home in 0..<3 { homes.up(home) }
        homes.write("a tent", on: 0)
        homes.pass(40 * minute)
        for home in 0..<3 { homes.down(home) }
        homes.up(0)
        homes.pass(1_000)
        homes.tell(0, .remove(participant: homes.people[2].device.participant, ticket: 1))
        homes.pass(minute)
        let link = homes.invite(on: 0)
        homes.pass(minute)
        return (homes, link)
    }

    /// A trip whose founder has opened an invite and written something, and somebody who has asked by it while nobody else was up.
    func asked(
        members: Int = 1, uses: Int = 1
    ) throws -> (homes: Homes, joiner: Int, link: InviteLink) {
        var homes = try Homes(members)
        for home in 0..<members { homes.up(home) }
        homes.pass(1_000)
        let link = homes.invite(uses: uses, on: 0)
        homes.write("a tent", on: 0)
        homes.pass(40 * minute)
        for home in 0..<members { homes.down(home) }
        let joiner = homes.addJoiner(by: link)
        homes.up(joiner)
        homes.pass(minute)
        return (homes, joiner, link)
    }

    @Test("somebody is in after a member's node next runs, though they never run at the same time")
    func neverTogether() throws {
        var (homes, mia, _) = try asked()
        #expect(homes.notices.contains { $0.home == mia && $0.notice == .askedThroughMailbox })
        #expect(!homes.nodes[mia].isMember)
        #expect(homes.puts(of: mia).count == 1)
        homes.down(mia)
        homes.up(0)
        homes.pass(minute)
        #expect(homes.nodes[0].log.isIn(homes.replica(mia)))
        homes.down(0)
        homes.up(mia)
        homes.pass(minute)
        #expect(homes.nodes[mia].isLetIn && homes.nodes[mia].joining == nil)
        #expect(homes.notices.contains { $0.home == mia && $0.notice == .admitted })
        #expect(homes.has(mia, allOf: 0))
        homes.write("Mia's vote", on: mia)
        homes.pass(minute)
        homes.down(mia)
        homes.up(0)
        homes.pass(minute)
        #expect(homes.has(0, allOf: mia))
        let puts = homes.box.puts
        homes.pass(90 * minute)
        #expect(homes.box.puts <= puts + 2, "a receipt, and then nothing")
    }

    @Test("a node that stops answers at once the newcomers that it has let in")
    func stops() throws {
        var (homes, mia, _) = try asked()
        homes.down(mia)
        homes.up(0)
        homes.pass(minute) { $0.nodes[0].log.isIn($0.replica(mia)) }
        homes.pass(20)
        homes.down(0)
        homes.up(mia)
        homes.pass(minute)
        #expect(homes.nodes[mia].isLetIn)
    }

    @Test("any member lets them in, each who runs at most once, and few answer")
    func manyMembers() throws {
        var (homes, mia, _) = try asked(members: 5)
        homes.down(mia)
        for home in 1..<5 { homes.up(home) }
        homes.pass(20 * minute)
        let admissions = homes.nodes[1].log.graph.changes.count {
            if case .admit(let admission) = $0.change.statement {
                admission.device.replica == homes.replica(mia)
            } else {
                false
            }
        }
        #expect((1...2).contains(admissions))
        homes.up(mia)
        homes.pass(minute)
        #expect(homes.has(mia, allOf: 1))
        #expect(homes.answers.count <= 4, "one of whoever let them in, and three of others at most")
    }

    @Test("a device of one's own comes in through the mailbox, by its owner's node alone")
    func ownDevice() throws {
        var homes = try Homes(2)
        for home in 0..<2 { homes.up(home) }
        homes.pass(1_000)
        let link = homes.invite(participant: homes.people[0].device.participant, on: 0)
        homes.pass(minute)
        homes.down(0)
        let phone = homes.addJoiner(by: link, "phone")
        homes.up(phone)
        homes.pass(10 * minute)
        #expect(!homes.nodes[1].log.isIn(homes.replica(phone)))
        homes.up(0)
        homes.pass(2 * minute)
        #expect(homes.nodes[phone].isLetIn)
        #expect(homes.has(phone, allOf: 0))
    }

    @Test("a box that forgets costs a delay: the request, and then the answer, is put again")
    func forgetfulBox() throws {
        var (homes, mia, _) = try asked()
        homes.box.forget(oneIn: 1, using: &homes.generator)
        homes.pass(3 * minute)
        homes.down(mia)
        homes.up(0)
        homes.pass(minute)
        #expect(homes.nodes[0].log.isIn(homes.replica(mia)))
        homes.box.forget(oneIn: 1, using: &homes.generator)
        homes.up(mia)
        homes.pass(10 * minute)
        #expect(homes.nodes[mia].isLetIn)
        #expect(homes.has(mia, allOf: 0))
    }

    @Test("a request and an answer are found weeks later")
    func weeksLater() throws {
        var (homes, mia, _) = try asked()
        homes.down(mia)
        homes.pass(5 * UInt64(MailboxKeys.weekDuration))
        homes.up(0)
        homes.pass(minute)
        homes.down(0)
        homes.pass(5 * UInt64(MailboxKeys.weekDuration))
        homes.up(mia)
        homes.pass(2 * minute)
        #expect(homes.nodes[mia].isLetIn)
        #expect(homes.has(mia, allOf: 0))
    }

    @Test("a closed invite lets nobody in")
    func closedInvite() throws {
        var (homes, mia, link) = try asked()
        homes.up(0)
        homes.tell(0, .write(.closeInvite(id: link.inviteID(using: homes.trip.cryptography)), ticket: 0))
        homes.pass(10 * minute)
        #expect(!homes.nodes[0].log.isIn(homes.replica(mia)))
        #expect(homes.answers.isEmpty)
        #expect(!homes.nodes[mia].isMember)
    }

    @Test("no more come in than the invite has uses")
    func uses() throws {
        var (homes, _, link) = try asked(uses: 2)
        for number in 0..<5 { homes.up(homes.addJoiner(by: link, "Guest \(number)")) }
        homes.pass(minute)
        homes.up(0)
        homes.pass(10 * minute)
        #expect((1..<7).count { homes.nodes[$0].isLetIn } == 2)
    }

    @Test("a newcomer who is admitted after a removal is given all, in the slots that they can read")
    func laterEpoch() throws {
        var (homes, link) = try removed()
        homes.down(0)
        let mia = homes.addJoiner(by: link)
        homes.up(mia)
        homes.pass(minute)
        homes.down(mia)
        homes.up(0)
        homes.pass(5 * minute)
        homes.down(0)
        homes.up(mia)
        homes.pass(2 * minute)
        #expect(homes.nodes[mia].isLetIn)
        #expect(homes.has(mia, allOf: 0))
    }

    @Test(
        "who was let in on a network after a removal, and took nothing from there but the secret, is given all by the mailbox"
    )
    func letInElsewhere() throws {
        var (homes, link) = try removed()
        let mia = homes.addJoiner(by: link)
        let epoch = try #require(homes.nodes[0].newestEpoch)
        let request = homes.request(of: mia, by: link)
        let grant = DeviceGrant(
            epoch, to: request.device, using: &homes.generator, homes.trip.cryptography)
        let admission = Admission(
            device: request.device, name: request.name, invite: link.inviteID(using: homes.trip.cryptography),
            consent: request.consent, grant: grant)
        homes.tell(0, .write(.admit(admission), ticket: 2))
        homes.told(epoch.secret, mia)
        homes.pass(5 * minute)
        homes.down(0)
        homes.up(mia)
        homes.pass(2 * minute)
        #expect(homes.nodes[mia].isLetIn)
        #expect(homes.has(mia, allOf: 0))
    }

    @Test("what was sealed to devices before a newcomer was admitted is put for them again")
    func boxedBefore() throws {
        var homes = try Homes(3)
        for home in 0..<3 { homes.up(home) }
        homes.pass(1_000)
        let link = homes.invite(on: 1)
        homes.pass(40 * minute)
        for home in 0..<3 { homes.down(home) }
        let mia = homes.addJoiner(by: link)
        homes.up(mia)
        homes.pass(minute)
        homes.down(mia)
        // Two copies of the mailbox that have not been synced: the founder removes somebody in one of them.
        let stale = homes.box
        homes.up(0)
        homes.pass(1_000)
        homes.tell(0, .remove(participant: homes.people[2].device.participant, ticket: 1))
        homes.pass(minute)
        let photo = homes.photograph(1, on: 0)
        homes.pass(5 * minute)
        homes.down(0)
        let removal = homes.box
        homes.box = stale
        homes.up(1)
        homes.pass(5 * minute)
        #expect(homes.nodes[1].log.isIn(homes.replica(mia)))
        homes.down(1)
        homes.box.merge(removal)
        homes.up(1)
        homes.pass(10 * minute)
        #expect(homes.nodes[1].log.isOut(homes.replica(2)))
        homes.know(photo, on: 1)
        homes.pass(10 * minute)
        #expect(homes.has(1, [photo.preview]))
        homes.down(1)
        homes.up(mia)
        homes.pass(2 * minute)
        #expect(homes.nodes[mia].isLetIn)
        #expect(homes.nodes[mia].log.isOut(homes.replica(2)), "it reads the removal")
        #expect(homes.has(mia, allOf: 1))
        #expect(homes.nodes[mia].newestEpoch == homes.nodes[1].newestEpoch)
        homes.know(photo, on: mia)
        homes.pass(minute)
        #expect(homes.has(mia, [photo.preview]), "and the photo that was sealed for others")
    }

    @Test("an answer is its author's, for its slot")
    func answers() throws {
        let (homes, mia, link) = try asked()
        let slot = homes.slot(of: link)
        let answer = homes.answer(to: mia, with: homes.trip.epoch, by: 0, in: slot)
        let read = try SignedGrant(decoding: answer.encoding + [1, 2])
        #expect(read == answer)
        let cryptography = homes.trip.cryptography
        let other = MailboxSlot(prefix: slot.prefix, tag: slot.prefix)
        let valid = [(0, slot), (mia, slot), (0, other)].map { author, slot in
            read.isSigned(by: homes.people[author].device, in: slot, using: cryptography)
        }
        #expect(valid == [true, false, false])
        for length in 0..<answer.encoding.count {
            #expect(throws: DecodingFailure.self) { try SignedGrant(decoding: Array(answer.encoding.prefix(length))) }
        }
    }
}
