import Attachments
import ChangeLog
import SyncEngine
import TripModel

/// When the photos' chunks are looked for in the store, and what follows from what is found. One look at a time: what changes meanwhile
/// causes another one after it.
struct PhotoDesk: Sendable {
    /// A photo as the trip has it.
    typealias Photo = (item: ItemID, manifest: PhotoManifest, change: ChangeHash, author: ParticipantID)

    /// What follows from a look. Outcomes are carried out in order.
    enum Outcome: Sendable {
        /// The protocol is told of chunks.
        case tell(ChunkNews)
        /// People are told of items of which a picture came, or is missed.
        case show([ItemID])
    }

    /// What the node that runs now was told.
    private(set) var book = PhotoBook()
    private var isLooking = false
    private var mustLook = false
    /// What came, and what was found to be lost, while a look was under way.
    private var arrived: [BlobHash] = []
    private var lostMeanwhile: [BlobHash] = []
    /// Whether a look is under way that began before the node that runs now.
    private var isOutdated = false
    /// The next pause after a failure, and whether one is under way.
    private var pause = Backoff(first: 5_000)
    private var isPausing = false
    /// Pictures that somebody looked at and that were not here, the latest first.
    private var looked: [Blob] = []
    /// The thumbnails that the node was told of.
    private var previews: [ChunkPreview] = []
    /// When chunks that nothing refers to were removed last, by the monotonic clock.
    private var collected: UInt64?

    static let lookedMax = 16
    /// The longest pause after a failure, in milliseconds.
    static let pauseMax: UInt64 = 300_000
    /// How often chunks that nothing refers to are removed, in milliseconds.
    static let collectInterval: UInt64 = 3_600_000

    // MARK: - Looking

    /// The trip's photos are not what they were, or somebody looks at others.
    ///
    /// - Returns: whether to begin to look. If not, that is being done, and is done again.
    mutating func ask() -> Bool {
        mustLook = true
        defer { isLooking = true }
        return !isLooking
    }

    /// Somebody looks at a picture that is not here: it goes to the head of what is fetched, and of what finds room.
    ///
    /// - Returns: false if it is at the head already.
    mutating func hasten(_ blob: Blob) -> Bool {
        guard looked.first != blob else { return false }
        looked = Array(([blob] + looked.filter { $0 != blob }).prefix(Self.lookedMax))
        return true
    }

    /// Begins a look.
    ///
    /// - Returns: what to compare with the store; nil if nothing changed since the last look, which ends looking.
    mutating func begin() -> (book: PhotoBook, looked: [Blob])? {
        isLooking = mustLook
        guard mustLook else { return nil }
        (mustLook, arrived, lostMeanwhile, isOutdated) = (false, [], [], false)
        return (book, looked)
    }

    /// Takes what a look found.
    ///
    /// - Parameters:
    ///   - difference: between the last book and the new one.
    ///   - photos: the trip's, as they were looked for.
    ///   - hasMadeRoom: whether chunks were removed for others, so that another look finds more room.
    mutating func found(
        _ new: PhotoBook, _ difference: PhotoBook.Difference, of photos: [Photo], hasMadeRoom: Bool
    ) -> [Outcome] {
        pause.reset()
        // It was compared with what another node was told.
        guard !isOutdated else {
            mustLook = true
            return []
        }
        // A page may have drawn them as if they were here.
        var items = new.newlyMissing(since: book)
        book = new
        if hasMadeRoom || !lostMeanwhile.isEmpty { mustLook = true }
        // The look took it for what the node was told.
        for chunk in lostMeanwhile { book.lost(chunk) }
        for chunk in arrived { items.formUnion(book.arrived(chunk)) }
        var outcomes: [Outcome] = []
        if !difference.gone.isEmpty { outcomes.append(.tell(.gone(difference.gone))) }
        if !difference.here.isEmpty { outcomes.append(.tell(.here(difference.here))) }
        if !difference.wanted.isEmpty { outcomes.append(.tell(.wanted(difference.wanted))) }
        let previews = photos.flatMap { photo in
            photo.manifest.thumbnail.blob.chunks.map {
                ChunkPreview(chunk: $0, change: Bytes32(words: photo.change.words))
            }
        }
        if previews != self.previews { outcomes.append(.tell(.previews(previews))) }
        self.previews = previews
        if !items.isEmpty { outcomes.append(.show(items.sorted())) }
        return outcomes
    }

    /// The store couldn't be read: looking ends until it is asked for again.
    ///
    /// - Returns: after how many milliseconds `resume` is to be called; nil if it will be called already.
    mutating func failed() -> UInt64? {
        isLooking = false
        guard !isPausing else { return nil }
        isPausing = true
        return pause.next(upTo: Self.pauseMax)
    }

    /// The pause after a failure is over: looking is asked for, even if nothing else asks.
    mutating func resume() { isPausing = false }

    // MARK: - Chunks

    /// A chunk came, and is in the store.
    mutating func stored(_ chunk: BlobHash) -> [Outcome] {
        if isLooking { arrived.append(chunk) }
        let items = book.arrived(chunk)
        return [.tell(.stored(chunk))] + (items.isEmpty ? [] : [.show(items.sorted())])
    }

    /// A chunk was altered on the disk, or removed: the next look finds that others have it.
    mutating func lost(_ chunk: BlobHash) {
        if isLooking { lostMeanwhile.append(chunk) }
        book.lost(chunk)
    }

    /// People look at a picture of which some chunks are not in the store.
    ///
    /// - Returns: what follows if the node was told that they are there; the next look has them fetched again.
    mutating func missed(_ chunks: [BlobHash]) -> [Outcome] {
        let taken = chunks.filter(book.holds)
        for chunk in taken { lost(chunk) }
        return taken.isEmpty ? [] : [.tell(.gone(taken))]
    }

    /// Whether to remove chunks that nothing refers to now, which is then done.
    ///
    /// - Parameter now: by the monotonic clock, in milliseconds.
    mutating func mustCollect(at now: UInt64) -> Bool {
        if let collected, now < collected + Self.collectInterval { return false }
        collected = now
        return true
    }

    /// The node that runs now was told nothing.
    mutating func forgetTold() { (book, previews, isOutdated) = (PhotoBook(), [], isLooking) }
}
