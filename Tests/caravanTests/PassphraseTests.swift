import Foundation
import Testing

/// A trip whose keys are under a passphrase, by the command line.
struct PassphraseTests {
    /// A product with a home of its own and no terminal, and files that hold passphrases.
    private final class Setting {
        let scratch: ScratchFolder
        let home: ScratchFolder

        init() throws {
            scratch = try ScratchFolder()
            home = try ScratchFolder()
        }

        func file(_ text: String, mode: Int = 0o600) throws -> String {
            let path = "\(scratch.path)/\(UUID().uuidString)"
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: mode]
            try #require(
                FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: attributes))
            return path
        }

        /// - Parameter file: what CARAVAN_PASSPHRASE_FILE names.
        func caravan(_ file: String? = nil) -> Product {
            var product = Product(home: home.path)
            product.environment["CARAVAN_PASSPHRASE_FILE"] = file
            product.wrapper = PseudoTerminal.none
            return product
        }

        var keys: String { home.path + "/" + (home.contents().first { $0.hasSuffix("/keys") } ?? "") }
    }

    /// One line, status 1, and nothing else.
    private func fails(_ outcome: Product.Outcome, with text: String) -> Bool {
        outcome.status == 1 && outcome.output == "" && outcome.errorLines.count == 1 && outcome.errors.contains(text)
    }

    @Test func keysUnderAPassphraseOpenWithItAlone() async throws {
        let setting = try Setting()
        let right = try setting.file("correct horse\nand more lines\n")
        let wrong = try setting.file("correct Horse")
        #expect(try await setting.caravan().run("new", "Lisbon in June", "--as", "Jie").status == 0)
        #expect(try await setting.caravan().run("add", "Roof tent").status == 0)
        let plain = try #require(FileManager.default.contents(atPath: setting.keys))
        #expect(
            try await setting.caravan().run("passphrase", "set", "--new-passphrase-file", right).status == 0)

        let sealed = try #require(FileManager.default.contents(atPath: setting.keys))
        // The trip's id, the two keys of the device and its epoch's secret lay there in the clear.
        for start in stride(from: 13, to: plain.count - 40, by: 8) {
            #expect(sealed.range(of: plain[start..<start + 8]) == nil, "the bytes at \(start) are there")
        }
        let commands = [
            ["list"], ["add", "Tent"], ["vote", "1"], ["show", "1"], ["history"], ["members"], ["status"], ["invite"],
            ["up", "--peer", "127.0.0.1:1"], ["passphrase", "remove"],
            ["passphrase", "change", "--new-passphrase-file", wrong],
        ]
        for command in commands {
            #expect(fails(try await setting.caravan().run(command), with: "has a passphrase"), "\(command)")
            #expect(fails(try await setting.caravan(wrong).run(command), with: "wrong passphrase"), "\(command)")
        }
        let second = try await setting.caravan(right).run("passphrase", "set", "--new-passphrase-file", right)
        #expect(fails(second, with: "a passphrase is already set"))
        #expect(FileManager.default.contents(atPath: setting.keys) == sealed)
        #expect(try await setting.caravan(right).run("list").output.contains("Roof tent"))
        #expect(try await setting.caravan().run("trips").output.contains("has a passphrase"))
        #expect(try await setting.caravan(right).run("trips").output.contains("Lisbon in June"))

        let next = try setting.file("battery staple")
        #expect(
            try await setting.caravan(right).run("passphrase", "change", "--new-passphrase-file", next).status == 0)
        #expect(fails(try await setting.caravan(right).run("list"), with: "wrong passphrase"))
        #expect(try await setting.caravan(next).run("list").output.contains("Roof tent"))
        #expect(try await setting.caravan(next).run("passphrase", "remove").status == 0)
        #expect(FileManager.default.contents(atPath: setting.keys) == plain)
        #expect(try await setting.caravan().run("list").output.contains("Roof tent"))
        for command in [["passphrase", "remove"], ["passphrase", "change", "--new-passphrase-file", next]] {
            #expect(fails(try await setting.caravan().run(command), with: "no passphrase is set"))
        }
    }

    /// A node is unlocked once; commands speak to it as ever.
    @Test func aRunningNodeAsksNobodyAgain() async throws {
        let setting = try Setting()
        let right = try setting.file("correct horse")
        #expect(try await setting.caravan().run("new", "Lisbon in June", "--as", "Jie").status == 0)
        #expect(try await setting.caravan().run("passphrase", "set", "--new-passphrase-file", right).status == 0)
        var unwrapped = setting.caravan(right)
        unwrapped.wrapper = []
        let node = try unwrapped.start(["up", "--peer", "127.0.0.1:1"])
        #expect(try await eventually { node.output.hasPrefix("ready\n") })
        #expect(try await setting.caravan().run("add", "Roof tent").status == 0)
        #expect(try await setting.caravan().run("list").output.contains("Roof tent"))
        // Nor does it write its memory to a disk, should it crash.
        let limits = FileHandle(forReadingAtPath: "/proc/\(node.process.processIdentifier)/limits")
        let text = String(decoding: try #require(try limits?.readToEnd()), as: UTF8.self)
        let core = text.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
        // It is told before anybody is asked for a new passphrase.
        let noFile = setting.scratch.path + "/none"
        for command in [["remove"], ["change", "--new-passphrase-file", noFile]] {
            let outcome = try await setting.caravan(right).run(["passphrase"] + command)
            #expect(fails(outcome, with: "the node is running; stop it"))
        }
        kill(node.process.processIdentifier, SIGKILL)
        _ = try await node.ended(within: 5)
        #expect(try await setting.caravan(right).run("list").output.contains("Roof tent"))
    }

    @Test func aFileThatHoldsNoPassphraseIsNamedForWhatItIs() async throws {
        let setting = try Setting()
        #expect(try await setting.caravan().run("new", "Lisbon in June", "--as", "Jie").status == 0)
        let before = FileManager.default.contents(atPath: setting.keys)
        for (file, complaint) in [
            (try setting.file("open to all", mode: 0o644), "other users can read"),
            (try setting.file(""), "is empty"), (try setting.file("\nsecond line"), "is empty"),
            (try setting.file(String(repeating: "x", count: 1_025)), "longer than 1024 bytes"),
            (setting.scratch.path, "is not a file"), (setting.scratch.path + "/none", "cannot read"),
        ] {
            let outcome = try await setting.caravan().run("passphrase", "set", "--new-passphrase-file", file)
            #expect(fails(outcome, with: complaint), "\(outcome.errors)")
        }
        #expect(
            fails(try await setting.caravan().run("passphrase", "set"), with: "give a file with"))
        #expect(FileManager.default.contents(atPath: setting.keys) == before)
        let longest = try setting.file(String(repeating: "x", count: 1_024) + "\n")
        #expect(try await setting.caravan().run("passphrase", "set", "--new-passphrase-file", longest).status == 0)
        #expect(try await setting.caravan(longest).run("list").status == 0)
    }

    @Test("a detached node reports why a trip stays locked, and runs the others")
    func aLockedTripInTheBackground() async throws {
        let setting = try Setting()
        let right = try setting.file("correct horse")
        let shown = try setting.file("correct horse", mode: 0o644)
        try await setting.caravan().done("new", "Porto", "--as", "Jie")
        try await setting.caravan().done("passphrase", "set", "--new-passphrase-file", right)
        try await setting.caravan().done("new", "Lisbon", "--as", "Jie")
        let cases: [(String?, String?)] = [(nil, "has a passphrase"), (shown, "other users can read"), (right, nil)]
        for (file, reason) in cases {
            let up = try await setting.caravan(file).run("up", "--detach", "--no-page")
            #expect(up.status == 0 && up.output.contains("Started the node"), up.summary)
            #expect(up.errorLines.count == (reason == nil ? 0 : 1), up.summary)
            if let reason { #expect(up.errors.contains(reason), up.summary) }
            try await setting.caravan().done("down")
        }
    }

    /// Killed at any moment, the keys are under the old passphrase or under the new one.
    @Test func aChangeThatIsKilledIsDoneOrNot() async throws {
        let setting = try Setting()
        var passphrases = [try setting.file("correct horse"), try setting.file("battery staple")]
        #expect(try await setting.caravan().run("new", "Lisbon in June", "--as", "Jie").status == 0)
        #expect(
            try await setting.caravan().run("passphrase", "set", "--new-passphrase-file", passphrases[0]).status == 0)
        let start = ContinuousClock.now
        let whole = try await setting.caravan(passphrases[0]).run(
            "passphrase", "change", "--new-passphrase-file", passphrases[1])
        let duration = ContinuousClock.now - start
        #expect(whole.status == 0)
        passphrases.swapAt(0, 1)
        for round in 1...12 {
            var caravan = setting.caravan(passphrases[0])
            caravan.wrapper = []
            let change = try caravan.start(["passphrase", "change", "--new-passphrase-file", passphrases[1]])
            try await Task.sleep(for: duration * round / 12)
            kill(change.process.processIdentifier, SIGKILL)
            _ = try await change.ended(within: 5)
            if try await setting.caravan(passphrases[0]).run("list").status != 0 {
                passphrases.swapAt(0, 1)
                #expect(try await setting.caravan(passphrases[0]).run("list").status == 0, "round \(round)")
            }
        }
    }

    @Test func atATerminalNothingIsShownAndThreeTriesAreTaken() async throws {
        let setting = try Setting()
        #expect(try await setting.caravan().run("new", "Lisbon in June", "--as", "Jie").status == 0)
        var caravan = setting.caravan()
        caravan.wrapper = PseudoTerminal.wrapper
        func begin(_ arguments: String...) throws -> (PseudoTerminal, Product.Running) {
            let terminal = try PseudoTerminal()
            return (terminal, try caravan.start(arguments, input: terminal.slave))
        }
        for (second, status) in [("horse stable", Int32(1)), ("horse staple", 0)] {
            let (terminal, set) = try begin("passphrase", "set")
            try #require(try await terminal.asks("New passphrase: "))
            // The line is cleared and typed again, and the ü is deleted whole.
            terminal.type("wrong\u{15}horse stü\u{7F}aple\n")
            try #require(try await terminal.asks("Repeat the passphrase: "))
            terminal.type(second + "\n")
            #expect(try await set.ended(within: 20).status == status)
            #expect(terminal.echoes && !terminal.screen.contains("st"))
        }
        let (terminal, list) = try begin("list")
        try #require(try await terminal.asks("Passphrase of trip"))
        terminal.type("horse stable\n")
        try #require(try await terminal.asks("Wrong passphrase, try again"))
        terminal.type("horse staple\n")
        let shown = try await list.ended(within: 20)
        #expect(shown.status == 0 && shown.output.contains("Lisbon in June") && shown.errors == "")
        #expect(terminal.echoes && !terminal.screen.contains("sta"))

        let (again, refused) = try begin("list")
        for time in 0..<3 {
            try #require(
                try await again.asks(
                    time == 0 ? "Passphrase of trip" : "Wrong passphrase, try again", times: max(1, time)))
            again.type("horse stable\n")
        }
        #expect(fails(try await refused.ended(within: 20), with: "wrong passphrase"))
        // Interrupted by a key or by a signal, it ends at once, and leaves the terminal as it was.
        for signal in [nil, SIGTERM] {
            let (terminal, up) = try begin("up", "--peer", "127.0.0.1:1")
            try #require(try await terminal.asks("Passphrase of trip"))
            if let signal {
                kill(up.innermost, signal)
            } else {
                terminal.type("\u{3}")
            }
            let end = try await up.ended(within: 10)
            #expect(end.status == 128 + (signal ?? SIGINT) && end.output == "")
            #expect(terminal.echoes)
        }
    }

    /// The note is no error: on such a system all works as ever.
    @Test(.enabled(if: geteuid() == 0, "who is not root cannot give up the right to lock memory"))
    func whereNoMemoryMayBeLockedANoteSaysSo() async throws {
        let setting = try Setting()
        let right = try setting.file("correct horse")
        #expect(try await setting.caravan().run("new", "Lisbon in June", "--as", "Jie").status == 0)
        var caravan = setting.caravan(right)
        for isForbidden in [true, false] {
            caravan.wrapper = PseudoTerminal.none
            if isForbidden {
                caravan.wrapper += [
                    "/usr/bin/prlimit", "--memlock=0:0", "/usr/bin/setpriv", "--bounding-set=-ipc_lock",
                    "--inh-caps=-ipc_lock",
                ]
            }
            let set = try await caravan.run("passphrase", "set", "--new-passphrase-file", right)
            #expect(set.status == 0 && set.errors.contains("memory cannot be locked") == isForbidden, "\(set.errors)")
            let list = try await caravan.run("list")
            #expect(list.status == 0 && list.errorLines.count == (isForbidden ? 1 : 0))
            #expect(try await caravan.run("passphrase", "remove").status == 0)
        }
    }
}
