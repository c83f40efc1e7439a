import Foundation
import Testing

/// A home with several trips: how one is named, and that one node runs all.
struct TripsOfAHomeTests {
    private func home(_ scratch: ScratchFolder, trips titles: String...) async throws -> Product {
        let caravan = Product(home: scratch.path)
        for title in titles { try await caravan.done("new", title, "--as", "Jie") }
        return caravan
    }

    /// Whether a trip's node runs.
    private func runs(_ trip: String, of home: Product) async throws -> Bool {
        try await home.json("status", "--trip", trip)["running"] == .flag(true)
    }

    @Test("one node runs every trip of its home, and one that is made meanwhile")
    func oneNode() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, trips: "Lisbon in June", "Porto")
        let node = try caravan.start(["up", "--peer", "127.0.0.1:1"])
        let isReady = try await eventually(within: 10) { node.output.contains("ready") || !node.process.isRunning }
        try #require(isReady && node.process.isRunning, "\(node.errors)")
        for trip in ["Lisbon in June", "Porto"] {
            #expect(try await runs(trip, of: caravan), "\(trip)")
            #expect(try await caravan.done("status", "--trip", trip).contains("Running."))
        }
        try await caravan.done("new", "Sintra", "--as", "Jie")
        #expect(try await runs("Sintra", of: caravan))
        try await caravan.done("add", "Palace", "--trip", "Sintra")
        #expect(node.process.isRunning)
        let trips = try await caravan.json("trips").elements
        #expect(trips.count == 3 && trips.allSatisfy { $0["running"] == .flag(true) }, "\(trips)")
        kill(node.process.processIdentifier, SIGTERM)
        #expect(try await node.ended(within: 10).status == 0)
        #expect(try await !runs("Porto", of: caravan))
        #expect(try await caravan.done("list", "--trip", "Sintra").contains("Palace"))
    }

    @Test("--trip runs that trip alone")
    func oneTrip() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, trips: "Lisbon in June", "Porto")
        let node = try caravan.start(["up", "--trip", "porto", "--peer", "127.0.0.1:1"])
        let isReady = try await eventually(within: 10) { node.output.contains("ready") || !node.process.isRunning }
        try #require(isReady && node.process.isRunning, "\(node.errors)")
        #expect(try await runs("Porto", of: caravan))
        #expect(try await !runs("Lisbon in June", of: caravan))
    }

    @Test("a trip is named by its title, the beginning of its title or that of its id")
    func names() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, trips: "Lisbon", "Lisbon in June", "Porto")
        // A whole title is meant before the beginning of a longer one.
        let named = [
            "Porto": "Porto", "porto": "Porto", "por": "Porto", "LISBON": "Lisbon", "lisbon in": "Lisbon in June",
        ]
        for (name, title) in named {
            let status = try await caravan.run("status", "--trip", name)
            #expect(status.status == 0 && status.output.hasPrefix(title + ":"), "\(name): \(status.summary)")
        }
        let trips = try await caravan.json("trips").elements
        #expect(Set(trips.compactMap { $0["title"].text }) == ["Lisbon", "Lisbon in June", "Porto"])
        for trip in trips {
            let id = try #require(trip["id"].text)
            #expect(try await caravan.json("status", "--trip", String(id.prefix(8)))["title"] == trip["title"])
        }
    }

    @Test("a trip's name that fits several is refused with their titles, and a misspelt one with what was meant")
    func wrongNames() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, trips: "Lisbon in June", "Lisbon in July")
        let several = try await caravan.run("list", "--trip", "lisbon")
        #expect(
            several.isRefusal(saying: "Lisbon in June") && several.errors.contains("Lisbon in July"), several.summary)
        let misspelt = try await caravan.run("list", "--trip", "Lisbin in June")
        #expect(misspelt.isRefusal(saying: "did you mean"), misspelt.summary)
        #expect(misspelt.errors.contains("Lisbon in June"), misspelt.summary)
    }

    @Test("the trip in use is the one that was made last, until another is chosen")
    func inUse() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, trips: "Lisbon in June", "Porto")
        func used() async throws -> [String] {
            try await caravan.json("trips").elements.filter { $0["in_use"] == .flag(true) }.compactMap {
                $0["title"].text
            }
        }
        #expect(try await caravan.json("status")["title"].text == "Porto")
        #expect(try await used() == ["Porto"])
        #expect(try await caravan.json("use", "lisbon")["did"].text == "switched")
        #expect(
            try await caravan.done("use", "lisbon")
                == "Nothing changed: “Lisbon in June” is already the current trip\n")
        try await caravan.done("add", "Roof tent")
        #expect(try await caravan.done("list").contains("Roof tent"))
        #expect(try await !caravan.done("list", "--trip", "Porto").contains("Roof tent"))
        #expect(try await used() == ["Lisbon in June"])
        // In the way of the file that says which trip is the current one, as a full disk would be.
        let obstacle = scratch.path + "/in-use.new"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        let full = try await caravan.run("use", "Porto")
        #expect(full.isRefusal(saying: "check its permissions and the space on the disk"), full.summary)
        try FileManager.default.removeItem(atPath: obstacle)
        let unknown = try await caravan.run("use", "Madrid")
        #expect(unknown.isRefusal(saying: "Madrid"), unknown.summary)
        #expect(try await used() == ["Lisbon in June"])
    }
}
