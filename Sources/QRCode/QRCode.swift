import CQREncode

/// A QR code (ISO/IEC 18004) of a text: a square of dark and light modules.
package struct QRCode: Hashable, Sendable {
    /// Modules a side.
    package let width: Int
    private let isDark: [Bool]

    /// In bytes of UTF-8.
    package static let lengthMax = 1_000
    /// The light margin that readers need, in modules (section 5.3.8).
    package static let quietZone = 4

    /// Makes the smallest code of a text, with the least redundancy: a screen has no dirt on it. Nil for a text that is
    /// empty or longer than `lengthMax`.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.lengthMax, !text.utf8.contains(0),
            let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1)
        else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        self.width = width
        // The lowest bit of each byte is the module; the others say what it is for.
        isDark = (0..<width * width).map { code.pointee.data[$0] & 1 == 1 }
    }

    /// Whether a module is dark. All beyond the code are light.
    package func isDark(row: Int, column: Int) -> Bool {
        (0..<width).contains(row) && (0..<width).contains(column) && isDark[row * width + column]
    }
}

// MARK: - In letters

extension QRCode {
    /// How many letters a line of `lines` has.
    package var lineLength: Int { width + 2 * Self.quietZone }

    /// The code with its quiet zone, two rows of modules in a line of half blocks.
    ///
    /// - Parameter isColoured: whether each line is dark on light by itself, whatever the terminal's own colours are.
    ///   Otherwise the light modules are drawn, for light letters on a dark ground.
    package func lines(isColoured: Bool) -> [String] {
        let first = -Self.quietZone
        let end = width + Self.quietZone
        return stride(from: first, to: end, by: 2).map { row in
            let letters = (first..<end).map { column in
                let upper = isDark(row: row, column: column) == isColoured
                // Below the last row nothing is drawn, but in colour the ground is light there too.
                let lower = row + 1 < end ? isDark(row: row + 1, column: column) == isColoured : false
                return Self.halfBlock(upper: upper, lower: lower)
            }
            // Black on white of the palette that no theme changes, and back.
            return isColoured ? "\u{1B}[38;5;16;48;5;231m\(String(letters))\u{1B}[0m" : String(letters)
        }
    }

    private static func halfBlock(upper: Bool, lower: Bool) -> Character {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
