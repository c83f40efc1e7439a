import Foundation
import Testing

/// People come in, bring devices, are taken out and leave: real nodes on loopback, without multicast.
struct MemberCommandTests {
    private struct Party {
        let scratch: ScratchFolder
        let jie: Product
        let node: Product.Running
        let address: String

        /// Jie's trip, whose node runs.
        init() async throws {
            scratch = try ScratchFolder()
            jie = Product(home: scratch.path + "/jie")
            #expect(try await jie.run("new", "Lisbon in June", "--as", "Jie").status == 0)
            node = try jie.start(["up", "--peer", "127.0.0.1:1"])
            let node = node
            #expect(try await eventually { node.output.hasPrefix("ready\n") })
            let status = try await jie.run("status", "--json").output
            let port = try #require(status.split(separator: "\"port\": ").last?.prefix { $0.isNumber })
            address = "127.0.0.1:\(port)"
        }

        func link(_ arguments: String...) async throws -> String {
            try await jie.run(arguments).output.trimmingCharacters(in: .newlines)
        }

        func product(_ name: String) -> Product { Product(home: scratch.path + "/" + name) }
    }

    @Test func aDeviceActsForItsPersonAndWhoIsTakenOutIsOut() async throws {
        let party = try await Party()
        let noah = party.product("noah")
        let laptop = party.product("laptop")
        let link = try await party.link("invite", "--uses", "2")
        let nameless = try await noah.run("join", link, "--peer", party.address)
        #expect(nameless.status == 64 && nameless.errors.contains("--as"))
        #expect(try await noah.run("join", link, "--as", "Noah", "--peer", party.address).status == 0)
        let device = try await party.link("device", "add")
        #expect(try await laptop.run("join", device, "--peer", party.address).status == 0)

        let noahNode = try noah.start(["up", "--peer", party.address])
        let laptopNode = try laptop.start(["up", "--peer", party.address])
        #expect(try await eventually { noahNode.output.contains("is here") && laptopNode.output.contains("is here") })
        #expect(try await laptop.run("add", "Roof tent").status == 0)
        #expect(try await eventually { try await noah.run("list").output.contains("Roof tent") })
        // Two devices, one vote.
        #expect(try await party.jie.run("vote", "1").status == 0)
        _ = try await eventually { try await laptop.run("list", "--json").output.contains("\"tally\": 1") }
        let again = try await laptop.run("vote", "1")
        #expect(again.status == 1 || again.status == 0)
        #expect(try await party.jie.run("list", "--json").output.contains("\"tally\": 1"))

        let members = try await party.jie.run("members").output
        #expect(members.contains("Jie") && members.contains("2 devices") && members.contains("  Noah  let in by Jie"))

        let refused = try await noah.run("members", "remove", "Jie")
        #expect(refused.status == 1 && refused.errorLines.count == 1)
        let removal = try await party.jie.run("members", "remove", "noah")
        #expect(removal.status == 0 && removal.output.contains("what their devices have stays with them"))
        #expect(removal.output.contains("open invites are closed"))
        #expect(try await eventually { noahNode.output.contains("Jie is gone") })
        #expect(try await party.jie.run("add", "A secret stay").status == 0)
        #expect(try await eventually { try await laptop.run("list").output.contains("A secret stay") })
        #expect(try await !noah.run("list").output.contains("A secret stay"))
        #expect(try await party.jie.run("members").output.contains("taken out by Jie"))
        #expect(try await party.jie.run("members", "remove", "Noah").status == 1)
        let late = party.product("late")
        #expect(
            try await late.run("join", link, "--as", "Noah", "--peer", party.address, "--patience", "3").status == 1)
    }

    @Test func oneLeavesAndKeepsWhatOneHas() async throws {
        let party = try await Party()
        let noah = party.product("noah")
        let link = try await party.link("invite")
        #expect(try await noah.run("join", link, "--as", "Noah", "--peer", party.address).status == 0)
        let node = try noah.start(["up", "--peer", party.address])
        #expect(try await eventually { node.output.contains("is here") })
        #expect(try await noah.run("add", "Roof tent").status == 0)
        #expect(try await noah.run("leave").status == 0)
        #expect(
            try await eventually { try await party.jie.run("members").output.contains("Noah  let in by Jie, left") })
        #expect(try await party.jie.run("list").output.contains("Roof tent"))
        let add = try await noah.run("add", "Casa do Rio")
        #expect(add.status == 1 && add.errorLines.count == 1)
        #expect(try await noah.run("list").output.contains("Roof tent"))
    }

    @Test func aClosedInviteLetsNobodyIn() async throws {
        let party = try await Party()
        let link = try await party.link("invite", "--uses", "3")
        let list = try await party.jie.run("invite", "list").output
        #expect(list.contains("by Jie, 3 of 3 left"))
        #expect(try await party.jie.run("invite", "close", "7").status == 1)
        #expect(try await party.jie.run("invite", "close", "1").status == 0)
        #expect(try await party.jie.run("invite", "list").output.contains("no invite is open"))
        let noah = party.product("noah")
        let join = try await noah.run("join", link, "--as", "Noah", "--peer", party.address)
        #expect(join.status == 1 && join.errors.contains("ask for a new one"))
    }
}
