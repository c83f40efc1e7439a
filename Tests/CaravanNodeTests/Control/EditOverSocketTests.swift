import CaravanNode
import Foundation
import Testing
import TripModel
import TripService

/// What a writer was shown crosses the control socket whole.
struct EditOverSocketTests {
    @Test("an edit as seen keeps beside it what its writer was not shown, with a node and without")
    func editAsSeen() async throws {
        let trip = try await ServedTrip()
        try await trip.access.add("Cabin")
        func edit(_ details: String?, shown: [String]? = nil) async throws {
            _ = try await trip.access.answer(
                .act(.edit([.details: details], shown: shown.map { [.details: $0] } ?? [:]), on: ["Cabin"]))
        }
        func shown() async throws -> [String] {
            let field = try await trip.access.trip().items.first?.fields[.details]
            return field.map { [$0.value] + $0.alternatives.map(\.value) } ?? []
        }
        try await edit("by the lake")
        try await trip.whileServed {
            try await edit("in the woods", shown: [])
            #expect(try await shown() == ["in the woods", "by the lake"])
            try await edit("on the hill", shown: ["by the lake"])
            #expect(try await shown() == ["on the hill", "in the woods"])
        }
        try await edit(nil, shown: ["in the woods"])
        #expect(try await shown() == ["on the hill"])
    }

    @Test("an edit is read from JSON as it was written")
    func roundTrip() throws {
        let requests: [TripRequest] = [
            .act(.edit([.note: nil, .title: "Hut"]), on: ["1"]),
            .act(.edit([.price: "€90"], shown: [.price: ["€80", "€85"], .note: []]), on: ["Cabin"]),
            .act(.edit([:], shown: [.details: ["two\nlines \u{202E}"]]), on: ["b4e7"]),
        ]
        for request in requests {
            #expect(try JSONDecoder().decode(TripRequest.self, from: JSONEncoder().encode(request)) == request)
        }
    }
}
