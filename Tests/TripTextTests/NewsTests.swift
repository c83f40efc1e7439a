import Testing
import TripFixtures
import TripModel

@testable import TripText

/// What of a history is news for one person.
struct NewsTests {
    /// Jie and Noah, a cabin that Jie added, and a filter for Jie that knows it.
    private struct Trip {
        var world: World
        var live: LiveTrip
        var filter: NewsFilter
        let cabin: ItemID

        init() throws {
            var world = World(participants: [0, 1])
            var live = LiveTrip()
            var filter = NewsFilter(for: world.nodes[0].participant)
            for (device, name) in ["Jie", "Noah"].enumerated() { try world.perform(.setName(name), on: device) }
            cabin = try world.add(ItemDraft(title: "Cabin", fields: [.price: "€80"]), on: 0)
            try world.syncAll()
            var entries: [HistoryEntry] = []
            for change in world.changes { if let entry = live.apply(change) { entries.append(entry) } }
            filter.learn(HistoryView(entries: entries, names: live.names(of: entries)))
            (self.world, self.live, self.filter) = (world, live, filter)
        }

        /// What Jie is told when somebody does something.
        mutating func told(_ action: TripAction, by device: Int, at now: Int64 = 0) throws -> [String] {
            let index = try world.perform(action, on: device)
            try world.syncAll()
            let entry = live.apply(world.changes[index])
            return try told(try #require(entry), at: now)
        }

        mutating func told(_ entry: HistoryEntry, at now: Int64 = 0) throws -> [String] {
            filter.news(in: HistoryView(entries: [entry], names: live.names(of: [entry])), at: now).map(\.sentence)
        }
    }

    @Test("who is given something to do is told, with the due date; who gives it to somebody else tells nothing")
    func tasks() throws {
        var trip = try Trip()
        let people = trip.world.nodes.map(\.participant)
        let give = { (person: Int, due: String?) in
            TripAction.edit(
                trip.cabin,
                due.map { [.assignee: people[person].description, .due: $0] }
                    ?? [.assignee: people[person].description])
        }
        #expect(try trip.told(give(0, "2026-06-03"), by: 1) == ["Noah gave “Cabin” to you, due 3 June 2026"])
        #expect(try trip.told(give(1, nil), by: 1) == [])
        #expect(try trip.told(give(0, nil), by: 0) == [])
    }

    @Test("what others add, vote and remove is told, and nothing that one does oneself")
    func others() throws {
        var trip = try Trip()
        let things: [(TripAction, [String])] = [
            (.add([ItemDraft(title: "Hut")]), ["Noah added “Hut”"]),
            (.add((1...5).map { ItemDraft(title: "Thing \($0)") }), ["Noah added “Thing 1”, “Thing 2” and 3 more"]),
            (.vote([trip.cabin], .for), ["Noah voted for “Cabin”"]),
            (.attend([trip.cabin], .maybe), ["Noah might go to “Cabin”"]),
            (.attend([trip.cabin], .notGoing), ["Noah is not going to “Cabin”"]), (.attend([trip.cabin], nil), []),
            (.vote([trip.cabin], .against), ["Noah voted against “Cabin”"]), (.vote([trip.cabin], nil), []),
            (.changeQuantity(trip.cabin, by: 2), []), (.setTitle("Lisbon"), []),
            (.remove([trip.cabin]), ["Noah removed “Cabin”"]), (.restore([trip.cabin]), []),
        ]
        for (action, expected) in things { #expect(try trip.told(action, by: 1) == expected, "\(action)") }
        for (action, _) in things where action != .setTitle("Lisbon") {
            #expect(try trip.told(action, by: 0) == [], "\(action)")
        }
    }

    @Test("an edit is told to the author of what it replaced, and to nobody else")
    func edits() throws {
        var trip = try Trip()
        let edit = { (fields: [Field: String?]) in TripAction.edit(trip.cabin, fields) }
        let (price, again, host, both) = (
            edit([.price: "€90"]), edit([.price: "€95"]), edit([.host: "Ana"]), edit([.title: "Hut", .price: "€99"])
        )
        #expect(try trip.told(price, by: 1) == ["Noah changed the price you gave “Cabin”"])
        #expect(try trip.told(again, by: 1) == [], "by now that is Noah's")
        #expect(try trip.told(host, by: 1) == [], "nothing stood there")
        #expect(try trip.told(edit([.price: "€97"]), by: 0) == [])
        #expect(try trip.told(both, by: 1) == ["Noah changed the title and price you gave “Cabin”"])
    }

    @Test("who writes in the trip's note, or in a note that one wrote in too, is told once in 10 minutes")
    func notes() throws {
        var trip = try Trip()
        #expect(try trip.told(.add([ItemDraft(title: "Hut")]), by: 1) == ["Noah added “Hut”"])
        let hut = try #require(trip.world.view(0).items.last?.id)
        let write = { (item: ItemID, text: String) in TripAction.edit(item, [.note: text]) }
        #expect(try trip.told(write(hut, "Wood"), by: 1) == [], "Noah's own")
        #expect(try trip.told(write(trip.cabin, "By"), by: 1) == ["Noah wrote in the note of “Cabin”"])
        #expect(try trip.told(write(trip.cabin, "By the"), by: 1, at: 500) == [])
        #expect(try trip.told(.editNote("Meet"), by: 1, at: 1_000) == ["Noah wrote in the note of the trip"])
        #expect(try trip.told(.editNote("Meet at nine"), by: 1, at: NoteAuthor.span) == [])
        #expect(
            try trip.told(write(trip.cabin, "By the lake"), by: 1, at: NoteAuthor.span)
                == ["Noah wrote in the note of “Cabin”"])
        // Who wrote in a note is told of what others write there.
        #expect(try trip.told(write(hut, "Wood and nails"), by: 0) == [])
        #expect(try trip.told(write(hut, "Wood, nails"), by: 1) == ["Noah wrote in the note of “Hut”"])
        // What they do besides is told.
        #expect(
            try trip.told(.edit(trip.cabin, [.note: "By", .price: "€90"]), by: 1, at: NoteAuthor.span + 1)
                == ["Noah changed the price you gave “Cabin”"])
    }

    @Test("news of a newcomer has their name, no matter who admitted them")
    func joining() throws {
        var trip = try Trip()
        let mia = ParticipantID(high: 9, low: 9)
        for (role, expected) in [
            (Admittance.participant, ["Mia joined"]), (.guest, ["Mia joined as a guest"]), (.device, []),
        ] {
            let entry = HistoryEntry(
                participant: trip.world.nodes[0].participant, stamp: trip.world.log[0].stamp, wallTime: 0,
                events: [.letIn(participant: mia, name: "Mia", as: role)])
            #expect(try trip.told(entry) == expected)
        }
    }

    @Test("what people wrote is told on one line, without tricks")
    func clean() throws {
        var trip = try Trip()
        let told = try trip.told(.add([ItemDraft(title: "a" + String(repeating: "b", count: 190))]), by: 1)
        #expect(told.first?.count ?? 0 <= 161 && told.first?.hasSuffix("…”") == true)
        #expect(
            News(person: "a\u{202E}b", sentence: "one\ntwo\u{1B}[2J\u{202E}")
                == News(person: "ab", sentence: "one two [2J"))
    }
}

/// When news is told, and in how few words.
struct NewsDigestTests {
    private func news(_ count: Int, by person: String = "Noah") -> [News] {
        (0..<count).map { News(person: person, sentence: "\(person) added “\($0)”") }
    }

    @Test("what comes within 5 s of the first is one notification")
    func burst() {
        var digest = NewsDigest()
        #expect(digest.due == nil)
        for second in Int64(0)..<4 { digest.heard(news(3), in: "Lisbon", at: 1_000 + second * 1_000) }
        #expect(digest.due == 6_000 && digest.next(at: 5_999, isQuiet: false) == nil)
        #expect(digest.next(at: 6_000, isQuiet: false) == .init(title: "Lisbon", text: "Noah made 12 changes"))
        #expect(digest.due == nil && digest.next(at: 60_000, isQuiet: false) == nil)
    }

    @Test("three things are told in their words, more are counted")
    func words() {
        for (pieces, text) in [
            (news(1), "Noah added “0”"), (news(3), "Noah added “0”\nNoah added “1”\nNoah added “2”"),
            (news(3) + news(1, by: "Mia"), "Noah and Mia made 4 changes"),
            (["A", "B", "C", "D"].flatMap { news(2, by: $0) }, "A, B and others made 8 changes"),
        ] {
            var digest = NewsDigest()
            digest.heard(pieces, in: "Lisbon", at: 0)
            #expect(digest.next(at: 5_000, isQuiet: false)?.text == text)
        }
    }

    @Test("no two notifications come within 10 s, of however many trips")
    func interval() {
        var digest = NewsDigest()
        for trip in ["One", "Two", "Three"] { digest.heard(news(1), in: trip, at: 0) }
        var told: [(Int64, String)] = []
        for now in stride(from: Int64(0), to: 40_000, by: 500) {
            if let notification = digest.next(at: now, isQuiet: false) { told.append((now, notification.title)) }
        }
        #expect(told.map(\.0) == [5_000, 15_000, 25_000] && told.map(\.1) == ["One", "Two", "Three"])
        digest.heard(news(1), in: "One", at: 26_000)
        #expect(digest.due == 35_000)
    }

    @Test("in quiet hours nothing is told, and nothing of it comes later")
    func quiet() {
        var digest = NewsDigest()
        digest.heard(news(2), in: "Lisbon", at: 0)
        #expect(digest.next(at: 5_000, isQuiet: true) == nil && digest.due == nil)
        #expect(digest.next(at: 6_000, isQuiet: false) == nil)
    }

    @Test("however much comes, what waits stays small")
    func bounds() {
        var digest = NewsDigest()
        for round in 0..<1_000 { digest.heard(news(20, by: "Person \(round)"), in: "Trip \(round % 100)", at: 0) }
        var count = 0
        var now: Int64 = 5_000
        while let notification = digest.next(at: now, isQuiet: false) {
            #expect(notification.text == "Person \(count), Person \(count + 100) and others made 200 changes")
            count += 1
            now += 10_000
        }
        #expect(count == 64)
    }

    @Test("quiet hours go over midnight, and anything else is not taken for hours")
    func quietHours() throws {
        let night = try #require(QuietHours("22:00-08:00"))
        for (minute, isQuiet) in [
            (22 * 60, true), (22 * 60 - 1, false), (0, true), (8 * 60 - 1, true), (8 * 60, false),
        ] {
            #expect(night.contains(Int64(minute)) == isQuiet)
        }
        let noon = try #require(QuietHours("9:30-13:00"))
        #expect(noon.contains(570) && !noon.contains(569) && !noon.contains(780))
        for wrong in [
            "", "22-8", "22:00", "22:00-22:00", "24:00-08:00", "22:60-08:00", "22:00-08:00-09:00", "-1:00-08:00",
            "22:0-8:00", "２２:00-08:00",
        ] {
            #expect(QuietHours(wrong) == nil, "\(wrong)")
        }
    }
}
