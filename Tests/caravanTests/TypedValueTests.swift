import Foundation
import Testing

/// Values that people type: they mean on the command line what they mean on the page, or are refused in a line.
struct TypedValueTests {
    private func home(_ scratch: ScratchFolder) async throws -> Product {
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Fjords", "--as", "Jie")
        return caravan
    }

    @Test("a blank parts thousands in a list's items and in lines")
    func thousands() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("lists", "new", "Crafts", "10 000 beads", "2 500 g packs")
        let path = scratch.path + "/things"
        try Data("1 050 pins\n- 3 reels\n".utf8).write(to: URL(fileURLWithPath: path))
        let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        let added = try await caravan.start(["add", "--lines"], input: input).ended(within: 30)
        #expect(added.status == 0, added.summary)
        let counts = ["beads": 10_000, "500 g packs": 2, "pins": 1_050, "reels": 3] as [String: Int64]
        for (title, count) in counts {
            #expect(try await caravan.json("show", title)["quantity"] == .number(count), "\(title)")
        }
    }

    @Test("a price below 0 is refused, whichever command writes it")
    func negativePrice() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("add", "Casa", "--price", "80-90 EUR")
        for words in [["add", "Loft"], ["edit", "Casa"], ["wish", "Loft"]] {
            let refused = try await caravan.run(words + ["--price", "€-5"])
            #expect(refused.isRefusal(saying: "the price is below 0; write a price of 0 or more"), refused.summary)
        }
        #expect(try await caravan.json("list")["items"].elements.map { $0["price"].text } == ["80-90 EUR"])
    }
}
