import Attachments
import Testing
import TripFixtures
import TripModel

@testable import TripText

/// What a card and a search show of an item with photos and of lists.
@Suite struct FoundTests {
    private func photo() -> PhotoManifest {
        let hash = { (bytes: [UInt8]) in BlobHash(bytes: [UInt8](repeating: bytes[0], count: 32))! }
        let rendition = Rendition(type: .jpeg, width: 320, height: 200, blob: Blob([1], hash: hash)!)!
        return PhotoManifest(sharp: rendition, card: rendition, thumbnail: rendition)
    }

    @Test("a card names who has not voted directly below the votes, with photos too")
    func votesOfACard() throws {
        var world = World(participants: [0, 1])
        try world.perform(.setName("Jie"), on: 0)
        try world.perform(.setName("Noah"), on: 1)
        let item = try world.add(ItemDraft(title: "Casa", photos: [photo()]), on: 0)
        try world.perform(.vote([item], .for), on: 0)
        try world.syncAll()
        let view = world.view(0)
        let card = TerminalText.card(view.items[0], of: view.group, style: TextStyle())
        #expect(card.contains("votes   +1 · Jie\n        not voted yet: Noah\nphotos  1: 1 by Jie\n"), "\(card)")
    }

    @Test("a search finds what is assigned to somebody, by their name")
    func assignee() throws {
        var world = World(participants: [0, 1])
        try world.perform(.setName("Noah"), on: 1)
        try world.syncAll()
        let noah = world.nodes[1].participant.description
        try world.perform(
            .add([ItemDraft(title: "Tent", fields: [.assignee: noah]), ItemDraft(title: "Stove")]), on: 0)
        #expect(world.view(0).keeping(ItemFilter(text: "noah")).items.map(\.title) == ["Tent"])
        #expect(world.view(0).keeping(ItemFilter(text: noah)).items.isEmpty)
        // All words, in any order and in any field.
        #expect(world.view(0).keeping(ItemFilter(text: " Noah  TENT ")).items.map(\.title) == ["Tent"])
        #expect(world.view(0).keeping(ItemFilter(text: "tent mallory")).items.isEmpty)
    }

    @Test("a search shows only lists in which it found something")
    func listsOfASearch() throws {
        var world = World(participants: [0])
        try world.perform(.addList(title: "Packing", kind: nil, [ItemDraft(title: "Towels")]), on: 0)
        try world.perform(.addList(title: "Party", kind: nil, [ItemDraft(title: "Fries")]), on: 0)
        try world.perform(.addList(title: "Empty", kind: nil, []), on: 0)
        let found = world.view(0).keeping { $0.title == "Fries" }
        #expect(found.lists.map(\.title) == ["Party"])
        let text = TerminalText.list(found, style: TextStyle())
        #expect(text.contains("Party") && !text.contains("Packing") && !text.contains("(empty)"), "\(text)")
    }
}
