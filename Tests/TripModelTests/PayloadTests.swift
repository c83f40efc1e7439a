import DeltaCRDT
import Testing
import TripFixtures

@testable import TripModel

/// Payloads from outside: one form for each meaning, everything bounded, and no byte that crashes.
@Suite struct PayloadTests {
    private static let dots = (1...6).map { Dot(replica: ReplicaID(high: UInt64($0 % 3), low: 9), counter: UInt64($0)) }

    /// One payload with every act in it.
    private static let acts: [Act] = [
        .setTitle("Summer", superseding: Array(dots[0..<1])),
        .setName("Jie"),
        .add(
            fields: [
                FieldValue(field: .title, value: "Cabin"), FieldValue(field: .link, value: "https://a.example"),
                FieldValue(field: .place, value: "-12.5,7"), FieldValue(field: .done, value: "true"),
            ], quantity: 300),
        .item(
            ItemID(dot: dots[1]), superseding: dots.sorted(),
            .edit([
                FieldWrite(field: .title, value: "民宿", superseding: Array(dots[2..<3])),
                FieldWrite(field: .note, value: nil, superseding: []),
            ])),
        .item(ItemID(dot: dots[2]), superseding: [dots[2]], .remove),
        .item(ItemID(dot: dots[3]), superseding: [], .restore),
        .item(ItemID(dot: dots[4]), superseding: [dots[4]], .vote(.for)),
        .item(ItemID(dot: dots[5]), superseding: [dots[5]], .vote(nil)),
        .item(ItemID(dot: dots[5]), superseding: [dots[5]], .changeQuantity(by: -70)),
    ]

    private func decode(_ bytes: [UInt8], count: Int? = nil) throws(TripError) -> [Act] {
        let count = count ?? Self.acts.reduce(0) { $0 + $1.operationCount }
        return try TripPayload.decode(bytes, operationCount: count) { $0 }
    }

    @Test func whatIsWrittenIsRead() throws {
        let payload = TripPayload(Self.acts)
        #expect(try decode(payload.bytes) == Self.acts)
        #expect(payload.operationCount == 1 + 1 + 5 + 3 + 1 + 1 + 1 + 1 + 1)
        #expect(throws: TripError.self) { try decode(payload.bytes, count: payload.operationCount + 1) }
    }

    @Test func aVoteIsSmall() throws {
        let dot = Self.dots[0]
        let payload = TripPayload([.item(ItemID(dot: dot), superseding: [dot], .vote(.for))])
        #expect(payload.bytes.count <= 26)
    }

    @Test func everyTruncationIsRefused() {
        let bytes = TripPayload(Self.acts).bytes
        for count in bytes.indices {
            #expect(throws: TripError.self) { try decode(Array(bytes[..<count])) }
        }
        #expect(throws: TripError.self) { try decode(bytes + [0]) }
    }

    /// Another byte makes another meaning in its own only form, or none.
    @Test func everyFlippedByteIsRefusedOrMeansSomethingElse() throws {
        let bytes = TripPayload(Self.acts).bytes
        var accepted = 0
        for index in bytes.indices {
            for mask in UInt8(1)...255 {
                var flipped = bytes
                flipped[index] ^= mask
                guard let acts = try? decode(flipped) else { continue }
                accepted += 1
                #expect(acts != Self.acts && TripPayload(acts).bytes == flipped, "byte \(index) ^ \(mask)")
            }
        }
        #expect(accepted > 0, "some flips only change a text")
    }

    @Test func garbageIsRefused() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<20_000 {
            var bytes = (0..<generator.below(40)).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 7) }
            if generator.below(2) == 0 { bytes = [1, 1, UInt8(generator.below(9))] + bytes }
            if let acts = try? decode(bytes, count: 1) { #expect(TripPayload(acts).bytes == bytes) }
        }
        // Counts that promise more than the bytes can hold.
        for mark in UInt8(1)...8 {
            #expect(throws: TripError.self) {
                try decode([1, 0xFF, 0xFF, 0xFF, 0x7F, mark, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], count: 1)
            }
        }
    }

    @Test func aPayloadIsBounded() throws {
        let title = FieldValue(field: .title, value: "a")
        let note = FieldValue(field: .note, value: String(repeating: "n", count: Limits.noteCharacters))
        let size = { (notes: Int) in
            TripPayload(Array(repeating: .add(fields: [title, note], quantity: 0), count: notes))
        }
        let (fits, tooBig) = (size(104), size(105))
        #expect(fits.bytes.count <= Limits.payloadBytes && tooBig.bytes.count > Limits.payloadBytes)
        _ = try decode(fits.bytes, count: fits.operationCount)
        #expect(throws: TripError.self) { try decode(tooBig.bytes, count: tooBig.operationCount) }
        let many = TripPayload(Array(repeating: .add(fields: [title], quantity: 0), count: 5_001))
        #expect(throws: TripError.self) { try decode(many.bytes, count: many.operationCount) }
    }

    @Test func whatIsNotInThePastIsRefused() throws {
        let payload = TripPayload(Self.acts)
        for missing in Self.dots {
            #expect(throws: TripError.self) {
                try TripReplica.validate(payload: payload.bytes, operationCount: payload.operationCount) {
                    $0 == missing ? nil : $0
                }
            }
        }
    }

    @Test func whatNoHonestAuthorWritesIsRefused() {
        let item = ItemID(dot: Self.dots[0])
        let (low, high) = (Self.dots[0], Self.dots[3])
        let title = FieldValue(field: .title, value: "a")
        let wrong: [[Act]] = [
            [],
            [.setTitle("a", superseding: [low, low])],
            [.setTitle(" a", superseding: [])],
            [.setTitle("a", superseding: []), .setTitle("b", superseding: [])],
            [.setName("a"), .setName("b")],
            [.setName("")],
            [.setName(String(repeating: "n", count: Limits.nameCharacters + 1))],
            [.setName("eij\u{202E}")],
            [.add(fields: [], quantity: 0)],
            [.add(fields: [FieldValue(field: .note, value: "a")], quantity: 0)],
            [.add(fields: [title, title], quantity: 0)],
            [.add(fields: [title], quantity: -1)],
            [.add(fields: [title], quantity: Limits.quantityStep + 1)],
            [.add(fields: [title, FieldValue(field: .link, value: "javascript:alert(1)")], quantity: 0)],
            [.add(fields: [title, FieldValue(field: .done, value: "false")], quantity: 0)],
            [.item(item, superseding: [], .edit([]))],
            [.item(item, superseding: [], .edit([FieldWrite(field: .title, value: nil, superseding: [])]))],
            [.item(item, superseding: [], .changeQuantity(by: 0))],
            [.item(item, superseding: [], .changeQuantity(by: .min))],
            [.item(item, superseding: [], .remove), .item(item, superseding: [], .remove)],
            [.item(ItemID(dot: Dot(replica: low.replica, counter: 0)), superseding: [], .remove)],
        ]
        for acts in wrong {
            let payload = TripPayload(acts)
            #expect(throws: TripError.self, "\(acts)") { try decode(payload.bytes, count: payload.operationCount) }
        }
        // Dots in descending order: the encoder sorts, so the bytes are turned by hand.
        let sorted = TripPayload([.setTitle("a", superseding: [low, high].sorted())]).bytes
        var turned = sorted
        turned.swapAt(sorted.count - 1, sorted.count - 1 - (low.replica == high.replica ? 2 : 18))
        #expect(throws: TripError.self) { try decode(turned, count: 1) }
    }

    /// A liar's list reaches only the place that its act names, and never a vote.
    @Test func aListOfOthersDotsReachesNothingElse() throws {
        var world = World(participants: [0, 1])
        let entry = try world.perform(
            .add([ItemDraft(title: "a", fields: [.note: "n"]), ItemDraft(title: "b")]), on: 0)
        try world.perform(.setTitle("trip"), on: 0)
        try world.perform(.vote([world.item(entry)], .for), on: 0)
        try world.syncAll()
        let before = world.view(1)
        var everything: [Dot] = []
        world.nodes[1].replica.state.context.forEachRange { replica, range in
            everything += range.map { Dot(replica: replica, counter: $0) }
        }
        let write = FieldWrite(field: .price, value: "1", superseding: everything)
        let payload = TripPayload([.item(before.items[1].id, superseding: everything, .edit([write]))])
        try world.write(payload.bytes, operationCount: payload.operationCount, on: 1)
        try world.syncAll()
        let after = world.view(0)
        #expect(after.title == before.title)
        #expect(after.items[0] == before.items[0])
        #expect(after.items[1].titles == ["b"] && after.items[1].fields[.price]?.value == "1")
    }

    /// An act on a dot that made no item takes its number and leaves nothing else.
    @Test func whatWasNeverAnItemLeavesNothing() throws {
        var world = World(participants: [0, 1])
        try world.perform(.setTitle("trip"), on: 0)
        try world.syncAll()
        let never = ItemID(dot: world.log[0].change.first)
        let write = FieldWrite(field: .title, value: "ghost", superseding: [])
        let payload = TripPayload([
            .item(never, superseding: [never.dot], .edit([write])), .item(never, superseding: [], .vote(.for)),
            .item(never, superseding: [], .changeQuantity(by: 5)), .setName("Ghost"),
        ])
        try world.write(payload.bytes, operationCount: payload.operationCount, on: 1)
        let state = world.nodes[1].replica.state
        #expect(state.items.isEmpty)
        #expect(state.context.versionVector[world.nodes[1].branch] == 5)
        #expect(world.view(1).title?.value == "trip" && world.view(1).participants.last?.name == "Ghost")
    }

    @Test func aReplicaRefusesGapsAndStaysAsItWas() throws {
        var world = World(participants: [0, 1])
        try world.perform(.setTitle("one"), on: 0)
        try world.perform(.setTitle("two"), on: 0)
        var replica = TripReplica()
        do {
            try replica.apply(world.log[1].change)
            Issue.record("a change came before the one that it follows")
        } catch { #expect(error.code == .outOfOrder) }
        #expect(replica == TripReplica())
        try replica.apply(world.log[0].change)
        try replica.apply(world.log[1].change)
        #expect(replica == world.nodes[0].replica)
        let last = world.log[1].change
        for (counter, count) in [(UInt64.max, 1), (0, 1), (3, 0), (3, .max), (3, -1)] {
            let change = TripChange(
                participant: last.participant, first: Dot(replica: last.first.replica, counter: counter),
                stamp: last.stamp, wallTime: 0, payload: last.payload, operationCount: count, resolve: last.resolve)
            #expect(throws: TripError.self) { try replica.apply(change) }
        }
        #expect(replica == world.nodes[0].replica)
    }
}
