import LibC

/// A form with files, as browsers send it (`multipart/form-data`, RFC 7578): its parts in their order.
struct MultipartForm: Sendable {
    struct Part: Sendable {
        let name: String
        /// Whether it is a file: what browsers call it is nobody's business.
        let isFile: Bool
        /// Of the body.
        let bytes: ArraySlice<UInt8>

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    let parts: [Part]

    static let partsMax = 64
    private static let headBytesMax = 4 << 10
    private static let boundaryBytesMax = 70

    /// Nil for what is no such form, or has more than `partsMax` parts. Linear in the body.
    init?(_ request: HTTPRequest) {
        guard let type = request.header("content-type"), let boundary = Self.boundary(in: type) else { return nil }
        self.init(request.body, boundary: boundary)
    }

    /// - Parameter boundary: what stands between its parts.
    init?(_ body: [UInt8], boundary: String) {
        let delimiter = Array("--\(boundary)".utf8)
        guard body.starts(with: delimiter) else { return nil }
        var parts: [Part] = []
        var rest = body[delimiter.count...]
        while !rest.starts(with: Array("--".utf8)) {
            guard parts.count < Self.partsMax, rest.starts(with: Self.lineBreak) else { return nil }
            rest = rest.dropFirst(2)
            guard let end = Self.find(Self.lineBreak + delimiter, in: rest), let part = Part(rest[..<end]) else {
                return nil
            }
            parts.append(part)
            rest = rest[(end + 2 + delimiter.count)...]
        }
        self.parts = parts
    }

    /// The first field of a name, which is no file.
    subscript(name: String) -> String? { parts.first { $0.name == name && !$0.isFile }?.text }

    /// The files of a name, those that are empty left out: a form with no file chosen has one.
    func files(_ name: String) -> [[UInt8]] {
        parts.filter { $0.name == name && $0.isFile && !$0.bytes.isEmpty }.map { Array($0.bytes) }
    }

    fileprivate static let lineBreak = Array("\r\n".utf8)

    private static func boundary(in type: String) -> String? {
        let parts = type.split(separator: ";")
        guard parts.first?.lowercased() == "multipart/form-data" else { return nil }
        for part in parts.dropFirst() {
            let part = part.drop { $0 == " " }
            guard part.lowercased().hasPrefix("boundary=") else { continue }
            let value = part.dropFirst("boundary=".count).filter { $0 != "\"" }
            return (1...boundaryBytesMax).contains(value.utf8.count) ? value : nil
        }
        return nil
    }

    /// The place of the first occurrence.
    fileprivate static func find(_ wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.withUnsafeBytes { all in
            guard let start = all.baseAddress else { return nil }
            var place = 0
            // From one first byte to the next.
            while place + wanted.count <= all.count,
                let found = memchr(start + place, Int32(wanted[0]), all.count - wanted.count + 1 - place)
            {
                place = UnsafeRawPointer(found) - start
                if memcmp(found, wanted, wanted.count) == 0 { return bytes.startIndex + place }
                place += 1
            }
            return nil
        }
    }
}

extension MultipartForm.Part {
    /// Reads a part: its head, an empty line, its bytes. Nil where it does not say its name.
    fileprivate init?(_ part: ArraySlice<UInt8>) {
        let blank = MultipartForm.lineBreak + MultipartForm.lineBreak
        guard let end = MultipartForm.find(blank, in: part), end - part.startIndex <= MultipartForm.headBytesMax else {
            return nil
        }
        let head = String(decoding: part[..<end], as: UTF8.self)
        for line in head.split(separator: "\r\n") {
            guard line.lowercased().hasPrefix("content-disposition:") else { continue }
            guard let name = Self.parameter("name", of: line) else { return nil }
            self.name = name
            isFile = Self.parameter("filename", of: line) != nil
            bytes = part[(end + blank.count)...]
            return
        }
        return nil
    }

    /// The value of `name="value"`, in which browsers write `%22` for a quotation mark (WHATWG HTML, "Multipart form
    /// data").
    private static func parameter(_ name: String, of line: Substring) -> String? {
        for part in line.split(separator: ";").dropFirst() {
            let part = part.drop { $0 == " " }
            guard part.hasPrefix("\(name)=\"") else { continue }
            return String(part.dropFirst(name.count + 2).prefix { $0 != "\"" })
        }
        return nil
    }
}
