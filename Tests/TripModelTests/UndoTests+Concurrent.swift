import DeltaCRDT
import Testing
import TripFixtures

@testable import TripModel

// Undo beside what somebody wrote at the same moment.
extension UndoTests {
    @Test("what somebody wrote at the same moment stays alone, and what they replaced does not come back")
    func concurrent() throws {
        var (world, cabin, _) = try trip()
        try world.perform(.edit(cabin, [.price: "€70"]), on: 0)
        try world.perform(.edit(cabin, [.price: "€60"]), on: 1)
        try world.syncAll()
        #expect(try undo(&world, on: 0)?.obstacles.isEmpty == true)
        try world.syncAll()
        let price = try #require(world.view(1).items.first?.fields[.price])
        #expect(price.value == "€60" && price.alternatives.isEmpty)
        #expect(price.shown.author == world.nodes[1].participant)
        #expect(Set(world.nodes.map(\.replica.encodedState)).count == 1)
        // Once the other one is undone as well, the value is there with which both began.
        #expect(try undo(&world, on: 1)?.obstacles.isEmpty == true)
        #expect(world.view(1).items.first?.fields[.price]?.value == "€90")
    }

    @Test("to see through somebody's undos costs so many states at most")
    func manyUndos() throws {
        var world = World(participants: [0])
        let cabin = try world.add(ItemDraft(title: "Cabin"), on: 0)
        var written: [Written] = []
        for number in 0..<UndoLog.statesMax {
            let undone = try world.perform(.edit(cabin, [.host: "host \(number)"]), on: 0)
            let write = FieldWrite(field: .host, value: .text(Text("other \(number)")), siblings: [])
            let operations: [TripModel.Operation] = [
                .undo(world.log[undone].stamp.hash), .item(.there(cabin.operation), .edit([write])),
            ]
            try world.write(TripContent.encode(operations), on: 0)
            written += world.nodes[0].replica.state.items[cabin]?.fields[.host] ?? []
        }
        var log = UndoLog(world.changes)
        for write in written {
            let origin = log.origin(of: write) { $0.items[cabin]?.fields }
            #expect(origin == write)
        }
        #expect(log.befores.count == UndoLog.statesMax)
    }

    @Test("a title, dates and the trip's title that somebody wrote at the same moment stay alone, shown first or not")
    func concurrentOthers() throws {
        let (start, cabin, _) = try trip()
        var planned = start
        try planned.perform(.edit(cabin, [.dates: "2026-06-12/2026-06-13"]), on: 0)
        try planned.syncAll()
        let texts: [(before: String, write: (String) -> TripAction, read: (TripView) -> FieldView?)] = [
            ("Cabin", { .edit(cabin, [.title: $0]) }, { $0.item(cabin)?.fields[.title] }),
            ("Lisbon", { .setTitle($0) }, { $0.title }),
        ]
        let days = ["2026-06-14/2026-06-15", "2026-06-16/2026-06-17"]
        for device in 0...1 {
            for (before, write, read) in texts {
                var world = start
                try world.perform(write("Hut"), on: 0)
                try world.perform(write("Lodge"), on: 1)
                try world.syncAll()
                #expect(try undo(&world, on: device)?.obstacles.isEmpty == true)
                try world.syncAll()
                let field = try #require(read(world.view(0)))
                #expect(field.value == ["Lodge", "Hut"][device] && field.alternatives.isEmpty)
                // What was written again for an undo is still its author's.
                #expect(try undo(&world, on: 1 - device)?.obstacles.isEmpty == true)
                try world.syncAll()
                let last = try #require(read(world.view(device)))
                #expect(last.value == before && last.alternatives.isEmpty)
            }
            var world = planned
            for writer in 0...1 { try world.perform(.edit(cabin, [.dates: days[writer]]), on: writer) }
            try world.syncAll()
            #expect(try undo(&world, on: device)?.obstacles.isEmpty == true)
            let field = try #require(world.view(device).item(cabin)?.fields[.dates])
            #expect(field.value == days[1 - device] && field.alternatives.isEmpty)
        }
    }

    @Test("what is undone before the other value is known comes back beside that")
    func undoneBeforeSyncing() throws {
        var (world, cabin, _) = try trip()
        try world.perform(.edit(cabin, [.price: "€70"]), on: 0)
        try world.perform(.edit(cabin, [.price: "€60"]), on: 1)
        _ = try undo(&world, on: 0)
        try world.syncAll()
        let price = try #require(world.view(1).items.first?.fields[.price])
        #expect(Set([price.value] + price.alternatives.map(\.value)) == ["€90", "€60"])
    }

    @Test("what somebody wrote at the same moment stays, and what comes back is beside it unless they replaced it")
    func concurrentTwice() throws {
        var (world, cabin, _) = try trip()
        for price in ["€70", "€80"] { try world.perform(.edit(cabin, [.price: price]), on: 0) }
        try world.perform(.edit(cabin, [.price: "€60"]), on: 1)
        try world.syncAll()
        for values in [Set(["€70", "€60"]), ["€60"]] {
            #expect(try undo(&world, on: 0)?.obstacles.isEmpty == true)
            let price = try #require(world.view(0).items.first?.fields[.price])
            #expect(Set([price.value] + price.alternatives.map(\.value)) == values)
        }
        try world.syncAll()
        #expect(Set(world.nodes.map(\.replica.encodedState)).count == 1)
    }

    @Test(
        "of two titles written at the same moment, undo takes back its own, also where the other one is undone already")
    func titlesApart() throws {
        var (world, cabin, _) = try trip()
        try world.perform(.vote([cabin], .for), on: 1)
        try world.syncAll()
        try world.perform(.edit(cabin, [.title: "Hut"]), on: 0)
        try world.perform(.edit(cabin, [.title: "Lodge"]), on: 1)
        _ = try undo(&world, on: 0)
        try world.syncAll()
        #expect(try undo(&world, on: 1)?.obstacles.isEmpty == true)
        try world.syncAll()
        for device in 0...1 {
            let item = try #require(world.view(device).items.first)
            #expect(item.title == "Cabin" && item.fields[.title]?.alternatives.isEmpty == true)
            #expect(item.votes.map(\.word) == [.for])
        }
    }
}
