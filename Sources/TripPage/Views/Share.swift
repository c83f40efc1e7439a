import TripExchange
import TripModel

extension TripPage {
    /// The list as pictures, for a chat of people who have no page, and as files for other programs.
    static func shareView(_ state: PageState) -> HTML {
        .group([
            tag(.p, .class("hint", "links")) {
                "Share as an image: "
                pictureLink("square", .sticker, state)
                pictureLink("wide", .card, state)
            },
            tag(.p, .class("hint", "links")) {
                "Download as: "
                for format in exports(state) { exportLink(format, state) }
            },
        ])
    }

    /// Those forms that would hold something.
    private static func exports(_ state: PageState) -> [ExportFormat] {
        let items = state.trip.items.count
        return ExportFormat.allCases.filter { items > $0.leftOutCount(state.trip) }
    }

    private static func exportLink(_ format: ExportFormat, _ state: PageState) -> HTML {
        let name = "trip." + format.fileExtension
        return tag(
            .a, .href(.page(PagePath(["t", state.tripID, "export", name]))), .plain(.type, format.mediaType),
            .plain(.download, name)
        ) { format.label }
    }

    private static func pictureLink(_ text: String, _ shape: SharePicture.Shape, _ state: PageState) -> HTML {
        tag(
            .a, .href(.page(PagePath(["t", state.tripID, "picture", shape.rawValue + ".png"]))),
            .plain(.type, "image/png"), .plain(.download, shape.rawValue + ".png")
        ) { text }
    }
}
