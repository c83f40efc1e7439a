import Foundation
import TestTiers
import Testing

/// Who does what by when as people run the commands, between two homes.
struct TaskCommandTests {
    @Test(
        "what one home gives to the other is theirs to do, until they decline; two who are given it both stay",
        .tags(.slow))
    func tasks() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        let jie = trip.founder
        let added = try await jie.done("add", "Tents", "--assignee", "noah", "--due", "3 June 2099")
        #expect(added.contains("Tents"))
        try await jie.done("add", "Maps")
        let stranger = try await jie.run("edit", "Maps", "--assignee", "Nobody")
        #expect(stranger.isRefusal(saying: "there is nobody called “Nobody”"), stranger.summary)
        let span = try await jie.run("edit", "Maps", "--due", "2099-06-03..05")
        #expect(span.isRefusal(saying: "the due date is invalid"), span.summary)
        try await trip.settle(noah)
        for home in [jie, noah] {
            let list = try await home.done("list")
            #expect(list.contains("for Noah, by 3 June 2099"), "\(list)")
            let item = try await home.json("show", "Tents")
            #expect(item["assignee"].text == "Noah" && item["due"].text == "2099-06-03")
        }
        let mine = try await noah.done("list", "--mine")
        #expect(mine.contains("Tents") && !mine.contains("Maps"), "\(mine)")
        #expect(try await jie.done("list", "--mine") == "You have nothing to do.\n")

        // Who goes by one name gets what is meant for one person.
        let twin = try await noah.run("rename", "--me", "JIE")
        #expect(twin.isRefusal(saying: "“Jie” is the name of another member"), twin.summary)
        try await noah.done("rename", "--me", "NOAH")
        try await noah.done("rename", "--me", "Noah")

        // `bring` is one case of it.
        try await jie.done("bring", "Maps")
        #expect(try await jie.done("list", "--mine").contains("Maps"))
        try await jie.done("edit", "Maps", "--done")
        #expect(try await jie.done("list", "--mine") == "You have nothing to do.\n")

        try await noah.done("going", "Tents", "--not")
        #expect(try await noah.done("list", "--mine") == "You have nothing to do.\n")
        #expect(try await noah.done("show", "Tents").contains("Noah declined, anybody can take it"))
        #expect(try await noah.json("show", "Tents")["declined"] == .flag(true))
        try await jie.done("edit", "Tents", "--assignee", "Jie")
        try await trip.settle(noah)
        let history = try await noah.done("history")
        #expect(history.contains("Jie took “Tents” (was “Noah”)"), "\(history)")
        #expect(try await jie.done("export", "--as", "csv").contains(",Jie,"))
        try await jie.done("undo")
        try await jie.done("edit", "Tents", "--clear", "due")
        #expect(try await jie.json("show", "Tents")["assignee"].text == "Noah")
        #expect(try await jie.json("recent").elements.first?["assignee"].text == "Noah")
        #expect(try await jie.json("show", "Tents")["due"].text == nil)
        try await jie.done("edit", "Maps", "--assignee", "Noah", "--due", "2099-06-04")
        let given = try await jie.done("history")
        #expect(given.contains("Jie gave “Maps” to Noah, due 4 June 2099"), "\(given)")
        _ = node
    }
}
