package import Attachments
import DeltaCRDT

/// A photo of an item, as people see it.
package struct PhotoView: Codable, Hashable, Sendable {
    package let id: PhotoID
    package let manifest: PhotoManifest
    package let author: ParticipantID
    package let authorName: String

    package init(id: PhotoID, manifest: PhotoManifest, author: ParticipantID, authorName: String) {
        self.id = id
        self.manifest = manifest
        self.author = author
        self.authorName = authorName
    }
}

extension Gallery {
    /// What is shown: each photo once, as they came, `Limits.photosShown` at most.
    func views(_ names: DisplayNames) -> [PhotoView] {
        distinct.prefix(Limits.photosShown).map { entry in
            PhotoView(
                id: entry.id, manifest: entry.manifest, author: entry.author, authorName: names[entry.author])
        }
    }
}

extension Limits {
    /// Photos that people may attach to an item.
    package static let photosPerItem = 64
    /// Photos of an item that are shown: more than anybody may attach, for several may do so at once.
    package static let photosShown = 256
}
