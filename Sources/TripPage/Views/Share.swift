extension TripPage {
    /// The list as pictures, for a chat of people who have no page.
    static func shareView(_ state: PageState) -> HTML {
        tag(.p, .class("hint")) {
            "Share as a picture: "
            pictureLink("sticker", .sticker, state)
            " · "
            pictureLink("wide card", .card, state)
        }
    }

    private static func pictureLink(_ text: String, _ shape: SharePicture.Shape, _ state: PageState) -> HTML {
        tag(
            .a, .href(.page(PagePath(["t", state.tripID, "picture", shape.rawValue + ".png"]))),
            .plain(.type, "image/png"), .plain(.download, shape.rawValue + ".png")
        ) { text }
    }
}
