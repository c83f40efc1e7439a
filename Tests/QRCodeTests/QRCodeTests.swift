import Foundation
import QRCode
import Testing

/// What a terminal shows, as a reader of another make sees it: ZBar, by its program `zbarimg`.
private enum Reader {
    static let path = "/usr/bin/zbarimg"

    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// The text of the one code in a picture of rows of light (255) and dark (0) points; nil where it sees none.
    static func read(_ rows: [[UInt8]], scale: Int = 4) throws -> String? {
        let wide = rows.flatMap { row in
            Array(repeating: row.flatMap { Array(repeating: $0, count: scale) }, count: scale)
        }
        let file = NSTemporaryDirectory() + "caravan-qr-\(UUID().uuidString).pgm"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try (Data("P5 \(wide[0].count) \(wide.count) 255\n".utf8) + wide.flatMap { $0 })
            .write(to: URL(fileURLWithPath: file))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["--quiet", "--raw", "--nodbus", file]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"]
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: text, as: UTF8.self) : nil
    }

    private static let blackOnWhite = "\u{1B}[38;5;16;48;5;231m"
    private static let asBefore = "\u{1B}[0m"

    /// The points that a terminal draws for lines of half blocks, in letters and on a ground of these shades.
    static func points(_ lines: [String], letters: UInt8, ground: UInt8) -> [[UInt8]] {
        lines.flatMap { line -> [[UInt8]] in
            var (ink, paper) = (letters, ground)
            var rest = Substring(line)
            if rest.hasPrefix(blackOnWhite), rest.hasSuffix(asBefore) {
                (ink, paper) = (0, 255)
                rest = rest.dropFirst(blackOnWhite.count).dropLast(asBefore.count)
            }
            return [
                rest.map { $0 == "█" || $0 == "▀" ? ink : paper }, rest.map { $0 == "█" || $0 == "▄" ? ink : paper },
            ]
        }
    }
}

@Suite(.enabled(if: Reader.isThere, "no zbarimg here: Scripts/setup installs zbar-tools"))
struct QRCodeTests {
    private static let texts = [
        "CARAVAN:" + String(repeating: "AEBAGBAFAYDQQCIK", count: 7), "CARAVAN:" + String(repeating: "Z7", count: 190),
        "caravan:aebagbafaydqqcik", "a", "https://example.org/?q=1&r=2",
    ]

    @Test func anotherReaderReadsWhatATerminalShows() throws {
        for text in Self.texts {
            let code = try #require(QRCode(text))
            // Whatever the terminal's colours are, where the code brings its own.
            for (letters, ground) in [(255, 0), (0, 255), (200, 60)] as [(UInt8, UInt8)] {
                let lines = code.lines(isColoured: true)
                #expect(try Reader.read(Reader.points(lines, letters: letters, ground: ground)) == text + "\n")
            }
            let plain = code.lines(isColoured: false)
            #expect(plain.allSatisfy { $0.count == code.lineLength } && plain.count == (code.lineLength + 1) / 2)
            #expect(try Reader.read(Reader.points(plain, letters: 255, ground: 0)) == text + "\n")
        }
        #expect(try Reader.read([[UInt8]](repeating: [UInt8](repeating: 255, count: 99), count: 99)) == nil)
    }

    @Test func aLinkInCapitalsTakesLessRoom() throws {
        let capitals = try #require(QRCode(Self.texts[0]))
        let small = try #require(QRCode(Self.texts[0].lowercased()))
        #expect(capitals.width < small.width && capitals.width <= 41)
    }

    @Test func theMarginIsLight() throws {
        let code = try #require(QRCode("caravan"))
        let points = Reader.points(code.lines(isColoured: true), letters: 9, ground: 9)
        #expect(points.prefix(4).allSatisfy { $0.allSatisfy { $0 == 255 } })
        #expect(points.suffix(4).allSatisfy { $0.allSatisfy { $0 == 255 } })
        #expect(points.allSatisfy { $0.prefix(4).allSatisfy { $0 == 255 } && $0.suffix(4).allSatisfy { $0 == 255 } })
        #expect(points[4][4] == 0)
    }

    @Test func whatIsNoTextMakesNoCode() {
        #expect(QRCode("") == nil)
        #expect(QRCode("a\0b") == nil)
        #expect(QRCode(String(repeating: "x", count: 1_001)) == nil)
        #expect(QRCode(String(repeating: "x", count: 1_000)) != nil)
    }
}
