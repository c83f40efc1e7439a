import ArgumentParser
import Console
import Desktop
import Glibc
import TripModel
import TripPage
import TripService

struct Share: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Make a picture of the list, or of one item, for a chat.",
        discussion: """
            A sticker, or with --wide a card as chats show it beside a link.
            Examples: caravan share, caravan share 2 --wide -o casa.png
            """)

    @Argument(
        help: ArgumentHelp("An item, named as in other commands; the list where none is named.", valueName: "item"))
    var item: String?

    @Flag(help: "A card of 1200 × 630, and no sticker of 300 × 300.")
    var wide = false

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The file to write, or - for standard output; by default named by what it shows.", valueName: "file"))
    var output: String?

    @OptionGroup var trip: TripOptions

    func run() async throws {
        let (view, item) = try await shown()
        let svg = SharePicture.svg(view, shape: wide ? .card : .sticker, item: item?.id)
        let name = Self.fileName(of: item?.title ?? view.title?.value ?? "trip")
        let picture: [UInt8]
        let isDrawn: Bool
        do {
            picture = try await Desktop.png(ofSVG: svg)
            isDrawn = true
        } catch {
            // A drawing can be opened and sent too.
            Output.note("No PNG could be made, so this is the drawing itself, in SVG: \(error.message)")
            picture = Array(svg.utf8)
            isDrawn = false
        }
        if output == "-" {
            if let failure = Output.write(picture, to: 1), failure != EPIPE {
                throw ServiceError("the picture could not be printed: \(Output.reason(failure))")
            }
            return
        }
        let path = Self.path(output ?? "\(name).png", isDrawn: isDrawn)
        try NewFile.write(picture, to: path)
        Output.line(path)
    }

    private func shown() async throws -> (TripView, ItemView?) {
        var item: ItemView?
        if let reference = self.item {
            guard case .item(let found, _) = try await trip.answer(.show(item: reference)) else {
                throw TripOptions.otherAnswer
            }
            item = found
        }
        guard case .trip(let view) = try await trip.answer(.list) else { throw TripOptions.otherAnswer }
        return (view, item)
    }

    /// A drawing is not called a PNG.
    private static func path(_ path: String, isDrawn: Bool) -> String {
        guard !isDrawn else { return path }
        return (path.lowercased().hasSuffix(".png") ? String(path.dropLast(4)) : path) + ".svg"
    }

    /// "lisbon-in-june" of "Lisbon in June!".
    static func fileName(of title: String) -> String {
        let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
        var name = ""
        for word in words {
            let longer = name.isEmpty ? String(word) : "\(name)-\(word)"
            guard longer.utf8.count <= 60 else { break }
            name = longer
        }
        return name.isEmpty ? "trip" : name
    }
}
