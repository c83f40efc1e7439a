import Attachments
import CaravanNode
import Foundation
import Testing
import TripModel
import TripService

/// Photos between whole nodes, over real sockets and real stores.
struct PhotoExchangeTests {
    private let tests = TripNodeTests()

    /// A photo of some chunks; nobody decodes it here.
    func photo(_ seed: UInt8, size: Int = 300_000) -> NewPhoto {
        let bytes = [0xFF, 0xD8, 0xFF, seed] + (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 16) ^ seed }
        let picture = { (count: Int) in
            NewPhoto.Picture(type: .jpeg, width: 40, height: 30, bytes: Array(bytes.prefix(count)))
        }
        return NewPhoto(sharp: picture(bytes.count), card: picture(90_000), thumbnail: picture(9_000))
    }

    private func photos(_ node: TripNode) async throws -> [PhotoView] {
        try await node.trip().items.flatMap(\.photos)
    }

    @Test("a photo comes to whoever joins, pages hear of it, and it goes on from there")
    func comes() async throws {
        let scratch = TripNodeTests.Scratch()
        let (jie, link, address) = try await tests.founder(scratch)
        try await jie.add("Casa do Rio")
        _ = try await jie.answer(.attach(item: "1", photos: [photo(1), photo(2)]))
        let home = scratch.home("noah")
        _ = try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        let noah = try await scratch.open(home)
        let events = await noah.events()
        try await noah.up(NetworkOptions(peers: [address], discovers: false))
        let isWhole = try await tests.eventually {
            let item = try await noah.trip().items.first
            guard let item, item.photos.count == 2, item.photos.allSatisfy(\.absent.isEmpty) else { return false }
            for photo in item.photos {
                guard case .picture(_?) = try await noah.answer(.picture(photo.id, of: item.id, .sharp)) else {
                    return false
                }
            }
            return true
        }
        #expect(isWhole)
        #expect(try await noah.status().photos == nil)
        let item = try await noah.trip().items[0]
        for (photo, whole) in zip(item.photos, [photo(1), photo(2)]) {
            let answer = try await noah.answer(.picture(photo.id, of: item.id, .sharp))
            guard case .picture(let file?) = answer else {
                Issue.record("no picture")
                return
            }
            #expect(file.file.bytes == whole.sharp.file.bytes)
        }
        var seen: Set<ItemID> = []
        for await event in events {
            if case .pictures(let items) = event { seen.formUnion(items) }
            if !seen.isEmpty { break }
        }
        #expect(seen == [item.id], "a page hears of it")
        await jie.close()

        // Somebody who meets Noah alone.
        let port = try #require(await noah.listeningPort)
        let third = scratch.home("michelle")
        _ = try await TripNode.join(
            link: link, name: "Michelle", in: third, peers: ["127.0.0.1:\(port)"], discovers: false, patience: 10)
        let michelle = try await scratch.open(third)
        try await michelle.up(NetworkOptions(peers: ["127.0.0.1:\(port)"], discovers: false))
        let hasThem = try await tests.eventually {
            let photos = try await photos(michelle)
            return photos.count == 2 && photos.allSatisfy(\.absent.isEmpty)
        }
        #expect(hasThem)
        await michelle.close()
        await noah.close()
    }

    @Test("what only others have is said, with who of those here has it")
    func missing() async throws {
        let scratch = TripNodeTests.Scratch()
        let (jie, link, address) = try await tests.founder(scratch)
        let home = scratch.home("noah")
        _ = try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        try await jie.add("Casa do Rio")
        _ = try await jie.answer(.attach(item: "1", photos: [photo(1)]))
        // The chunks go before anybody fetched them.
        try FileManager.default.removeItem(atPath: jie.folder + "/chunks")
        let noah = try await scratch.open(home)
        try await noah.up(NetworkOptions(peers: [address], discovers: false))
        let isSaid = try await tests.eventually {
            let (own, others) = try await (noah.status().photos, jie.status().photos)
            return own?.missing == 1 && own?.holders == [] && others?.missing == 1
        }
        #expect(isSaid)
        #expect(try await photos(noah).first?.absent == [.thumbnail, .card, .sharp])
        await noah.close()
        await jie.close()
    }
}
