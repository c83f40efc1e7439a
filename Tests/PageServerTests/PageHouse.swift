import CaravanNode
import Foundation
import PageServer
import Testing
import TripModel
import TripService

/// A home with one trip whose node runs, and its page.
final class PageHouse: Sendable {
    private let scratch: Scratch
    let home: Home
    let node: HomeNode
    let trip: String
    let server: PageServer
    let port: UInt16

    static func open(
        options change: (inout PageOptions) -> Void = { _ in }
    ) async throws -> PageHouse {
        let scratch = Scratch()
        let home = Home(folder: scratch.path + "/jie")
        let id = try await TripNode.create(title: "Lisbon in June", name: "Jie", in: home)
        return try await PageHouse(scratch, home, trip: id, change)
    }

    /// The same home, run again.
    func again() async throws -> PageHouse {
        await close()
        return try await PageHouse(scratch, home, trip: trip) { _ in }
    }

    private init(
        _ scratch: Scratch, _ home: Home, trip: String, _ change: (inout PageOptions) -> Void
    ) async throws {
        self.scratch = scratch
        self.home = home
        self.trip = trip
        node = try HomeNode(home: home, network: nil)
        try await node.open([trip])
        var options = PageOptions(folder: home.folder, addresses: { ["127.0.0.1"] })
        change(&options)
        server = PageServer(home: node, options: options)
        try await server.start()
        port = try #require(await UInt16(server.address.split(separator: ":").last ?? ""))
    }

    func close() async {
        await server.stop()
        await node.close()
    }

    /// A folder that goes when the last one who needs it has.
    private final class Scratch: Sendable {
        let path = NSTemporaryDirectory() + "caravan-page-" + UUID().uuidString
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// A browser that came in by a link.
    func browser() async throws -> Browser {
        var browser = Browser(port: port)
        let answer = try await browser.enter(await server.link())
        try #require(answer.status == 303 && browser.cookie != nil)
        return browser
    }

    var door: any TripService {
        get async throws { try #require(await node.trip(trip)) }
    }

    /// - Returns: the short ids.
    @discardableResult
    func add(_ items: [NewItem]) async throws -> [String] {
        guard case .done(let receipt) = try await door.answer(.add(items)) else { return [] }
        return receipt.items.map(\.shortID)
    }

    func view() async throws -> TripView {
        guard case .trip(let view) = try await door.answer(.view) else { throw RawConnection.Timeout(text: "no view") }
        return view
    }

    /// A stream of the page, and what comes on it.
    func stream(_ browser: Browser, query: String = "", reads: Bool = true) async throws -> RawConnection {
        let connection = try await RawConnection(port: port, reads: reads)
        try await connection.send(browser.head("GET", "/t/\(trip)/stream" + (query.isEmpty ? "" : "?" + query)))
        return connection
    }
}
