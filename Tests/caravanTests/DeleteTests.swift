import Foundation
import Testing

/// `caravan delete` takes a trip off this machine.
struct DeleteTests {
    private func twoTrips(in scratch: ScratchFolder) async throws -> Product {
        let caravan = Product(home: scratch.path).withoutTerminal
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        try await caravan.done("new", "Porto", "--as", "Jie")
        return caravan
    }

    private func trips(in scratch: ScratchFolder) -> Int {
        scratch.contents().filter { $0.hasPrefix("trips/") && $0.hasSuffix("/keys") }.count
    }

    @Test("a trip is deleted with --yes, and the other one stays")
    func deletes() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await twoTrips(in: scratch)
        let folders = scratch.contents().filter { $0.hasSuffix("/keys") }
        let delete = try await caravan.run("delete", "Lisbon in June", "--yes")
        #expect(delete.status == 0 && delete.output.contains("Lisbon in June"), delete.summary)
        #expect(trips(in: scratch) == 1)
        let gone = folders.filter { !scratch.contents().contains($0) }.map { $0.dropLast("/keys".count) }
        #expect(gone.count == 1 && !scratch.contents().contains { $0.hasPrefix(gone.first ?? "") })
        let left = try await caravan.run("trips")
        #expect(left.output.contains("Porto") && !left.output.contains("Lisbon"), left.summary)
    }

    @Test("a trip is not deleted unasked: without a terminal --yes is named, and nothing is gone")
    func refusesUnasked() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await twoTrips(in: scratch)
        let delete = try await caravan.run("delete", "Porto")
        #expect(delete.isRefusal(saying: "--yes"), delete.summary)
        #expect(trips(in: scratch) == 2)
    }

    @Test("a trip is deleted on a terminal only after a yes")
    func asks() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await twoTrips(in: scratch)
        for (answer, left) in [("n", 2), ("", 2), ("y", 1)] {
            let delete = try Conversation(caravan, "delete", "Porto")
            _ = try await delete.answer(answer)
            #expect(trips(in: scratch) == left, "\"\(answer)\": \(delete.terminal.screen)")
        }
    }

    @Test("an empty name deletes nothing, and with --yes only a whole title or an id does")
    func refusesPartOfATitle() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path).withoutTerminal
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        for name in ["", " ", "\t"] {
            for arguments in [["delete", name, "--yes"], ["use", name], ["list", "--trip", name]] {
                let outcome = try await caravan.run(arguments)
                #expect(outcome.isRefusal(saying: "the name of the trip is empty"), outcome.summary)
            }
        }
        let part = try await caravan.run("delete", "Lis", "--yes")
        #expect(part.isRefusal(saying: "“Lisbon in June”"), part.summary)
        // Fewer than four digits of an id are a slip of the finger as likely as a name.
        let id = try #require(try await caravan.json("trips").elements.first?["id"].text)
        let digit = try await caravan.run("delete", String(id.prefix(1)), "--yes")
        #expect(digit.status == 1, digit.summary)
        #expect(trips(in: scratch) == 1)
        try await caravan.done("delete", String(id.prefix(6)), "--yes")
        #expect(trips(in: scratch) == 0)
    }
}
