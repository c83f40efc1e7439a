import Foundation
import Testing

/// More taken than there is, by people who were apart.
struct ShortQuantityTests {
    @Test("a quantity that two took from is short, everywhere in the same words")
    func short() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        try await trip.founder.done("add", "Eggs", "--quantity", "3")
        try await trip.settle(noah)
        try await node.end()
        try await trip.part()
        for home in [trip.founder, noah] { try await home.done("quantity", "Eggs", "-2") }
        try await trip.meet()
        let again = try await trip.node(of: noah)
        try await trip.settle(noah)

        for home in [trip.founder, noah] {
            #expect(try await home.json("show", "Eggs")["quantity"] == .number(-1))
            for arguments in [["list"], ["show", "Eggs"]] {
                let shown = try await home.run(arguments)
                #expect(shown.status == 0 && shown.output.contains("short by 1"), shown.summary)
            }
            let refused = try await home.run("quantity", "Eggs", "-1")
            #expect(refused.isRefusal(saying: "short by 1"), refused.summary)
        }
        #expect(try await noah.done("quantity", "Eggs", "+2").contains("×1"))
        #expect(try await noah.done("quantity", "Eggs", "--set", "12").contains("×12"))
        #expect(try await noah.done("quantity", "Eggs", "--set", "1").contains("×1"))
        #expect(try await !noah.done("list").contains("short"))
        _ = again
    }
}
