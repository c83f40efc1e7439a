import Attachments
import DeltaCRDT

/// The photos of one item, by the operations that attached them. So two that were attached at the same time both stay.
struct Gallery: Hashable, Sendable {
    private var photos: [OperationID: AttachedPhoto] = [:]

    /// O(1).
    var count: Int { photos.count }

    /// As they came. O(n log n) in the photos.
    var elements: [AttachedPhoto] { photos.values.sorted() }

    /// O(1).
    mutating func attach(_ manifest: PhotoManifest, by act: FoldedOperation) {
        photos[act.id.operation] = AttachedPhoto(origin: act.id, manifest: manifest)
    }

    /// Removes a photo that the act has seen. O(log branches).
    mutating func detach(_ operation: OperationID, by act: FoldedOperation) {
        if let photo = photos[operation], act.hasSeen(photo.origin) { photos[operation] = nil }
    }

    /// Each photo once, however often it was attached.
    var distinct: [AttachedPhoto] {
        var seen: Set<PhotoManifest> = []
        return elements.filter { seen.insert($0.manifest).inserted }
    }
}

/// A photo by the operation that attached it.
struct AttachedPhoto: Hashable, Comparable, Sendable {
    let origin: LoggedOperation
    let manifest: PhotoManifest

    var id: PhotoID { PhotoID(operation: origin.operation) }

    static func < (left: Self, right: Self) -> Bool { left.origin < right.origin }
}
