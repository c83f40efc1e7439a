import Foundation
import Testing

/// `caravan salvage`, as people type it.
struct SalvageCommandTests {
    @Test("a trip with a flipped bit names the command, and is whole after it")
    func flippedBit() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        for number in 1...40 { try await caravan.done("add", "Item \(number)") }
        let list = try await caravan.done("list")
        #expect(try await caravan.done("salvage") == "Nothing is damaged in “Lisbon in June”: 43 changes\n")
        let trips = caravan.home + "/trips"
        let id = try #require(try FileManager.default.contentsOfDirectory(atPath: trips).first)
        let path = URL(fileURLWithPath: "\(trips)/\(id)/trip.sqlite")
        var bytes = try Data(contentsOf: path)
        // In the last page, of sealed changes.
        bytes[bytes.count - 300] ^= 4
        try bytes.write(to: path)
        let refused = try await caravan.run("list")
        #expect(refused.status == 1 && refused.errors.contains("`caravan salvage`"), "\(refused.errors)")
        let dry = try await caravan.done("salvage", "--dry-run")
        #expect(dry == "Would recover “Lisbon in June”: 43 changes\nRepaired: 1 flipped bit\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: trips) == [id])
        let done = try await caravan.done("salvage", "--trip", String(id.prefix(6)))
        #expect(done.hasPrefix("Recovered “Lisbon in June”: 43 changes\nRepaired: 1 flipped bit\nThe damaged folder"))
        #expect(try await caravan.done("list") == list)
        #expect(try FileManager.default.contentsOfDirectory(atPath: trips).count == 2)
    }

    @Test("a trip that a node runs is left alone")
    func withANode() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        let node = try await ListeningNode(caravan)
        let refused = try await caravan.run("salvage")
        #expect(refused.status == 1 && refused.errors.contains("caravan down"), "\(refused.errors)")
        try await node.end()
    }
}
