import Testing

/// What people type wrong: one line that says so, one that shows how, 64, and nothing done.
struct WrongCommandLineTests {
    @Test func wrongCommandLinesAreSaidAndDoNothing() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/home")
        let wrong: [[String]] = [
            ["fly"], ["new"], ["new", "Lisbon"], ["new", "--as", "Jie"], ["new", "Lisbon", "in June", "--as", "Jie"],
            ["add"], ["vote"], ["vote", "1", "--sideways"], ["edit", "1"],
            ["edit", "1", "--note", "a", "--clear", "note"],
            ["quantity", "1"], ["quantity", "1", "0"], ["quantity", "1", "+1", "+1"], ["quantity", "1", "many"],
            ["list", "--sort", "price"], ["list", "extra"], ["show"], ["invite", "--expires", "soon"],
            ["invite", "--uses", "some"], ["join"], ["join", "caravan:a"], ["up", "--peer", "here"],
            ["up", "--port", "65536"], ["join", "caravan:a", "--as", "Noah", "--peer", "here"],
            ["join", "caravan:a", "--as", "Noah", "--patience", "0"],
        ]
        for arguments in wrong {
            let outcome = try await caravan.run(arguments)
            let line = arguments.joined(separator: " ")
            #expect(outcome.status == 64 && !outcome.isKilled, "\(line)")
            #expect(outcome.output == "", "\(line)")
            #expect(outcome.errorLines.count == 2, "\(line): \(outcome.errors)")
            #expect(outcome.errors.hasPrefix("caravan: "), "\(line): \(outcome.errors)")
            let command = arguments == ["fly"] ? "see caravan --help" : "usage: caravan \(arguments[0])"
            #expect(outcome.errorLines.last?.hasPrefix(command) == true, "\(line): \(outcome.errors)")
        }
        #expect(scratch.contents() == [])
    }

    @Test func helpAndVersionAreNoErrors() async throws {
        let caravan = Product(home: try ScratchFolder().path)
        for arguments in [[], ["--help"], ["help"], ["help", "vote"], ["vote", "--help"], ["--version"]] {
            let outcome = try await caravan.run(arguments)
            #expect(outcome.status == 0 && !outcome.output.isEmpty && outcome.errors == "", "\(arguments)")
        }
    }
}
