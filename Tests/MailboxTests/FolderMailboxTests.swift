import ChangeLog
import LibC
import SyncEngine
import TestTiers
import Testing

@testable import Mailbox

@Suite struct FolderMailboxTests {
    private func place(of slot: MailboxSlot, in folder: TemporaryFolder) -> String {
        "\(folder.path)/cv.\(slot.prefix)/\(slot.tag)"
    }

    @Test("a folder stores, lists, reads and deletes blocks") func claims() throws {
        let folder = try TemporaryFolder()
        try PortClaims.check(FolderMailbox(path: folder.path))
    }

    @Test("the name of a block is BLAKE2b-256 of its bytes, as the published vectors have it") func names() {
        #expect(
            BlockName(of: []).description == "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8")
        #expect(
            BlockName(of: Array("abc".utf8)).description
                == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
    }

    @Test("half-synced, truncated, renamed and foreign files do no harm, and are counted") func damage() throws {
        let folder = try TemporaryFolder()
        let mailbox = FolderMailbox(path: folder.path)
        let slot = PortClaims.slot()
        let (good, cut, later) = (PortClaims.block(), PortClaims.block(), PortClaims.block())
        for block in [good, later] { try mailbox.put(block, in: slot) }
        let place = place(of: slot, in: folder)
        let (goodName, cutName, laterName) = (BlockName(of: good), BlockName(of: cut), BlockName(of: later))
        try writeFile("\(place)/\(cutName)", Array(cut.prefix(500)))
        try writeFile("\(place)/\(goodName) (Noah's conflicted copy 2027-05-01)", good)
        try writeFile("\(place)/\(goodName).sync-conflict-20270501-101112-ABCDEFG", good)
        try writeFile("\(place)/\(goodName.description.uppercased())", good)
        try writeFile("\(place)/.syncthing.\(goodName).tmp", Array(good.prefix(9)))
        try writeFile("\(place)/.caravan-1234", Array(good.prefix(9)))
        var listing = try mailbox.list([slot])[0]
        #expect(listing.names == [goodName, laterName].sorted())
        #expect(try mailbox.get(cutName, in: slot) == nil)
        // The tools' own hidden files are none of a person's business.
        let examples = [
            "\(cutName)", "\(goodName) (Noah's conflicted copy 2027-05-01)", "\(goodName.description.uppercased())",
        ]
        #expect(try mailbox.clutter(of: slot.prefix) == MailboxClutter(count: 4, example: try #require(examples.min())))
        // Truncated after it was seen whole.
        truncate("\(place)/\(laterName)", 100)
        listing = try mailbox.list([slot])[0]
        #expect(listing.names == [goodName])
        #expect(try mailbox.get(laterName, in: slot) == nil)
        // A member who has it puts it again.
        try mailbox.put(later, in: slot)
        try mailbox.put(cut, in: slot)
        #expect(try mailbox.list([slot])[0].names == [goodName, laterName, cutName].sorted())
        #expect(try mailbox.get(laterName, in: slot) == later)
    }

    @Test("links, pipes, folders and huge files are refused before they are read") func otherKinds() throws {
        let folder = try TemporaryFolder()
        let mailbox = FolderMailbox(path: folder.path)
        let slot = PortClaims.slot()
        let block = PortClaims.block()
        try mailbox.put(block, in: slot)
        let place = place(of: slot, in: folder)
        func name(_ seed: UInt8) -> BlockName { BlockName(of: [seed]) }
        try writeFile("\(folder.path)/secret", [1])
        #expect(symlink("\(folder.path)/secret", "\(place)/\(name(1))") == 0)
        #expect(mkfifo("\(place)/\(name(2))", 0o600) == 0)
        #expect(mkdir("\(place)/\(name(3))", 0o700) == 0)
        // A sparse file of 1 TiB.
        try writeFile("\(place)/\(name(4))", [])
        #expect(truncate("\(place)/\(name(4))", 1 << 40) == 0)
        #expect(symlink("/dev/zero", "\(place)/\(name(5))") == 0)
        let listing = try mailbox.list([slot])[0]
        #expect(listing.names == [BlockName(of: block)])
        for seed in UInt8(1)...5 { #expect(try mailbox.get(name(seed), in: slot) == nil) }
        // A put takes the name from what is no block, but never through a link, and never from a folder.
        try mailbox.put([1], in: slot)
        try mailbox.put([2], in: slot)
        #expect(try mailbox.get(name(1), in: slot) == [1])
        #expect(try mailbox.get(name(2), in: slot) == [2])
        #expect(throws: MailboxError.self) { try mailbox.put([3], in: slot) }
        // A slot, or a prefix, by way of a link leads nowhere.
        let linked = PortClaims.slot(of: slot.prefix)
        #expect(symlink(place, "\(folder.path)/cv.\(slot.prefix)/\(linked.tag)") == 0)
        let error = #expect(throws: MailboxError.self) { try mailbox.list([linked]) }
        #expect(error?.code == .refused)
        #expect(error?.message.hasSuffix("choose another one, or move it away") == true)
        // The links, and what was truncated; not what was put in the place of two of them.
        #expect(try mailbox.clutter(of: slot.prefix)?.count == 4)
    }

    @Test("10,000 foreign files do no harm", .tags(.slow)) func manyForeignFiles() throws {
        let folder = try TemporaryFolder()
        let mailbox = FolderMailbox(path: folder.path)
        let slot = PortClaims.slot()
        let block = PortClaims.block()
        try mailbox.put(block, in: slot)
        for number in 0..<10_000 {
            try writeFile("\(folder.path)/\(number).jpg", [1])
            try writeFile("\(place(of: slot, in: folder))/\(number).jpg", [1])
        }
        let listing = try mailbox.list([slot])[0]
        #expect(listing.names == [BlockName(of: block)])
        #expect(try mailbox.clutter(of: slot.prefix) == MailboxClutter(count: 10_000, example: "0.jpg"))
        #expect(try mailbox.clutter(of: PortClaims.slot().prefix) == nil)
        try mailbox.put(PortClaims.block(), in: slot)
        #expect(try mailbox.list([slot])[0].names.count == 2)
    }

    @Test("a list of names, and a look at a folder, end at their bounds") func bounds() throws {
        let folder = try TemporaryFolder()
        var limits = MailboxPortLimits.default
        limits.namesPerListing = 3
        let mailbox = FolderMailbox(path: folder.path, limits: limits)
        let slot = PortClaims.slot()
        for _ in 0..<3 { try mailbox.put(PortClaims.block(), in: slot) }
        #expect(try mailbox.list([slot])[0].names.count == 3)
        var error = #expect(throws: MailboxError.self) { try mailbox.put(PortClaims.block(), in: slot) }
        #expect(error?.code == .full)
        // Somebody else's program knows no bound.
        try FolderMailbox(path: folder.path).put(PortClaims.block(), in: slot)
        // A list that was cut would make nodes put again what is there.
        error = #expect(throws: MailboxError.self) { try mailbox.list([slot]) }
        #expect(error?.code == .full)
        #expect(
            error?.message.hasSuffix(
                "holds 3 entries or more, the maximum; delete files in it that are no blocks, or add another mailbox")
                == true)
        #expect(try mailbox.list([PortClaims.slot(of: slot.prefix)])[0].names.isEmpty)
        limits.entriesPerListing = 2
        let shortSighted = FolderMailbox(path: folder.path, limits: limits)
        for act in [{ _ = try shortSighted.list([slot]) }, { try shortSighted.put(PortClaims.block(), in: slot) }]
            as [() throws -> Void]
        {
            error = #expect(throws: MailboxError.self) { try act() }
            #expect(error?.code == .full && error?.message.contains("holds 2 entries or more") == true)
        }
    }

    @Test("a missing folder, one without rights and a full disk each say what to do") func problems() throws {
        let folder = try TemporaryFolder()
        let missing = FolderMailbox(path: folder.path + "/none")
        let slot = PortClaims.slot()
        var error = #expect(throws: MailboxError.self) { try missing.put([1], in: slot) }
        #expect(error?.code == .unreachable)
        #expect(error?.message == "there is no folder \(folder.path)/none; connect its disk, or choose another folder")
        error = #expect(throws: MailboxError.self) { try FolderMailbox(path: "/proc").put([1], in: slot) }
        #expect(error.map { [.refused, .unreachable].contains($0.code) } == true)
        let mailbox = FolderMailbox(path: folder.path)
        mailbox.end()
        error = #expect(throws: MailboxError.self) { try mailbox.list([slot]) }
        #expect(error?.code == .ended)
    }

    @Test("drafts that a process left are deleted after a day, and no other files") func drafts() throws {
        let folder = try TemporaryFolder()
        let mailbox = FolderMailbox(path: folder.path)
        let slot = PortClaims.slot()
        try mailbox.put(PortClaims.block(), in: slot)
        let place = place(of: slot, in: folder)
        let days = { (days: Int) in timeval(tv_sec: time(nil) - days * 86_400, tv_usec: 0) }
        for (name, age) in [(".caravan-1", 2), (".caravan-2", 0), (".other", 2)] {
            try writeFile("\(place)/\(name)", [1])
            utimes("\(place)/\(name)", [days(age), days(age)])
        }
        try mailbox.put(PortClaims.block(), in: slot)
        #expect(access("\(place)/.caravan-1", F_OK) != 0)
        #expect(access("\(place)/.caravan-2", F_OK) == 0)
        #expect(access("\(place)/.other", F_OK) == 0)
    }

    @Test("a watch hints at new blocks, at new slots, and ends") func watching() async throws {
        let folder = try TemporaryFolder()
        var limits = MailboxPortLimits.default
        limits.watchRound = .milliseconds(200)
        let (mailbox, other) = (
            FolderMailbox(path: folder.path, limits: limits), FolderMailbox(path: folder.path)
        )
        let slot = PortClaims.slot()
        // Before the prefix's folder is there.
        let first = mailbox.watch(prefix: slot.prefix)
        #expect(try await PortClaims.isHinted(first) { try other.put(PortClaims.block(), in: slot) })
        let second = mailbox.watch(prefix: slot.prefix)
        #expect(try await PortClaims.isHinted(second) { try other.put(PortClaims.block(), in: slot) })
        let third = mailbox.watch(prefix: slot.prefix)
        #expect(
            try await PortClaims.isHinted(third) { try other.put([1], in: PortClaims.slot(of: slot.prefix)) })
        let last = mailbox.watch(prefix: slot.prefix)
        mailbox.end()
        for await _ in last {}
        for await _ in mailbox.watch(prefix: slot.prefix) {}
    }
}
