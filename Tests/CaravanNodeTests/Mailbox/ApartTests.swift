import Attachments
import ChangeLog
import Foundation
import Sodium
import SyncEngine
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

    @Test("a mailbox that is added again with another password takes the place and the code of the first")
    func addedAgain() throws {
        var generator = SystemRandomNumberGenerator()
        func kept(_ address: String, code: String? = nil) throws -> KeptMailbox {
            try KeptMailbox(MailboxPlace(address: address, code: code), using: &generator)
        }
        var own = try OwnFile(
            folder: folder(), secret: .random(using: &generator), using: SodiumCryptography())
        let old = try kept("https://jie:old@cloud.example.org/trip")
        try own.add(old)
        let new = try kept("https://jie:new@cloud.example.org/trip/")
        #expect(own.mailbox(at: new, hasCode: false) == old)
        #expect(throws: ServiceError.self) { try own.add(new) }
        let replaced = KeptMailbox(new, codeOf: old)
        try own.add(replaced, inPlaceOf: old)
        #expect(own.mailboxes == [replaced] && replaced.code == old.code && replaced != old)
        #expect(throws: ServiceError.self) { try own.add(replaced, inPlaceOf: replaced) }
        // Another code is another trip's.
        let other = try kept("https://cloud.example.org/trip", code: "9f2c51e07ab34d6685d0c1e2f3a4b596")
        #expect(own.mailbox(at: other, hasCode: true) == nil)
        #expect(throws: ServiceError.self) { try own.add(other) }
        // The place may change, and the code is the same in capitals.
        let moved = try kept("https://jie:new@cloud.example.org/f2", code: old.code.uppercased())
        #expect(own.mailbox(at: moved, hasCode: true) == replaced)
        try own.add(moved, inPlaceOf: replaced)
        #expect(own.mailboxes == [moved])
    }

    @Test("a mailbox that is added again by its code is where it is now, and says if nothing lies there")
    func moved() async throws {
        let (jie, _, _) = try await tests.founder(scratch)
        let (first, second) = (try folder(), scratch.path + "/f2")
        try FileManager.default.createDirectory(atPath: second, withIntermediateDirectories: true)
        let added = try await mailboxes(jie, .add(MailboxPlace(address: first)))
        #expect(added.first?.trial?.wasEmpty == true)
        let code = try #require(added.first?.code)
        let moved = try await mailboxes(jie, .add(MailboxPlace(address: second, code: code.uppercased())))
        #expect(moved.map(\.address) == [second] && moved[0].code == code && moved[0].trial?.wasEmpty == true)
        await #expect(throws: ServiceError.self) {
            _ = try await mailboxes(jie, .add(MailboxPlace(address: second, code: code)))
        }
        await jie.close()
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
        // With a later letter in the mailbox, Jie's first one need not be read again.
        try await third.add("Map")
        let isAnswered = try await tests.eventually {
            let noah = try await third.status().devices.first
            return noah.map { $0.lacks > 0 && $0.inMailbox == $0.lacks } ?? false
        }
        #expect(isAnswered)
        await third.close()

        // The next start knows what was read, from a sealed file.
        let fourth = try await scratch.open(scratch.home("jie"))
        let read = await fourth.node.readBlocks
        #expect(read != .nothing)
        let file = try Data(contentsOf: URL(filePath: fourth.folder + "/read"))
        #expect(file.range(of: Data(read.encoding.dropFirst().prefix(32))) == nil)
        await fourth.close()
        // Not of a mailbox that the trip has no more.
        let fifth = try await scratch.open(scratch.home("jie"))
        #expect(await fifth.node.readBlocks == read, "a start that meets nobody forgets nothing")
        _ = try await mailboxes(fifth, .remove("1"))
        await fifth.close()
        let sixth = try await scratch.open(scratch.home("jie"))
        #expect(await sixth.node.readBlocks == .nothing)
        await sixth.close()
    }

    @Test(
        "a photo's preview comes through a folder, and the picture once it was opened and the other home ran again",
        .tags(.slow))
    func photos() async throws {
        let box = try folder()
        let (jie, link, address) = try await tests.founder(scratch)
        let home = scratch.home("noah")
        _ = try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        let code = try #require(
            try await mailboxes(jie, .add(MailboxPlace(address: box))).first?.code)
        let photo = PhotoExchangeTests().photo(1)
        try await jie.add("Casa do Rio")
        _ = try await jie.answer(.attach(item: "1", photos: [photo]))
        try await eventually("the preview is in the folder") { try greatestBlock(in: box) > 8_000 }
        await jie.close()

        let noah = try await scratch.open(home)
        _ = try await mailboxes(noah, .add(MailboxPlace(address: box, code: code)))
        try await noah.up(alone)
        try await eventually("the preview is there") {
            try await noah.trip().items.first?.photos.first?.absent == [.card, .sharp]
        }
        let item = try await noah.trip().items[0]
        let id = try #require(item.photos.first?.id)
        guard case .picture(nil) = try await noah.answer(.picture(id, of: item.id, .sharp)) else {
            Issue.record("a picture came that nobody opened")
            return
        }
        // What is wanted leaves before the node stops, or a few seconds after it was opened.
        let before = try blocks(in: box)
        try await eventually("the wish is in the folder") { try blocks(in: box) > before }
        await noah.close()

        let again = try await scratch.open(scratch.home("jie"))
        try await again.up(alone)
        try await eventually("the picture is in the folder") { try greatestBlock(in: box) > 300_000 }
        await again.close()

        let last = try await scratch.open(home)
        try await last.up(alone)
        try await eventually("the picture is there") {
            guard case .picture(let file?) = try await last.answer(.picture(id, of: item.id, .sharp)) else {
                return false
            }
            return file.file.bytes == photo.sharp.file.bytes
        }
        await last.close()
    }

    /// Chunks leave up to half a minute after they are wanted.
    private func eventually(_ what: Comment, _ isTrue: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if try await isTrue() { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record(what)
    }

    private func sizes(in box: String) throws -> [Int] {
        let files = FileManager.default.enumerator(atPath: box)?.compactMap { $0 as? String } ?? []
        return files.compactMap { file in
            let attributes = try? FileManager.default.attributesOfItem(atPath: box + "/" + file)
            return attributes?[.type] as? FileAttributeType == .typeRegular ? attributes?[.size] as? Int : nil
        }
    }

    private func blocks(in box: String) throws -> Int { try sizes(in: box).count }
    private func greatestBlock(in box: String) throws -> Int { try sizes(in: box).max() ?? 0 }

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
        #expect(tested.first?.clutter == nil)
        _ = FileManager.default.createFile(atPath: "\(box)/cv.\(code)/IMG_1.jpg", contents: Data([1]))
        let cluttered = try await mailboxes(jie, .test)
        #expect(cluttered.first?.clutter == MailboxView.Clutter(count: 1, example: "IMG_1.jpg"))
        #expect(cluttered.first?.problem == nil)
        // The file with the code, and with a password, is sealed like what else is kept here alone.
        let file = try Data(contentsOf: URL(filePath: jie.folder + "/own"))
        #expect(!String(decoding: file, as: UTF8.self).contains(code))
        await jie.close()
        let again = try await scratch.open(scratch.home("jie"))
        #expect(try await mailboxes(again, .list).map(\.code) == [code])
        try FileManager.default.removeItem(atPath: box)
        let lost = try await mailboxes(again, .test)
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

    @Test("somebody who meets nobody joins through a folder alone", .tags(.slow))
    func joining() async throws {
        let box = try folder()
        let jie = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        _ = try await mailboxes(jie, .add(MailboxPlace(address: box)))
        guard case .invite(let invite) = try await jie.answer(.invite(uses: 1, lifetime: nil)) else { return }
        #expect(invite.mailboxes == [""])
        try await jie.add("Casa do Rio")
        await jie.close()

        let home = scratch.home("mia")
        func join(patience: Int) async throws {
            _ = try await TripNode.join(
                link: invite.link, name: "Mia", in: home, mailbox: MailboxPlace(address: box), discovers: false,
                patience: patience)
        }
        await #expect { try await join(patience: 5) } throws: {
            ($0 as? ServiceError)?.message.hasPrefix("no member's node has answered yet") ?? false
        }
        let host = try await scratch.open(scratch.home("jie"))
        try await host.up(alone)
        #expect(try await tests.eventually { try await !host.status().devices.isEmpty })
        // What is to be put for her leaves before the node stops, once it is known that it is to be put.
        #expect(try await tests.eventually { try await isInMailbox(on: host) })
        await host.close()

        try await join(patience: 60)
        let mia = try await scratch.open(home)
        try await mia.up(alone)
        #expect(try await tests.eventually { try await mia.titles() == ["Casa do Rio"] })
        #expect(try await mailboxes(mia, .list).map(\.address) == [box])
        try await mia.add("Hostel")
        #expect(try await tests.eventually { try await isInMailbox(on: mia) })
        await mia.close()

        let last = try await scratch.open(scratch.home("jie"))
        try await last.up(alone)
        #expect(try await tests.eventually { try await last.titles().contains("Hostel") })
        await last.close()
    }

    private func isInMailbox(on node: TripNode) async throws -> Bool {
        try await node.status().devices.contains { $0.lacks > 0 && $0.inMailbox == $0.lacks }
    }

    @Test("a link holds a server's address without user and password, unless they are asked for")
    func links() async throws {
        var generator = SystemRandomNumberGenerator()
        let place = MailboxPlace(address: "https://jie:secret@box.example.org/trip")
        let kept = try KeptMailbox(place, using: &generator)
        #expect(kept.linked(withPassword: false) == "https://box.example.org/trip")
        #expect(kept.linked(withPassword: true) == place.address)
        let cluster = MailboxPlace(address: "tls://jie:secret@a.example.org,b.example.org:4223")
        #expect(
            try KeptMailbox(cluster, using: &generator).linked(withPassword: false)
                == "tls://a.example.org,b.example.org:4223")
        #expect(try KeptMailbox(MailboxPlace(address: "/srv/box"), using: &generator).linked(withPassword: true) == nil)
    }

    @Test(
        "a link cannot choose a folder in which the joiner's machine writes, and an address needs a mailbox in the link"
    )
    func hostileLinks() async throws {
        let box = try folder()
        let (jie, text, _) = try await tests.founder(scratch)
        await jie.close()
        let cryptography = try TripNode.readyCryptography()
        let link = try InviteLink(text: text, using: cryptography)
        let hostile = InviteLink(
            trip: link.trip, secret: link.secret, hints: [],
            mailboxes: [InviteLink.Mailbox(prefix: Bytes16(high: 1, low: 2), address: box)])
        await #expect(throws: ServiceError.self) {
            _ = try await TripNode.join(
                link: hostile.text(using: cryptography), name: "Mia", in: scratch.home("mia"), discovers: false,
                patience: 2)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: box).isEmpty)
        // Nor a server on that machine.
        let mia = try await scratch.trip(title: "Oslo", name: "Mia", in: scratch.home("other"))
        for address in ["http://127.0.0.1:1/a", "nats://localhost:1"] {
            let mailbox = InviteLink.Mailbox(prefix: Bytes16(high: 1, low: 2), address: address)
            let local = InviteLink(trip: link.trip, secret: link.secret, hints: [], mailboxes: [mailbox])
            let lines = try await mia.takeMailboxes(of: local, at: nil)
            #expect(lines == ["The trip has a mailbox. `--mailbox ADDRESS` gives your folder or address for it."])
        }
        #expect(try await mailboxes(mia, .list).isEmpty)
        await mia.close()
        await #expect {
            _ = try await TripNode.join(
                link: TripNode.linkWithoutHints(text), name: "Noah", in: scratch.home("noah"),
                mailbox: MailboxPlace(address: box), discovers: false, patience: 2)
        } throws: { ($0 as? ServiceError)?.message.hasPrefix("this invite holds no mailbox") ?? false }
    }
}
