import Foundation
import TestTiers
import Testing

/// People join, add devices, are removed and leave: real nodes on loopback, without multicast.
struct MemberCommandTests {
    @Test(.tags(.slow)) func aDeviceActsForItsPersonAndWhoIsTakenOutIsOut() async throws {
        let trip = try await Gathering()
        let noah = trip.home("noah")
        let laptop = trip.home("laptop")
        let link = try await trip.invite(uses: 2)
        let nameless = try await noah.run("join", link, "--peer", trip.host.address)
        #expect(nameless.status == 64 && nameless.errors.contains("--as"))
        #expect(try await noah.run("join", link, "--as", "Noah", "--peer", trip.host.address).status == 0)
        let device = try await trip.founder.done("device", "add").trimmingCharacters(in: .newlines)
        #expect(try await laptop.run("join", device, "--peer", trip.host.address).status == 0)

        let noahNode = try noah.start(["up", "--peer", trip.host.address])
        let laptopNode = try laptop.start(["up", "--peer", trip.host.address])
        #expect(
            try await eventually { noahNode.output.contains("connected") && laptopNode.output.contains("connected") })
        #expect(try await laptop.run("add", "Roof tent").status == 0)
        #expect(try await eventually { try await noah.run("list").output.contains("Roof tent") })
        // Two devices, one vote.
        #expect(try await trip.founder.run("vote", "1").status == 0)
        #expect(
            try await eventually { try await laptop.run("list", "--json").output.contains("\"tally\": 1") })
        let again = try await laptop.run("vote", "1")
        #expect(again.status == 0 && again.output.contains("already"))
        #expect(try await trip.founder.run("list", "--json").output.contains("\"tally\": 1"))

        let members = try await trip.founder.run("members").output
        #expect(members.contains("Jie") && members.contains("2 devices") && members.contains("  Noah  invited by Jie"))

        let refused = try await noah.run("members", "remove", "Jie", "--yes")
        #expect(refused.status == 1 && refused.errorLines.count == 1)
        let box = try ScratchFolder()
        #expect(try await trip.founder.run("mailbox", "add", box.path).status == 0)
        let removal = try await trip.founder.run("members", "remove", "noah", "--yes")
        #expect(
            removal.errors.contains("They may still delete or fill what is in the trip's mailboxes."))
        #expect(removal.status == 0 && removal.output.contains("They keep their copy"))
        #expect(removal.output.contains("Your open invites and those of people below you are revoked."))
        #expect(try await eventually { noahNode.output.contains("Jie disconnected") })
        #expect(try await trip.founder.run("add", "A secret stay").status == 0)
        #expect(try await eventually { try await laptop.run("list").output.contains("A secret stay") })
        #expect(try await !noah.run("list").output.contains("A secret stay"))
        #expect(try await trip.founder.run("members").output.contains("removed by Jie"))
        #expect(try await trip.founder.run("members", "remove", "Noah", "--yes").status == 1)
        let late = trip.home("late")
        let unanswered = try await late.run(
            "join", link, "--as", "Noah", "--peer", trip.host.address, "--patience", "3")
        #expect(unanswered.status == 1 && unanswered.errors.contains("ask for a new one"), unanswered.summary)
    }

    @Test("a removal revokes the remover's open invites, and says whose stay open", .tags(.slow))
    func openInvitesOfOthers() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        let link = try await noah.done("invite", "--uses", "3").trimmingCharacters(in: .newlines)
        for name in ["Quentin", "Mia"] {
            try await trip.home(name).done("join", link, "--as", name, "--peer", node.address)
        }
        let openers = { try await noah.json("invite", "list").elements.map { $0["by"].text } }
        let other = try await trip.invite()
        #expect(try await eventually { try await openers() == ["Noah", "Jie"] })
        #expect(
            try await noah.done("members", "remove", "Quentin", "--yes").hasSuffix(
                """
                Your open invites and those of people below you are revoked. Create new ones with `caravan invite`.
                The open invites of Jie, which Quentin may know, stay open until they revoke them.

                """))
        #expect(try await openers() == ["Jie"])
        // By the remover's node, too.
        try await trip.home("rita").done("join", other, "--as", "Rita", "--peer", node.address)
        _ = try await trip.invite()
        #expect(try await eventually { try await openers() == ["Jie"] })
        let removal = try await noah.json("members", "remove", "Mia", "--yes")
        #expect(removal["revoked_invites"] == .null && removal["open_invites_of"].elements.map(\.text) == ["Jie"])
        try await noah.done("invite")
        #expect(try await noah.done("leave", "--yes").hasSuffix("no longer updates.\nYour open invites are revoked.\n"))
    }

    @Test func oneLeavesAndKeepsWhatOneHas() async throws {
        let trip = try await Gathering()
        let noah = trip.home("noah")
        let link = try await trip.invite()
        #expect(try await noah.run("join", link, "--as", "Noah", "--peer", trip.host.address).status == 0)
        let node = try noah.start(["up", "--peer", trip.host.address])
        #expect(try await eventually { node.output.contains("connected") })
        #expect(try await noah.run("add", "Roof tent").status == 0)
        #expect(try await noah.run("leave", "--yes").status == 0)
        #expect(
            try await eventually { try await trip.founder.run("members").output.contains("Noah  invited by Jie, left") }
        )
        #expect(try await trip.founder.run("list").output.contains("Roof tent"))
        let add = try await noah.run("add", "Casa do Rio")
        #expect(add.status == 1 && add.errorLines.count == 1)
        #expect(try await noah.run("list").output.contains("Roof tent"))
    }

    @Test("a newcomer whose name somebody has is told how they are shown")
    func takenName() async throws {
        let trip = try await Gathering(of: "Jie")
        for (folder, name, isTaken) in [("noah", "Noah", false), ("jie", "jie", true)] {
            let outcome = try await trip.home(folder).run(
                "join", trip.invite(), "--as", name, "--peer", trip.host.address)
            #expect(outcome.status == 0, outcome.summary)
            #expect(outcome.errors.contains("you are shown as “\(name) (2)”") == isTaken, outcome.summary)
        }
        #expect(
            try await trip.founder.done("rename", "--me", "Jie") == "Nothing changed: you are already called “Jie”\n")
        let second = try await trip.home("jie").run("rename", "--me", "Jie")
        #expect(second.isRefusal(saying: "“Jie” is the name of another member"), second.summary)
    }

    @Test("nobody takes the name of another person with an ending that the trip writes behind names")
    func takenEnding() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        _ = try await trip.joined("mia", as: "Mia")
        try await trip.takeOut("Mia")
        let node = try await trip.node(of: noah)
        try await trip.settle(noah)
        for name in ["Jie (out)", "jie (OUT)", "Jie (2)", "Jie (12)", "Jie (waiting)", "Jie (2) (out)", "Mia (out)"] {
            let refused = try await noah.run("rename", "--me", name)
            let whose = name.hasPrefix("Mia") ? "Mia (out)" : "Jie"
            #expect(refused.isRefusal(saying: "“\(name)” could be taken for “\(whose)”"), refused.summary)
        }
        for name in ["Jie (Macao)", "Jie out", "Ana (out)", "Noah (2)", "(out)", "Jie (0)"] {
            #expect(try await noah.done("rename", "--me", name) == "You are now “\(name)”\n")
        }
        try await node.end()
    }

    @Test func aClosedInviteLetsNobodyIn() async throws {
        let trip = try await Gathering()
        let link = try await trip.invite(uses: 3)
        let list = try await trip.founder.run("invite", "list").output
        #expect(list.contains("by Jie, 3 of 3 uses left"))
        #expect(try await trip.founder.run("invite", "close", "7").status == 1)
        #expect(try await trip.founder.run("invite", "close", "1").status == 0)
        #expect(try await trip.founder.run("invite", "list").output.contains("No open invites"))
        let noah = trip.home("noah")
        let join = try await noah.run("join", link, "--as", "Noah", "--peer", trip.host.address)
        #expect(join.status == 1 && join.errors.contains("ask for a new one"))
        #expect(!trip.scratch.contents().contains { $0.contains(".joining") }, "a refused join is over")
    }

    @Test("a join that found nobody is in the way of no other kind of invite")
    func anotherKindOfInvite() async throws {
        let trip = try await Gathering()
        let home = trip.home("noah")
        let link = try await trip.invite()
        try await trip.part()
        let lonely = try await home.run("join", link, "--as", "Noah", "--peer", "127.0.0.1:1", "--patience", "1")
        #expect(lonely.status == 1, lonely.summary)
        try await trip.meet()
        #expect(trip.scratch.contents().contains { $0.hasSuffix(".joining") })
        let device = try await trip.founder.done("device", "add").trimmingCharacters(in: .newlines)
        try await home.done("join", device, "--as", "laptop", "--peer", trip.host.address)
        #expect(try await home.json("status")["you"].text == "Jie")
        #expect(!trip.scratch.contents().contains { $0.contains(".joining") })
    }
}
