extension TripPage {
    /// A QR code, dark on white in either colour scheme: many cameras read no light one on dark.
    ///
    /// - Parameter label: what it holds, for screen readers.
    static func qrPicture(_ code: CodePicture, label: String) -> HTML {
        let size = (code.rows.map(\.count).max() ?? 0) + 2 * quietZone
        return tag(
            .svg, .class("qr"), .plain(.viewBox, "0 0 \(size) \(size)"), .plain(.role, "img"), .aria(.label, label)
        ) {
            tag(.rect, .plain(.width, size), .plain(.height, size), .plain(.fill, "#fff"))
            tag(.path, .plain(.d, darkRuns(code)), .plain(.fill, "#000"))
        }
    }

    /// The light edge that ISO/IEC 18004 asks for, in modules.
    private static let quietZone = 4

    /// A rectangle for each run of dark modules: a third of what one for each module takes.
    private static func darkRuns(_ code: CodePicture) -> String {
        var path = ""
        for (y, row) in code.rows.enumerated() {
            var x = 0
            while x < row.count {
                let start = x
                while x < row.count, row[x] { x += 1 }
                if x > start { path += "M\(start + quietZone) \(y + quietZone)h\(x - start)v1h-\(x - start)z" }
                x += 1
            }
        }
        return path
    }
}
