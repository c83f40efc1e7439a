import Attachments
import DeltaCRDT

/// The photos of one item, as they came: a set whose elements are the operations that attached them. So two that were attached at the same
/// time both stay.
struct Gallery: Sendable {
    private var photos = LoggedSet<AttachedPhoto, LoggedOperation>()
    /// The same photos, by the operations that attached them.
    private var attached: [OperationID: AttachedPhoto] = [:]

    /// O(1).
    var count: Int { attached.count }

    /// As they came. O(photos).
    var elements: [AttachedPhoto] { photos.elements }

    /// O(log photos), as a set takes an element.
    mutating func attach(_ manifest: PhotoManifest, by act: FoldedOperation) {
        let photo = AttachedPhoto(origin: act.id, manifest: manifest)
        photos.insert(photo, by: act)
        attached[act.id.operation] = photo
    }

    /// The same.
    mutating func detach(_ operation: OperationID, by act: FoldedOperation) {
        guard let photo = attached[operation] else { return }
        photos.remove(photo, by: act)
        if !photos.contains(photo) { attached[operation] = nil }
    }

    /// Each photo once, however often it was attached.
    var distinct: [AttachedPhoto] {
        var seen: Set<PhotoManifest> = []
        return elements.filter { seen.insert($0.manifest).inserted }
    }
}

extension Gallery: Hashable {
    static func == (left: Self, right: Self) -> Bool { left.photos == right.photos }

    func hash(into hasher: inout Hasher) { hasher.combine(photos) }
}

/// A photo by the operation that attached it.
struct AttachedPhoto: Hashable, Comparable, Sendable {
    let origin: LoggedOperation
    let manifest: PhotoManifest

    var id: PhotoID { PhotoID(operation: origin.operation) }

    static func < (left: Self, right: Self) -> Bool { left.origin < right.origin }
}
