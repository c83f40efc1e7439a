import Attachments
import Testing
import TripFixtures

@testable import TripModel

/// What takes back one's last action, and what stands against it.
@Suite struct UndoTests {
    func undo(_ world: inout World, on device: Int) throws -> Undoing? {
        let node = world.nodes[device]
        let changes = node.order.map { world.change($0, in: node.order) }
        guard let undoing = node.replica.undoing(lastOf: node.participant, among: changes) else { return nil }
        try world.write(try undoing.content(), on: device)
        return undoing
    }

    func trip() throws -> (World, cabin: ItemID, list: ListID) {
        var world = World(participants: [0, 1])
        try world.perform(.setTitle("Lisbon"), on: 0)
        let list = try world.perform(.addList(title: "Shortlist", kind: nil, []), on: 0)
        let draft = ItemDraft(
            title: "Cabin", fields: [.note: "n", .price: "€90"], quantity: 2, amenities: ["wifi"],
            photos: [Photos.photo(1)])
        let cabin = try world.add(draft, on: 0)
        try world.syncAll()
        return (world, cabin, world.item(list))
    }

    @Test("each kind of action is taken back, and the trip shows what it showed before")
    func everyKind() throws {
        let (start, cabin, list) = try trip()
        let photo = try #require(start.view(0).item(cabin)?.photos.first?.id)
        let actions: [TripAction] = [
            .setTitle("Porto"), .add([ItemDraft(title: "Hut"), ItemDraft(title: "Boat")], to: list),
            .edit(cabin, [.note: nil, .price: "€80", .host: "Ana"]), .remove([cabin]), .vote([cabin], .for),
            .changeQuantity(cabin, by: 3), .claim([cabin], 2), .attend([cabin], .maybe), .comment(cabin, "hm"),
            .changeAmenities(cabin, added: ["sauna"], removed: ["wifi"]), .move([cabin], .end(of: list)),
            .addList(title: "Packing", kind: .bring, [ItemDraft(title: "Soap")]), .editList(list, [.title: "Best"]),
            .removeLists([list]), .mark([cabin], .chosen, true),
            .attach(cabin, [Photos.photo(2), Photos.photo(3)]), .detach(cabin, [photo]),
        ]
        for action in actions {
            var world = start
            let before = world.view(0)
            try world.perform(action, on: 0)
            #expect(world.view(0) != before, "\(action)")
            let undoing = try #require(try undo(&world, on: 0), "\(action)")
            #expect(undoing.obstacles.isEmpty, "\(action)")
            let after = world.view(0)
            #expect(after.title?.value == before.title?.value, "\(action)")
            #expect(after.items.map(\.fields) == before.items.map(\.fields), "\(action)")
            #expect(after.items.map(\.votes) == before.items.map(\.votes), "\(action)")
            #expect(after.items.map(\.quantity) == before.items.map(\.quantity), "\(action)")
            #expect(after.items.map(\.sayings.claims) == before.items.map(\.sayings.claims), "\(action)")
            #expect(after.items.map(\.sayings.attendance) == before.items.map(\.sayings.attendance), "\(action)")
            #expect(after.items.map(\.sayings.amenities) == before.items.map(\.sayings.amenities), "\(action)")
            #expect(after.items.map(\.sayings.comments) == before.items.map(\.sayings.comments), "\(action)")
            #expect(after.items.map(\.sayings.list) == before.items.map(\.sayings.list), "\(action)")
            #expect(
                after.items.map { $0.photos.map(\.manifest) } == before.items.map { $0.photos.map(\.manifest) },
                "\(action)")
            #expect(after.lists == before.lists, "\(action)")
        }
    }

    @Test(
        "of a plan that is taken back, history tells the day, and not that the item is chosen, which it was all along")
    func plannedAgain() throws {
        var (world, cabin, _) = try trip()
        for day in ["2027-03-01", "2027-03-02"] { try world.perform(.act(.plan(day), on: [cabin]), on: 0) }
        _ = try undo(&world, on: 0)
        let item = try #require(world.view(0).item(cabin))
        #expect(item.isChosen && item.fields[.dates]?.value == "2027-03-01")
        let day = FieldEdit(field: .dates, value: "2027-03-01", insteadOf: ["2027-03-02"], siblings: [])
        let told = TripReplica.history(of: world.changes).last?.events
        #expect(
            told == [
                .undid, .item(id: cabin, title: "Cabin", event: .edited(fields: [day]), broughtBack: false),
            ])
        _ = try undo(&world, on: 0)
        #expect(world.view(0).item(cabin)?.isChosen == false)
    }

    @Test("somebody else's photo comes back as theirs, behind the others, also where it is removed and restored twice")
    func photoOfAnother() throws {
        var (world, cabin, _) = try trip()
        try world.perform(.attach(cabin, [Photos.photo(2)]), on: 1)
        for _ in 0..<2 {
            let theirs = try #require(
                world.view(1).item(cabin)?.photos.first { $0.author == world.nodes[0].participant })
            try world.perform(.detach(cabin, [theirs.id]), on: 1)
            #expect(world.view(1).item(cabin)?.photos.map(\.manifest) == [Photos.photo(2)])
            _ = try undo(&world, on: 1)
            let photos = try #require(world.view(1).item(cabin)?.photos)
            #expect(photos.map(\.manifest) == [Photos.photo(2), Photos.photo(1)])
            #expect(photos.map(\.author) == [1, 0].map { world.nodes[$0].participant })
        }
        try world.syncAll()
        #expect(world.view(0) == world.view(1))
        let authors = world.nodes[1].replica.photos.map(\.author)
        #expect(authors == [0, 1].map { world.nodes[$0].participant }, "the newest first")
    }

    @Test("where every step of a quantity is taken back there is none, and where somebody counted down to 0 it is 0")
    func firstQuantity() throws {
        var (world, _, _) = try trip()
        let hut = try world.add(ItemDraft(title: "Hut"), on: 0)
        try world.syncAll()
        let quantity = { (world: World) in world.nodes.indices.map { world.view($0).item(hut)?.quantity } }
        try world.perform(.changeQuantity(hut, by: 2), on: 0)
        _ = try undo(&world, on: 0)
        try world.syncAll()
        #expect(quantity(world) == [nil, nil])
        // Somebody else's step stands, whether or not it leaves anything.
        try world.perform(.changeQuantity(hut, by: 2), on: 0)
        try world.syncAll()
        try world.perform(.changeQuantity(hut, by: -2), on: 1)
        try world.syncAll()
        #expect(quantity(world) == [0, 0])
        _ = try undo(&world, on: 1)
        try world.syncAll()
        #expect(quantity(world) == [2, 2])
        _ = try undo(&world, on: 0)
        try world.syncAll()
        #expect(quantity(world) == [nil, nil])
        #expect(Set(world.nodes.map(\.replica.encodedState)).count == 1)
    }

    @Test("said again, undo takes back what was done before that, and ends where nothing is left")
    func again() throws {
        var (world, cabin, _) = try trip()
        try world.perform(.vote([cabin], .for), on: 1)
        try world.perform(.edit(cabin, [.price: "€70"]), on: 1)
        _ = try undo(&world, on: 1)
        #expect(world.view(1).items.first?.fields[.price]?.value == "€90" && world.view(1).items[0].votes.count == 1)
        _ = try undo(&world, on: 1)
        #expect(world.view(1).items[0].votes.isEmpty)
        #expect(try undo(&world, on: 1) == nil)
    }

    @Test("what somebody changed since is named, and taking it back all the same writes over it")
    func obstacles() throws {
        var (world, cabin, _) = try trip()
        try world.perform(.edit(cabin, [.price: "€70"]), on: 1)
        try world.syncAll()
        try world.perform(.edit(cabin, [.price: "€60"]), on: 0)
        try world.syncAll()
        let undoing = try #require(try undo(&world, on: 1))
        #expect(undoing.obstacles.map(\.by) == [world.nodes[0].participant])
        #expect(undoing.obstacles.map(\.what) == ["the price of “Cabin”"])
        #expect(world.view(1).items.first?.fields[.price]?.value == "€90")
        // An item that somebody else voted on is not taken away in passing.
        let hut = try world.add(ItemDraft(title: "Hut"), on: 0)
        try world.syncAll()
        try world.perform(.vote([hut], .for), on: 1)
        try world.syncAll()
        #expect(try undo(&world, on: 0)?.obstacles.map(\.by) == [world.nodes[1].participant])
        // Nor one that somebody else attached a photo to.
        let boat = try world.add(ItemDraft(title: "Boat"), on: 0)
        try world.syncAll()
        try world.perform(.attach(boat, [Photos.photo(2)]), on: 1)
        try world.syncAll()
        #expect(try undo(&world, on: 0)?.obstacles.map(\.by) == [world.nodes[1].participant])
    }

    @Test("several values that one replaced all come back")
    func alternatives() throws {
        var (world, cabin, _) = try trip()
        try world.perform(.edit(cabin, [.price: "€70", .details: "a"]), on: 0)
        try world.perform(.edit(cabin, [.price: "€60", .details: "b"]), on: 1)
        try world.syncAll()
        try world.perform(.edit(cabin, [.price: "€50", .details: "c"]), on: 0)
        _ = try undo(&world, on: 0)
        for (field, values) in [(Field.price, Set(["€70", "€60"])), (.details, ["a", "b"])] {
            let view = try #require(world.view(0).items.first?.fields[field])
            #expect(Set([view.value] + view.alternatives.map(\.value)) == values)
        }
    }

    @Test("of several values that come back, the one that was shown is shown again")
    func shownAgain() throws {
        var (world, cabin, _) = try trip()
        try world.perform(.edit(cabin, [.price: "€70"]), on: 0)
        try world.perform(.edit(cabin, [.price: "€60"]), on: 1)
        try world.syncAll()
        let before = try #require(world.view(0).items.first?.fields[.price])
        try world.perform(.edit(cabin, [.price: "€50"]), on: 0)
        _ = try undo(&world, on: 0)
        let after = try #require(world.view(0).items.first?.fields[.price])
        #expect(after.value == before.value)
        #expect(after.alternatives.map(\.value) == before.alternatives.map(\.value))
    }

    @Test("what stood beside a value that was cleared stands beside it when it comes back")
    func clearedBeside() throws {
        var (world, cabin, _) = try trip()
        try world.perform(.edit(cabin, [.price: "€60"]), on: 1)
        try world.perform(.edit(cabin, [.price: "€70"]), on: 0)
        try world.syncAll()
        // The person who clears the price was shown only one of the two.
        try world.perform(.edit(cabin, [.price: nil], shown: [.price: ["€70"]]), on: 0)
        #expect(world.view(0).items.first?.fields[.price]?.value == "€60")
        #expect(try undo(&world, on: 0)?.obstacles.isEmpty == true)
        let price = try #require(world.view(0).items.first?.fields[.price])
        #expect(Set([price.value] + price.alternatives.map(\.value)) == ["€70", "€60"])
    }

    @Test("said again, undo steps back through one place, and one's own undo is never in its way")
    func stepsBack() throws {
        let (start, cabin, list) = try trip()
        var world = start
        let packing = try world.perform(.addList(title: "Packing", kind: nil, []), on: 0)
        let other = world.item(packing)
        try world.perform(.setName("Jie"), on: 0)
        try world.syncAll()
        let series: [[TripAction]] = [
            ["€1", "€2", "€3"].map { .edit(cabin, [.price: $0]) },
            [.edit(cabin, [.note: "a"]), .edit(cabin, [.note: nil]), .edit(cabin, [.note: "b"])],
            ["Porto", "Faro", "Évora"].map { .setTitle($0) },
            ["Jie of Macao", "Jay", "J"].map { .setName($0) },
            ["Best", "Better", "Good"].map { .editList(list, [.title: $0]) },
            [.vote([cabin], .for), .vote([cabin], .against), .vote([cabin], nil), .vote([cabin], .ifNeedBe)],
            [.mark([cabin], .chosen, true), .mark([cabin], .chosen, false), .mark([cabin], .chosen, true)],
            [.mark([cabin], .done, true), .mark([cabin], .done, false), .mark([cabin], .done, true)],
            [.claim([cabin], 1), .claim([cabin], 3), .claim([cabin], 2), .claim([cabin], nil)],
            [.attend([cabin], .going), .attend([cabin], .notGoing), .attend([cabin], nil), .attend([cabin], .maybe)],
            [.move([cabin], .end(of: list)), .move([cabin], .end(of: other)), .move([cabin], .end(of: nil))],
            [
                .changeAmenities(cabin, added: ["sauna"], removed: []),
                .changeAmenities(cabin, added: [], removed: ["sauna"]),
            ],
            [.remove([cabin]), .restore([cabin]), .remove([cabin])],
        ]
        for actions in series {
            var (world, shown) = (world, [TripView]())
            for action in actions {
                shown.append(world.view(0))
                try world.perform(action, on: 0)
            }
            for before in shown.reversed() {
                let undoing = try #require(try undo(&world, on: 0), "\(actions)")
                #expect(undoing.obstacles.isEmpty, "\(actions)")
                let after = world.view(0)
                #expect(after.title?.value == before.title?.value, "\(actions)")
                #expect(after.participants == before.participants, "\(actions)")
                #expect(
                    after.items.map { $0.fields.mapValues(\.value) }
                        == before.items.map { $0.fields.mapValues(\.value) }, "\(actions)")
                #expect(
                    after.items.map { $0.votes.map(\.word) } == before.items.map { $0.votes.map(\.word) }, "\(actions)")
                #expect(
                    after.items.map { $0.sayings.claims.map(\.word) }
                        == before.items.map { $0.sayings.claims.map(\.word) }, "\(actions)")
                #expect(
                    after.items.map { $0.sayings.attendance.map(\.word) }
                        == before.items.map { $0.sayings.attendance.map(\.word) }, "\(actions)")
                #expect(after.items.map(\.sayings.amenities) == before.items.map(\.sayings.amenities), "\(actions)")
                #expect(after.lists.map(\.items) == before.lists.map(\.items), "\(actions)")
                #expect(after.lists.map(\.title) == before.lists.map(\.title), "\(actions)")
            }
        }
    }

    @Test("what is done again after an undo is undone as well")
    func alternating() throws {
        var (world, cabin, _) = try trip()
        for price in ["€1", "€2"] { try world.perform(.edit(cabin, [.price: price]), on: 1) }
        for price in ["€3", "€4", "€5"] {
            _ = try undo(&world, on: 1)
            try world.perform(.edit(cabin, [.price: price]), on: 1)
        }
        for price in ["€1", "€90"] {
            #expect(try #require(try undo(&world, on: 1)).obstacles.isEmpty)
            #expect(world.view(1).items.first?.fields[.price]?.value == price)
        }
        #expect(try undo(&world, on: 1) == nil)
    }

    @Test("somebody else's change that one's own undo brought back is in the way of the next one")
    func otherBroughtBack() throws {
        let (start, cabin, list) = try trip()
        var started = start
        let packing = try started.perform(.addList(title: "Packing", kind: nil, []), on: 0)
        let other = started.item(packing)
        try started.syncAll()
        let series: [(mine: TripAction, theirs: TripAction, last: TripAction)] = [
            (.edit(cabin, [.price: "€1"]), .edit(cabin, [.price: "€2"]), .edit(cabin, [.price: "€3"])),
            (.edit(cabin, [.price: nil]), .edit(cabin, [.price: "€2"]), .edit(cabin, [.price: "€3"])),
            (.setTitle("Porto"), .setTitle("Faro"), .setTitle("Évora")),
            (.move([cabin], .end(of: list)), .move([cabin], .end(of: other)), .move([cabin], .end(of: list))),
        ]
        for (mine, theirs, last) in series {
            var world = started
            for (action, device) in [(mine, 1), (theirs, 0), (last, 1)] {
                try world.perform(action, on: device)
                try world.syncAll()
            }
            #expect(try undo(&world, on: 1)?.obstacles.isEmpty == true, "\(last)")
            #expect(try undo(&world, on: 1)?.obstacles.map(\.by) == [world.nodes[0].participant], "\(mine)")
        }
    }

    @Test("what somebody cleared since is theirs; what they undid themselves is in nobody's way")
    func clearedByOthers() throws {
        var (world, cabin, _) = try trip()
        try world.perform(.edit(cabin, [.price: "€70"]), on: 1)
        try world.syncAll()
        try world.perform(.edit(cabin, [.price: nil]), on: 0)
        try world.syncAll()
        var blocked = world
        #expect(try undo(&blocked, on: 1)?.obstacles.map(\.by) == [world.nodes[0].participant])
        _ = try undo(&world, on: 0)
        try world.syncAll()
        #expect(world.view(1).items.first?.fields[.price]?.value == "€70")
        #expect(try undo(&world, on: 1)?.obstacles.isEmpty == true)
        #expect(world.view(1).items.first?.fields[.price]?.value == "€90")
    }

    @Test("what is in no list is moved out of none, and nothing is written")
    func moveOutOfNothing() throws {
        var (world, cabin, list) = try trip()
        let hut = try world.add(ItemDraft(title: "Hut"), on: 0)
        #expect(throws: TripError.self) { try world.perform(.move([cabin, hut], .end(of: nil)), on: 0) }
        try world.perform(.move([cabin], .end(of: list)), on: 0)
        let moved = try world.perform(.move([hut, cabin], .end(of: nil)), on: 0)
        #expect(TripContent(world.log[moved].content).operations.count == 1)
        #expect(world.view(0).lists.flatMap(\.items).isEmpty)
    }

    @Test("where nothing is left of the last action, the one before it stays until undo is repeated")
    func nothingLeft() throws {
        var (world, cabin, _) = try trip()
        try world.perform(.vote([cabin], .for), on: 1)
        try world.perform(.remove([cabin]), on: 1)
        try world.syncAll()
        try world.perform(.restore([cabin]), on: 0)
        try world.syncAll()
        #expect(try undo(&world, on: 1)?.isEmpty == true)
        #expect(world.view(1).items[0].votes.map(\.word) == [.for])
        #expect(try undo(&world, on: 1)?.isEmpty == false)
        #expect(world.view(1).items[0].votes.isEmpty)
        #expect(try undo(&world, on: 1) == nil)
    }

    @Test("what somebody wrote since and equals what was there before stays, whether or not it is insisted on")
    func sameAgain() throws {
        var (world, cabin, _) = try trip()
        try world.perform(.edit(cabin, [.price: "€70"]), on: 1)
        try world.syncAll()
        try world.perform(.edit(cabin, [.price: "€90"]), on: 0)
        try world.syncAll()
        _ = try undo(&world, on: 1)
        #expect(world.view(1).items.first?.fields[.price]?.value == "€90")
    }
}
