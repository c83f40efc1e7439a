import Attachments
import ChangeLog
import Convergence
import DeltaCRDT
import Testing
import TripSimulation

@testable import SyncEngine

/// Photos of homes that meet in a mailbox only.
struct MailboxPhotoTests {
    private let minute: UInt64 = 60_000

    /// A trip of some people; the first has attached a photo, put what it puts unasked, and is down.
    private func posted(
        _ count: Int = 2, photos: Int = 1, _ change: (inout SessionLimits) -> Void = { _ in }
    ) throws -> (Homes, [Homes.Photo]) {
        var homes = try Homes(count, FastCryptography(), change)
        homes.up(0)
        homes.pass(1_000)
        let photos = (1...photos).map { homes.photograph($0, on: 0) }
        homes.pass(2 * minute)
        homes.down(0)
        return (homes, photos)
    }

    @Test("a preview is there both ways, and a picture once it was opened and the other home ran again")
    func apart() throws {
        var (homes, photos) = try posted()
        homes.up(1)
        homes.pass(5_000)
        #expect(homes.has(1, allOf: 0))
        homes.know(photos[0], on: 1)
        homes.pass(1_000)
        #expect(homes.has(1, [photos[0].preview]))
        #expect(!homes.has(1, [photos[0].picture[0]]), "nobody asked for it")
        let answer = homes.photograph(2, on: 1)
        homes.open(photos[0], on: 1)
        homes.pass(minute)
        homes.down(1)

        homes.up(0)
        homes.pass(5_000)
        homes.know(answer, on: 0)
        homes.pass(minute)
        #expect(homes.has(0, [answer.preview]))
        homes.down(0)
        #expect(!homes.has(1, [photos[0].picture[0]]))

        homes.up(1)
        homes.pass(5_000)
        #expect(homes.has(1, photos[0].chunks))
        homes.pass(60 * minute)
        #expect(homes.chunksPut.count == Set(homes.chunksPut).count, "each once")
        #expect(Set(homes.chunksPut) == Set(photos[0].chunks + [answer.preview]), "and no more")
    }

    @Test("a picture that was opened is still wanted after a start, and leaves with the end of a run at once")
    func remembered() throws {
        var (homes, photos) = try posted()
        homes.up(1)
        homes.pass(5_000)
        homes.know(photos[0], on: 1)
        homes.pass(minute)
        homes.open(photos[0], on: 1)
        homes.down(1)
        homes.up(1)
        homes.pass(40 * minute)
        homes.down(1)
        homes.up(0)
        homes.pass(minute)
        homes.down(0)
        homes.up(1)
        homes.pass(5_000)
        #expect(homes.has(1, photos[0].picture))
    }

    @Test("chunks reach everybody through a box that forgets, repeats and serves others' blocks")
    func badBox() throws {
        for fault in [SimulatedMailbox.Fault.repeats, .servesOthers, .partialFile] {
            var homes = try Homes(3)
            homes.box.faults = [fault]
            for home in 0..<3 { homes.up(home) }
            homes.pass(1_000)
            let photo = homes.photograph(1, on: 0)
            homes.pass(2 * minute) { $0.has(1, allOf: 0) && $0.has(2, allOf: 0) }
            for home in 1..<3 { homes.know(photo, on: home) }
            homes.open(photo, on: 2)
            for _ in 0..<120 where !homes.has(2, photo.chunks) {
                homes.pass(minute)
                if fault == .repeats { homes.box.forget(oneIn: 4, using: &homes.generator) }
            }
            #expect(homes.has(1, [photo.preview]) && homes.has(2, photo.chunks), "\(fault)")
        }
    }

    @Test("a box that loses every block is given few chunks, and ever more slowly")
    func hopelessBox() throws {
        var homes = try Homes(2)
        homes.up(0)
        homes.pass(1_000)
        _ = homes.photograph(1, on: 0)
        for _ in 0..<240 {
            homes.pass(minute)
            homes.box.forget(oneIn: 1, using: &homes.generator)
        }
        #expect((1...40).contains(homes.chunksPut.count))
    }

    @Test("what the mailbox lost is put again once somebody wants it, by whoever has it")
    func lost() throws {
        var (homes, photos) = try posted(3)
        homes.up(1)
        homes.pass(5_000)
        homes.know(photos[0], on: 1)
        homes.pass(minute)
        #expect(homes.has(1, [photos[0].preview]))
        homes.box.forget(oneIn: 1, using: &homes.generator)
        homes.pass(5 * minute)
        homes.down(1)
        homes.up(2)
        homes.pass(minute)
        #expect(homes.has(2, allOf: 0), "the second home put again what the third lacks")
        homes.know(photos[0], on: 2)
        homes.pass(minute)
        #expect(homes.has(2, [photos[0].preview]))
    }

    @Test("a preview whose chunk came before its change is taken, and so is one that the disk lost")
    func orderAndLoss() throws {
        var (homes, photos) = try posted(photos: 3)
        homes.up(1)
        homes.pass(minute)
        for photo in photos { homes.know(photo, on: 1) }
        homes.pass(1_000)
        #expect(homes.has(1, photos.map(\.preview)))
        let gets = homes.requests.count { if case .get = $0.request { $0.home == 1 } else { false } }
        #expect(gets == homes.box.count, "each block was fetched once")
        homes.loseChunks(1)
        homes.tell(1, .chunks(.gone(photos.map(\.preview))))
        homes.tell(1, .chunks(.wanted(photos.map { ($0.preview, .thumbnail) })))
        homes.pass(minute)
        #expect(homes.has(1, photos.map(\.preview)))
    }

    @Test("previews beyond the mailbox's share are not put, and people can see that")
    func previewBound() throws {
        let (homes, _) = try posted(photos: 9) { $0.mailbox.previewBytesMax = 30_000 }
        #expect(homes.chunksPut.count == 9, "the first block is begun while there is room")
        #expect(homes.nodes[0].hasNoRoomForPhotos(homes.box.prefix))
        var (more, _) = try posted(photos: 9) { $0.mailbox.previewBytesMax = 30_000 }
        more.up(0)
        more.pass(minute)
        _ = more.photograph(20, on: 0)
        more.pass(2 * minute)
        #expect(more.chunksPut.count == 9)
    }

    @Test("a member who wants everything is given so many chunks in an hour, and the box so many bytes")
    func greedyMember() throws {
        var (homes, photos) = try posted(photos: 20) { $0.mailbox.wantedPerHour = 6 }
        homes.up(1)
        homes.pass(5_000)
        for photo in photos { homes.know(photo, on: 1) }
        for photo in photos { homes.open(photo, on: 1) }
        homes.up(0)
        homes.pass(59 * minute)
        #expect((1...12).contains(homes.chunksPut.count - 20), "at most six in each hour that began")
        homes.pass(3 * 60 * minute)
        #expect((18...30).contains(homes.chunksPut.count - 20))

        var (small, others) = try posted(photos: 20) { $0.mailbox.pictureBytesMax = 5 * Blob.chunkSize }
        small.up(1)
        small.pass(5_000)
        for photo in others { small.know(photo, on: 1) }
        for photo in others { small.open(photo, on: 1) }
        small.up(0)
        small.pass(60 * minute)
        #expect((5...5 + MailboxBlock.chunksMax).contains(small.chunksPut.count - 20))
        #expect(small.nodes[0].hasNoRoomForPhotos(small.box.prefix))
    }

    @Test("so many chunks leave in a minute, one block at a time")
    func pace() throws {
        var homes = try Homes(2) { $0.mailbox.chunksPerMinute = 20 }
        homes.up(0)
        homes.pass(1_000)
        for number in 1...50 { _ = homes.photograph(number, on: 0, chunks: 1) }
        homes.pass(50_000)
        #expect((1...40).contains(homes.chunksPut.count))
        homes.pass(5 * minute)
        #expect(Set(homes.chunksPut).count == 50)
        #expect(homes.chunksPut.count == 50)
    }

    @Test("chunks that nothing names, and wants of what nobody has, cost nothing that lasts")
    func hostileMember() throws {
        var homes = try Homes(3) { $0.mailbox.chunkNamesMax = 64 }
        homes.up(0)
        homes.pass(1_000)
        let photo = homes.photograph(1, on: 0)
        homes.pass(minute)
        let slot = try #require(homes.box.slots.first)
        for number in 0..<40 as Range<UInt8> {
            homes.put(chunks: (0..<16).map { [number, $0, 1] }, in: slot)
        }
        let nobodys = (0..<MailboxLetter.wantsMax).map { number in
            BlobHash(homes.trip.cryptography.hash([UInt8(number & 0xFF), UInt8(number >> 8), 9]))
        }
        let letter = MailboxLetter(
            by: homes.trip.people[2], at: homes.wall, records: [], have: [], absent: AbsentBodies(), wants: nobodys,
            in: slot, using: homes.trip.cryptography)
        homes.put(letter.encoding, in: slot)
        homes.up(1)
        // The invariants of a catalogue hold after each event.
        homes.pass(3 * minute)
        homes.know(photo, on: 1)
        homes.pass(40 * minute)
        #expect(homes.has(1, [photo.preview]))
        #expect(homes.disks[1]?.count == 1, "nothing else was stored")
        #expect(homes.chunksPut == [photo.preview] || Set(homes.chunksPut) == [photo.preview])
        #expect(homes.nodes[1].mailboxes.unclaimed.count <= homes.nodes[1].limits.mailbox.unclaimedMax)
        let before = homes.requests.count { if case .get = $0.request { true } else { false } }
        homes.pass(60 * minute)
        #expect(homes.requests.count { if case .get = $0.request { true } else { false } } - before < 10)
    }

    @Test("a member who calls blocks damaged all day is believed of so many in an hour")
    func falseDamage() throws {
        var homes = try Homes(2) { $0.mailbox.doubtsPerHour = 3 }
        homes.up(0)
        homes.pass(1_000)
        for number in 0..<20 {
            homes.write("\(number)", on: 0)
            homes.pass(40_000)
        }
        let puts = homes.box.puts
        #expect(puts >= 15)
        let slot = try #require(homes.box.slots.first)
        let letter = MailboxLetter(
            by: homes.trip.people[1], at: homes.wall, records: [], have: [], absent: AbsentBodies(),
            damaged: homes.box.names(in: slot), in: slot, using: homes.trip.cryptography)
        homes.put(letter.encoding, in: slot)
        homes.pass(30 * minute)
        #expect((1...3).contains(homes.box.puts - puts - 1), "the letter, and what three blocks held")
    }
}
