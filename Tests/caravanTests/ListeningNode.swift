import Foundation
import Testing

/// A node of a home, that listens.
struct ListeningNode {
    let running: Product.Running
    let address: String

    init(_ product: Product, peer: String = "127.0.0.1:1") async throws {
        let running = try product.start(["up", "--peer", peer])
        self.running = running
        try #require(try await eventually { running.output.hasPrefix("ready\n") })
        let status = try await product.run("status", "--json").output
        let port = status.split(separator: "\n").first { $0.contains("\"port\"") }?.filter(\.isNumber)
        address = "127.0.0.1:\(try #require(port))"
    }

    /// Ends it as people do.
    func end() async throws {
        kill(running.process.processIdentifier, SIGTERM)
        try #require(try await running.ended(within: 10).status == 0)
    }
}
