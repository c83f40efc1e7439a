import Testing

/// What people type wrong: one line that says so and shows how, 64, and nothing done.
struct WrongCommandLineTests {
    @Test func wrongCommandLinesAreSaidAndDoNothing() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/home")
        let wrong: [[String]] = [
            ["fly"], ["new"], ["new", "Lisbon"], ["new", "--as", "Jie"], ["new", "Lisbon", "in June", "--as", "Jie"],
            ["add"], ["vote"], ["vote", "1", "--sideways"], ["edit", "1"],
            ["edit", "1", "--note", "a", "--clear", "note"], ["edit", "1", "--clear", "colour"],
            ["quantity", "1"], ["quantity", "1", "+0"], ["quantity", "1", "+1", "+1"], ["quantity", "1", "many"],
            ["list", "--sort", "beauty"], ["list", "extra"], ["show"], ["invite", "--expires", "soon"],
            ["invite", "--uses", "some"], ["join"], ["join", "caravan:a"], ["up", "--peer", "here"],
            ["up", "--port", "65536"], ["join", "caravan:a", "--as", "Noah", "--peer", "here"],
            ["join", "caravan:a", "--as", "Noah", "--patience", "0"],
        ]
        for arguments in wrong {
            let outcome = try await caravan.run(arguments)
            let line = arguments.joined(separator: " ")
            #expect(outcome.status == 64 && !outcome.isKilled, "\(line)")
            #expect(outcome.output == "", "\(line)")
            #expect(outcome.errorLines.count == 1, "\(line): \(outcome.errors)")
            #expect(outcome.errors.hasPrefix("caravan: "), "\(line): \(outcome.errors)")
            let command =
                ["fly", "help"].contains(arguments[0]) ? "(see caravan --help)" : "(usage: caravan \(arguments[0])"
            #expect(outcome.errors.contains(command), "\(line): \(outcome.errors)")
        }
        #expect(scratch.contents() == [])
    }

    @Test("help is about one command or topic, and about itself")
    func help() async throws {
        let caravan = Product(home: try ScratchFolder().path)
        for (line, saying) in [
            ("help list foo", "`caravan help list` takes no further word"),
            ("help invite foo", "there is no command `caravan invite foo`"),
            ("help lists new foo", "`caravan help lists new` takes no further word"),
            ("help naming foo", "`caravan help naming` takes no further word"),
            ("help frobnicate", "there is no command or topic “frobnicate”"),
        ] {
            let outcome = try await caravan.run(line.split(separator: " ").map(String.init))
            #expect(outcome.isRefusal(saying: saying, status: 64), outcome.summary)
        }
        #expect(try await caravan.done("help", "help") == caravan.done("help"))
        #expect(try await caravan.done("help", "ls") == caravan.done("help", "list"))
    }

    @Test("of a command in capitals the same in lower case is suggested, and no longer one")
    func capitals() async throws {
        let caravan = Product(home: try ScratchFolder().path)
        for (word, command) in [("List", "list"), ("LISTS", "lists"), ("VOTE", "vote"), ("LS", "ls")] {
            let outcome = try await caravan.run(word)
            #expect(outcome.isRefusal(saying: "did you mean `caravan \(command)`?", status: 64), outcome.summary)
        }
    }

    @Test("a group of commands without one of them is refused")
    func missingCommands() async throws {
        let caravan = Product(home: try ScratchFolder().path)
        for (group, commands) in [
            ("passphrase", "set, change, remove"), ("device", "add, list, remove"),
            ("service", "install, uninstall, unit"),
        ] {
            let outcome = try await caravan.run(group)
            let line = "a command is missing; `caravan \(group)` has \(commands) ("
            #expect(outcome.isRefusal(saying: line, status: 64) && outcome.output == "", outcome.summary)
        }
    }

    /// A row of short options would have an h in it, which asks for help.
    @Test func aTitleThatBeginsWithADashIsNoCallForHelp() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/home")
        #expect(try await caravan.run("new", "Lisbon", "--as", "Jie").status == 0)
        let outcome = try await caravan.run("add", "-1 hour of surfing")
        #expect(outcome.status == 64 && outcome.output == "" && outcome.errors.contains("put -- before it"))
        #expect(try await caravan.run("add", "--", "-1 hour of surfing").status == 0)
        let comment = try await caravan.run("comment", "1", "--dash it")
        #expect(
            comment.isRefusal(saying: "“--dash it” starts with a dash; put -- before it", status: 64), comment.summary)
        #expect(try await caravan.run("edit", "1", "--place", "-38.7,-9.1", "--note=-20%").status == 0)
        #expect(try await caravan.run("vote", "-h").status == 0)
    }

    @Test func helpAndVersionAreNoErrors() async throws {
        let caravan = Product(home: try ScratchFolder().path)
        for arguments in [[], ["--help"], ["help"], ["help", "vote"], ["vote", "--help"], ["--version"]] {
            let outcome = try await caravan.run(arguments)
            #expect(outcome.status == 0 && !outcome.output.isEmpty && outcome.errors == "", "\(arguments)")
        }
    }
}
