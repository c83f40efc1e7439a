import Testing
import TripFixtures
import TripModel
import TripService

@testable import TripText

/// How people and programs are told of those who are out, of what came back, and of what is short.
@Suite struct MemberTextTests {
    private static let terminal = TextStyle(width: 80, secondsFromUTC: { _ in 0 })

    private func trip() throws -> (World, ItemID) {
        var world = World(participants: [0, 1])
        try world.perform(.setName("Jie"), on: 0)
        let item = try world.add(ItemDraft(title: "Eggs", quantity: 3), on: 0)
        try world.syncAll()
        try world.perform(.setName("Noah"), on: 1)
        try world.syncAll()
        try world.perform(.vote([item], .for), on: 0)
        try world.perform(.vote([item], .for), on: 1)
        try world.syncAll()
        return (world, item)
    }

    @Test("a person who is out is in no heading, and what they did is marked")
    func outside() throws {
        let (world, item) = try trip()
        var live = LiveTrip(world.nodes[0].replica)
        #expect(!TripJSON.list(live.view).text.contains("out"))
        live.outside = [world.nodes[1].participant]
        #expect(
            TerminalText.list(live.view, style: Self.terminal) == """
                Untitled trip
                Jie

                  1  Eggs  +1  Jie, Noah (out)
                     ×3

                """)
        let shown = live.item(item)
        let json = TripJSON.item(try #require(shown), of: Group(members: [], nights: nil)).text
        #expect(json.contains("\"name\": \"Noah (out)\",\n      \"out\": true,") && json.contains("\"tally\": 1"))
        #expect(json.components(of: "\"out\"") == 1)
    }

    @Test("the cards of an expense and of a payment name people who are out")
    func costsOfWhoIsOut() throws {
        var (world, _) = try trip()
        let (jie, noah) = (world.nodes[0].participant, world.nodes[1].participant)
        let cost = try TypedCost(amount: "40 EUR", payers: ["Noah"]).cost(in: world.view(0), by: jie)
        let payment = try Cost(payment: cost.amount, from: jie, to: noah)
        let expense: [Field: String] = [.cost: cost.text, .itemKind: ItemView.expenseKind]
        let fuel = try world.add(ItemDraft(title: "Fuel", fields: expense), on: 0)
        let paid: [Field: String] = [.payment: payment.text, .itemKind: ItemView.paymentKind]
        let debt = try world.add(ItemDraft(title: "Debt", fields: paid), on: 0)
        let task = try world.add(ItemDraft(title: "Tolls", fields: [.assignee: noah.description]), on: 0)
        try world.syncAll()
        try world.perform(.vote([debt], .against), on: 1)
        try world.syncAll()
        var live = LiveTrip(world.nodes[0].replica, outside: [noah])
        let view = live.view
        let cards = try [fuel, debt, task].map { TerminalText.card(try #require(view.item($0)), of: view.group) }
        #expect(cards[0].contains("Noah (out) paid for Jie and Noah (out)") && cards[1].contains("Jie to Noah (out)"))
        #expect(
            cards[1].contains(", disputed\n") && TerminalText.list(view).contains("payment of €40.00, disputed"))
        #expect(cards[2].contains("Noah (out) is no longer in the trip, anybody can take it"))
    }

    @Test("the time that is left is rounded")
    func left() {
        let minute: Int64 = 60_000
        for (minutes, text) in [
            (1, "1 min"), (30, "30 min"), (60, "1 h"), (12 * 60, "12 h"), (24 * 60, "24 h"), (7 * 1_440, "7 days"),
            (6 * 1_440 + 60, "6 days"),
        ] as [(Int64, String)] { #expect(Span.left(minutes * minute - 90) == text) }
    }

    @Test("what a person added who waits is marked, and they read who has to keep them")
    func waiting() throws {
        var (world, _) = try trip()
        _ = try world.add(ItemDraft(title: "Tent"), on: 1)
        try world.syncAll()
        var live = LiveTrip(world.nodes[0].replica)
        live.outside = [world.nodes[1].participant]
        live.waiting = live.outside
        #expect(
            TerminalText.list(live.view, style: Self.terminal) == """
                Untitled trip
                Jie

                  1  Eggs  +1  Jie, Noah (waiting)
                     ×3
                  2  Tent
                     added by Noah (waiting)

                """)
        #expect(TripJSON.list(live.view).text.components(of: "\"waiting\": true") == 1)
        #expect(TripView(bytes: live.view.bytes) == live.view)
        let receipt = Receipt(.added, [live.view.items[1]], waitsFor: "Jie")
        #expect(TerminalText.receipt(receipt).hasSuffix("\nOnly you see this until Jie keeps you.\n"))
        let removal = RemovalView(.removed, by: "Jie", at: 0, waiting: .init(host: "Mal", keeper: "Jie"))
        #expect(
            TerminalText.lines(.youAreOut(removal), style: Self.terminal) == [
                "Jie removed Mal, and you joined through Mal, on 1970-01-01 00:00. Nobody else sees your changes until Jie keeps you."
            ])
    }

    @Test(
        "a person who waits reads what happened to their inviter, and so do the members",
        arguments: [
            (
                RemovalView.Reason.removed, "Jie removed Mal, and you joined through Mal", "Jie removed Mal",
                "was removed"
            ),
            (.left, "Mal left, and you joined through Mal", "Mal left", "left"),
            (
                .deviceEnded, "Mal removed one of their devices, and you joined through Mal",
                "Mal removed one of their devices", "removed the device that admitted them"
            ),
        ])
    func whyPeopleWait(_ reason: RemovalView.Reason, told: String, event: String, clause: String) {
        let removal = RemovalView(
            reason, by: reason == .removed ? "Jie" : nil, at: 0, waiting: .init(host: "Mal", keeper: "Jie"))
        #expect(TerminalText.sentence(removal, style: Self.terminal) == told + ", on 1970-01-01 00:00")
        let xen = MemberView(
            id: "00ff00ff", name: "Xen", depth: 1, sponsor: "Jie", isGuest: false, isYou: false, isHere: false,
            removal: removal, mayBeKept: true, lastHeard: nil, devices: [])
        let members = TerminalText.members(
            MembersView(people: [xen], overshotInvites: []), now: 0, style: TextStyle(secondsFromUTC: { _ in 0 }))
        #expect(members.contains("invited by Jie, waits: \(event) on 1970-01-01 00:00\n"))
        // The reader may have been connected all along, and removed Mal with everything that Mal did.
        #expect(
            members.contains(
                "They came through Mal, who \(clause). What they did counts once you keep them: `caravan members keep 00ff00ff`"
            ))
    }

    @Test(
        "of each invite that a removed person may know is asked whether it stays open; of many the first are asked about"
    )
    func exposedInvites() {
        let invites = (1...10).map { number in
            InviteView(
                number: number, id: "a1b2c3d4e5f6\(number)", link: "caravan:x", by: "Jie", uses: 5, left: 4,
                expires: nil,
                isForDevice: false, isAnswered: true, exposure: InviteExposure(removed: "Noah", by: "Mia"))
        }
        let text = TerminalText.answer(.invites(invites), now: 0, style: Self.terminal)
        #expect(text.components(of: "Mia removed Noah, who may know the link.") == 8)
        #expect(text.contains("`caravan invite keep a1b2c3d4`, or `caravan invite close a1b2c3d4`"))
        #expect(text.contains("\nThe same is asked of invites 9 and 10.\n"))
        let status = StatusView(
            title: "Lofoten", you: "Jie", changes: 7, listening: nil, discoveryProblem: nil, writingProblem: nil,
            removal: nil, exposedInvites: [invites[0]], devices: [], inTwoPlaces: [])
        #expect(
            TerminalText.status(status, now: 0, style: Self.terminal).contains(
                "1 invite waits for your answer: see `caravan invite list`"))
    }

    @Test("versions that connected devices run, and this one doesn't, have a line each, and a key each in JSON")
    func versions() {
        func status(_ own: String?, _ versions: [(label: String, version: String?)]) -> StatusView {
            StatusView(
                title: "Lofoten", you: "Jie", changes: 7, listening: nil, discoveryProblem: nil,
                writingProblem: nil, removal: nil,
                devices: versions.map {
                    DeviceStatus(
                        id: "00", label: $0.label, isYours: false, isHere: true, lacks: 0, lastHeard: nil,
                        version: $0.version)
                },
                inTwoPlaces: [], version: own)
        }
        func text(_ view: StatusView) -> String { TerminalText.status(view, now: 0, style: Self.terminal) }
        let mixed = status(
            "1.1.0", [("Ana", "1.1.0"), ("Mia", "1.2.0"), ("Noah", "1.2.0"), ("Rui", "0.9"), ("Zoe", nil)])
        #expect(
            text(mixed).contains(
                "\nRui runs caravan 0.9; this device runs 1.1.0\n"
                    + "Mia and Noah run caravan 1.2.0; this device runs 1.1.0\n"))
        let json = TripJSON.answer(.status(mixed)).compact
        #expect(json.contains(#""version": "1.1.0""#) && json.components(of: #""version""#) == 5)
        #expect(!text(status("1.1.0", [("Ana", "1.1.0"), ("Zoe", nil)])).contains("caravan 1"))
        // A node of an earlier version says none of its own.
        #expect(text(status(nil, [("Mia", "1.2.0")])).contains("Mia runs caravan 1.2.0\n"))
    }

    @Test("nobody who is out, or waits, reads that anybody has everything; of many who wait the first are named")
    func statusOutside() {
        func status(_ removal: RemovalView?, waiting: [String] = []) -> String {
            let noah = DeviceStatus(
                id: "00", label: "Noah", isYours: false, isHere: true, lacks: 0, lastHeard: nil, lastWritten: nil)
            return TerminalText.status(
                StatusView(
                    title: "Lofoten", you: "Jie", changes: 7, listening: nil, discoveryProblem: nil,
                    writingProblem: nil,
                    lostChanges: 0, removal: removal, waiting: waiting, devices: [noah], inTwoPlaces: [],
                    newerChanges: [],
                    photos: nil),
                now: 0, style: Self.terminal)
        }
        #expect(status(nil).components(of: "p to date") == 2)
        for removal in [
            RemovalView(.removed, by: "Mia", at: 0), RemovalView(.left, at: 0), RemovalView(.deviceEnded, at: 0),
            RemovalView(.removed, by: "Mia", at: 0, waiting: .init(host: "Mal", keeper: "Mia")),
            RemovalView(.left, at: 0, waiting: .init(host: "Mal", keeper: "Mia")),
        ] {
            #expect(!status(removal).contains("p to date") && status(removal).contains("  Noah: connected\n"))
        }
        #expect(status(nil, waiting: ["Ana", "Rui"]).contains("Ana and Rui wait for your answer"))
        let many = (1...500).map { "Puppet \($0)" }
        #expect(status(nil, waiting: many).contains("Puppet 7, Puppet 8\nand 492 more wait for your answer"))
    }

    @Test("a device that can't store changes is not up to date with everyone")
    func fullDisk() {
        for problem in ["the disk is full", nil] {
            let noah = DeviceStatus(id: "00", label: "Noah", isYours: false, isHere: true, lacks: 0, lastHeard: nil)
            let status = StatusView(
                title: "Lofoten", you: "Jie", changes: 7, listening: nil, discoveryProblem: nil,
                writingProblem: problem, removal: nil, devices: [noah], inTwoPlaces: [])
            let text = TerminalText.status(status, now: 0, style: Self.terminal)
            #expect(text.contains("Up to date with everyone") == (problem == nil))
            #expect(text.contains("  Noah: connected, up to date\n"))
            let key = "\"everyone_has_this\": \(problem == nil)"
            #expect(TripJSON.answer(.status(status)).compact.contains(key))
        }
    }

    @Test("who left, and met nobody since, reads that the others may not know")
    func untoldLeave() {
        func isUntold(
            _ removal: RemovalView, lacks: Int = 1, lastHeard: Int64? = 4, isRunning: Bool = false
        ) -> Bool {
            let noah = DeviceStatus(
                id: "00", label: "Noah", isYours: false, isHere: false, lacks: lacks, lastHeard: lastHeard)
            let status = StatusView(
                title: "Lofoten", you: "Jie", changes: 7,
                listening: isRunning ? StatusView.Listening(port: 4_000, addresses: []) : nil, discoveryProblem: nil,
                writingProblem: nil, removal: removal, devices: [noah], inTwoPlaces: [])
            return TerminalText.status(status, now: 0, style: Self.terminal).contains("may not know yet that you left")
        }
        let leave = RemovalView(.left, at: 5)
        #expect(isUntold(leave) && isUntold(leave, lastHeard: nil))
        #expect(!isUntold(leave, lacks: 0) && !isUntold(leave, lastHeard: 6) && !isUntold(leave, isRunning: true))
        #expect(!isUntold(RemovalView(.removed, by: "Mia", at: 5)))
        #expect(!isUntold(RemovalView(.left, at: 5, waiting: .init(host: "Mal", keeper: "Mia"))))
    }

    @Test(
        "a device that said it wrote its letter before all time was last seen long ago",
        arguments: [.min, -1] as [Int64])
    func endOfTime(lastHeard: Int64) {
        let noah = DeviceStatus(
            id: "00", label: "Noah", isYours: false, isHere: false, lacks: 0, lastHeard: lastHeard)
        let status = StatusView(
            title: "Lofoten", you: "Jie", changes: 7, listening: nil, discoveryProblem: nil, writingProblem: nil,
            removal: nil, devices: [noah], inTwoPlaces: [])
        let now: Int64 = 20_000 * 86_400_000
        #expect(TerminalText.status(status, now: now, style: Self.terminal).contains("last seen 20000 days ago"))
    }

    @Test("a guest is said to be one, and nobody waits for a node of theirs")
    func guest() {
        let person = { (name: String, sponsor: String?, removal: RemovalView?) in
            MemberView(
                id: "00", name: name, depth: sponsor == nil ? 0 : 1, sponsor: sponsor, isGuest: sponsor != nil,
                isYou: sponsor == nil, isHere: sponsor == nil, removal: removal, lastHeard: nil, devices: [])
        }
        let view = MembersView(
            people: [
                person("Jie", nil, nil), person("Ana", "Jie", nil),
                person("Rui", "Jie", RemovalView(.removed, by: "Jie", at: 0)),
            ], overshotInvites: [])
        #expect(
            TerminalText.members(view, now: 0, style: Self.terminal) == """
                Jie    founder, you
                  Ana  guest of Jie
                  Rui  guest of Jie, removed by Jie on 1970-01-01 00:00

                """)
    }

    @Test("what two took away at the same moment is short, and said so")
    func short() throws {
        var (world, item) = try trip()
        for device in 0..<2 { try world.perform(.changeQuantity(item, by: -2), on: device) }
        try world.syncAll()
        let view = world.view(0)
        #expect(TerminalText.list(view).contains("×-1 (short by 1)"))
        #expect(TerminalText.card(view.items[0], of: view.group).contains("×-1 (short by 1)"))
        #expect(TripJSON.item(view.items[0], of: view.group).text.contains("\"quantity\": -1,"))
    }

    @Test("history says why an item stays or came back, and who came and went")
    func history() throws {
        var (world, item) = try trip()
        try world.perform(.vote([item], .against), on: 1)
        try world.perform(.changeQuantity(item, by: 1), on: 1)
        try world.perform(.remove([item]), on: 0)
        try world.perform(.setName("Jie M."), on: 0)
        try world.perform(.vote([item], nil), on: 1)
        try world.syncAll()
        let (jie, noah) = (world.nodes[0].participant, world.nodes[1].participant)
        let first = world.log[0]
        let entry = { (by: ParticipantID, lamport: UInt64, events: [HistoryEvent]) in
            HistoryEntry(
                participant: by, stamp: LamportTimestamp(lamport: lamport, hash: first.stamp.hash),
                wallTime: first.wallTime, events: events)
        }
        let others = [
            entry(jie, 0, [.founded, .invited(uses: 1, forOwnDevice: false), .invited(uses: 3, forOwnDevice: false)]),
            entry(jie, 1, [.letIn(participant: noah, name: "Noah at the door", as: .participant)]),
            entry(noah, 90, [.letIn(participant: ParticipantID(high: 1, low: 1), name: "Mia\u{1B}[2J\n", as: .guest)]),
            entry(noah, 91, [.letIn(participant: noah, name: "", as: .device), .invited(uses: 1, forOwnDevice: true)]),
            entry(jie, 92, [.tookOut(participant: noah, name: "Noah"), .closedInvite]), entry(jie, 93, [.left]),
        ]
        let entries = TripReplica.history(of: world.changes, and: others)
        var live = LiveTrip(world.nodes[0].replica, outside: [noah])
        let names = live.names(of: entries)
        let lines = TerminalText.history(entries, names).split(separator: "\n").map { $0.dropFirst(22) }
        #expect(lines == Self.told.split(separator: "\n").map { $0[...] })
        #expect(entries.flatMap { TerminalText.sentences($0, names) } == lines.map(String.init))
        let json = TripJSON.history(entries, names).text
        for part in [
            "\"what\": \"founded\"", "\"as\": \"guest\",\n        \"name\": \"Mia [2J \"", "\"what\": \"took_out\"",
            "\"name\": \"Noah (out)\"", "\"device\": true", "\"what\": \"left\"", "\"what\": \"closed_invite\"",
            "\"upheld_by\": [\n          \"Noah (out)\"\n        ]",
        ] { #expect(json.contains(part), "\(part)") }
        #expect(json == TripJSON.history(entries.reversed().reversed(), live.names(of: entries)).text)
        let texts = entries.map { TripJSON.entry($0, names).text }
        #expect(texts.count == entries.count && texts.allSatisfy { !$0.contains("\u{1B}") })
    }

    private static let told = """
        Jie M. created the trip
        Jie M. created an invite for one person
        Jie M. created an invite for 3 people
        Jie M. admitted Noah (out)
        Jie M. joined as “Jie”
        Jie M. added “Eggs” ×3
        Noah (out) joined as “Noah”
        Noah (out) voted for “Eggs”
        Jie M. voted for “Eggs”
        Noah (out) voted against “Eggs”
        Jie M. removed “Eggs”, but it stays, because Noah (out) voted against it at the same time
        Noah (out) changed the quantity of “Eggs” by +1
        Jie M. changed their name from “Jie” to “Jie M.”
        Noah (out) withdrew their vote on “Eggs”
        Noah (out) admitted Mia [2J  as a guest
        Noah (out) admitted another device of Noah (out)
        Noah (out) created an invite for another device
        Jie M. removed Noah
        Jie M. revoked an invite
        Jie M. left the trip
        """

    @Test("history says that a vote brought an item back, or several")
    func broughtBack() throws {
        var (world, item) = try trip()
        let other = try world.add(ItemDraft(title: "Flour"), on: 1)
        try world.syncAll()
        try world.perform(.remove([item]), on: 0)
        try world.perform(.remove([other]), on: 0)
        for name in ["a", "b", "c"] { try world.perform(.setName(name), on: 1) }
        try world.perform(.vote([item, other], .against), on: 1)
        try world.syncAll()
        let entries = TripReplica.history(of: world.changes)
        var live = LiveTrip(world.nodes[0].replica)
        let names = live.names(of: entries)
        #expect(
            TerminalText.sentences(try #require(entries.last), names)
                == ["c voted against “Eggs” and “Flour”, which restored them"])
        #expect(TripJSON.history(entries, names).text.components(of: "\"brought_back\": true") == 2)
        #expect(names.items.map(\.number) == [1, 2] && names.people.count == 2)
    }
}

extension String {
    /// How often a text stands in this one.
    fileprivate func components(of text: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
