import Testing

@testable import Desktop

/// Drawings become pictures, by the real program.
struct PictureTests {
    private func svg(_ content: String, size: Int = 300) -> String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(size)\" height=\"\(size)\">\(content)</svg>"
    }

    /// The width and height that a PNG's header says (PNG, section 11.2.2).
    private func dimensions(_ png: [UInt8]) -> [Int] {
        [16, 20].map { start in png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    }

    @Test("a drawing becomes a PNG of its size", .enabled(if: Program("rsvg-convert") != nil))
    func drawing() async throws {
        let png = try await Desktop.png(ofSVG: svg("<rect width=\"9\" height=\"9\"/>"))
        #expect(dimensions(png) == [300, 300])
    }

    @Test("a text that is no drawing is refused in a line", .enabled(if: Program("rsvg-convert") != nil))
    func noDrawing() async throws {
        for text in ["", "hello", "<svg", "<html></html>"] {
            let error = await #expect(throws: DesktopError.self) { try await Desktop.png(ofSVG: text) }
            #expect(
                error?.message.hasPrefix("rsvg-convert cannot convert the drawing") == true,
                "\(text): \(error?.message ?? "")"
            )
            #expect(error?.message.contains("\n") == false)
        }
    }

    @Test(
        "many pictures at once are drawn a few at a time, and more are refused",
        .enabled(if: Program("rsvg-convert") != nil))
    func manyPictures() async throws {
        let drawing = svg("<circle r=\"100\"/>")
        let drawn = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<40 { group.addTask { (try? await Desktop.png(ofSVG: drawing)) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect((2...18).contains(drawn), "\(drawn)")
        #expect(try await Desktop.png(ofSVG: drawing).isEmpty == false, "a turn is given back")
    }

    @Test("a drawing reads no file of this machine", .enabled(if: Program("rsvg-convert") != nil))
    func noFiles() async throws {
        let blank = try await Desktop.png(ofSVG: svg(""))
        let link = "<image width=\"300\" height=\"300\" href=\"file:///usr/share/pixmaps/debian-logo.png\"/>"
        #expect(try await Desktop.png(ofSVG: svg(link)) == blank)
    }
}
