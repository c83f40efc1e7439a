import CaravanNode
import Foundation
import PageServer
import Testing
import TripModel
import TripService

/// A home with one trip whose node runs, and its page.
final class PageHouse: Sendable {
    /// Where it lies: what stays when nothing runs.
    let place: Place
    let node: HomeNode
    let server: PageServer
    let port: UInt16

    var trip: String { place.trip }

    /// A folder that goes when the last one who needs it has.
    final class Place: Sendable {
        private let path: String
        let home: Home
        let trip: String

        init() async throws {
            path = NSTemporaryDirectory() + "caravan-page-" + UUID().uuidString
            home = Home(folder: path + "/jie")
            trip = try await TripNode.create(title: "Lisbon in June", name: "Jie", in: home)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Runs a home: a new one, or one that ran before.
    init(_ place: Place? = nil, options change: (inout PageOptions) -> Void = { _ in }) async throws {
        let place = if let place { place } else { try await Place() }
        self.place = place
        // What ran before lets go of the home a moment later.
        var node: HomeNode?
        _ = try await eventually {
            node = try? HomeNode(home: place.home, network: nil)
            return node != nil
        }
        self.node = try #require(node)
        try await self.node.open([place.trip])
        var options = PageOptions(folder: place.home.folder, addresses: { ["127.0.0.1"] })
        change(&options)
        server = PageServer(home: self.node, options: options)
        try await server.start()
        port = try #require(await UInt16(server.address.split(separator: ":").last ?? ""))
    }

    func close() async {
        await server.stop()
        await node.close()
    }

    /// A browser that entered by a link.
    func browser() async throws -> Browser {
        var browser = Browser(port: port)
        let answer = try await browser.enter(await server.link())
        try #require(answer.status == 303 && browser.cookie != nil)
        return browser
    }

    var service: any TripService {
        get async throws { try #require(await node.trip(trip)) }
    }

    /// - Returns: the short ids.
    @discardableResult
    func add(_ items: [NewItem]) async throws -> [String] {
        guard case .done(let receipt) = try await service.answer(.add(items)) else { return [] }
        return receipt.items.map(\.shortID)
    }

    func view() async throws -> TripView {
        guard case .trip(let view) = try await service.answer(.view) else {
            throw RawConnection.Timeout(text: "no view")
        }
        return view
    }

    /// A stream of the page, and what comes on it.
    func stream(
        _ browser: Browser, query: String = "", reads: Bool = true, keptMax: Int = .max
    ) async throws -> RawConnection {
        let connection = try await RawConnection(port: port, reads: reads, keptMax: keptMax)
        try await connection.send(browser.head("GET", "/t/\(trip)/stream" + (query.isEmpty ? "" : "?" + query)))
        return connection
    }
}
