import Attachments
import ChangeLog
import Foundation
import Sodium
import SyncEngine
import Testing
import TripModel
import TripStore

@testable import CaravanNode

/// What a node makes of the photos that the trip refers to and the chunks that are here.
struct PhotoBookTests {
    private let scratch = TripNodeTests.Scratch()
    private let store: ChunkStore
    private let sodium: SodiumCryptography

    init() throws {
        sodium = try SodiumCryptography()
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        store = ChunkStore(
            folder: scratch.path, secret: Bytes32(words: (1, 2, 3, 4)), using: sodium)
    }

    private func bytes(_ photo: UInt8, _ size: PhotoManifest.Size) -> [UInt8] {
        switch size {
        case .thumbnail: [photo, 9]
        case .card: [photo, 2] + [UInt8](repeating: photo, count: 1_000)
        case .sharp: [photo, 3] + [UInt8](repeating: photo, count: 2 * Blob.chunkSize)
        }
    }

    private func manifest(_ photo: UInt8) throws -> PhotoManifest {
        func rendition(_ size: PhotoManifest.Size) throws -> Rendition {
            let blob = try #require(Blob(bytes(photo, size)) { store.hash($0) })
            return try #require(Rendition(type: .jpeg, width: 4, height: 3, blob: blob))
        }
        return PhotoManifest(
            sharp: try rendition(.sharp), card: try rendition(.card), thumbnail: try rendition(.thumbnail))
    }

    private func item(_ number: Int) -> ItemID {
        ItemID(operation: OperationID(change: ChangeHash(words: (1, 2, 3, UInt64(number))), index: 0))
    }

    @Test("room is made for thumbnails and for what somebody looks at, and not for all that somebody claims to have")
    func urgent() throws {
        let photos = try (1...4).map { (item: item($0), manifest: try manifest(UInt8($0))) }
        let (book, claims) = try PhotoBook().updated(with: photos, room: 1 << 30, in: store)
        #expect(claims.urgentCount == 4 && claims.wanted.count > 12)
        let look = try book.updated(with: photos, looked: [photos[2].manifest.sharp.blob], room: 1 << 30, in: store)
        #expect(look.1.urgentCount == 4 + Set(photos[2].manifest.sharp.blob.chunks).count, "what is missing still, too")
    }

    @Test("what is not here is wanted, thumbnails first and the newest first of each size, and told once")
    func wanted() throws {
        let (old, new) = (try manifest(1), try manifest(2))
        _ = try store.put(bytes(1, .card), at: 0)
        let photos = [(item: item(2), manifest: new), (item: item(1), manifest: old)]
        let (book, told) = try PhotoBook().updated(with: photos, room: 1 << 30, in: store)
        #expect(told.here == old.card.blob.chunks && told.gone.isEmpty)
        #expect(
            told.wanted.map(\.0) == new.thumbnail.blob.chunks + old.thumbnail.blob.chunks + new.card.blob.chunks
                + new.sharp.blob.chunks + old.sharp.blob.chunks)
        #expect(book.absent(new) == [.thumbnail, .card, .sharp] && book.absent(old) == [.thumbnail, .sharp])
        let again = try book.updated(with: photos, room: 1 << 30, in: store)
        #expect(again.1.here.isEmpty && again.1.wanted.isEmpty && again.1.gone.isEmpty)
        let less = try again.0.updated(with: [photos[1]], room: 1 << 30, in: store)
        #expect(Set(less.1.gone) == Set(new.chunks).subtracting(old.chunks))
        #expect(less.0.absent(new).isEmpty, "nothing is known of it")
    }

    @Test("what somebody looks at is fetched with the thumbnails, once, also where it found no room before")
    func lookedAt() throws {
        let (old, new) = (try manifest(1), try manifest(2))
        let photos = [(item: item(2), manifest: new), (item: item(1), manifest: old)]
        // Of the two there is room for one in its full size.
        let room = 3 * Blob.chunkSize + 3_000
        let (book, told) = try PhotoBook().updated(with: photos, room: room, in: store)
        #expect(told.wanted.map(\.0).contains(new.sharp.blob.chunks[0]))
        #expect(!told.wanted.map(\.0).contains(old.sharp.blob.chunks[0]), "there is room for both: this shows nothing")
        let (looked, sooner) = try book.updated(with: photos, looked: [old.sharp.blob], room: room, in: store)
        #expect(sooner.wanted.map(\.0) == old.sharp.blob.chunks && sooner.wanted.allSatisfy { $0.1 == .thumbnail })
        #expect(Set(sooner.gone) == Set(new.sharp.blob.chunks).subtracting(old.sharp.blob.chunks), "it gives way")
        let (_, again) = try looked.updated(with: photos, looked: [old.sharp.blob], room: room, in: store)
        #expect(again.wanted.isEmpty && again.gone.isEmpty)
        // What is wanted already comes sooner.
        let wide = try PhotoBook().updated(with: photos, room: 1 << 30, in: store).0
        let hastened = try wide.updated(with: photos, looked: [old.sharp.blob], room: 1 << 30, in: store).1
        #expect(hastened.wanted.map(\.0) == old.sharp.blob.chunks && hastened.wanted.allSatisfy { $0.1 == .thumbnail })
    }

    @Test("an item is told of when the last chunk of a picture came, whichever photos share it")
    func arrives() throws {
        let photo = try manifest(1)
        let photos = [(item: item(1), manifest: photo), (item: item(2), manifest: photo)]
        var (book, _) = try PhotoBook().updated(with: photos, room: 1 << 30, in: store)
        #expect(book.missing(of: photos.map(\.manifest)).count == 2)
        // A picture that somebody opened came through a mailbox, which carries no cards.
        var opened = book
        for chunk in photo.sharp.blob.chunks { _ = opened.arrived(chunk) }
        #expect(opened.missing(of: photos.map(\.manifest)).count == 0 && opened.absent(photo).contains(.card))
        #expect(book.arrived(photo.thumbnail.blob.chunks[0]) == [item(1), item(2)])
        #expect(book.arrived(photo.card.blob.chunks[0]) == [item(1), item(2)])
        var left = Set(photo.sharp.blob.chunks)
        while let chunk = left.popFirst() {
            #expect(!book.isComplete)
            #expect(book.arrived(chunk) == (left.isEmpty ? [item(1), item(2)] : []))
        }
        #expect(book.isComplete && book.absent(photo).isEmpty)
    }

    @Test("where there is no room for all, small pictures and new photos come first, and the rest is not asked for")
    func room() throws {
        let photos = try (1...3 as ClosedRange<UInt8>).map { (item: item(Int($0)), manifest: try manifest($0)) }
        let small = photos.reduce(0) { $0 + $1.manifest.thumbnail.blob.size + $1.manifest.card.blob.size }
        let one = photos[0].manifest.sharp.blob.size
        let (book, told) = try PhotoBook().updated(with: photos, room: small + one, in: store)
        let wanted = Set(told.wanted.map(\.0))
        for photo in photos { #expect(wanted.isSuperset(of: photo.manifest.card.blob.chunks)) }
        #expect(wanted.isSuperset(of: photos[0].manifest.sharp.blob.chunks))
        let rest = Set(photos[0].manifest.sharp.blob.chunks)
        #expect(wanted.isDisjoint(with: Set(photos[1].manifest.sharp.blob.chunks).subtracting(rest)))
        #expect(book.missing(of: photos.map(\.manifest)) == (3, 2))
    }

    @Test("a chunk that was lost is looked up again")
    func lost() throws {
        let photo = try manifest(1)
        for size in PhotoManifest.Size.allCases { _ = try store.put(bytes(1, size), at: 0) }
        var (book, _) = try PhotoBook().updated(with: [(item(1), photo)], room: 1 << 30, in: store)
        #expect(book.isComplete)
        let chunk = photo.card.blob.chunks[0]
        let name = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/chunks")
        for file in name {
            try Data([1, 2, 3]).write(to: URL(filePath: scratch.path + "/chunks/" + file))
        }
        #expect(try store.chunk(chunk) == nil)
        book.lost(chunk)
        let (again, told) = try book.updated(with: [(item(1), photo)], room: 1 << 30, in: store)
        #expect(told.wanted.map(\.0) == [chunk] && again.absent(photo) == [.card])
    }

    // MARK: - While a look is under way

    /// A photo that is here whole.
    private func storedPhoto() throws -> PhotoManifest {
        let photo = try manifest(1)
        for size in PhotoManifest.Size.allCases { _ = try store.put(bytes(1, size), at: 0) }
        return photo
    }

    /// Alters a photo's only chunk of a size on the disk, and has the store find that.
    private func damagedChunk(of photo: PhotoManifest, _ size: PhotoManifest.Size) throws -> BlobHash {
        let folder = scratch.path + "/chunks/"
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try Data([1, 2, 3]).write(to: URL(filePath: folder + file))
        }
        let chunk = photo[size].blob.chunks[0]
        #expect(try store.chunk(chunk) == nil)
        return chunk
    }

    /// Has a desk look at the store as a node does; what the node is told.
    private func look(
        _ desk: inout PhotoDesk, for photo: PhotoManifest, meanwhile: (inout PhotoDesk) -> Void = { _ in }
    ) throws -> (here: Set<BlobHash>, wanted: [BlobHash]) {
        _ = desk.ask()
        guard let (known, looked) = desk.begin() else { return ([], []) }
        let (book, difference) = try known.updated(
            with: [(item(1), photo)], looked: looked, room: 1 << 30, in: store)
        meanwhile(&desk)
        var told: (here: Set<BlobHash>, wanted: [BlobHash]) = ([], [])
        for case .tell(let news) in desk.found(book, difference, of: [], hasMadeRoom: false) {
            switch news {
            case .here(let chunks): told.here.formUnion(chunks)
            case .wanted(let chunks): told.wanted += chunks.map(\.0)
            default: break
            }
        }
        return told
    }

    @Test("a chunk that is found to be lost during a look is wanted after it")
    func lostMeanwhile() throws {
        let photo = try storedPhoto()
        var desk = PhotoDesk()
        let first = try look(&desk, for: photo)
        let chunk = try damagedChunk(of: photo, .card)
        let second = try look(&desk, for: photo) { $0.lost(chunk) }
        let third = try look(&desk, for: photo)
        #expect(first.here == Set(photo.chunks) && second.wanted.isEmpty)
        #expect(third.wanted == [chunk] && desk.book.absent(photo) == [.card])
    }

    @Test("a chunk that people miss, although the node was told that it is here, is taken back and wanted again")
    func missed() throws {
        let photo = try storedPhoto()
        var desk = PhotoDesk()
        _ = try look(&desk, for: photo)
        let chunk = try damagedChunk(of: photo, .card)
        #expect(try store.reading(of: photo.card.blob) == .missing([chunk]))
        let (first, second) = (desk.missed([chunk]), desk.missed([chunk]))
        guard first.count == 1, case .tell(.gone([chunk])) = first[0] else {
            return _ = Issue.record("the node offers it to others still")
        }
        let wanted = try look(&desk, for: photo).wanted
        #expect(second.isEmpty && wanted == [chunk])
    }

    @Test("a node that takes another's place during a look is told all that is here")
    func begunAnewMeanwhile() throws {
        let photo = try storedPhoto()
        var desk = PhotoDesk()
        let first = try look(&desk, for: photo)
        let second = try look(&desk, for: photo) { $0.forgetTold() }
        let third = try look(&desk, for: photo)
        #expect(first.here == Set(photo.chunks) && second.here.isEmpty && third.here == first.here)
    }
}
