/// What a file says of the picture in it, read from its bytes alone, whatever it is called: nothing is decoded.
struct PictureHeader: Hashable, Sendable {
    enum Format: String, Hashable, Sendable {
        case jpeg, png, gif, webp
        /// HEIC and AVIF.
        case heif
    }

    let format: Format
    /// In pixels, as it lies in the file.
    let width: Int
    let height: Int
    /// Bytes beside the picture that grow when they are read, for they are compressed: texts and color profiles of PNG files.
    /// The other formats keep theirs as they are.
    let compressedMetadataBytes: Int

    /// Nil for what is no picture of a format that is known, or does not say how great it is.
    init?(_ file: [UInt8]) {
        let reader = ByteReader(file)
        let found: (Format, (Int, Int)?)
        if reader.has([0xFF, 0xD8, 0xFF], at: 0) {
            found = (.jpeg, Self.jpegSize(reader))
        } else if reader.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0), reader.has("IHDR", at: 12) {
            found = (.png, reader.big(4, at: 16).flatMap { width in reader.big(4, at: 20).map { (width, $0) } })
        } else if reader.has("GIF87a", at: 0) || reader.has("GIF89a", at: 0) {
            found = (.gif, reader.little(2, at: 6).flatMap { width in reader.little(2, at: 8).map { (width, $0) } })
        } else if reader.has("RIFF", at: 0), reader.has("WEBP", at: 8) {
            found = (.webp, Self.webpSize(reader))
        } else if reader.has("ftyp", at: 4), Self.brands.contains(where: { reader.has($0, at: 8) }) {
            found = (.heif, Self.heifSize(reader))
        } else {
            return nil
        }
        guard let (width, height) = found.1, width > 0, height > 0 else { return nil }
        (format, self.width, self.height) = (found.0, width, height)
        compressedMetadataBytes = format == .png ? Self.compressedMetadata(ofPNG: reader) : 0
    }

    /// The chunks zTXt, iCCP and iTXt, the last where it is compressed (PNG, third edition, section 11.3). Linear in the chunks.
    private static func compressedMetadata(ofPNG reader: ByteReader) -> Int {
        var (place, bytes) = (8, 0)
        while let length = reader.big(4, at: place), let type = reader.big(4, at: place + 4), type != end {
            let data = place + 8
            if type == compressedText || type == colorProfile || type == text && isCompressed(textAt: data, reader) {
                bytes += length
            }
            place = data + length + 4
        }
        return bytes
    }

    /// Of an iTXt chunk, which says so behind its keyword.
    private static func isCompressed(textAt data: Int, _ reader: ByteReader) -> Bool {
        let keywordEnd = (data...(data + keywordMax)).first { reader.big(1, at: $0) == 0 }
        return keywordEnd.flatMap { reader.big(1, at: $0 + 1) } != 0
    }

    private static let keywordMax = 79
    // The types as numbers: "IEND", "zTXt", "iCCP", "iTXt".
    private static let (end, compressedText) = (0x4945_4E44, 0x7A54_5874)
    private static let (colorProfile, text) = (0x6943_4350, 0x6954_5874)

    /// The frame header of a JPEG file (ITU-T T.81, B.2.2), which other segments may precede.
    private static func jpegSize(_ reader: ByteReader) -> (Int, Int)? {
        var place = 2
        while let marker = reader.big(2, at: place), marker >> 8 == 0xFF {
            // Any number of 0xFF may stand before a marker.
            if marker == 0xFFFF {
                place += 1
                continue
            }
            let isFrame = (0xC0...0xCF).contains(marker & 0xFF) && ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker)
            if isFrame {
                return reader.big(2, at: place + 7).flatMap { width in
                    reader.big(2, at: place + 5).map { (width, $0) }
                }
            }
            // The scan begins, and no frame was told of.
            guard marker != 0xFFDA, let length = reader.big(2, at: place + 2), length >= 2 else { return nil }
            place += 2 + length
        }
        return nil
    }

    /// Of the three forms of the first chunk (RFC 9649, section 2).
    private static func webpSize(_ reader: ByteReader) -> (Int, Int)? {
        if reader.has("VP8 ", at: 12), reader.has([0x9D, 0x01, 0x2A], at: 23) {
            return reader.little(2, at: 26).flatMap { width in
                reader.little(2, at: 28).map { (width & 0x3FFF, $0 & 0x3FFF) }
            }
        }
        if reader.has("VP8L", at: 12), reader.has([0x2F], at: 20) {
            return reader.little(4, at: 21).map { ($0 & 0x3FFF + 1, $0 >> 14 & 0x3FFF + 1) }
        }
        guard reader.has("VP8X", at: 12) else { return nil }
        return reader.little(3, at: 24).flatMap { width in reader.little(3, at: 27).map { (width + 1, $0 + 1) } }
    }

    private static let brands = ["heic", "heix", "heim", "heis", "mif1", "avif"]
    /// Where properties stand, in bytes from the beginning: a phone's file has some hundred of them.
    private static let propertiesMax = 256 << 10

    /// The greatest of the spatial extents (ISO/IEC 23008-12, section 6.5.3): a picture of tiles has one of each tile and
    /// one of all.
    private static func heifSize(_ reader: ByteReader) -> (Int, Int)? {
        var greatest: (Int, Int)?
        for place in 4..<max(4, min(reader.count, propertiesMax)) where reader.has("ispe", at: place) {
            guard reader.big(4, at: place - 4) == 20, let width = reader.big(4, at: place + 8),
                let height = reader.big(4, at: place + 12)
            else { continue }
            // A product of two that a file says may be more than a number holds.
            let isGreater = greatest.map { $0.0.multipliedFullWidth(by: $0.1) < width.multipliedFullWidth(by: height) }
            if isGreater ?? true { greatest = (width, height) }
        }
        return greatest
    }
}

/// Numbers at places of a file, each nil where the file ends before.
private struct ByteReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    func has(_ expected: [UInt8], at place: Int) -> Bool {
        place + expected.count <= bytes.count && bytes[place..<(place + expected.count)].elementsEqual(expected)
    }

    func has(_ text: String, at place: Int) -> Bool { has(Array(text.utf8), at: place) }

    func big(_ count: Int, at place: Int) -> Int? {
        guard place + count <= bytes.count else { return nil }
        return bytes[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
    }

    func little(_ count: Int, at place: Int) -> Int? {
        guard place + count <= bytes.count else { return nil }
        return bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
