package import Attachments

/// A photo to be attached: the same picture in three sizes, as they are kept.
package struct NewPhoto: Codable, Hashable, Sendable {
    package struct Picture: Codable, Hashable, Sendable {
        package let type: Rendition.MediaType
        /// In pixels.
        package let width: Int
        package let height: Int
        package let file: Base64Bytes

        package init(type: Rendition.MediaType, width: Int, height: Int, bytes: [UInt8]) {
            self.type = type
            self.width = width
            self.height = height
            file = Base64Bytes(bytes)
        }
    }

    package let sharp: Picture
    package let card: Picture
    package let thumbnail: Picture

    package init(sharp: Picture, card: Picture, thumbnail: Picture) {
        self.sharp = sharp
        self.card = card
        self.thumbnail = thumbnail
    }

    package subscript(size: PhotoManifest.Size) -> Picture {
        switch size {
        case .sharp: sharp
        case .card: card
        case .thumbnail: thumbnail
        }
    }

    /// The most bytes of a picture of each size: a photo and what is asked with it fit one message to a node.
    package static func bytesMax(_ size: PhotoManifest.Size) -> Int {
        size == .sharp ? 2 << 20 : size.chunksMax * Blob.chunkSize
    }
}

/// A picture of a photo as it is kept.
package struct PictureFile: Codable, Hashable, Sendable {
    package let type: Rendition.MediaType
    package let file: Base64Bytes

    package init(type: Rendition.MediaType, bytes: [UInt8]) {
        self.type = type
        file = Base64Bytes(bytes)
    }
}
