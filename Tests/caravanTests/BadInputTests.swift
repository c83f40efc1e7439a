import Foundation
import TestTiers
import Testing

/// What cannot be done: one line that says what is wrong, 1, and nothing changed.
struct BadInputTests {
    private func expectRefusal(
        _ outcome: Product.Outcome, _ what: String, says part: String,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.status == 1 && !outcome.isKilled, "\(what): \(outcome.status)", sourceLocation: location)
        #expect(outcome.output == "", "\(what)", sourceLocation: location)
        #expect(outcome.errorLines.count == 1, "\(what): \(outcome.errors)", sourceLocation: location)
        #expect(outcome.errors.hasPrefix("caravan: "), "\(what): \(outcome.errors)", sourceLocation: location)
        #expect(part.isEmpty || outcome.errors.contains(part), "\(what): \(outcome.errors)", sourceLocation: location)
        #expect(outcome.errors.utf8.count < 400, "\(what)", sourceLocation: location)
    }

    /// A home with a trip of three items, two of one title.
    private func plannedTrip(in scratch: ScratchFolder) async throws -> Product {
        let caravan = Product(home: scratch.path + "/home")
        for arguments in [
            ["new", "Lisbon in June", "--as", "Jie"], ["add", "Casa do Rio"], ["add", "Casa do Rio"],
            ["add", "Roof tent"],
        ] {
            let outcome = try await caravan.run(arguments)
            #expect(outcome.status == 0 && outcome.errors == "", "\(arguments): \(outcome.errors)")
        }
        return caravan
    }

    @Test("an empty name means nothing, of whatever kind")
    func emptyNames() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await plannedTrip(in: scratch)
        for arguments in [["lists", "new", "Packing"], ["wish", "Boat trip"], ["invite"]] {
            #expect(try await caravan.run(arguments).status == 0)
        }
        let history = try await caravan.done("history", "--json")
        for name in ["", "  "] {
            for arguments in [
                ["show", name], ["vote", name], ["remove", "3", name], ["move", "3", "--before", name],
                ["history", name], ["move", "3", "--list", name], ["add", "x", "--list", name],
                ["lists", "remove", name], ["lists", "rename", name, "x"], ["members", "remove", name, "--yes"],
                ["invite", "close", name], ["invite", "show", name], ["wishes", "remove", name],
                ["wishes", "share", name], ["feeds", "remove", name], ["browse", name], ["feeds", "add", name],
            ] {
                let outcome = try await caravan.run(arguments)
                expectRefusal(outcome, "\(arguments)", says: "empty")
            }
        }
        #expect(try await caravan.done("history", "--json") == history)
        #expect(try await caravan.json("wishes").elements.count == 1)
    }

    @Test("bytes that aren't UTF-8 are refused, and nothing is added")
    func foreignBytes() async throws {
        let scratch = try ScratchFolder()
        var caravan = try await plannedTrip(in: scratch)
        let before = try await caravan.done("list", "--json")
        caravan.wrapper = ["/bin/sh", "-c", #""$0" add "$(printf 'caf\351')""#]
        let outcome = try await caravan.run([])
        #expect(outcome.status == 64 && outcome.errors.contains("argument 2 isn’t UTF-8 text"), outcome.summary)
        caravan.wrapper = []
        #expect(try await caravan.done("list", "--json") == before)
    }

    @Test(.tags(.slow)) func whatCannotBeDoneIsSaidInOneLineAndChangesNothing() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await plannedTrip(in: scratch)
        let invited = try await caravan.run("invite")
        let link = try #require(invited.output.split(separator: "\n").first.map(String.init))
        #expect(invited.output == link + "\n" && link.hasPrefix("caravan:"))
        let history = try await caravan.run("history", "--json").output
        let files = scratch.contents()
        let bad: [(arguments: [String], part: String)] = [
            (["vote", "Nothing of the kind"], "Nothing of the kind"),
            (["vote", "Casa do Rio"], "could be 1"),
            (["vote", "3", "Nothing of the kind"], "Nothing of the kind"),
            (["remove", "3", "99"], "99"),
            (["quantity", "3", "-1"], "cannot take 1"),
            (["add", ""], "empty"),
            (["add", " \n "], "empty"),
            (["add", String(repeating: "x", count: 100_000)], "200"),
            (["add", "Tent", "--link", "javascript:alert(1)"], "http"),
            (["add", "Tent", "--place", "91,0"], "latitude"),
            (["edit", "3", "--title", ""], "empty"),
            (["show", "99"], "99"),
            (["list", "--trip", "zz"], "zz"),
            (["watch"], "caravan up"),
            (["new", "", "--as", "Jie"], "empty"),
            (["new", "Porto", "--as", ""], "empty"),
            (["join", "hello", "--as", "Noah"], "not an invite"),
            (["join", String(link.dropLast(7)), "--as", "Noah"], "truncated"),
            (["join", link, "--as", "Noah"], "already"),
        ]
        for (arguments, part) in bad {
            let line = arguments.joined(separator: " ").prefix(60)
            expectRefusal(try await caravan.run(arguments), String(line), says: part)
        }
        #expect(try await caravan.run("history", "--json").output == history)
        #expect(scratch.contents() == files)
    }

    @Test func placesThatCannotHoldTripsAreSaid() async throws {
        let scratch = try ScratchFolder()
        expectRefusal(try await Product(home: scratch.path).run("list"), "no trip", says: "caravan new")
        let file = scratch.path + "/file"
        #expect(FileManager.default.createFile(atPath: file, contents: Data("not a folder".utf8)))
        for home in [file, "/proc/caravan"] {
            expectRefusal(try await Product(home: home).run("new", "Lisbon", "--as", "Jie"), home, says: "CARAVAN_HOME")
        }
        #expect(FileManager.default.contents(atPath: file) == Data("not a folder".utf8))
    }

    @Test func damagedAndNewerStoresAreSaidAndLeftAlone() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await plannedTrip(in: scratch)
        let store = try #require(
            scratch.contents().first { $0.hasSuffix("trip.sqlite") }.map { scratch.path + "/" + $0 })
        let whole = try #require(FileManager.default.contents(atPath: store))
        // SQLite's file format, section 1.3: the user version, four bytes from 60.
        var newer = whole
        newer.replaceSubrange(60..<64, with: [0, 0, 0, 99])
        for (bytes, part) in [(newer, "newer"), (Data(whole.prefix(whole.count / 2)), "damaged")] {
            try bytes.write(to: URL(fileURLWithPath: store))
            expectRefusal(try await caravan.run("list"), part, says: part)
            expectRefusal(try await caravan.run("vote", "3"), part, says: part)
            #expect(FileManager.default.contents(atPath: store) == bytes)
        }
        try whole.write(to: URL(fileURLWithPath: store))
        #expect(try await caravan.run("list").output.contains("Roof tent"))
    }

    /// A byte that is not what was written is either seen, or was in nobody's way.
    @Test(.tags(.slow)) func noDamagedByteShowsAnotherTrip() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await plannedTrip(in: scratch)
        let list = try await caravan.run("list", "--json").output
        let store = try #require(
            scratch.contents().first { $0.hasSuffix("trip.sqlite") }.map { scratch.path + "/" + $0 })
        let whole = try #require(FileManager.default.contents(atPath: store))
        let written = whole.indices.filter { whole[$0] != 0 }
        var seen = 0
        for place in stride(from: 0, to: written.count, by: max(1, written.count / 100)).map({ written[$0] }) {
            var damaged = whole
            damaged[place] ^= 0x55
            try damaged.write(to: URL(fileURLWithPath: store))
            let outcome = try await caravan.run("list", "--json")
            if outcome.status == 0 {
                #expect(outcome.output == list && outcome.errors == "", "byte \(place)")
            } else {
                expectRefusal(outcome, "byte \(place)", says: "")
                seen += 1
            }
            for file in scratch.contents() where file.contains("trip.sqlite-") {
                try FileManager.default.removeItem(atPath: scratch.path + "/" + file)
            }
        }
        #expect(seen >= 50, "\(seen) of 100 were seen")
    }
}
