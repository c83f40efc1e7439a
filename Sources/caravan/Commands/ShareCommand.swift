import ArgumentParser
import Console
import Desktop
import LibC
import TripModel
import TripPage
import TripService

struct ShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Make a picture of the list, or of one item, to send in a chat.",
        discussion: """
            Examples:
              caravan share
              caravan share 2 --wide -o casa.png
            """)

    @Argument(
        help: ArgumentHelp(
            "An item, by its number, the start of its id, or its title; by default the whole list.", valueName: "item"),
        completion: .items)
    var item: String?

    @Flag(help: "Make a 1200×630 card instead of a 300×300 sticker.")
    var wide = false

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The file to create, or - for standard output; by default named after the title.", valueName: "file"),
        completion: .file(extensions: ["png", "svg"]))
    var output: String?

    @OptionGroup var trip: TripOptions

    func run() async throws {
        let isDrawing = try isDrawing
        let (view, item) = try await shown()
        let svg = SharePicture.svg(view, shape: wide ? .card : .sticker, item: item?.id)
        let name = Self.fileName(of: item?.title ?? view.title?.value ?? "trip")
        let picture: [UInt8]
        let isDrawn: Bool
        do {
            picture = isDrawing ? Array(svg.utf8) : try await Desktop.png(ofSVG: svg)
            isDrawn = true
        } catch {
            // A drawing can be opened and sent too.
            Output.note("Cannot make a PNG, so this is an SVG: \(error.message)")
            picture = Array(svg.utf8)
            isDrawn = false
        }
        if output == "-" {
            if let failure = Output.write(picture, to: 1), failure != EPIPE {
                throw ServiceError("cannot write the picture: \(Output.reason(failure))")
            }
            return
        }
        let path = Self.path(output ?? "\(name).png", isDrawn: isDrawn)
        try OutputFile.write(picture, to: path)
        Output.text(Reader.path(path) + "\n")
    }

    /// Whether the drawing itself was asked for.
    private var isDrawing: Bool {
        get throws(ServiceError) {
            guard let output, output != "-" else { return false }
            let name = output.lowercased()
            guard name.hasSuffix(".png") || name.hasSuffix(".svg") else {
                throw ServiceError("\(output.displayed()) does not end in .png or .svg; choose another name")
            }
            return name.hasSuffix(".svg")
        }
    }

    private func shown() async throws -> (TripView, ItemView?) {
        var item: ItemView?
        if let reference = self.item {
            item = try await trip.item(reference)
            if let item, item.question != nil {
                throw ServiceError("\(item.title.quoted) is a question, which has no picture; choose another item")
            }
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
