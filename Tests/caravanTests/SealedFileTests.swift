import Foundation
import Testing

/// `caravan export --sealed` and `caravan import`: homes of one trip that no network brings together.
struct SealedFileTests {
    @Test("two homes that never meet again come to the same by a file each way, with a node or without")
    func bothWays() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        try await trip.part()
        try await trip.founder.done("add", "Casa do Rio")
        try await noah.done("add", "Alfama loft")
        try await noah.done("rename", "Lisbon in July")
        let (there, back) = (trip.scratch.path + "/there", trip.scratch.path + "/back")
        #expect(try await trip.founder.done("export", "--sealed", there).hasPrefix("Sealed "))
        #expect(try await noah.done("import", there).hasPrefix("Imported "))
        #expect(try await noah.done("import", there).hasSuffix("from Jie (none new)\n"))
        try await noah.done("export", "--sealed", back)
        // A node that runs takes it in, and shows it at once.
        try await trip.meet()
        let answer = try await trip.founder.json("import", back)
        #expect(answer["by"].text == "Noah" && answer["new"] == .number(2))
        for view in ["list", "history"] {
            #expect(try await trip.founder.json(view) == (try await noah.json(view)))
        }
        #expect(try await trip.founder.done("list").contains("Alfama loft"))
        let again = try await trip.founder.run("export", "--sealed", back)
        #expect(again.isRefusal(saying: "already exists"), again.summary)
    }

    @Test("a member who was away during a removal reads it; the removed member does not, and their file is not read")
    func away() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let mia = try await trip.joined("mia", as: "Mia")
        try await trip.part()
        try await noah.done("add", "From outside")
        let (ours, theirs) = (trip.scratch.path + "/ours", trip.scratch.path + "/theirs")
        try await noah.done("export", "--sealed", theirs)
        try await trip.takeOut("Noah")
        try await trip.founder.done("add", "Secret stay")
        try await trip.founder.done("export", "--sealed", ours)
        let opened = try await noah.run("import", ours)
        #expect(opened.isRefusal(saying: "cannot be opened here"), opened.summary)
        let refused = try await trip.founder.run("import", theirs)
        #expect(refused.isRefusal(saying: "someone who is not in this trip"), refused.summary)
        #expect(try await mia.done("import", ours).hasPrefix("Imported "))
        #expect(try await mia.done("list").contains("Secret stay"))
        let late = try await mia.run("import", theirs)
        #expect(late.isRefusal(saying: "someone who is not in this trip"), late.summary)
        #expect(try await !mia.done("list").contains("From outside"))
    }

    @Test("what is altered, cut, of another trip, huge or no file is refused in one line, and nothing is taken")
    func refused() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        try await trip.part()
        try await trip.founder.done("add", "Casa do Rio")
        let path = trip.scratch.path + "/sealed"
        try await trip.founder.done("export", "--sealed", path)
        let whole = try #require(FileManager.default.contents(atPath: path))
        #expect(!whole.contains(Data("Casa".utf8)))
        let altered = trip.scratch.path + "/altered"
        for bytes in [
            whole.dropLast(), whole.prefix(60), whole + [0],
            whole.prefix(300) + [whole[300] ^ 1] + whole.dropFirst(301),
        ] {
            try Data(bytes).write(to: URL(fileURLWithPath: altered))
            let outcome = try await noah.run("import", altered)
            #expect(outcome.isRefusal(saying: "truncated or damaged"), outcome.summary)
        }
        try #require(truncate(altered, 1 << 40) == 0)
        let huge = try await noah.run("import", altered)
        #expect(huge.isRefusal(saying: "the maximum of a sealed file"), huge.summary)
        let stranger = trip.home("stranger")
        try await stranger.done("new", "Porto", "--as", "Ana")
        let other = try await stranger.run("import", path)
        #expect(other.isRefusal(saying: "it is of another trip"), other.summary)
        let mixed = try await noah.run("import", path, "--dry-run")
        #expect(mixed.isRefusal(saying: "always imported whole"), mixed.summary)
        let nameless = try await noah.run("export", "--sealed")
        #expect(nameless.isRefusal(saying: "needs a file", status: 64), nameless.summary)
        #expect(try await !noah.done("list").contains("Casa do Rio"))
        #expect(try await noah.done("import", path).contains("(1 new)"))
    }
}
