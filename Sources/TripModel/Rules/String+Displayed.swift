// Texts that somebody else wrote or typed, made safe to show.
extension String {
    /// The text on one line and in its own direction: white space that ends or jumps lines and other control characters
    /// become spaces, and what turns the writing direction is left out.
    ///
    /// - Parameters:
    ///   - limit: the most characters of Unicode that are shown; what is longer ends in "…".
    ///   - keepsLines: whether line feeds stay, for prose.
    ///   - marksIdle: whether `idleMark` is shown in place of each character that shows nothing and alters nothing, so that two texts
    ///     that look the same are the same.
    package func displayed(limit: Int? = nil, keepsLines: Bool = false, marksIdle: Bool = false) -> String {
        if utf8.count <= limit ?? .max, utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
        var shown = UnicodeScalarView()
        var count = 0
        var base: Unicode.Scalar?
        for character in self {
            let scalars = character.unicodeScalars
            // Whole characters, so that no accent and no half of a flag is left alone; one may have any number of scalars.
            count += scalars.count
            if let limit, count > limit {
                shown.append("…")
                break
            }
            for scalar in scalars where !TextClasses.isDirectionOverride(scalar) {
                if marksIdle, TextClasses.isIdle(scalar, after: base) {
                    shown.append(Self.idleMark)
                } else if scalar == "\n", keepsLines {
                    shown.append(scalar)
                } else if scalar != "\r" || scalars.count == 1 {
                    shown.append(TextClasses.isControl(scalar) ? " " : scalar)
                }
                if !TextClasses.isInvisible(scalar) { base = scalar }
            }
        }
        return String(shown)
    }

    /// Stands where a character shows nothing.
    static let idleMark: Unicode.Scalar = "·"

    /// The beginning of the text in quotation marks, on one line: for messages.
    package var quoted: String { "“\(displayed(limit: 40))”" }

    /// Whether nothing of the text can be seen.
    package var isBlank: Bool { unicodeScalars.allSatisfy(TextClasses.isInvisible) }
}
