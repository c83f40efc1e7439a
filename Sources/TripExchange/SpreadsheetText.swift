/// A text in a table, safe for programs that calculate a text that begins with one of "=+-@": otherwise the author of an item's name
/// could run a formula where somebody opens the table (CWE-1236). An apostrophe is put before the text, and removed when it is read.
enum SpreadsheetText {
    static func write(_ text: String) -> String {
        isFormula(text) && !isNumber(text) ? "'" + text : text
    }

    static func read(_ text: String) -> String {
        text.utf8.first == apostrophe && isFormula(text) ? String(text.dropFirst()) : text
    }

    private static let apostrophe = UInt8(ascii: "'")

    /// Apostrophes before such a sign count as well, so that what is written is read as it was.
    private static func isFormula(_ text: String) -> Bool {
        text.utf8.first { $0 != apostrophe }.map { [0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0D].contains($0) } ?? false
    }

    /// Tallies and places south of the equator are what they look like.
    private static func isNumber(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2B, 0x2C, 0x2D, 0x2E].contains($0) }
    }
}
