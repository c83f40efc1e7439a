import Attachments
import DeltaCRDT
import Testing
import TripFixtures

@testable import TripModel

/// Some photos, each of one byte.
enum Photos {
    static let all = [1, 2, 3].map { photo($0) }

    /// A manifest that no other seed gives.
    static func photo(_ seed: UInt8) -> PhotoManifest {
        let hash = { (bytes: [UInt8]) in BlobHash(bytes: [UInt8](repeating: bytes[0], count: 32))! }
        let rendition = Rendition(type: .jpeg, width: 320, height: 200, blob: Blob([seed], hash: hash)!)!
        return PhotoManifest(sharp: rendition, card: rendition, thumbnail: rendition)
    }
}

/// Photos of items: what happens when several attach, take away and remove at once.
struct PhotoTests {
    private func photo(_ seed: UInt8) -> PhotoManifest { Photos.photo(seed) }

    private func shown(_ world: World, _ device: Int, _ item: ItemID) -> [PhotoManifest] {
        world.view(device).item(item)?.photos.map(\.manifest) ?? []
    }

    @Test("an item comes with its photos in one change, and they are shown as they came")
    func withItem() throws {
        var world = World(participants: [0, 1])
        let item = try world.add(ItemDraft(title: "Casa", photos: [photo(1), photo(2)]), on: 0)
        #expect(world.log.count == 1)
        try world.syncAll()
        try world.perform(.attach(item, [photo(3)]), on: 1)
        try world.syncAll()
        for device in 0..<2 { #expect(shown(world, device, item) == [photo(1), photo(2), photo(3)]) }
        #expect(world.view(0).item(item)?.photos.map(\.author) == [0, 0, 1].map { world.nodes[$0].participant })
        #expect(TripView(bytes: world.view(0).bytes) == world.view(0), "a view crosses a socket whole")
    }

    @Test("two who attach at once are both shown; the same photo is shown once")
    func concurrent() throws {
        var world = World(participants: [0, 1])
        let item = try world.add(ItemDraft(title: "Casa"), on: 0)
        try world.syncAll()
        try world.perform(.attach(item, [photo(1), photo(2)]), on: 0)
        try world.perform(.attach(item, [photo(2), photo(3)]), on: 1)
        try world.syncAll()
        #expect(Set(shown(world, 0, item)) == [photo(1), photo(2), photo(3)])
        #expect(shown(world, 0, item).count == 3)
        #expect(shown(world, 0, item) == shown(world, 1, item))
        #expect(world.nodes[0].replica.encodedState == world.nodes[1].replica.encodedState)
    }

    @Test("each of many photos is found again, wherever it stands and in whatever order it came")
    func manyPhotos() throws {
        var world = World(participants: [0, 1, 2])
        let item = try world.add(ItemDraft(title: "Casa"), on: 0)
        try world.syncAll()
        for number in UInt8(0)..<5 {
            for device in UInt8(0)..<3 {
                try world.perform(.attach(item, [photo(number * 3 + device)]), on: Int(device))
            }
        }
        try world.syncAll()
        let photos = try #require(world.view(0).item(item)?.photos)
        #expect(photos.count == 15)
        for (index, photo) in photos.enumerated() where index % 2 == 0 {
            try world.perform(.detach(item, [photo.id]), on: index % 3)
        }
        try world.syncAll()
        let left = photos.enumerated().filter { $0.offset % 2 == 1 }.map(\.element.manifest)
        for device in 0..<3 { #expect(shown(world, device, item) == left) }
        let told = TripReplica.history(of: world.changes).flatMap(\.events).count {
            $0 == .item(id: item, title: "Casa", event: .detached(photos: 1), broughtBack: false)
        }
        #expect(told == 8)
    }

    @Test("a photo that is taken away goes however often it was attached, and one attached meanwhile stays")
    func detach() throws {
        var world = World(participants: [0, 1])
        let item = try world.add(ItemDraft(title: "Casa"), on: 0)
        try world.syncAll()
        for device in 0..<2 { try world.perform(.attach(item, [photo(1)]), on: device) }
        try world.syncAll()
        let id = try #require(world.view(0).item(item)?.photos.first?.id)
        try world.perform(.detach(item, [id]), on: 0)
        #expect(shown(world, 0, item) == [])
        // Device 1 has not seen that, takes it away too, and attaches it again.
        try world.perform(.detach(item, [id]), on: 1)
        try world.perform(.attach(item, [photo(1)]), on: 1)
        try world.syncAll()
        for device in 0..<2 { #expect(shown(world, device, item) == [photo(1)]) }
    }

    @Test("a photo attached to an item that is removed at the same moment brings it back, whole")
    func removal() throws {
        for isAttached in [true, false] {
            var world = World(participants: [0, 1])
            let item = try world.add(ItemDraft(title: "Casa", photos: [photo(1)]), on: 0)
            try world.syncAll()
            let id = try #require(world.view(0).item(item)?.photos.first?.id)
            try world.perform(.remove([item]), on: 0)
            try world.perform(isAttached ? .attach(item, [photo(2)]) : .detach(item, [id]), on: 1)
            try world.syncAll()
            for device in 0..<2 {
                #expect(world.view(device).item(item)?.isRemoved == false)
                #expect(shown(world, device, item) == (isAttached ? [photo(1), photo(2)] : []))
            }
        }
    }

    @Test("a photo of a removed item is kept in case somebody restores the item")
    func restored() throws {
        var world = World(participants: [0])
        let item = try world.add(ItemDraft(title: "Casa", photos: [photo(1)]), on: 0)
        try world.perform(.remove([item]), on: 0)
        #expect(world.nodes[0].replica.photoChunks == Set(photo(1).chunks))
        try world.perform(.restore([item]), on: 0)
        #expect(shown(world, 0, item) == [photo(1)])
        let id = try #require(world.view(0).item(item)?.photos.first?.id)
        try world.perform(.detach(item, [id]), on: 0)
        #expect(world.nodes[0].replica.photoChunks.isEmpty)
        #expect(world.nodes[0].replica.photo(id, of: item) == nil)
    }

    @Test("what changes nothing, or is too much, is refused in a line")
    func refused() throws {
        var world = World(participants: [0])
        let item = try world.add(ItemDraft(title: "Casa", photos: [photo(1)]), on: 0)
        let id = try #require(world.view(0).item(item)?.photos.first?.id)
        func code(_ action: TripAction) -> TripError.Code? {
            do throws(TripError) {
                _ = try world.nodes[0].replica.perform(action, by: world.nodes[0].participant)
            } catch { return error.code }
            return nil
        }
        #expect(code(.attach(item, [photo(1)])) == .nothingChanged)
        #expect(code(.attach(item, [])) == .nothingNamed)
        #expect(code(.attach(item, (0..<64).map { photo($0 + 10) })) == .outOfRange)
        #expect(code(.attach(item, (0..<63).map { photo($0 + 10) })) == nil)
        #expect(code(.add([ItemDraft(title: "Tent", photos: (0..<65).map { photo($0) })])) == .outOfRange)
        #expect(code(.detach(item, [])) == .nothingChanged)
        let gone = PhotoID(operation: OperationID(change: id.operation.change, index: 9))
        #expect(code(.detach(item, [gone])) == .nothingChanged)
        try world.perform(.remove([item]), on: 0)
        #expect(code(.attach(item, [photo(2)])) == .itemRemoved)
        #expect(code(.detach(item, [id])) == .itemRemoved)
    }

    @Test("history says how many photos came and went, in one line each")
    func history() throws {
        var world = World(participants: [0])
        var trip = LiveTrip()
        let item = try world.add(ItemDraft(title: "Casa", photos: [photo(1), photo(2)]), on: 0)
        let ids = try #require(world.view(0).item(item)?.photos.map(\.id))
        try world.perform(.detach(item, ids), on: 0)
        let told = world.changes.compactMap { trip.apply($0)?.events }
        let event = { (event: ItemEvent) in
            HistoryEvent.item(id: item, title: "Casa", event: event, broughtBack: false)
        }
        #expect(told == [[event(.added(quantity: nil)), event(.attached(photos: 2))], [event(.detached(photos: 2))]])
    }

    @Test("a manifest that cannot be read has no effect, and its neighbours do; one that grew at its end is read")
    func forms() throws {
        var world = World(participants: [0])
        let item = try world.add(ItemDraft(title: "Casa"), on: 0)
        func content(_ manifest: [UInt8]) -> [UInt8] {
            var encoder = CanonicalEncoder()
            encoder.encode(count: 2)
            var body = CanonicalEncoder()
            body.encode(byte: 1)
            body.encode(fixed: item.operation.change.bytes)
            body.encode(UInt64(item.operation.index))
            body.encode(manifest)
            for (kind, body) in [
                (OperationKind.attach, body.bytes), (OperationKind.restore, Array(body.bytes.prefix(34))),
            ] {
                encoder.encode(kind)
                encoder.encode(body)
            }
            return encoder.bytes
        }
        for bad in [[], [9], Array(photo(1).bytes.dropLast())] {
            #expect(TripContent(content(bad)).operations == [.ineffective, .item(.there(item.operation), .restore)])
        }
        try world.write(content(photo(1).bytes + [1, 2, 3]), on: 0)
        #expect(shown(world, 0, item) == [photo(1)])
    }

    @Test("what detaches a photo of another item, or one that its author had not seen, takes nothing away")
    func foreign() throws {
        var world = World(participants: [0, 1])
        let casa = try world.add(ItemDraft(title: "Casa", photos: [photo(1)]), on: 0)
        let tent = try world.add(ItemDraft(title: "Tent"), on: 0)
        let id = try #require(world.view(0).item(casa)?.photos.first?.id)
        let detach = ItemOperation.detach(.there(id.operation))
        try world.write(TripContent.encode([.item(.there(tent.operation), detach)]), on: 0)
        #expect(shown(world, 0, casa) == [photo(1)])
        // Device 1 has seen nothing of it.
        try world.write(TripContent.encode([.item(.there(casa.operation), detach)]), on: 1)
        try world.syncAll()
        for device in 0..<2 { #expect(shown(world, device, casa) == [photo(1)]) }
    }
}
