import Testing
import TripFixtures
import TripModel
import TripService

@testable import TripPage

private let hostel = SampleTrip.hostel

@Suite struct PageActionTests {
    private static let actions: [PageAction] = [
        .add([NewItem(title: "Casa <b>")]),
        .add([
            NewItem(title: "Tent", fields: [.price: "€40", .note: "two\nlines"], quantity: 2),
            NewItem(title: "https://a.b"),
        ]),
        .act(
            .edit([.title: "New", .price: nil], shown: [.title: ["Old", "Other"], .price: []]), on: [hostel.shortID]),
        .act(.claim(nil), on: [hostel.shortID]), .act(.claim(1), on: [hostel.shortID]),
        .act(.claim(3), on: [hostel.shortID]),
        .act(.attend(.going), on: [hostel.shortID]), .act(.attend(.notGoing), on: [hostel.shortID]),
        .act(.attend(nil), on: [hostel.shortID]), .fetch(hostel.shortID), .fetchLinks(true), .fetchLinks(false),
        .act(.setQuantity(12), on: [hostel.shortID]), .act(.mark(.chosen, true), on: [hostel.shortID]),
        .act(.plan("2026-06-12T14:30/PT2H", shown: ["2026-06-12", "2026-06-13"]), on: [hostel.shortID]),
        .plan(
            hostel.shortID, TypedPlan(day: "2026-06-12", start: "14:30", length: "none"),
            shown: ["2026-06-12", "2026-06-13"]),
        .plan(hostel.shortID, TypedPlan(day: "2026-06-12..15", start: "none", length: "none"), shown: []),
        .act(.plan(nil, shown: []), on: [hostel.shortID]), .act(.plan(nil), on: [hostel.shortID]),
        .act(.comment("two\nlines"), on: [hostel.shortID]),
        .act(.changeAmenities(added: ["wifi"], removed: ["pool", "sauna"]), on: [hostel.shortID]),
        .act(.edit([.title: "Same"], shown: [.title: ["Same", "Other"]]), on: [hostel.shortID]),
        .act(.edit([.done: "true"], shown: [:]), on: [hostel.shortID]),
        .act(.vote(.for), on: [hostel.shortID]), .act(.vote(.against), on: [hostel.shortID]),
        .act(.vote(nil), on: [hostel.shortID]),
        .act(.remove, on: [hostel.shortID]), .act(.restore, on: [hostel.shortID, SampleTrip.stove.shortID]),
        .act(.changeQuantity(by: -3), on: [hostel.shortID]), .invite, .closeInvite("a1b2c3d4"),
        .keepInvite("a1b2c3d4"), .keepMember(member: "00ff00ff"),
        .takeOut(member: "00ff00ff"), .removeDevice("00ff00ff"), .see([]), .see(["00ff00ff", "0123abcd"]),
        .takeOut(member: "00ff00ff", withContributions: true),
        .mailbox(.add(MailboxPlace(address: "https://jie:p%20w@cloud.example.org/trip"))),
        .mailbox(.add(MailboxPlace(address: "/srv/trip", code: "9f2c51e07ab34d6685d0c1e2f3a4b596"))),
        .mailbox(
            .add(
                MailboxPlace(
                    address: "https://cloud.example.org/trip", proxy: "socks5h://127.0.0.1:9050",
                    certificates: "/box.pem"))),
        .mailbox(.remove("/srv/trip")), .mailbox(.test),
        .expense(expense), .openToGuests(minutes: 30), .openToGuests(minutes: nil), .closeToGuests,
        .importList("title,link\nCasa,https://a.b"),
        .share(from: .feed("stays: a=b&c"), offer: "0123456789abcdef"),
        .share(from: .wishes, offer: "00ff00ff00ff00ff"),
        .keep(from: .feed("x"), offer: "0123456789abcdef"), .unwish(offer: "0123456789abcdef"),
        .wish([NewItem(title: "Boat", fields: [.price: "€40"])]),
    ]

    private static var expense: ExpenseForm {
        var form = ExpenseForm()
        (form.item, form.title, form.amount, form.currency) = (hostel.shortID, "Taxi", "30", "EUR")
        (form.rate, form.way, form.dates, form.category, form.note) = ("", .parts, "2026-06-12", "", "two\nlines")
        form.payers = [ExpenseForm.Person("a1b2", "20"), ExpenseForm.Person("c3d4", "10")]
        form.sharers = [ExpenseForm.Person("a1b2", "2")]
        form.shown = [.title: ["Taxi"], .cost: ["one", "two"], .dates: [], .category: [], .note: []]
        return form
    }

    @Test("what a form sends is read as the action that it was made of", arguments: actions)
    func roundTrip(_ action: PageAction) throws {
        let read = try PageAction(fields: action.fields + [("stream", "x"), ("action", "y"), ("back", "view=bring")])
        #expect(read == action)
    }

    @Test("an edit writes what differs from what was shown, and says all that was shown of it")
    func edit() throws {
        let action = try PageAction(fields: [
            ("do", "edit"), ("item", hostel.shortID), ("fields", "title,price,note,host"), ("title", "Hostel"),
            ("shown-title", "Hostel"), ("price", "€30"), ("shown-price", "€31"), ("shown-price", "€33"),
            ("note", "a\r\nb"), ("shown-note", "a\nb"), ("host", "Rui"),
        ])
        #expect(
            action
                == .act(
                    .edit([.price: "€30", .host: "Rui"], shown: [.price: ["€31", "€33"], .host: []]),
                    on: [hostel.shortID]))
    }

    @Test("a time in words that is the one that was shown is no edit, and another one is")
    func timesInWords() throws {
        func edit(_ dates: String) throws -> PageAction {
            try PageAction(fields: [
                ("do", "edit"), ("item", hostel.shortID), ("fields", "dates"), ("dates", dates),
                ("shown-dates", "2026-06-12T14:30/PT2H"),
            ])
        }
        for same in ["12 June 2026, 14:30, 2 h", "12 June 2026, 14:30 for 2h", "2026-06-12T14:30/PT2H"] {
            #expect(try edit(same) == .act(.edit([:], shown: [:]), on: [hostel.shortID]), "\(same)")
        }
        let later = "12 June 2026, 15:30, 2 h"
        #expect(
            try edit(later)
                == .act(.edit([.dates: later], shown: [.dates: ["2026-06-12T14:30/PT2H"]]), on: [hostel.shortID]))
        for value in ["2026-06-12T09:05", "2026-06-12T14:30/PT45M", "2026-06-12T00:00/PT168H"] {
            let words = try #require(CardField.all.first { $0.field == .dates }).typed(value)
            #expect(words.hasPrefix("12 June 2026, ") && Field.dates.normalized(words) == value, "\(words)")
        }
    }

    @Test("words for a place are its address, where that is empty; coordinates and links are its place")
    func placeWords() throws {
        func edit(_ place: String, address: String = "") throws -> PageAction {
            try PageAction(fields: [
                ("do", "edit"), ("item", hostel.shortID), ("fields", "address,place"), ("place", place),
                ("address", address),
            ])
        }
        #expect(try edit("Alfama") == .act(.edit([.address: "Alfama"], shown: [.address: []]), on: [hostel.shortID]))
        for place in ["38.7110,-9.1430", "https://a.b/@38.7,-9.1"] {
            #expect(try edit(place) == .act(.edit([.place: place], shown: [.place: []]), on: [hostel.shortID]))
        }
        #expect(
            try edit("Alfama", address: "Rua X")
                == .act(
                    .edit([.address: "Rua X", .place: "Alfama"], shown: [.address: [], .place: []]),
                    on: [hostel.shortID]))
    }

    @Test("a title of blanks is refused beneath its field, as other values are")
    func blankTitle() throws {
        let action = try PageAction(fields: [
            ("do", "edit"), ("item", hostel.shortID), ("fields", "title,price"), ("title", "  "), ("price", ""),
            ("shown-title", "Casa"), ("shown-price", "€90"),
        ])
        let refused = try #require(RefusedEdit(action))
        #expect(refused.faults == [.title: "the title is empty; write some visible text"])
        #expect(TripPage.faultLines(refused).map(\.id) == ["f-\(hostel.shortID)-title-fault"])
    }

    @Test("a price below 0 is refused, and a dash that is no sign isn't one")
    func negativePrice() {
        func fault(_ price: String) -> String? {
            RefusedEdit(.act(.edit([.price: price], shown: [:]), on: [hostel.shortID]))?.message
        }
        for price in ["-5 EUR", "€-5", "−20", "EUR -80 a night", "- 5", "-€5"] {
            #expect(fault(price) == "the price is below 0; write a price of 0 or more", "\(price)")
        }
        for price in [
            "5 EUR", "80-90 EUR", "mid-June: 80", "all-in 90", "free", "€80 - a night", "- ask Ana -", "EUR - 80",
        ] {
            #expect(fault(price) == nil, "\(price)")
        }
    }

    @Test("thousands may be apart from the rest of a number in a list, and a pack's size is none of them")
    func thousands() throws {
        func read(_ line: String) throws -> [NewItem] {
            guard case .add(let items) = try PageAction(fields: [("do", "add"), ("lines", line)]) else { return [] }
            return items
        }
        for (line, count, title) in [
            ("10 000 beads", 10_000, "beads"), ("10\u{202F}000 beads", 10_000, "beads"),
            ("- 1 000 napkins", 1_000, "napkins"),
            ("1 050 x cards", 1_050, "cards"), ("1. 2 000 cups", 2_000, "cups"), ("2 500 g packs", 2, "500 g packs"),
            ("10 000", 1, "10 000"), ("3 tents", 3, "tents"), ("1000 beads", 1, "1000 beads"),
            ("999 000 000 000 beads", 1, "999 000 000 000 beads"),
        ] as [(String, Int64, String)] {
            #expect(try read(line) == [NewItem(title: title, quantity: count)], "\(line)")
        }
        #expect(
            try read("[x] 10 000 beads") == [NewItem(title: "beads", fields: [.done: Field.setValue], quantity: 10_000)]
        )
    }

    @Test("a length may be written as a clock shows it")
    func clockLength() throws {
        func length(_ text: String) throws -> String? {
            let fields = [
                ("do", "schedule"), ("item", hostel.shortID), ("day", "2026-06-12"), ("start", "1:30"),
                ("length", text),
            ]
            guard case .plan(_, let typed, _) = try PageAction(fields: fields) else { return nil }
            return typed.length
        }
        for (text, read) in [
            ("1:30", "1h30"), ("0:45", "0h45"), ("12:00", "12h00"), ("1:75", "1:75"), ("1:3", "1:3"), ("2h", "2h"),
        ] {
            #expect(try length(text) == read)
        }
        #expect(
            DayTime.length(typed: "1h30") == 90 && DayTime.length(typed: "0h45") == 45
                && DayTime.length(typed: "12h00") == 720)
    }

    @Test("a field that its form does not say it shows is not written")
    func unsaid() throws {
        let action = try PageAction(fields: [("do", "edit"), ("item", hostel.shortID), ("title", "Stray")])
        #expect(action == .act(.edit([:], shown: [:]), on: [hostel.shortID]))
        #expect(action.request() == nil)
    }

    @Test("an emptied field is cleared, and what was shown goes along")
    func cleared() throws {
        let action = try PageAction(fields: [
            ("do", "edit"), ("item", hostel.shortID), ("fields", "price"), ("price", " "), ("shown-price", "€31"),
        ])
        #expect(
            action.request()
                == .act(.edit([.price: String?.none], shown: [.price: ["€31"]]), on: [.typed(hostel.shortID)]))
    }

    @Test(
        "a form that says too little or too much is refused in one line",
        arguments: [
            [], [("do", "dance")], [("do", "vote"), ("item", "b4e7c0ffee01"), ("vote", "maybe")],
            [("do", "vote"), ("item", "1"), ("vote", "for")], [("do", "remove")], [("do", "add"), ("what", " \n ")],
            [("do", "add"), ("title", "Tent"), ("quantity", "-1")],
            [("do", "count"), ("item", "b4e7c0ffee01"), ("by", "0")],
            [("do", "set-quantity"), ("item", "b4e7c0ffee01"), ("quantity", "-1")],
            [("do", "count"), ("item", "b4e7c0ffee01"), ("by", "9999999999999999999999")],
            [("do", "edit"), ("item", "b4e7c0ffee01"), ("fields", "title,colour")],
            [("do", "edit"), ("item", "b4e7c0ffee01"), ("write", "title")],
            [("do", "share"), ("from", "elsewhere"), ("offer", "0123456789abcdef")],
            [("do", "share"), ("from", "wishes"), ("offer", "\"><b>")],
            [("do", "keep"), ("offer", "0123456789abcdef")],
            [("do", "add-mailbox"), ("address", "https://a.b"), ("certificates", "box.pem")],
            [("do", "unwish")], [("do", "wish"), ("what", " ")],
            [("do", "take-out"), ("member", "Mia")], [("do", "open-to-guests"), ("minutes", "100000")],
            [("do", "add"), ("lines", String(repeating: "a\r\n", count: PageAction.itemsMax + 1))],
            Array(repeating: ("do", "invite"), count: PageAction.fieldsMax + 1),
        ] as [[(String, String)]])
    func refused(_ fields: [(String, String)]) {
        let error = #expect(throws: PageFormError.self) {
            try PageAction(fields: fields.map { (name: $0.0, value: $0.1) })
        }
        #expect(error.map { !$0.message.isEmpty && !$0.message.contains("\n") } == true)
    }

    @Test("random forms are read or refused, and what is read survives another trip")
    func fuzz() throws {
        var generator = SeededGenerator(seed: 14)
        let names =
            ["do", "item", "vote", "by", "what", "lines", "title", "fields", "write", "saw", "quantity", "minutes"]
            + Field.texts.flatMap { [$0.name, "shown-" + $0.name] }
        let values = [
            "add", "edit", "vote", "remove", "count", "for", "none", "", " ", "b4e7c0ffee01", "title,note", "done",
            "-1",
            "7", "999999999999999999999999", "a\r\nb\r\r\n\n", "\u{0}\u{202E}", "https://x.y/%zz%", "3x", "×", "- [x]",
            "٣ خيام", "e\u{301}\u{301}", "[ ] ☑ 2 ×", "https://", "[", "x1 x1",
        ]
        var readings = 0
        for _ in 0..<20_000 {
            var fields = [
                (
                    name: "do",
                    value: generator.pick(["add", "edit", "vote", "remove", "count"])
                )
            ]
            for _ in 0..<generator.below(8) { fields.append((generator.pick(names), generator.pick(values))) }
            guard let action = try? PageAction(fields: fields) else { continue }
            readings += 1
            _ = action.request()
            #expect(try PageAction(fields: action.fields) == action)
        }
        #expect(readings > 900)
    }
}

@Suite struct PageRequestTests {
    @Test("an action is the request that a person would make, with items by their short ids")
    func requests() {
        #expect(PageAction.act(.vote(nil), on: ["b4e7c0ffee02"]).request() == .act(.vote(nil), on: ["b4e7c0ffee02"]))
        #expect(
            PageAction.act(.changeQuantity(by: 1), on: ["b4e7c0ffee02"]).request()
                == .act(.changeQuantity(by: 1), on: ["b4e7c0ffee02"]))
        #expect(PageAction.takeOut(member: "00ff00ff").request() == .removeMember(name: "00ff00ff"))
        #expect(
            PageAction.takeOut(member: "00ff00ff", withContributions: true).request()
                == .removeMember(name: "00ff00ff", contributions: .removed))
        #expect(PageAction.openToGuests(minutes: 30).request() == nil)
        #expect(PageAction.act(.remove, on: ["b4e7c0ffee02"]).items == ["b4e7c0ffee02"])
    }

    @Test("what is done is taken back by its contrary")
    func undo() {
        let undo = { (action: PageAction, act: Receipt.Act, before: [ItemView]) in
            Toast(action, Receipt(act, [hostel]), before: before, viewer: SampleTrip.noah.id).undo
        }
        let id = hostel.shortID
        #expect(undo(.add([NewItem(title: "Hostel")]), .added, []) == .act(.remove, on: [id]))
        #expect(undo(.act(.remove, on: [id]), .removed, [hostel]) == .act(.restore, on: [id]))
        #expect(undo(.act(.restore, on: [id]), .restored, [SampleTrip.removedHostel]) == .act(.remove, on: [id]))
        #expect(
            undo(.act(.changeQuantity(by: 4), on: [id]), .counted, [hostel]) == .act(.changeQuantity(by: -4), on: [id]))
        // Noah had voted for it.
        #expect(undo(.act(.vote(.against), on: [id]), .votedAgainst, [hostel]) == .act(.vote(.for), on: [id]))
        #expect(undo(.act(.vote(nil), on: [id]), .unvoted, [hostel]) == .act(.vote(.for), on: [id]))
        #expect(
            undo(.act(.edit([.price: "€28", .host: "Rui"], shown: [:]), on: [id]), .edited, [hostel])
                == .act(.edit([.price: "€31", .host: nil], shown: [.price: ["€28"], .host: ["Rui"]]), on: [id]))
    }

    @Test("what is said of a task is no answer to an invitation")
    func taskAnswers() throws {
        var world = World(participants: [0, 1])
        let you = world.nodes[0].participant
        let id = try world.add(ItemDraft(title: "Buy tickets", fields: [.assignee: you.description]), on: 0)
        let item = try #require(world.view(0).items.first { $0.id == id })
        let say = { (viewer: ParticipantID) in
            Toast(
                .act(.attend(.notGoing), on: [item.shortID]), Receipt(.notGoing, [item]), before: [item], viewer: viewer
            ).text
        }
        #expect(say(you) == "You can’t do “Buy tickets”")
        #expect(say(world.nodes[1].participant) == "You’re not going to “Buy tickets”")
    }

    @Test("a link that is pasted into the packing list is a link, as one that is pasted among the stays")
    func packedLink() throws {
        let link = "https://www.ikea.com/frakta"
        guard case .add(let packed) = try PageAction(fields: [("do", "add"), ("lines", "2 tents\n\(link)")]),
            case .add(let stays) = try PageAction(fields: [("do", "add"), ("what", link)])
        else { return _ = Issue.record("nothing is added") }
        #expect(packed.map(\.title) == ["tents", stays[0].title] && packed.map(\.quantity) == [2, 1])
        #expect(packed[1].fields == [.link: link])
    }

    @Test("a stay is taken off its days, and a plan off its day")
    func unplanned() throws {
        var world = World(participants: [0])
        func said(_ dates: String) throws -> String {
            let id = try world.add(ItemDraft(title: "Casa", fields: [.chosen: "true", .dates: dates]), on: 0)
            let item = try #require(world.view(0).items.first { $0.id == id })
            return Toast(
                .act(.plan(nil), on: [item.shortID]), Receipt(.unplanned, [item]), before: [item], viewer: nil
            ).text
        }
        #expect(try said("2026-06-12/2026-06-15") == "Took “Casa” off its days")
        #expect(try said("2026-06-12") == "Took “Casa” off its day")
    }

    @Test("nothing is offered to take back where nothing was done")
    func nothingDone() {
        let added = Toast(
            .add([NewItem(title: hostel.title)]), Receipt(.added, [hostel]), before: [],
            known: "The trip already had it.",
            viewer: SampleTrip.jie.id)
        #expect(added.text == "Added \(hostel.title.quoted). The trip already had it.")
        let asked = Toast(
            .act(.changeOptions(added: ["Faro"], removed: []), on: [hostel.shortID]),
            Receipt(.optionsChanged, [hostel]), before: [hostel], viewer: SampleTrip.jie.id)
        #expect(asked.text == "Added an option to \(hostel.title.quoted)")
        let toast = Toast(
            .act(.remove, on: [hostel.shortID]), Receipt(.removed, [], unchanged: [hostel]), before: [hostel],
            viewer: nil)
        #expect(toast.undo == nil && toast.text == "“Hostel by the station” hasn’t changed")
    }

    @Test("two picked days are one field: what did not change is not written, and one day is one day")
    func pickedDays() throws {
        let edit = { (from: String, to: String) in
            try PageAction(fields: [
                ("do", "edit"), ("item", "abcd"), ("fields", "dates"), ("dates-from", from), ("dates-to", to),
                ("shown-dates", "2026-06-12/2026-06-15"),
            ])
        }
        let written = { (value: String?) in
            PageAction.act(.edit([.dates: value], shown: [.dates: ["2026-06-12/2026-06-15"]]), on: ["abcd"])
        }
        #expect(try edit("2026-06-12", "2026-06-15") == .act(.edit([:], shown: [:]), on: ["abcd"]))
        #expect(try edit("2026-06-12", "2026-06-16") == written("2026-06-12/2026-06-16"))
        #expect(try edit("2026-06-12", "") == written("2026-06-12"))
        #expect(try edit("2026-06-12", "2026-06-12") == written("2026-06-12"))
        #expect(try edit("", "2026-06-15") == written("2026-06-15"))
        #expect(try edit("", "") == written(nil))
    }
}
