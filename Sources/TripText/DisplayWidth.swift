import TripModel

/// How many columns of a terminal a text takes: two for East Asian wide characters and emoji, none for marks that join
/// the character before them.
///
/// Fixed tables, coarser than Unicode's: for alignment, where a wrong column does no harm.
package enum DisplayWidth {
    package static func of(_ text: some StringProtocol) -> Int {
        // Most texts are plain ASCII, and characters are dear.
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    static func of(_ character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars {
            // The emoji presentation selector, and flags, which are pairs of regional indicators.
            if scalar.value == 0xFE0F || (0x1F1E6...0x1F1FF).contains(scalar.value) { return 2 }
            width = max(width, of(scalar))
        }
        return width
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x610...0x61A, 0x64B...0x65F, 0x1AB0...0x1AFF,
            0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F:
            0
        case 0x1100...0x115F, 0x231A...0x231B, 0x23E9...0x23EC, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F7E0...0x1F7EB, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: TextClasses.isInvisible(scalar) && !TextClasses.isSpace(scalar) ? 0 : 1
        }
    }

    /// The text with spaces after it, or its beginning and an ellipsis, so that it takes exactly `width` columns.
    package static func fit(_ text: String, to width: Int) -> String {
        let own = of(text)
        if own <= width { return text + String(repeating: " ", count: width - own) }
        var kept = ""
        var used = 0
        for character in text {
            let more = of(character)
            guard used + more < width else { break }
            kept.append(character)
            used += more
        }
        return kept + "…" + String(repeating: " ", count: width - used - 1)
    }

    /// The text's lines, each broken at spaces to take at most `width` columns where its words allow it. A line that fits keeps all its
    /// spaces.
    package static func wrap(_ text: String, to width: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            guard of(line) > width else { return [String(line)] }
            var lines: [String] = []
            var current = ""
            var used = 0
            for word in line.split(separator: " ") {
                let more = of(word)
                if !current.isEmpty, used + 1 + more > width {
                    lines.append(current)
                    (current, used) = ("", 0)
                }
                if !current.isEmpty {
                    current += " "
                    used += 1
                }
                current += word
                used += more
            }
            return lines + [current]
        }
    }
}
