package import DeltaCRDT

/// A photo's content: the same picture in three sizes. It travels inside the change that attaches it, so a node with the change can check
/// every byte of the photo itself.
package struct PhotoManifest: Hashable, Sendable {
    /// As sharp as it is kept.
    package let sharp: Rendition
    /// For a card.
    package let card: Rendition
    /// One chunk: what a newcomer fetches first.
    package let thumbnail: Rendition

    package init(sharp: Rendition, card: Rendition, thumbnail: Rendition) {
        self.sharp = sharp
        self.card = card
        self.thumbnail = thumbnail
    }

    package enum Size: String, CaseIterable, Codable, Hashable, Sendable {
        case thumbnail, card, sharp

        /// The most chunks of a picture of this size.
        package var chunksMax: Int {
            switch self {
            case .thumbnail: 1
            case .card: 8
            case .sharp: Blob.chunksMax
            }
        }

        /// The greatest number of pixels along the longer side, where it is made.
        package var pixelsMax: Int {
            switch self {
            case .thumbnail: 320
            case .card: 1_280
            case .sharp: 2_048
            }
        }
    }

    package subscript(size: Size) -> Rendition {
        switch size {
        case .thumbnail: thumbnail
        case .card: card
        case .sharp: sharp
        }
    }

    /// Every chunk, those of the smallest picture first.
    package var chunks: [BlobHash] { Size.allCases.flatMap { self[$0].blob.chunks } }
}

/// A picture of one size.
package struct Rendition: Hashable, Sendable {
    /// What its bytes are. The number never changes its meaning.
    package enum MediaType: UInt8, Codable, Hashable, Sendable {
        case jpeg = 1
        case webp = 2

        /// As HTTP names it.
        package var name: String { self == .jpeg ? "image/jpeg" : "image/webp" }
    }

    package let type: MediaType
    /// In pixels, from 1 to `pixelsMax`.
    package let width: Int
    package let height: Int
    package let blob: Blob

    package static let pixelsMax = 16_384

    /// - Returns: nil for a picture of no pixels, or of more along a side than `pixelsMax`.
    package init?(type: MediaType, width: Int, height: Int, blob: Blob) {
        guard (1...Self.pixelsMax).contains(width), (1...Self.pixelsMax).contains(height) else { return nil }
        self.type = type
        self.width = width
        self.height = height
        self.blob = blob
    }
}

// MARK: - Coding

extension PhotoManifest {
    /// The most bytes of the canonical coding.
    package static let bytesMax = Size.allCases.reduce(0) { $0 + 16 + $1.chunksMax * 32 }

    /// The canonical coding: the sharp picture, the card's, the thumbnail; each as type, width, height, size and the
    /// hashes of its chunks.
    package var bytes: [UInt8] {
        var encoder = CanonicalEncoder()
        for size in Size.allCases.reversed() {
            let rendition = self[size]
            encoder.encode(byte: rendition.type.rawValue)
            encoder.encode(UInt64(rendition.width))
            encoder.encode(UInt64(rendition.height))
            encoder.encode(rendition.blob)
        }
        return encoder.bytes
    }

    /// Reads the canonical coding, and nothing after it.
    package init(bytes: [UInt8]) throws(DecodingFailure) {
        var decoder = CanonicalDecoder(bytes)
        try self.init(from: &decoder)
        try decoder.finish()
    }

    /// Reads the canonical coding; what comes after it stays.
    package init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        sharp = try Rendition.decode(from: &decoder, chunksMax: Size.sharp.chunksMax)
        card = try Rendition.decode(from: &decoder, chunksMax: Size.card.chunksMax)
        thumbnail = try Rendition.decode(from: &decoder, chunksMax: Size.thumbnail.chunksMax)
    }
}

extension Rendition {
    fileprivate static func decode(
        from decoder: inout CanonicalDecoder, chunksMax: Int
    ) throws(DecodingFailure) -> Rendition {
        guard let type = MediaType(rawValue: try decoder.decodeByte()) else { throw .unknown }
        let (width, height) = (try decoder.decodeUInt64(), try decoder.decodeUInt64())
        guard width > 0, height > 0 else { throw .notCanonical }
        guard width <= pixelsMax, height <= pixelsMax else { throw .tooLarge }
        let blob = try Blob.decode(from: &decoder, chunksMax: chunksMax)
        return Rendition(type: type, width: Int(width), height: Int(height), checked: blob)
    }

    private init(type: MediaType, width: Int, height: Int, checked blob: Blob) {
        (self.type, self.width, self.height, self.blob) = (type, width, height, blob)
    }
}

extension PhotoManifest {
    /// The canonical coding in lowercase hexadecimal digits.
    package var digits: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Reads `digits`; nil for anything else.
    package init?(digits: String) {
        let digits = Array(digits.utf8)
        guard digits.count % 2 == 0, digits.count <= 2 * Self.bytesMax else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Self.value(digits[place]), let low = Self.value(digits[place + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        guard let photo = try? PhotoManifest(bytes: bytes) else { return nil }
        self = photo
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}

/// In JSON, the hexadecimal digits of its coding.
extension PhotoManifest: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let photo = PhotoManifest(digits: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no photo")
        }
        self = photo
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(digits)
    }
}
