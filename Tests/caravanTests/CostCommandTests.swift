import Foundation
import TestTiers
import Testing

/// Costs as people run the commands, between two homes.
struct CostCommandTests {
    @Test("an expense of one home is a balance in both, which a payment settles", .tags(.slow))
    func costs() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        try await trip.settle(noah)
        let jie = trip.founder
        let name = "Jie"
        let refused = try await jie.run("cost", "add", "Dinner", "84")
        #expect(refused.isRefusal(saying: "no currency"), refused.summary)
        #expect(
            try await jie.done("cost", "add", "Dinner", "84 EUR", "--by", "Noah", "--category", "food").contains(
                "Added"))
        #expect(
            try await jie.done("cost", "add", "Taxi", "30", "--parts", "Noah=2", "--parts", "\(name)=1").contains(
                "Added"))
        try await trip.settle(noah)
        for home in [jie, noah] {
            let balances = try await home.json("balances")["currencies"].elements[0]
            #expect(Set(balances["balances"].elements.map { $0["amount"].text ?? "" }) == ["-22.00", "22.00"])
            #expect(balances["settle"].elements.map { $0["amount"].text } == ["22.00"])
            #expect(try await home.done("balances").contains("\(name) pays Noah €22.00"))
            let list = try await home.done("cost", "list")
            #expect(list.contains("Noah paid for") && list.contains("split by parts") && list.contains("Total €114.00"))
            // They are in no list of the plan, and are found.
            #expect(try await !home.done("list").contains("Dinner"))
            #expect(try await home.done("search", "Dinner").contains("Dinner"))
        }
        #expect(try await jie.done("cost", "edit", "Dinner", "--amount", "80").contains("Edited"))
        #expect(try await jie.done("history").contains("€80.00 for 2 people"))
        #expect(try await jie.done("settle", "Noah").contains("Added"))
        let even = try await jie.done("balances")
        #expect(even.contains("Everybody is even"), "\(even)")
        try await trip.settle(noah)
        let other = try await noah.run("cost", "remove", "Payment to Noah")
        #expect(other.isRefusal(saying: "only the person who recorded"), other.summary)
        try await noah.done("vote", "Payment to Noah", "--against")
        #expect(try await noah.done("cost", "list").contains("disputed"))
        #expect(try await noah.json("cost", "list")["payments"].elements[0]["disputed"] == .flag(true))

        let table = try await noah.done("cost", "export")
        let path = FileManager.default.temporaryDirectory.path + "/costs-\(UUID().uuidString).csv"
        try Data(table.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(
            try await noah.done("cost", "import", path, "--dry-run").contains(
                "Would add 0 expenses; skipped 3 duplicates"))
        try await jie.done("cost", "remove", "Payment to Noah")
        try await jie.done("undo")
        _ = node
    }
}
