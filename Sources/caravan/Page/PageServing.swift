import ArgumentParser
import CaravanNode
import Desktop
import Foundation
import Geography
import PageServer
import QRCode
import TripExchange
import TripPage
import TripService

/// Whether and where a node serves its page.
struct PageServing: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Serve the page to this machine's browsers (`caravan open`).")
    var page = true

    @Option(help: "The page's port; by default the one it had last time.")
    var pagePort: UInt16?

    @Flag(help: "Let phones join as guests for 30 minutes, with just a browser.")
    var guests = false

    func validate() throws {
        guard page || !guests else { throw ValidationError("--guests and --no-page cannot be combined") }
    }

    /// The page of a node's trips; nil where none is wanted.
    func server(of node: HomeNode) -> PageServer? {
        guard page else { return nil }
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let installed = program.deletingLastPathComponent().appending(path: "../share/caravan/coast").path
        let geography = Geography(coastFiles: [installed, Geography.ownCoastFile])
        return PageServer(
            home: node,
            options: PageOptions(
                folder: node.home.folder, port: pagePort, addresses: { node.networkAddresses },
                network: { Router.mark },
                qrCode: { CodePicture(qrCodeOf: $0) },
                land: { await geography.land(around: $0) },
                photo: { file, sender throws(ServiceError) in
                    try await NewPhoto(decoding: file, of: sender == .guest ? .guest : .own)
                },
                feed: { origin throws(ServiceError) in try await FeedSource.readAside(origin) },
                details: { link throws(ServiceError) in try await LinkDetails(fetching: link) },
                picture: { trip, name in await Self.picture(name, of: trip, in: node) },
                clock: ClockRules.zone))
    }

    /// The trip as a picture; nil for a name that none has, and where nothing here can draw one.
    private static func picture(_ name: String, of trip: String, in node: HomeNode) async -> [UInt8]? {
        guard let shape = SharePicture.Shape(rawValue: name), let trip = await node.trip(trip),
            case .trip(let view)? = try? await trip.answer(.view)
        else { return nil }
        return try? await Desktop.png(ofSVG: SharePicture.svg(view, shape: shape))
    }
}

extension CodePicture {
    /// Nil for a text that no code holds.
    fileprivate init?(qrCodeOf text: String) {
        guard let code = QRCode(text) else { return nil }
        self.init(
            rows: (0..<code.width).map { row in (0..<code.width).map { code.isDark(row: row, column: $0) } })
    }
}
