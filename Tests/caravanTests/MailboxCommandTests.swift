import Foundation
import Testing

/// Mailboxes, by the command line.
struct MailboxCommandTests {
    private func trip() async throws -> (caravan: Product, home: ScratchFolder, box: ScratchFolder) {
        let home = try ScratchFolder()
        let caravan = Product(home: home.path)
        #expect(try await caravan.run("new", "Lisbon in June", "--as", "Jie").status == 0)
        return (caravan, home, try ScratchFolder())
    }

    @Test("a mailbox says when it is used, and a code under which nothing lies is questioned") func adding()
        async throws
    {
        let (caravan, home, box) = try await trip()
        defer { withExtendedLifetime(home) {} }
        let added = try await caravan.run("mailbox", "add", box.path)
        #expect(added.status == 0 && added.output.contains("Send this code"))
        #expect(added.errors == "Your node uses it while it runs: `caravan up`.\n")
        #expect(try await caravan.run("mailbox").output.contains("used while `caravan up` runs"))
        let other = try ScratchFolder()
        let code = String(repeating: "9F2C", count: 8)
        let coded = try await caravan.run("mailbox", "add", other.path, "--code", code)
        #expect(coded.status == 0 && coded.output == "Added mailbox \(other.path). It works.\n")
        #expect(
            coded.errors.hasPrefix("The mailbox has no blocks under this code yet. If others already use it, check"))
        let third = try ScratchFolder()
        let moved = try await caravan.run("mailbox", "add", third.path, "--code", code)
        #expect(moved.output == "Replaced mailbox \(other.path) by \(third.path). It works.\n", moved.summary)
        let removed = try await caravan.run("mailbox", "remove", third.path)
        #expect(removed.output.contains("add it with `--code \(code.lowercased())`."), removed.summary)
        let test = try await caravan.run("mailbox", "test", "--json")
        #expect(test.output.contains("\"open\": false") && test.output.contains("\"free_bytes\""))
    }

    @Test("an address that is typed at the question is not shown") func hidden() async throws {
        let (setting, home, box) = try await trip()
        defer { withExtendedLifetime(home) {} }
        var caravan = setting
        caravan.wrapper = PseudoTerminal.wrapper
        let terminal = try PseudoTerminal()
        let adding = try caravan.start(["mailbox", "add", "-"], input: terminal.slave)
        try #require(try await terminal.asks("Address of the mailbox: "))
        terminal.type("\(box.path)\n")
        let outcome = try await adding.ended(within: 20)
        #expect(outcome.status == 0 && outcome.output.contains("Added mailbox \(box.path)."))
        #expect(terminal.echoes && !terminal.screen.contains(box.path))
    }

    @Test("a server's password is replaced, and members are told what to type") func newPassword() async throws {
        let (home, parent) = (try ScratchFolder(), try ScratchFolder())
        let caravan = Product(home: home.path)
        let serve = ["mailbox", "serve", parent.path + "/box", "--host", "box.example.org"]
        func address(_ outcome: Product.Outcome) -> String? {
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output.split(separator: "\n").first { $0.contains("mailbox add") }.map(String.init)
        }
        let first = address(try await caravan.run(serve + ["--port", "4223"]))
        let moved = try await caravan.run(serve + ["--new-password", "--port", "5000"])
        #expect(moved.status == 64 && moved.errors.contains("leave out --port"))
        let renewed = try await caravan.run(serve + ["--new-password"])
        let second = address(renewed)
        #expect(first != second && first?.suffix(80) == second?.suffix(80))
        #expect(second?.contains("@box.example.org:4223 --code ") == true)
        #expect(renewed.output.contains("nats-server --signal reload=PID"))
    }
}
