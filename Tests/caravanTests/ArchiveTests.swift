import Foundation
import Testing

/// `caravan archive` keeps a trip that is over, and `caravan leave --wipe` leaves nothing of it.
struct ArchiveTests {
    @Test("a file is written and never overwritten, and the trip is read-only until it is reopened")
    func archives() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path).withoutTerminal
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        try await caravan.done("add", "Casa do Rio", "--price", "€90 a night")
        try await caravan.done("cost", "add", "dinner", "€84")
        let file = scratch.path + "/kept.html"
        let archived = try await caravan.run("archive", file)
        #expect(archived.status == 0 && archived.output.contains("read-only"), archived.summary)
        let html = try String(contentsOfFile: file, encoding: .utf8)
        for word in ["Casa do Rio", "Balances in EUR", "84", "Jie"] { #expect(html.contains(word), "\(word)") }
        let refused = try await caravan.run("add", "Tent")
        #expect(refused.isRefusal(saying: "caravan archive --reopen"), refused.summary)
        let again = try await caravan.run("archive", file)
        #expect(again.isRefusal(saying: "already exists"), again.summary)
        let status = try await caravan.run("status")
        #expect(status.output.contains("Archived: read-only here"), status.summary)
        try await caravan.done("archive", "--reopen")
        try await caravan.done("add", "Tent")
    }

    @Test("where the trip can't be made read-only, no file stays, and the next try succeeds")
    func archivesWhollyOrNotAtAll() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path).withoutTerminal
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        let keys = try #require(scratch.contents().first { $0.hasSuffix("/keys") })
        // In the way of the file that says so.
        let obstacle = "\(scratch.path)/\(keys.dropLast(4))own.new"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        let file = scratch.path + "/kept.html"
        let refused = try await caravan.run("archive", file)
        #expect(refused.isRefusal(saying: "cannot write"), refused.summary)
        #expect(!FileManager.default.fileExists(atPath: file))
        try await caravan.done("add", "Tent")
        try FileManager.default.removeItem(atPath: obstacle)
        try await caravan.done("archive", file)
        #expect(FileManager.default.fileExists(atPath: file))
    }

    @Test("where nobody else is in, leaving with --wipe deletes the trip at once")
    func wipes() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path).withoutTerminal
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        let left = try await caravan.run("leave", "--wipe", "--yes")
        #expect(left.status == 0 && left.output.contains("deleted your copy"), left.summary)
        #expect(!scratch.contents().contains { $0.hasSuffix("/keys") })
    }

    @Test("a copy is wiped once a member heard of the leave, and stays until then")
    func wipesOnceHeard() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let mia = try await trip.joined("mia", as: "Mia")
        func keys(_ folder: String) -> Int {
            trip.scratch.contents().filter { $0.hasPrefix(folder + "/") && $0.hasSuffix("/keys") }.count
        }
        let unheard = try await mia.run("leave", "--wipe", "--yes")
        #expect(unheard.isRefusal(saying: "no member has received your leave yet") && keys("mia") == 1, unheard.summary)

        let node = try await trip.node(of: noah)
        try await noah.done("add", "Roof tent")
        let left = try await noah.run("leave", "--wipe", "--yes")
        #expect(left.status == 0 && left.output.contains("deleted your copy") && keys("noah") == 0, left.summary)
        let members = try await trip.founder.json("members").elements
        #expect(members.contains { $0["name"].text?.hasPrefix("Noah") == true && $0["in"] == .flag(false) })
        try await node.end()
    }
}
