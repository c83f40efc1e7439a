import Testing
import TripService

@testable import CaravanNode

/// Trips that come to a home while its node runs.
struct StartingTests {
    private let nodes = TripNodeTests()
    private let scratch = TripNodeTests.Scratch()

    @Test("a node with no trip starts one and joins another, and runs both")
    func startsAndJoins() async throws {
        let (jie, link, address) = try await nodes.founder(scratch)
        let home = scratch.home("noah")
        let node = try HomeNode(home: home, network: NetworkOptions(peers: [address], discovers: false))
        try await node.open([])
        let own = try await node.create(title: "Porto", name: "Noah")
        let joined = try await node.join(link: link, name: "Noah")
        #expect(await node.trips().map(\.id).sorted() == [own, joined].sorted())
        #expect(try await nodes.eventually { try await jie.members().people.map(\.name).contains("Noah") })
        let error = await #expect(throws: ServiceError.self) { try await node.join(link: "caravan:x", name: "Noah") }
        #expect(error?.message.isEmpty == false)
        await node.close()
        await jie.close()
    }
}
