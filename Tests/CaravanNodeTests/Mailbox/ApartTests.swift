import FoundationEssentials
import TestTiers
import Testing
import TripModel
import TripService

@testable import CaravanNode

/// Homes that are never up at the same time.
struct ApartTests {
    private let tests = TripNodeTests()
    private let scratch = TripNodeTests.Scratch()
    private let alone = NetworkOptions(discovers: false)

    private func mailboxes(_ node: TripNode, _ act: MailboxAct) async throws -> [MailboxView] {
        guard case .mailboxes(let mailboxes) = try await node.answer(.mailboxes(act)) else { return [] }
        return mailboxes
    }

    private func folder() throws -> String {
        let box = scratch.path + "/box"
        try FileManager.default.createDirectory(atPath: box, withIntermediateDirectories: true)
        return box
    }

    @Test("what one writes while the other is down is there both ways, through a folder", .tags(.slow))
    func apart() async throws {
        let box = try folder()
        let (jie, link, address) = try await tests.founder(scratch)
        let home = scratch.home("noah")
        _ = try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        let code = try #require(
            try await mailboxes(jie, .add(MailboxPlace(address: box))).first?.code)
        await jie.close()
        let noah = try await scratch.open(home)
        let added = try await mailboxes(noah, .add(MailboxPlace(address: box, code: code)))
        #expect(added.map(\.address) == [box])
        await noah.close()

        let first = try await scratch.open(scratch.home("jie"))
        try await first.up(alone)
        try await first.add("Casa do Rio")
        let isPosted = try await tests.eventually {
            let noah = try await first.status().devices.first
            return noah.map { $0.lacks > 0 && $0.inMailbox == $0.lacks } ?? false
        }
        #expect(isPosted, "it is in the mailbox, not yet with Noah")
        await first.close()

        let second = try await scratch.open(home)
        try await second.up(alone)
        #expect(try await tests.eventually { try await second.titles() == ["Casa do Rio"] })
        // The last act leaves before the node stops.
        try await second.add("Hostel")
        await second.close()

        let third = try await scratch.open(scratch.home("jie"))
        try await third.up(alone)
        #expect(try await tests.eventually { try await third.titles().contains("Hostel") })
        #expect(try await tests.eventually { try await third.status().everyoneHasEverything })
        await third.close()
    }

    @Test("mailboxes are added once, tested, kept sealed, and removed") func keeping() async throws {
        let box = try folder()
        let jie = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        await #expect(throws: ServiceError.self) {
            try await mailboxes(jie, .add(MailboxPlace(address: box + "/none")))
        }
        await #expect(throws: ServiceError.self) {
            try await mailboxes(jie, .add(MailboxPlace(address: box, code: "12")))
        }
        #expect(try await mailboxes(jie, .list).isEmpty)
        let code = try #require(try await mailboxes(jie, .add(MailboxPlace(address: box))).first?.code)
        #expect(code.count == 32)
        await #expect(throws: ServiceError.self) { try await mailboxes(jie, .add(MailboxPlace(address: box))) }
        let tested = try await mailboxes(jie, .test)
        #expect(tested.first?.problem == nil && tested.first?.trial?.put != nil)
        // The file with the code, and with a password, is sealed like what else is kept here alone.
        let file = try Data(contentsOf: URL(filePath: jie.folder + "/own"))
        #expect(!String(decoding: file, as: UTF8.self).contains(code))
        await jie.close()
        let again = try await scratch.open(scratch.home("jie"))
        #expect(try await mailboxes(again, .list).map(\.code) == [code])
        try FileManager.default.removeItem(atPath: box)
        let lost = try await mailboxes(again, .check)
        #expect(lost.first?.problem == "there is no folder \(box); connect its disk, or choose another folder")
        await #expect(throws: ServiceError.self) { try await mailboxes(again, .remove("2")) }
        #expect(try await mailboxes(again, .remove("1")).isEmpty)
        await again.close()
    }

    @Test("there are at most four mailboxes") func bound() async throws {
        let box = try folder()
        let jie = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        for number in 0..<KeptMailbox.countMax {
            try FileManager.default.createDirectory(atPath: "\(box)/\(number)", withIntermediateDirectories: true)
            _ = try await mailboxes(jie, .add(MailboxPlace(address: "\(box)/\(number)")))
        }
        await #expect(throws: ServiceError.self) { try await mailboxes(jie, .add(MailboxPlace(address: box))) }
        await jie.close()
    }
}
