import ChangeLog
import Convergence
import DeltaCRDT
import TestTiers
import Testing
import TripSimulation

@testable import SyncEngine

// What other holders of the link, and devices that are out, can do: little.
extension MailboxJoiningTests {
    @Test("a request of somebody who was removed is not answered, however often it is put again")
    func replayedRequest() throws {
        var (homes, mia, link) = try asked(uses: 10)
        homes.down(mia)
        homes.up(0)
        homes.pass(minute)
        homes.tell(0, .remove(participant: homes.people[mia].device.participant, ticket: 1))
        homes.pass(minute)
        homes.tell(0, .keepInvites([link.inviteID(using: homes.trip.cryptography)]))
        let (answers, count) = (homes.answers.count, homes.nodes[0].log.count)
        for _ in 0..<5 { homes.lay(.request(homes.request(of: mia, by: link)), by: link) }
        homes.pass(10 * minute)
        #expect(homes.nodes[0].log.isOut(homes.replica(mia)))
        #expect(homes.answers.count == answers && homes.nodes[0].log.count == count)
    }

    @Test("a request of a device that was ended is not answered")
    func endedDevice() throws {
        var homes = try Homes(1)
        homes.up(0)
        homes.pass(1_000)
        let link = homes.invite(participant: homes.people[0].device.participant, on: 0)
        homes.pass(minute)
        let phone = homes.addJoiner(by: link, "phone")
        homes.up(phone)
        homes.pass(3 * minute)
        #expect(homes.nodes[phone].isLetIn)
        homes.down(phone)
        homes.tell(0, .write(.end(replica: homes.replica(phone), last: nil, grant: nil), ticket: 1))
        homes.pass(minute)
        let (answers, count) = (homes.answers.count, homes.nodes[0].log.count)
        homes.lay(.request(homes.request(of: homes.people[phone], name: "phone")), by: link)
        homes.pass(10 * minute)
        #expect(homes.nodes[0].log.isOut(homes.replica(phone)))
        #expect(homes.answers.count == answers && homes.nodes[0].log.count == count)
    }

    @Test("a request that doesn't prove what it claims lets nobody in")
    func forgedRequests() throws {
        var (homes, mia, link) = try asked(uses: 10)
        homes.down(mia)
        let honest = homes.request(of: mia, by: link)
        let other = DeviceSecrets.random(
            .invited(.random(using: &homes.generator)), using: &homes.generator, homes.trip.cryptography)
        let count = homes.nodes[0].log.count
        homes.box.forget(oneIn: 1, using: &homes.generator)
        homes.lay(.request(JoinRequest(device: honest.device, name: "Eve", consent: honest.consent)), by: link)
        homes.lay(.request(JoinRequest(device: other.device, name: honest.name, consent: honest.consent)), by: link)
        homes.lay(.request(homes.request(of: other, name: "Eve")), by: link)
        homes.up(0)
        homes.pass(10 * minute)
        #expect(homes.nodes[0].log.count == count)
    }

    @Test("answers that another holder of the link invents keep nobody out, and silence no member")
    func forgedAnswers() throws {
        var (homes, mia, link) = try asked()
        for _ in 0..<6 { homes.lay(.answer(homes.inventedAnswer(to: mia, by: link)), by: link) }
        homes.pass(2 * minute)
        #expect(homes.nodes[mia].isMember && !homes.nodes[mia].isLetIn, "it believes none yet")
        homes.up(0)
        homes.pass(2 * minute)
        #expect(homes.nodes[mia].isLetIn)
        #expect(homes.has(mia, allOf: 0))
        #expect(homes.nodes[mia].epochs.newest == homes.trip.epoch)
    }

    @Test("a member answers though others laid invented answers, where it neither brought the newcomer nor let them in")
    func unsilencedMember() throws {
        var (homes, mia, link) = try asked(members: 2)
        homes.down(mia)
        homes.up(0)
        homes.pass(minute)
        homes.down(0)
        homes.box.clear(homes.slot(of: link))
        for _ in 0..<6 { homes.lay(.answer(homes.inventedAnswer(to: mia, by: link)), by: link) }
        homes.lay(.request(homes.request(of: mia, by: link)), by: link)
        homes.up(1)
        homes.pass(5 * minute)
        homes.down(1)
        homes.up(mia)
        homes.pass(2 * minute)
        #expect(homes.nodes[mia].isLetIn)
    }

    @Test("an answer with an older epoch's secret keeps nobody out")
    func olderEpoch() throws {
        var (homes, link) = try removed()
        let mia = homes.addJoiner(by: link)
        homes.lay(.answer(homes.answer(to: mia, with: homes.trip.epoch, by: 2, in: homes.slot(of: link))), by: link)
        homes.down(0)
        homes.up(mia)
        homes.pass(3 * minute)
        #expect(homes.nodes[mia].isMember && !homes.nodes[mia].isLetIn)
        homes.up(0)
        homes.pass(3 * minute)
        #expect(homes.nodes[mia].isLetIn)
        #expect(homes.nodes[mia].newestEpoch == homes.nodes[0].newestEpoch)
    }

    @Test("a joiner tries a bounded number of answers")
    func floodOfAnswers() throws {
        var (homes, mia, link) = try asked()
        for _ in 0..<100 { homes.lay(.answer(homes.inventedAnswer(to: mia, by: link)), by: link) }
        homes.pass(10 * minute)
        #expect(homes.nodes[mia].epochs.held.count == MailboxLimits().joinAnswersTriedMax)
        homes.nodes[mia].checkInvariants()
    }

    @Test(
        "whoever holds one link can fill its slots, and delays nobody who comes by another, and no letter", .tags(.slow)
    )
    func floodOfRequests() throws {
        var (homes, _, link) = try asked(uses: 1_000)
        homes.up(0)
        homes.pass(minute)
        let other = homes.invite(on: 0)
        homes.pass(minute)
        for number in 0..<600 {
            let stranger = DeviceSecrets.random(
                .invited(link.inviteID(using: homes.trip.cryptography)), using: &homes.generator,
                homes.trip.cryptography)
            homes.lay(.request(homes.request(of: stranger, name: "\(number)")), by: link)
        }
        homes.stuff(2_000, by: link)
        let founder = homes.replica(0)
        func admissions(_ homes: Homes) -> Int {
            homes.nodes[0].log.graph.changes.count {
                if case .admit = $0.change.statement { $0.change.replica == founder } else { false }
            }
        }
        let count = admissions(homes)
        let begun = homes.time
        let noah = homes.addJoiner(by: other, "Noah")
        homes.up(noah)
        homes.pass(5 * minute) { $0.nodes[noah].isLetIn }
        #expect(homes.nodes[noah].isLetIn)
        #expect(homes.time - begun < 2 * minute)
        homes.pass(begun + 3 * minute - homes.time)
        let most = 4 * MailboxLimits().joinTasksPerMinute + 1
        #expect(admissions(homes) - count <= most, "who holds a link of 1,000 uses brings in few in a minute")
        homes.nodes[0].checkInvariants()
    }
}
