/// The colours of pictures, which no style sheet reaches: those of `tokens.css`, by light.
enum ShareColours {
    static let ink = "#1f2421"
    static let paper = "#faf8f4"
    static let card = "#ffffff"
    static let muted = "#5c625e"
    static let line = "#e7e2d8"
    static let accent = "#0a6b5e"
    static let tint = "#e2f1ed"
    static let good = "#17693f"
    static let bad = "#a63a22"

    /// What a person's face or an item's initial stands on, what that ends in, and what is written there.
    struct Hue: Hashable {
        let ground: String
        let far: String
        let ink: String
    }

    static let hues = [
        Hue(ground: "#f4cdc7", far: "#ebc9a8", ink: "#611f15"), Hue(ground: "#f4dcc7", far: "#ebe0a8", ink: "#613815"),
        Hue(ground: "#f2e8c9", far: "#e3eba8", ink: "#614e15"), Hue(ground: "#e8f2c9", far: "#c2eba8", ink: "#4e6115"),
        Hue(ground: "#c7f4c7", far: "#a8ebc1", ink: "#156115"), Hue(ground: "#c7f4e2", far: "#a8ebe7", ink: "#156141"),
        Hue(ground: "#c7f4f3", far: "#a8d5eb", ink: "#15615e"), Hue(ground: "#c7e5f4", far: "#a8bceb", ink: "#154761"),
        Hue(ground: "#c7d5f4", far: "#ada8eb", ink: "#152b61"), Hue(ground: "#d3c7f4", far: "#d1a8eb", ink: "#281561"),
        Hue(ground: "#edc7f4", far: "#eba8dd", ink: "#541561"), Hue(ground: "#f4c7da", far: "#eba8ac", ink: "#611534"),
    ]
}
