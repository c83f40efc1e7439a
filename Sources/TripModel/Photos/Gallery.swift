import Attachments
import DeltaCRDT

/// The photos of one item, as they came: a set whose elements are the operations that attached them. So two that were attached at the same
/// time both stay.
typealias Gallery = LoggedSet<AttachedPhoto, LoggedOperation>

/// A photo by the operation that attached it.
struct AttachedPhoto: Hashable, Comparable, Sendable {
    let origin: LoggedOperation
    let manifest: PhotoManifest

    var id: PhotoID { PhotoID(operation: origin.operation) }

    static func < (left: Self, right: Self) -> Bool { left.origin < right.origin }
}

extension Gallery {
    /// O(photos).
    mutating func attach(_ manifest: PhotoManifest, by act: FoldedOperation) {
        insert(AttachedPhoto(origin: act.id, manifest: manifest), by: act)
    }

    /// O(photos).
    mutating func detach(_ operation: OperationID, by act: FoldedOperation) {
        if let photo = elements.first(where: { $0.origin.operation == operation }) { remove(photo, by: act) }
    }

    /// Each photo once, however often it was attached.
    var distinct: [AttachedPhoto] {
        var seen: Set<PhotoManifest> = []
        return elements.filter { seen.insert($0.manifest).inserted }
    }
}
