import Testing
import TripFixtures
import TripModel
import TripService

@testable import TripText

/// Tables in a narrow terminal: the columns stay, and what is broken off a row stands below its last column.
@Suite struct TableTests {
    private func style(_ width: Int?) -> TextStyle { TextStyle(width: width, secondsFromUTC: { _ in 0 }) }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    /// The lines of a table as a terminal of a width shows them.
    private func lines(_ table: (TextStyle) -> String, at width: Int) -> [String] {
        let text = table(style(width))
        let lines = text.split(separator: "\n").map(String.init)
        for line in lines { #expect(DisplayWidth.of(line) <= width, "\(line)") }
        #expect(style(width).fitted(text) == text)
        return lines
    }

    private func member(_ name: String, by sponsor: String? = nil, removal: RemovalView? = nil) -> MemberView {
        MemberView(
            id: "00", name: name, depth: sponsor == nil ? 0 : 1, sponsor: sponsor, isGuest: false,
            isYou: sponsor == nil, isHere: true, removal: removal, lastHeard: nil, devices: [])
    }

    @Test("members")
    func members() {
        let view = MembersView(
            people: [
                member("Anna"), member("Chloé Łukasz-Nguyễn", by: "Anna"),
                member("Дима", by: "Anna", removal: RemovalView(.removed, by: "Anna", at: 0)),
            ], overshotInvites: [])
        let table = { TerminalText.members(view, now: 0, style: $0) }
        #expect(
            lines(table, at: 60) == [
                "Anna" + spaces(19) + "founder, you", "  Chloé Łukasz-Nguyễn  invited by Anna, connected",
                "  Дима" + spaces(17) + "invited by Anna, removed by Anna on", spaces(23) + "1970-01-01 00:00",
            ])
        // A name that is wider than its column is told whole.
        let narrow = lines(table, at: 40)
        #expect(narrow[0] == "Anna" + spaces(12) + "founder, you" && narrow[1] == "  Chloé Łukasz-Nguyễn")
        #expect(narrow[2] == spaces(16) + "invited by Anna,", "\(narrow)")
    }

    @Test("lists")
    func lists() throws {
        var world = World(participants: [0])
        for title in ["Gear", "Things for the kitchen"] {
            try world.perform(.addList(title: title, kind: .bring, [ItemDraft(title: "Towels")]), on: 0)
        }
        let view = world.view(0)
        let narrow = lines({ TerminalText.lists(view, style: $0) }, at: 40)
        #expect(narrow.count == 5 && narrow.contains("Gear" + spaces(12) + "1 item, bring"), "\(narrow)")
        #expect(narrow.contains("Things for the kitchen"))
        #expect(narrow.count { $0.hasPrefix(spaces(16) + "(") } == 2)
        let piped = TerminalText.lists(view)
        #expect(piped.contains("Gear" + spaces(20) + "1 item, bring ("), "\(piped)")
    }

    @Test("wishes")
    func wishes() {
        let wishes = (1...10).map { Wish(title: "A boat \($0)", fields: [.note: "with a sail and two oars, please"]) }
        let narrow = lines({ TerminalText.answer(.wishes(wishes), now: 0, style: $0) }, at: 40)
        #expect(narrow.prefix(2) == [" 1  A boat 1 · with a sail and two oars,", "    please"], "\(narrow)")
        #expect(narrow.contains("10  A boat 10 · with a sail and two"))
    }

    @Test("expenses, whose facts stand below where an amount leaves them no room")
    func costs() throws {
        var world = World(participants: [0])
        try world.perform(.setName("Zoë"), on: 0)
        for amount in ["85.00 EUR", "12845.50 EUR"] {
            let cost = try TypedCost(amount: amount).cost(in: world.view(0), by: world.nodes[0].participant).text
            let fields: [Field: String] = [.cost: cost, .itemKind: ItemView.expenseKind]
            _ = try world.add(ItemDraft(title: "Groceries for the whole week", fields: fields), on: 0)
        }
        let view = world.view(0)
        let narrow = lines({ TerminalText.costs(view, style: $0) }, at: 40)
        #expect(narrow[0].hasPrefix("1  Groceries for the wh") && narrow[0].hasSuffix("€85.00"), "\(narrow)")
        #expect(narrow[1] == "   Zoë paid for Zoë", "\(narrow)")
        #expect(lines({ TerminalText.costs(view, style: $0) }, at: 60)[0].hasSuffix("Zoë paid for Zoë"))
    }

    @Test("one long title doesn't push the votes of all items aside in a pipe")
    func longTitle() throws {
        var world = World(participants: [0])
        try world.perform(.setName("Bo"), on: 0)
        let hotel = try world.add(ItemDraft(title: "Hotel Park"), on: 0)
        let long = String(repeating: "a", count: 190)
        let other = try world.add(ItemDraft(title: long), on: 0)
        try world.perform(.vote([hotel, other], .for), on: 0)
        let text = TerminalText.list(world.view(0))
        #expect(text.contains("  1  Hotel Park" + spaces(40) + "+1  Bo\n"), "\(text)")
        #expect(text.contains("  2  \(long)  +1  Bo\n"), "\(text)")
    }
}
