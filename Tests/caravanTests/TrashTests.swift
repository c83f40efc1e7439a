import Foundation
import Testing

/// A deleted trip stays in the trash for 30 days.
struct TrashTests {
    @Test("a deleted trip comes back whole, its keys too")
    func restores() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path).withoutTerminal
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        try await caravan.done("add", "Tram")
        let list = try await caravan.done("list", "--json")
        let id = try #require(try await caravan.json("trips").elements.first?["id"].text)
        let deleted = try await caravan.done("delete", "Lisbon", "--yes")
        #expect(deleted.contains("caravan trash restore \(id.prefix(6))"), "\(deleted)")
        #expect(try await caravan.json("trips").elements.isEmpty)
        let trash = try await caravan.json("trash").elements
        #expect(trash.map { $0["id"].text } == [id] && trash.first?["title"].text == "Lisbon")
        #expect(try await caravan.done("trash").contains("Lisbon"))
        let unknown = try await caravan.run("trash", "restore", "Porto")
        #expect(unknown.isRefusal(saying: "caravan trash"), unknown.summary)
        try await caravan.done("trash", "restore", "Lis")
        #expect(try await caravan.done("list", "--json") == list)
        try await caravan.done("vote", "1")
        #expect(
            try await caravan.json("trash").elements.isEmpty && !scratch.contents().contains { $0.hasPrefix("trash/") })
        let none = try await caravan.run("trash", "restore", "Lisbon")
        #expect(none.status == 1, none.summary)
    }

    @Test("of two deleted copies of one trip, each can be restored")
    func copies() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path).withoutTerminal
        let files = FileManager.default
        try await caravan.done("new", "Porto", "--as", "Jie")
        try files.copyItem(atPath: scratch.path + "/trips", toPath: scratch.path + "/before")
        try await caravan.done("add", "Tent")
        try await caravan.done("delete", "Porto", "--yes")
        let place = try #require(
            scratch.contents().first { $0.hasPrefix("trash/") && $0.split(separator: "/").count == 2 })
        let (time, id) = try #require(
            place.dropFirst(6).split(separator: ".").first.flatMap { Int64($0) }.map {
                ($0, place.split(separator: ".").last ?? "")
            })
        // As if a copy without the tent had been deleted a minute later.
        try files.moveItem(
            atPath: "\(scratch.path)/\(place)", toPath: "\(scratch.path)/trash/\(time - 60).\(id)")
        try files.createDirectory(atPath: "\(scratch.path)/\(place)", withIntermediateDirectories: true)
        try files.moveItem(atPath: scratch.path + "/before", toPath: "\(scratch.path)/\(place)/trips")
        #expect(try await caravan.json("trash").elements.map { $0["copy"] } == [.number(1), .number(2)])
        let earlier = "\(id.prefix(6)).2"
        #expect(try await caravan.done("trash").contains("\(earlier)  Porto"))
        let unknown = try await caravan.run("trash", "restore", "\(id.prefix(6)).3")
        #expect(unknown.isRefusal(saying: "caravan trash"), unknown.summary)
        let restored = try await caravan.run("trash", "restore", earlier)
        #expect(restored.status == 0 && restored.errors.contains("Another copy"), restored.summary)
        #expect(try await caravan.done("list").contains("Tent"))
        #expect(try await caravan.json("trash").elements.map { $0["copy"] } == [.number(1)])
    }

    @Test("after 30 days, when the trash is emptied, and with --permanently, a trip is gone for good")
    func erases() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path).withoutTerminal
        func keys() -> Int { scratch.contents().filter { $0.hasSuffix("/keys") }.count }
        for title in ["One", "Two", "Three"] { try await caravan.done("new", title, "--as", "Jie") }
        try await caravan.done("delete", "One", "--yes", "--permanently")
        #expect(keys() == 2)
        try await caravan.done("delete", "Two", "--yes")
        #expect(keys() == 2)
        // As if it had been deleted 31 days ago.
        let place = try #require(
            scratch.contents().first { $0.hasPrefix("trash/") && $0.split(separator: "/").count == 2 })
        let (time, id) = try #require(
            place.dropFirst(6).split(separator: ".").first.flatMap { Int64($0) }.map {
                ($0, place.split(separator: ".").last ?? "")
            })
        let old = "\(scratch.path)/trash/\(time - 31 * 86_400).\(id)"
        try FileManager.default.moveItem(atPath: scratch.path + "/" + place, toPath: old)
        // A clock that was wrong at the deletion erases nothing that changed since.
        #expect(try await caravan.json("trash").elements.count == 1 && keys() == 2)
        for name in try FileManager.default.subpathsOfDirectory(atPath: old) {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(time - 31 * 86_400))],
                ofItemAtPath: "\(old)/\(name)")
        }
        #expect(try await caravan.json("trash").elements.isEmpty)
        try await caravan.done("delete", "Three", "--yes")
        #expect(keys() == 1)
        let unasked = try await caravan.run("trash", "empty")
        #expect(unasked.isRefusal(saying: "--yes") && keys() == 1, unasked.summary)
        try await caravan.done("trash", "empty", "--yes")
        #expect(keys() == 0)
    }

    @Test("a running node lets go of a trip that is deleted, and runs it again when it is restored")
    func runningNode() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path).withoutTerminal
        for title in ["Lisbon", "Porto"] { try await caravan.done("new", title, "--as", "Jie") }
        let node = try await ListeningNode(Product(home: scratch.path))
        try await caravan.done("delete", "Lisbon", "--yes")
        try await caravan.done("trash", "restore", "Lisbon")
        let trips = try await caravan.json("trips").elements
        #expect(trips.count == 2 && trips.allSatisfy { $0["running"] == .flag(true) }, "\(trips)")
        try await node.end()
    }
}
