import Foundation
import Testing

/// Homes of one trip on this machine, and its founder's node, which runs: on loopback, without multicast.
final class Gathering {
    let scratch: ScratchFolder
    let founder: Product
    private(set) var host: ListeningNode

    init(of name: String = "Jie") async throws {
        scratch = try ScratchFolder()
        founder = Product(home: scratch.path + "/founder")
        try await founder.done("new", "Lisbon in June", "--as", name)
        host = try await ListeningNode(founder)
    }

    func home(_ folder: String) -> Product { Product(home: scratch.path + "/" + folder) }

    /// The link of a new invite.
    func invite(uses: Int = 1) async throws -> String {
        try await founder.done("invite", "--uses", "\(uses)").trimmingCharacters(in: .newlines)
    }

    /// A home whose person joined by an invite, and whose node does not run.
    func joined(_ folder: String, as name: String) async throws -> Product {
        let home = home(folder)
        try await home.done("join", try await invite(), "--as", name, "--peer", host.address)
        return home
    }

    /// Runs a home's node, which dials the founder's.
    func node(of home: Product) async throws -> ListeningNode {
        try await ListeningNode(home, peer: host.address)
    }

    /// Waits until these homes, whose nodes run, and the founder's hold the same, and know it of each other.
    func settle(_ homes: Product..., at location: SourceLocation = #_sourceLocation) async throws {
        let isSettled = try await eventually {
            var counts: Set<JSONAnswer> = []
            for home in homes + [founder] {
                let status = try await home.json("status")
                guard status["everyone_has_this"] == .flag(true) else { return false }
                counts.insert(status["changes"])
            }
            return counts.count == 1
        }
        try #require(isSettled, "they do not come to the same", sourceLocation: location)
    }

    /// Ends the founder's node.
    func part() async throws { try await host.end() }

    /// Runs the founder's node again, at another port.
    func meet() async throws { host = try await ListeningNode(founder) }

    /// Removes the member with this name or beginning of an id.
    func takeOut(_ name: String) async throws { try await founder.done("members", "remove", name, "--yes") }
}

/// Somebody who is asked a question on a terminal.
struct Conversation {
    let terminal: PseudoTerminal
    let running: Product.Running

    init(_ home: Product, _ arguments: String...) throws {
        var home = home
        home.wrapper = PseudoTerminal.wrapper
        terminal = try PseudoTerminal()
        running = try home.start(arguments, output: terminal.slave, input: terminal.slave)
    }

    /// Types an answer once the question stands there, and waits for the end.
    func answer(_ text: String, at location: SourceLocation = #_sourceLocation) async throws -> Product.Outcome {
        let isAsked = try await eventually(within: 10) {
            (terminal.screen + running.errors).contains("?") || !running.process.isRunning
        }
        #expect(isAsked && running.process.isRunning, "nothing was asked: \(terminal.screen)", sourceLocation: location)
        terminal.type(text + "\n")
        return try await running.ended(within: 20)
    }
}

extension Product {
    /// The same home, where there is nobody to ask.
    var withoutTerminal: Product {
        var product = self
        product.wrapper = PseudoTerminal.none
        return product
    }
}
