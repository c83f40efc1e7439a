import Testing
import TripModel
import TripService

@testable import CaravanNode

/// What guests answer to questions, and to "will you do it".
struct GuestPlanningTests {
    typealias Scratch = TripNodeTests.Scratch

    private func admit(_ name: String, on node: TripNode) async throws -> MemberView {
        guard case .member(let guest) = try await node.answer(.admitGuest(name: name)) else {
            throw ServiceError("an answer of another kind")
        }
        return guest
    }

    private func item(_ title: String, on node: TripNode) async throws -> ItemView {
        let trip = try await node.trip()
        return try #require(trip.items.first { $0.title == title })
    }

    /// What people answered to a question, by their names.
    private func answers(_ title: String, on node: TripNode) async throws -> [String: GivenAnswer] {
        let given = try await item(title, on: node).sayings.answers
        return Dictionary(given.map { ($0.name, $0.word) }) { first, _ in first }
    }

    private func answer(_ option: String) throws -> Answer { try #require(Answer([Answer.Choice(option)])) }

    private func ask(_ title: String, _ question: String, _ options: String..., on node: TripNode) async throws {
        _ = try await node.answer(.add([NewItem(title: title, fields: [.question: question], options: options)]))
    }

    private func expectRefusal(
        of actions: [ItemAction], on title: String, by guest: MemberView, _ node: TripNode
    ) async {
        for action in actions {
            let error = await #expect(throws: ServiceError.self) {
                try await node.answer(.asGuest(guest: guest.id, .act(action, on: [.typed(title)])))
            }
            #expect(error?.message.hasPrefix("guests can only ") == true, "\(action)")
        }
    }

    @Test("A guest answers a question beside their host, late where it is closed, and not at all once they are removed")
    func openQuestion() async throws {
        let scratch = Scratch()
        let node = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        let ana = try await admit("Ana", on: node)
        try await ask("Where to?", "one", "Lisbon", "Porto", on: node)
        let lisbon = try answer("Lisbon")
        let porto = try answer("Porto")
        _ = try await node.answer(.act(.answer(lisbon), on: ["Where to?"]))
        _ = try await node.answer(.asGuest(guest: ana.id, .act(.answer(porto), on: ["Where to?"])))
        #expect(
            try await answers("Where to?", on: node)
                == ["Jie": GivenAnswer(counted: lisbon), "Ana": GivenAnswer(counted: porto)])
        // Options and the closing are the members' to say.
        await expectRefusal(
            of: [.mark(.done, true), .changeOptions(added: ["Faro"], removed: [])], on: "Where to?", by: ana, node)
        _ = try await node.answer(.act(.mark(.done, true), on: ["Where to?"]))
        _ = try await node.answer(.asGuest(guest: ana.id, .act(.answer(lisbon), on: ["Where to?"])))
        #expect(try await answers("Where to?", on: node)["Ana"] == GivenAnswer(counted: porto, late: lisbon))
        _ = try await node.answer(.removeMember(name: "Ana"))
        let asked = try await item("Where to?", on: node)
        let group = try await node.trip().group
        let view = try #require(QuestionView(asked, in: group))
        #expect(view.answerCount == 1 && view.best.map(\.option) == ["Lisbon"])
        await node.close()
    }

    @Test("A guest's answer to a hidden question is refused; their host's own is kept over a restart, and revealed")
    func hiddenQuestion() async throws {
        let scratch = Scratch()
        let first = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        let ana = try await admit("Ana", on: first)
        try await ask("Who cooks?", "one hidden", "Jie", "Ana", on: first)
        let jie = try answer("Jie")
        let error = await #expect(throws: ServiceError.self) {
            try await first.answer(.asGuest(guest: ana.id, .act(.answer(jie), on: ["Who cooks?"])))
        }
        #expect(error?.message == "guests can’t answer hidden questions: their host could read the answer")
        await expectRefusal(of: [.mark(.done, true)], on: "Who cooks?", by: ana, first)
        _ = try await first.answer(.act(.answer(jie), on: ["Who cooks?"]))
        await first.close()
        let node = try await scratch.open(scratch.home("jie"))
        let sealed = try await answers("Who cooks?", on: node)
        #expect(sealed == ["Jie": GivenAnswer(counted: nil, seal: .whole, known: jie)])
        _ = try await node.answer(.act(.mark(.done, true), on: ["Who cooks?"]))
        #expect(try await answers("Who cooks?", on: node) == ["Jie": GivenAnswer(counted: jie)])
        await node.close()
    }

    @Test("A guest who is to do something declines, does it after all, and leaves it to others once they are removed")
    func tasks() async throws {
        let scratch = Scratch()
        let node = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        let ana = try await admit("Ana", on: node)
        let person = try #require(ParticipantID(ana.id))
        try await node.add("Tickets")
        _ = try await node.answer(.act(.edit([.assignee: "Ana", .due: "2026-06-03"]), on: ["Tickets"]))
        var tickets = try await item("Tickets", on: node)
        #expect(tickets.assignee == person && tickets.isTask(of: person))
        for (answer, isDeclined) in [(Attendance.notGoing, true), (.going, false)] {
            _ = try await node.answer(.asGuest(guest: ana.id, .act(.attend(answer), on: ["Tickets"])))
            tickets = try await item("Tickets", on: node)
            #expect(tickets.isDeclined == isDeclined && tickets.isTask(of: person) != isDeclined)
            let words = try await node.trip().group.task(of: tickets)
            #expect(
                words == (isDeclined ? "Ana declined, anybody can take it" : "for Ana") + ", by 3 June 2026")
        }
        // Who does what others added, and whether it is done, is the members' to say.
        await expectRefusal(
            of: [.edit([.assignee: "Jie"]), .edit([.due: nil]), .mark(.done, true)], on: "Tickets", by: ana, node)
        _ = try await node.answer(.removeMember(name: "Ana"))
        tickets = try await item("Tickets", on: node)
        let words = try await node.trip().group.task(of: tickets)
        #expect(words?.hasSuffix("is no longer in the trip, anybody can take it, by 3 June 2026") == true)
        try await node.add("Maps")
        let refused = await #expect(throws: ServiceError.self) {
            try await node.answer(.act(.edit([.assignee: "Ana"]), on: ["Maps"]))
        }
        #expect(refused?.message.contains("is no longer in the trip; name somebody") == true)
        await node.close()
    }
}
