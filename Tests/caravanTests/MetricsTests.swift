import Foundation
import Testing

/// `caravan status --metrics`.
struct MetricsTests {
    private func metrics(_ caravan: Product) async throws -> [String: Double] {
        let text = try await caravan.done("status", "--metrics")
        let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ") }
        return Dictionary(
            uniqueKeysWithValues: samples.map { (String($0[0].prefix { $0 != "{" }), Double($0[1]) ?? -1) }
                .filter { !$0.0.hasSuffix("_bucket") })
    }

    @Test("a node counts its changes, its sessions, and the bytes that crossed")
    func counts() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        try await trip.settle(noah)
        try await trip.founder.done("add", "Roof tent")
        try await trip.settle(noah)
        let (here, there) = (try await metrics(trip.founder), try await metrics(noah))
        #expect(here["caravan_sessions"] == 1 && there["caravan_sessions"] == 1)
        #expect(here["caravan_changes"] == there["caravan_changes"] && here["caravan_changes"] ?? 0 > 3)
        #expect(here["caravan_accepted_connections_total"] ?? 0 >= 1)
        #expect(there["caravan_dialled_connections_total"] ?? 0 >= 1)
        #expect(here["caravan_sent_bytes_total"] ?? 0 > 1_000 && there["caravan_received_bytes_total"] ?? 0 > 500)
        #expect(here["caravan_store_write_seconds_count"] ?? 0 >= 1)
        #expect(here["caravan_discovery_up"] == 0)
        _ = node
    }

    @Test("metrics need a node, and have one form")
    func refusals() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        let none = try await caravan.run("status", "--metrics")
        #expect(none.isRefusal(saying: "no node is running"), none.summary)
        let both = try await caravan.run("status", "--metrics", "--json")
        #expect(both.status == 64 && both.errorLines.count == 1, both.summary)
    }
}
