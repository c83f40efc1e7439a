import Testing
import TripFixtures

@testable import TripModel

@Suite struct TypedPlanTests {
    /// What somebody types, over what an item has, in a trip whose only zone is Lisbon's if there is one.
    private func text(
        _ plan: TypedPlan, over known: String? = nil, inLisbon: Bool = false
    ) throws -> String {
        var world = World(participants: [0])
        if inLisbon {
            _ = try world.add(
                ItemDraft(title: "Fado", fields: [.dates: "2026-06-12T21:00+01:00[Lisbon]", .chosen: "true"]), on: 0)
        }
        return try plan.span(over: known.flatMap { DateSpan($0) }, in: world.view(0)) {
            name, day, _ throws(TripError) in
            let zone = DayTime.Zone(offset: day.month == 6 ? 60 : 0, name: name)
            guard let zone, name == "Lisbon" else { throw TripError(.malformedValue, "no zone") }
            return zone
        }.text
    }

    @Test("what is left out stays, and none clears it")
    func leftOut() throws {
        let known = "2026-06-12T14:30/PT2H"
        #expect(try text(TypedPlan(day: "12 June 2026")) == "2026-06-12")
        #expect(try text(TypedPlan(day: "2026-06-12..15"), over: known) == "2026-06-12/2026-06-15")
        #expect(try text(TypedPlan(day: "2026-06-13"), over: known) == "2026-06-13T14:30/PT2H")
        #expect(try text(TypedPlan(start: "9:00"), over: known) == "2026-06-12T09:00/PT2H")
        #expect(try text(TypedPlan(length: "90m"), over: known) == "2026-06-12T14:30/PT1H30M")
        #expect(try text(TypedPlan(length: "none"), over: known) == "2026-06-12T14:30")
        #expect(try text(TypedPlan(start: "none"), over: known) == "2026-06-12")
        #expect(try text(TypedPlan(day: "2026-06-14 10:00, 1h"), over: known) == "2026-06-14T10:00/PT1H")
    }

    @Test("a time takes the trip's zone by the rules of its day; who had none keeps none")
    func zones() throws {
        #expect(try text(TypedPlan(day: "2026-06-12", start: "14:30")) == "2026-06-12T14:30")
        #expect(
            try text(TypedPlan(day: "2026-06-12", start: "14:30"), inLisbon: true) == "2026-06-12T14:30+01:00[Lisbon]")
        // Moved to winter, it is still at half past two there.
        #expect(
            try text(TypedPlan(day: "2026-12-12"), over: "2026-06-12T14:30+01:00[Lisbon]")
                == "2026-12-12T14:30+00:00[Lisbon]")
        #expect(
            try text(TypedPlan(zone: "none"), over: "2026-06-12T14:30+01:00[Lisbon]/PT2H") == "2026-06-12T14:30/PT2H")
        #expect(
            try text(TypedPlan(day: "13 June 2026, 14:30 (Lisbon)"), over: "2026-06-12T09:00")
                == "2026-06-13T14:30+01:00[Lisbon]")
        #expect(try text(TypedPlan(start: "15:00"), over: "2026-06-12T14:30", inLisbon: true) == "2026-06-12T15:00")
        #expect(
            try text(TypedPlan(start: "15:00"), over: "2026-06-12T14:30-09:30", inLisbon: true)
                == "2026-06-12T15:00-09:30")
    }

    @Test(
        "what makes no plan is refused",
        arguments: [
            TypedPlan(), TypedPlan(start: "14:30"), TypedPlan(day: "soon"),
            TypedPlan(day: "2026-06-12", start: "25:00"),
            TypedPlan(day: "2026-06-12", length: "2h"), TypedPlan(day: "2026-06-12", zone: "Lisbon"),
            TypedPlan(day: "2026-06-12..15", start: "14:30"),
            TypedPlan(day: "2026-06-12", start: "14:30", length: "2"),
            TypedPlan(day: "2026-06-12", start: "14:30", length: "169h"),
            TypedPlan(day: "2026-06-12", start: "14:30", zone: "Atlantis"),
        ])
    func refused(_ plan: TypedPlan) { #expect(throws: TripError.self) { try text(plan) } }

    @Test("an end before its start is named")
    func reversed() {
        let error = #expect(throws: TripError.self) { try text(TypedPlan(day: "2026-06-15..12")) }
        #expect(error?.message.contains("its end is before its start") == true, "\(error?.message ?? "")")
    }

    @Test("a length that is too long is refused with the longest one")
    func tooLong() throws {
        #expect(try text(TypedPlan(day: "2026-06-12", start: "14:30", length: "168h")).hasSuffix("/PT168H"))
        let error = #expect(throws: TripError.self) {
            try text(TypedPlan(day: "2026-06-12", start: "14:30", length: "500h"))
        }
        #expect(error?.message == "the length “500h” is invalid; write it like 2h or 90m, at most 168h")
    }
}
