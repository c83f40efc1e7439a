package import Attachments
import DeltaCRDT

/// A photo of an item, as people see it.
package struct PhotoView: Codable, Hashable, Sendable {
    package let id: PhotoID
    package let manifest: PhotoManifest
    package let author: ParticipantID
    package let authorName: String
    /// The sizes in which it is not here yet, the smallest first.
    package var absent: [PhotoManifest.Size]

    package init(
        id: PhotoID, manifest: PhotoManifest, author: ParticipantID, authorName: String,
        absent: [PhotoManifest.Size] = []
    ) {
        self.id = id
        self.manifest = manifest
        self.author = author
        self.authorName = authorName
        self.absent = absent
    }
}

extension PhotoView {
    /// The greatest size in which it is here; nil where none is.
    package var greatestHere: PhotoManifest.Size? { PhotoManifest.Size.allCases.last { !absent.contains($0) } }
}

extension ItemView {
    /// The same with what is not here of its photos.
    package func missing(_ absent: (PhotoManifest) -> [PhotoManifest.Size]) -> ItemView {
        guard !photos.isEmpty else { return self }
        var item = self
        for place in item.sayings.photos.indices {
            item.sayings.photos[place].absent = absent(item.sayings.photos[place].manifest)
        }
        return item
    }
}

extension TripView {
    /// The same with what is not here of its photos. O(items).
    package func missing(_ absent: (PhotoManifest) -> [PhotoManifest.Size]) -> TripView {
        var view = self
        view.items = items.map { $0.missing(absent) }
        view.removedItems = removedItems.map { $0.missing(absent) }
        return view
    }
}

extension ItemExtras {
    /// The photos that are shown: each once, as they came, `Limits.photosShown` at most.
    func photoViews(_ names: DisplayNames) -> [PhotoView] {
        photos.distinct.prefix(Limits.photosShown).map { photo in
            let author = author(of: photo)
            return PhotoView(id: photo.id, manifest: photo.manifest, author: author, authorName: names[author])
        }
    }
}

extension Limits {
    /// Photos that people may attach to an item.
    package static let photosPerItem = 64
    /// Photos of an item that are shown: more than anybody may attach, for several may do so at once.
    package static let photosShown = 256
}
