import Attachments
import DeltaCRDT

/// What few items have: it lies apart from `ItemState`, of which a trip holds very many.
struct ItemExtras: Hashable, Sendable {
    /// Nil where it was made before there were lists, or never put into one: then it stands in none, as it was made.
    var placement: Placement?
    var claims = Ballot<Claim>()
    var attendance = Ballot<Attendance>()
    var amenities = WordSet()
    private(set) var photos = Gallery()
    /// Of each photo, the first operation that attached it, also if it was removed since: what an undo attaches again stays the
    /// photo of the person who attached it first.
    private var firstAttaches: [PhotoManifest: LoggedOperation] = [:]
    /// Once somebody edits what the item was made with, which stands among its fields until then.
    var note = Note()
    var answers = Answers()
    /// Of a hidden question, in place of `answers`.
    var sealed = SealedAnswers()
    /// Of a question.
    var options = WordSet()
    /// All that were ever made.
    private(set) var comments: [Comment] = []

    /// O(1).
    mutating func attach(_ manifest: PhotoManifest, by act: FoldedOperation) {
        photos.attach(manifest, by: act)
        firstAttaches[manifest] = min(firstAttaches[manifest] ?? act.id, act.id)
    }

    /// O(log branches).
    mutating func detach(_ operation: OperationID, by act: FoldedOperation) { photos.detach(operation, by: act) }

    /// The person who attached a photo first.
    func author(of photo: AttachedPhoto) -> ParticipantID { (firstAttaches[photo.manifest] ?? photo.origin).author }

    /// Takes a comment at its place: by stamp, and in one change by index.
    mutating func insert(_ comment: Comment) {
        let place = comments.partitioningIndex { comment.id < $0.id }
        comments.insert(comment, at: place)
    }

    /// Changes a comment where it stands. O(log comments).
    mutating func updateComment(_ id: LoggedOperation, _ body: (inout Comment) -> Void) {
        guard let index = index(of: id) else { return }
        body(&comments[index])
    }

    /// O(log comments).
    func comment(_ id: LoggedOperation) -> Comment? { index(of: id).map { comments[$0] } }

    private func index(of id: LoggedOperation) -> Int? {
        let index = comments.partitioningIndex { $0.id >= id }
        return index < comments.count && comments[index].id == id ? index : nil
    }
}

/// That an item stands in a list: of all that were written, the one that stands highest, so an item is in one place, and a
/// move is one write.
struct Placement: Hashable, Sendable {
    let id: LoggedOperation
    /// Nil for no list.
    let list: OperationID?
}

/// Where a comment is found.
struct CommentPlace: Hashable, Sendable {
    let item: ItemID
    let id: LoggedOperation
}

/// What somebody says of an item. Its author's participant alone takes it away, and brings it back.
struct Comment: Hashable, Sendable {
    let id: LoggedOperation
    let text: Text
    var existence = Existence()
}
