import Foundation
import TestTiers
import Testing

/// A trip is saved to a file and restored from it, by the command line.
@Suite(.tags(.slow))
struct BackupTests {
    /// Homes of one test, and files that hold passphrases.
    private struct Setting {
        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        func caravan(_ home: String, passphrase: String? = nil) -> Product {
            var product = Product(home: "\(scratch.path)/\(home)")
            product.environment["CARAVAN_PASSPHRASE_FILE"] = passphrase
            return product
        }

        func file(_ text: String) throws -> String {
            let path = "\(scratch.path)/\(UUID().uuidString)"
            try #require(
                FileManager.default.createFile(
                    atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
            return path
        }

        var backup: String { scratch.path + "/lisbon.backup" }
    }

    private func mode(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    /// One line, status 1, and nothing else.
    private func fails(_ outcome: Product.Outcome, with text: String) -> Bool {
        outcome.status == 1 && outcome.output == "" && outcome.errorLines.count == 1 && outcome.errors.contains(text)
    }

    @Test func aTripComesBackWholeOrNotAtAll() async throws {
        let setting = try Setting()
        let (right, wrong) = (try setting.file("correct horse"), try setting.file("correct Horse"))
        let old = setting.caravan("old")
        #expect(try await old.run("new", "Lisbon in June", "--as", "Jie").status == 0)
        #expect(try await old.run("add", "Casa do Rio", "--note", "river view").status == 0)
        #expect(try await old.run("vote", "1").status == 0)
        #expect(try await old.run("backup", setting.backup, "--passphrase-file", right).status == 0)
        #expect(mode(setting.backup) == 0o600)
        let bytes = try #require(FileManager.default.contents(atPath: setting.backup))
        #expect(
            fails(
                try await old.run("backup", setting.backup, "--passphrase-file", right), with: "already exists"))
        #expect(FileManager.default.contents(atPath: setting.backup) == bytes)
        #expect(
            fails(
                try await old.run("backup", "/nonexistent/x", "--passphrase-file", right), with: "there is no folder"))

        // Nothing comes of what is refused, not even a home.
        let damaged = setting.scratch.path + "/damaged"
        let forms = [
            (Data("caravan backup\u{3}".utf8) + bytes, "newer version of caravan"),
            (Data("caravan backup\u{1}".utf8) + bytes, "older version of caravan"),
        ]
        for (altered, complaint) in forms + [
            (bytes.prefix(70), "truncated or damaged"), (bytes.dropLast(), "truncated or damaged"),
            (bytes.prefix(40) + [bytes[40] ^ 1] + bytes.dropFirst(41), "wrong passphrase"),
            (bytes + [0], "truncated or damaged"),
        ] {
            try Data(altered).write(to: URL(fileURLWithPath: damaged))
            let outcome = try await setting.caravan("new").run("restore", damaged, "--passphrase-file", right)
            #expect(fails(outcome, with: complaint), "\(outcome.errors)")
        }
        let new = setting.caravan("new")
        #expect(
            fails(
                try await new.run("restore", setting.backup, "--passphrase-file", wrong),
                with: "wrong passphrase"))
        #expect(fails(try await new.run("restore", wrong, "--passphrase-file", right), with: "is not a backup"))
        #expect(fails(try await new.run("restore", wrong), with: "is not a backup"))
        #expect(fails(try await new.run("restore", "nothing"), with: "cannot read nothing"))
        #expect(!FileManager.default.fileExists(atPath: setting.scratch.path + "/new"))

        // What a process that was killed left of an earlier try goes; what one that lives is making stays.
        let id = try #require(try FileManager.default.contentsOfDirectory(atPath: old.home + "/trips").first)
        let (abandoned, alive) = ("\(new.home)/trips/\(id).999999999.new", "\(new.home)/trips/\(id).\(getpid()).new")
        for draft in [abandoned, alive] {
            try FileManager.default.createDirectory(atPath: draft, withIntermediateDirectories: true)
        }
        let restored = try await new.run("restore", setting.backup, "--passphrase-file", right)
        #expect(!FileManager.default.fileExists(atPath: abandoned) && FileManager.default.fileExists(atPath: alive))
        #expect(restored.status == 0 && restored.output.contains("Lisbon in June") && restored.errors == "")
        for arguments in [["list", "--json"], ["history", "--json"], ["show", "1"], ["members"]] {
            #expect(try await new.run(arguments).output == old.run(arguments).output)
        }
        let trip = try #require(
            FileManager.default.subpaths(atPath: new.home)?.first { $0.hasSuffix("/keys") }
        ).dropLast(5)
        for (path, expected) in [("", 0o700), ("/keys", 0o600), ("/trip.sqlite", 0o600)] {
            #expect(mode("\(new.home)/\(trip)\(path)") == expected)
        }
        let before = FileManager.default.contents(atPath: "\(new.home)/\(trip)/keys")
        #expect(
            fails(
                try await new.run("restore", setting.backup, "--passphrase-file", right), with: "already exists"))
        #expect(FileManager.default.contents(atPath: "\(new.home)/\(trip)/keys") == before)
        // Items are restored by the same word.
        #expect(try await new.run("remove", "1").status == 0)
        #expect(try await new.run("restore", "Casa do Rio").output.contains("Restored"))

        // Beside another trip.
        let other = setting.caravan("other")
        #expect(try await other.run("new", "Porto", "--as", "Jie").status == 0)
        #expect(try await other.run("restore", setting.backup, "--passphrase-file", right).status == 0)
        let trips = try await other.run("trips").output
        #expect(trips.contains("Porto") && trips.contains("Lisbon in June"))
    }

    /// Secrets that lay under a passphrase do not come to lie in the clear by a backup.
    @Test func aPassphraseOutlivesABackup() async throws {
        let setting = try Setting()
        let (keys, backup) = (try setting.file("of the keys"), try setting.file("of the backup"))
        let old = setting.caravan("old", passphrase: keys)
        #expect(try await old.run("new", "Lisbon in June", "--as", "Jie").status == 0)
        #expect(try await old.run("passphrase", "set", "--new-passphrase-file", keys).status == 0)
        let unwitting = setting.caravan("old", passphrase: backup)
        #expect(
            fails(
                try await unwitting.run("backup", setting.backup, "--passphrase-file", backup),
                with: "wrong passphrase"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: setting.scratch.path).count == 3)
        #expect(try await old.run("backup", setting.backup, "--passphrase-file", backup).status == 0)
        let restored = try await setting.caravan("new").run("restore", setting.backup, "--passphrase-file", backup)
        #expect(restored.status == 0 && restored.errors.contains("protected with the backup's passphrase"))
        #expect(fails(try await setting.caravan("new", passphrase: keys).run("list"), with: "wrong passphrase"))
        #expect(try await setting.caravan("new", passphrase: backup).run("list").output.contains("Lisbon in June"))
    }

    /// Killed at any moment, a trip is restored or it is not, and it can be tried again.
    @Test func aRestoreThatIsKilledIsDoneOrNot() async throws {
        let setting = try Setting()
        let right = try setting.file("correct horse")
        #expect(try await setting.caravan("old").run("new", "Lisbon in June", "--as", "Jie").status == 0)
        let backUp = ["backup", setting.backup, "--passphrase-file", right]
        #expect(try await setting.caravan("old").run(backUp).status == 0)
        let restore = ["restore", setting.backup, "--passphrase-file", right]
        let start = ContinuousClock.now
        #expect(try await setting.caravan("whole").run(restore).status == 0)
        let duration = ContinuousClock.now - start
        for round in 0..<8 {
            let home = setting.caravan("home \(round)")
            let running = try home.start(restore)
            // Most of the time goes into the passphrase; what is written, is written at the end.
            try await Task.sleep(for: duration * (8 + round) / 16)
            kill(running.process.processIdentifier, SIGKILL)
            _ = try await running.ended(within: 5)
            let list = try await home.run("list")
            if list.status != 0 {
                #expect(list.errors.contains("there are no trips"), "\(list.errors)")
                #expect(try await home.run(restore).status == 0)
            }
            #expect(try await home.run("list").output.contains("Lisbon in June"))
            let trips = try FileManager.default.contentsOfDirectory(atPath: home.home + "/trips")
            #expect(trips.count == 1, "\(trips)")
        }
    }

    /// A backup is taken while the node runs; its owner goes on writing in the old home and in the restored one; all meet.
    @Test func twoHomesOfOneDeviceLoseNothingOfEither() async throws {
        let setting = try Setting()
        let right = try setting.file("correct horse")
        let (old, new, noah) = (setting.caravan("old"), setting.caravan("new"), setting.caravan("noah"))
        #expect(try await old.run("new", "Lisbon in June", "--as", "Jie").status == 0)
        #expect(try await old.run("add", "Casa do Rio").status == 0)
        let first = try await ListeningNode(old)
        let link = try await old.run("invite").output.trimmingCharacters(in: .newlines)
        #expect(try await noah.run("join", link, "--as", "Noah", "--peer", first.address).status == 0)
        #expect(try await old.run("add", "Alfama loft").status == 0)
        #expect(try await old.run("backup", setting.backup, "--passphrase-file", right).status == 0)
        try await first.end()
        #expect(try await old.run("add", "Sintra cottage").status == 0)

        #expect(try await new.run("restore", setting.backup, "--passphrase-file", right).status == 0)
        #expect(try await new.run("list").output.contains("Alfama loft"))
        #expect(try await new.run("add", "Surf lesson").status == 0)
        #expect(try await new.run("vote", "1").status == 0)

        let middle = try await ListeningNode(noah)
        let (left, right_) = (
            try await ListeningNode(old, peer: middle.address), try await ListeningNode(new, peer: middle.address)
        )
        #expect(try await old.run("add", "Roof tent").status == 0)
        #expect(try await new.run("add", "Tram tickets").status == 0)
        let titles = ["Casa do Rio", "Alfama loft", "Sintra cottage", "Surf lesson", "Roof tent", "Tram tickets"]
        let isSame = try await eventually {
            let lists = [
                try await old.run("list", "--json").output, try await new.run("list", "--json").output,
                try await noah.run("list", "--json").output,
            ]
            return Set(lists).count == 1 && titles.allSatisfy { lists[0].contains("\"\($0)\"") }
        }
        #expect(isSame)
        #expect(try await noah.run("show", "Casa do Rio").output.contains("Jie"))
        for (home, node, device) in [
            (old, left, "This"), (new, right_, "This"), (noah, middle, "Jie's"),
        ] {
            let notice = "\(device) device was copied, and both copies wrote changes."
            #expect(try await home.run("status").output.contains(notice))
            #expect(try await home.run("status", "--json").output.contains("\"in_two_places\": [\n    \"Jie\"\n  ]"))
            #expect(node.running.output.contains(notice), "\(home.home): \(node.running.output)")
        }
    }

    @Test("a backup that is interrupted while its passphrase is typed leaves no file")
    func interrupted() async throws {
        let setting = try Setting()
        var caravan = setting.caravan("old")
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        caravan.wrapper = PseudoTerminal.wrapper
        for isRepeating in [false, true] {
            let terminal = try PseudoTerminal()
            let backup = try caravan.start(["backup", setting.backup], input: terminal.slave)
            try #require(try await terminal.asks("Passphrase for the backup: "))
            if isRepeating {
                terminal.type("correct horse\n")
                try #require(try await terminal.asks("Repeat the passphrase: "))
            }
            terminal.type("\u{3}")
            #expect(try await backup.ended(within: 10).status == 130)
            #expect(!setting.scratch.contents().contains { $0.hasPrefix("lisbon.backup") })
        }
    }

    @Test func twoHomesOfOneDeviceHearOfEachOtherWithNobodyElse() async throws {
        let setting = try Setting()
        let (old, new) = (setting.caravan("old"), setting.caravan("new"))
        #expect(try await old.run("new", "Lisbon in June", "--as", "Jie").status == 0)
        #expect(try await old.run("add", "Casa do Rio").status == 0)
        try FileManager.default.copyItem(atPath: old.home, toPath: new.home)
        #expect(try await old.run("add", "Roof tent").status == 0)
        #expect(try await new.run("add", "Tram tickets").status == 0)

        let first = try await ListeningNode(old)
        let second = try await ListeningNode(new, peer: first.address)
        let isSame = try await eventually {
            let lists = [try await old.run("list", "--json").output, try await new.run("list", "--json").output]
            return Set(lists).count == 1
                && ["Casa do Rio", "Roof tent", "Tram tickets"].allSatisfy { lists[0].contains("\"\($0)\"") }
        }
        #expect(isSame)
        for node in [first, second] { #expect(node.running.output.contains("a copy of this device connected")) }
    }
}
