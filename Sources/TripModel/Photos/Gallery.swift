import Attachments

/// The photos of one item: an observed-remove set (Shapiro and others, 2011) whose elements are the operations that
/// attached them. A removal names one, which stands in its past; so two that were attached at the same time both stay, and
/// nothing has to be remembered of what was taken away.
struct Gallery: Sendable {
    struct Entry: Sendable {
        let cause: Cause
        /// Where its change stands in the log.
        let place: UInt32
        /// The operation that attached it.
        let index: OperationIndex
        let manifest: PhotoManifest

        var id: PhotoID { PhotoID(operation: cause.operation(index)) }
        var author: ParticipantID { cause.participant }
    }

    /// The lowest first: as they came.
    private(set) var entries: [Entry] = []

    /// O(photos).
    mutating func attach(_ manifest: PhotoManifest, by change: FoldedChange, at index: OperationIndex) {
        let new = Entry(cause: change.cause, place: change.place, index: index, manifest: manifest)
        let place = entries.firstIndex { stands($0.cause, $0.index, above: new.cause, new.index) }
        entries.insert(new, at: place ?? entries.count)
    }

    /// O(photos).
    mutating func detach(_ operation: OperationID, by change: FoldedChange) {
        entries.removeAll { $0.cause.operation($0.index) == operation && change.hasSeen($0.place) }
    }

    /// Each photo once, however often it was attached.
    var distinct: [Entry] {
        var seen: Set<PhotoManifest> = []
        return entries.filter { seen.insert($0.manifest).inserted }
    }
}

/// Equal on all nodes: its place is this log's own.
extension Gallery: Hashable {
    static func == (left: Gallery, right: Gallery) -> Bool {
        left.entries.elementsEqual(right.entries) { $0.id == $1.id }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(entries.count) }
}
