import Testing
import TripFixtures
import TripModel
import TripService

@testable import TripExchange

/// What of a list is added, and in how many changes.
struct ImportPlanTests {
    private func list(_ items: [NewItem]) -> ImportedList {
        ImportedList(
            entryName: "row", entries: items.enumerated().map { ImportedList.Entry(number: $0 + 1, item: $1) })
    }

    @Test("what is there already is passed over: by its link, or by title and place where one of the two has no link")
    func known() throws {
        var world = World(participants: [0])
        try world.perform(
            .add([
                ItemDraft(title: "Casa", fields: [.link: "https://www.airbnb.com/rooms/1/"]),
                ItemDraft(title: "Loft", fields: [.place: "38.7,-9.1"]),
            ]), on: 0)
        let gone = try world.add(ItemDraft(title: "Removed"), on: 0)
        try world.perform(.remove([gone]), on: 0)
        let known = [
            NewItem(title: "Other name", fields: [.link: "http://airbnb.com/rooms/1#photos"]),
            NewItem(title: "CASA"),
            NewItem(title: "Loft", fields: [.place: "38.7,-9.1", .link: "https://a.b/loft"]),
            NewItem(title: "Loft", fields: [.place: "38.7, -9.1"]),
        ]
        let new = [
            NewItem(title: "Casa", fields: [.link: "https://www.airbnb.com/rooms/2"]),
            NewItem(title: "Loft", fields: [.place: "38.7,-9.2"]), NewItem(title: "Loft"), NewItem(title: "Removed"),
        ]
        // The last one stands in the list twice.
        let plan = try ImportPlan(list(known + new + new.suffix(1)), into: world.view(0))
        #expect(plan.changes == [new])
        #expect(plan.knownCount == 5)
        let all = try ImportPlan(list(known + new), into: world.view(0), addingAll: true)
        #expect(all.changes == [known + new] && all.knownCount == 0)
    }

    @Test("10,000 short rows are one change, and what is more or longer is split where the bounds of changes lie")
    func bounds() throws {
        let empty = World(participants: [0]).view(0)
        let short = try ImportPlan(list((0..<10_001).map { NewItem(title: "Item \($0)") }), into: empty)
        #expect(short.changes.map(\.count) == [10_000, 1])
        let details = String(repeating: "ü", count: 10_000)
        let long = try ImportPlan(
            list((0..<120).map { NewItem(title: "Item \($0)", fields: [.details: details]) }), into: empty)
        #expect(long.changes.map(\.count) == [52, 52, 16])
        // The trip takes each as it is.
        var world = World(participants: [0])
        for items in short.changes + long.changes {
            let drafts = items.map { ItemDraft(title: $0.title, fields: $0.fields, quantity: $0.quantity) }
            try world.perform(.add(drafts), on: 0)
        }
        #expect(world.view(0).items.count == 10_121)
    }

    @Test("a note goes behind that of the trip, unless each of its lines is there, and never into a list")
    func note() throws {
        var world = World(participants: [0])
        try world.perform(.setTitle("Lisbon"), on: 0)
        try world.perform(.addList(title: "Packing", kind: nil, []), on: 0)
        var noted = list([NewItem(title: "Tent")])
        noted.note = "Bus 28\nBring boots"
        #expect(try ImportPlan(noted, into: world.view(0)).note?.text == "Bus 28\nBring boots")
        try world.perform(.editNote("Meet at nine"), on: 0)
        let plan = try ImportPlan(noted, into: world.view(0))
        #expect(plan.note == .init(text: "Meet at nine\n\nBus 28\nBring boots", shown: "Meet at nine"))
        let withoutNote = try ImportPlan(list([NewItem(title: "Tent")]), into: world.view(0))
        #expect(withoutNote.note == nil && withoutNote.mark != plan.mark)
        try world.perform(.editNote("Bring  boots\nMeet at ten\nBus 28"), on: 0)
        #expect(try ImportPlan(noted, into: world.view(0)).note == nil)
        #expect(try ImportPlan(noted.keeping([0]), into: world.view(0)).note == nil)
        noted.note = "New"
        #expect(try ImportPlan(noted, into: world.view(0), to: "Packing").note == nil)
        noted.note = String(repeating: "a", count: Limits.noteCharacters)
        let error = #expect(throws: ServiceError.self) { try ImportPlan(noted, into: world.view(0)) }
        #expect(error?.message.hasPrefix("the note of the trip would have 100033 characters") == true)
    }

    @Test("what is left out of a row is counted: values that a field can't have, and assignees who aren't there")
    func leftOut() throws {
        var world = World(participants: [0])
        try world.perform(.setName("Jie"), on: 0)
        try world.perform(.add([ItemDraft(title: "Known")]), on: 0)
        let rows = [
            "title,beds,done,assignee", "A,two,maybe,Zoe", "B,2,yes,jie", "C,0,no,", "D,2.0,x,Zoe", "E,-1,,",
            "Known,,,Zoe",
        ]
        let bytes = Array((rows.joined(separator: "\n") + "\n").utf8)
        let list = try ImportFormat.csv.read(bytes)
        #expect(list.unreadCounts == [.done: 1, .beds: 2])
        let plan = try ImportPlan(list, into: world.view(0))
        #expect(plan.strangerCount == 2, "one of them is there already")
        #expect(
            plan.sentence(for: list, isDone: true)
                == "Added 5 items; skipped 1 duplicate; left out 3 invalid values (done, beds); "
                + "left out 2 assignees who are not in this trip")
        let fields = try #require(plan.changes.first).map(\.fields)
        #expect(fields.map { $0[.beds] } == [nil, "2", nil, "2", nil])
        #expect(fields.map { $0[.done] } == [nil, Field.setValue, nil, Field.setValue, nil])
    }

    @Test(
        "a row that the trip's rules refuse is named, and nothing of the list is to be added",
        arguments: [
            (NewItem(title: "\u{200B}"), "row 2: the title is empty"),
            (NewItem(title: "a", fields: [.link: "ftp://a"]), "row 2: the link is not a web address"),
            (NewItem(title: "a", fields: [.place: "91,0"]), "row 2: the place is not on Earth; the latitude"),
            (NewItem(title: "a", fields: [.place: "91"]), "row 2: the place is neither a latitude"),
            (NewItem(title: "a", fields: [.price: "-5 EUR"]), "row 2: the price is below 0"),
            (NewItem(title: "a", quantity: 1_000_001), "row 2: the quantity must be between 1 and"),
            (NewItem(title: String(repeating: "x", count: 201)), "row 2: the title has 201 characters"),
        ])
    func refused(_ item: NewItem, _ beginning: String) {
        let error = #expect(throws: ServiceError.self) {
            try ImportPlan(list([NewItem(title: "fine"), item]), into: World(participants: [0]).view(0))
        }
        #expect(error?.message.hasPrefix(beginning) ?? false, "\(error?.message ?? "none")")
    }
}
