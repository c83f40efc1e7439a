import TripModel

/// Text in a drawing: how large it is, how it is drawn, and how much of it fits.
///
/// Nothing here knows the fonts of the machine that draws, so widths are estimates, on the side of the wide ones.
struct Lettering {
    enum Anchor: String { case start, middle, end }

    /// In units of the drawing.
    var size: Int
    var colour: String
    var isBold = false
    var anchor = Anchor.start

    /// A line of text at its baseline. It is isolated from its surroundings: it runs in the direction of its own first
    /// letter, and an ellipsis stands where it ends (UAX #9).
    func line(_ text: String, x: Int, y: Int) -> HTML {
        tag(
            .text, .plain(.x, x), .plain(.y, y), .plain(.fontSize, size), .plain(.fill, colour),
            .plain(.fontWeight, isBold ? "bold" : "normal"), .plain(.textAnchor, anchor.rawValue)
        ) { Self.isolated(text) }
    }

    static func isolated(_ text: String) -> String { "\u{2068}\(text)\u{2069}" }

    /// The same, smaller by so much that a text fits on one line, down to a least size.
    func shrunk(to text: String, within width: Int, atLeast least: Int) -> Lettering {
        var letters = self
        while letters.size > least, letters.width(of: text) > width { letters.size -= 1 }
        return letters
    }

    // MARK: - Widths

    /// About how wide a text is, in units of the drawing.
    func width(of text: String) -> Int { Int(text.reduce(0.0) { $0 + width(of: $1) }) }

    private func width(of character: Character) -> Double {
        guard let first = character.unicodeScalars.first else { return 0 }
        let ems: Double =
            if character.isASCII {
                switch character {
                case "i", "j", "l", "!", "'", ",", ".", ":", ";", "|", " ", "I", "f", "t", "r", "(", ")": 0.42
                case "m", "w", "M", "W", "%", "@": 1
                case "A"..."Z": 0.74
                default: 0.65
                }
            } else if first.properties.isEmojiPresentation || character.unicodeScalars.count > 1 && first.value > 0x2000
            {
                1.35
            } else {
                // East Asian letters are square; all others are taken for wide ones.
                (0x1100...0x115F).contains(first.value) || first.value >= 0x2E80 ? 1.02 : 0.72
            }
        return ems * Double(size) * (isBold ? 1.1 : 1)
    }

    /// The text on one line, or its beginning and an ellipsis, within a width.
    func fitted(_ text: String, to width: Int) -> String {
        lines(of: text, width: width, atMost: 1).first ?? ""
    }

    /// The text in lines of a width, broken at spaces, or within a word that is wider; the last ends in an ellipsis where
    /// more does not fit.
    func lines(of text: String, width: Int, atMost count: Int) -> [String] {
        guard count > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        // No drawing shows more than this.
        var words = Self.plain(text).prefix(600).split(separator: " ")[...]
        while let word = words.first {
            let longer = line.isEmpty ? String(word) : line + " " + word
            if self.width(of: longer) <= width {
                line = longer
                words.removeFirst()
            } else if lines.count + 1 >= count {
                return lines + [beginning(of: longer, within: width) + "…"]
            } else {
                if line.isEmpty {
                    line = beginning(of: longer, within: width)
                    words[words.startIndex] = word.dropFirst(line.count)
                }
                lines.append(line)
                line = ""
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// As much of a text as a width holds, with an ellipsis behind it; a character at the least.
    private func beginning(of text: String, within width: Int) -> String {
        var kept = String(text.prefix(1))
        for character in text.dropFirst() {
            guard self.width(of: kept + String(character) + "…") <= width else { break }
            kept.append(character)
        }
        while kept.count > 1, kept.last == " " { kept.removeLast() }
        return kept
    }

    /// On one line, without what turns its direction, and without what XML may not hold (XML 1.0, section 2.2).
    static func plain(_ text: String) -> String {
        let displayed = text.displayed()
        guard displayed.unicodeScalars.contains(where: { $0.value & 0xFFFE == 0xFFFE }) else { return displayed }
        return String(String.UnicodeScalarView(displayed.unicodeScalars.filter { $0.value & 0xFFFE != 0xFFFE }))
    }
}
