import Foundation
import TestTiers
import Testing

/// A person loses a device, and removes it: real nodes on loopback, without multicast.
struct DeviceCommandTests {
    @Test("devices that join without a name have one each, and the first device is called that")
    func unnamed() async throws {
        let trip = try await Gathering()
        let jie = trip.founder
        for folder in ["phone", "tablet"] {
            let added = try await jie.run("device", "add")
            #expect(added.errors.contains("caravan join LINK --as Laptop"), added.summary)
            let link = added.output.trimmingCharacters(in: .newlines)
            try await trip.home(folder).done("join", link, "--peer", trip.host.address)
        }
        let names = try await jie.json("device", "list").elements.compactMap { $0["name"].text }
        #expect(Set(names).count == 2 && names.allSatisfy { $0.hasPrefix("device ") }, "\(names)")
        let listed = try await trip.home("phone").done("device", "list")
        #expect(listed.contains("  your first device: "), "\(listed)")
    }

    @Test(
        "a lost device is removed: it keeps its copy, is told, writes nothing more, and gets nothing new", .tags(.slow))
    func lostDevice() async throws {
        let trip = try await Gathering()
        let jie = trip.founder
        #expect(try await jie.done("device", "list").hasPrefix("You have no other device"))
        let laptop = trip.home("laptop")
        let link = try await jie.done("device", "add").trimmingCharacters(in: .newlines)
        try await laptop.done("join", link, "--as", "Laptop", "--peer", trip.host.address)
        let noah = try await trip.joined("noah", as: "Noah")
        let nodes = [try await trip.node(of: laptop), try await trip.node(of: noah)]
        try await laptop.done("add", "Roof tent")
        #expect(try await eventually { try await noah.done("list").contains("Roof tent") })
        let invite = try await trip.invite()
        let listed = try await jie.done("device", "list")
        #expect(listed.contains("  Laptop: ") && listed.hasSuffix("connected\n"), "\(listed)")
        let id = try #require(try await jie.json("device", "list").elements.first?["id"].text)
        #expect(try await laptop.done("status").contains("your first device: "))
        let refused = try await laptop.run("device", "remove", "Jie", "--yes")
        #expect(refused.isRefusal(saying: "only your first device"), refused.summary)
        let stranger = try await noah.run("device", "remove", "Laptop", "--yes")
        #expect(stranger.isRefusal(saying: "you have no other device"), stranger.summary)
        #expect(try await jie.run("device", "remove", "Laptop").isRefusal(saying: "--yes"))
        let misspelt = try await jie.run("device", "remove", "Lptop")
        #expect(misspelt.isRefusal(saying: "you have no other device “Lptop”"), misspelt.summary)

        let receipt = try await jie.json("device", "remove", String(id.prefix(8)), "--yes")
        #expect(receipt["id"].text == id && receipt["name"].text == "Laptop")
        #expect(receipt["revoked_invites"] == .flag(true) && receipt["did"].text == "removed")
        let thief = try await trip.home("thief").run(
            "join", invite, "--as", "Mal", "--peer", trip.host.address, "--patience", "3")
        #expect(thief.status == 1, thief.summary)
        #expect(try await eventually { try await laptop.done("status").contains("You removed this device") })
        let add = try await laptop.run("add", "By a thief")
        #expect(add.isRefusal(saying: "`caravan device add` on your first device"), add.summary)
        let overview = try await laptop.run([]).output
        #expect(overview.contains("caravan device add") && !overview.contains("new invite"), "\(overview)")
        try await jie.done("add", "A secret stay")
        #expect(try await eventually { try await noah.done("list").contains("A secret stay") })
        #expect(try await !laptop.done("list").contains("A secret stay"))
        #expect(try await noah.done("list").contains("Roof tent"))
        #expect(try await jie.done("device", "list").hasPrefix("You have no other device"))
        #expect(try await jie.run("device", "remove", "Laptop", "--yes").isRefusal(saying: "you have no other device"))
        for node in nodes { try await node.end() }
    }
}
