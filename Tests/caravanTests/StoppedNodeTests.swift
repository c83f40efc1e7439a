import Foundation
import LibC
import TestTiers
import Testing

/// A node that holds a home and does not answer: Ctrl-Z at `caravan up`, or a debugger.
struct StoppedNodeTests {
    @Test("a stopped node is said within 3 s, and what was asked does not happen later")
    func stoppedNode() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        let node = try await ListeningNode(caravan)
        let process = node.running.process.processIdentifier
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        let asked = ContinuousClock.now
        let commands = try [
            ["add", "Roof tent"], ["invite"], ["status"], ["note", "set", "Bus 28"],
        ].map { (try caravan.start($0), $0) }
        for (running, arguments) in commands {
            let outcome = try await running.ended(within: 6)
            let took = ContinuousClock.now - asked
            #expect(!outcome.isKilled && took < .seconds(3), "\(arguments): no answer after \(took)")
            #expect(outcome.isRefusal(saying: "does not answer, so nothing was done"), outcome.summary)
            #expect(outcome.errors.contains("resume it with `kill -CONT "), outcome.summary)
        }

        kill(process, SIGCONT)
        try await caravan.done("add", "Casa do Rio")
        try await node.end()
        let list = try await caravan.done("list")
        #expect(list.contains("Casa do Rio") && !list.contains("Roof tent"), "it was done later:\n\(list)")
    }

    @Test("what only reads beside a stopped node reads the store, says so in one line and writes nothing there")
    func reading() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        for title in ["Casa do Rio", "Roof tent", "Hammock"] { try await caravan.done("add", title) }
        try await caravan.done("note", "set", "Bus 28")
        let node = try await ListeningNode(caravan)
        try await caravan.done("list")
        try await caravan.done("move", "Casa do Rio", "--after", "Hammock")
        let process = node.running.process.processIdentifier
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        func files() -> [String: Data?] {
            Dictionary(
                uniqueKeysWithValues: scratch.contents().map {
                    ($0, FileManager.default.contents(atPath: scratch.path + "/" + $0))
                })
        }
        let before = files()
        let readings: [(arguments: [String], part: String)] = [
            (["list"], "2  Roof tent"), (["list", "--json"], "Roof tent"), (["show", "3"], "Hammock"),
            (["history"], "Roof tent"), (["members"], "Jie"), (["search", "casa"], "1  Casa do Rio"),
            (["list", "--mine"], "nothing to do"), (["list", "--trip", "Lisbon"], "Casa do Rio"),
            (["trips"], "Lisbon in June"), (["export"], "Hammock"), (["note"], "Bus 28"),
            ([], "Lisbon in June\nNote of the trip: Bus 28"),
        ]
        let running = try readings.map { try caravan.start($0.arguments) }
        for ((arguments, part), running) in zip(readings, running) {
            let outcome = try await running.ended(within: 20)
            #expect(outcome.status == 0 && outcome.output.contains(part), "\(arguments): \(outcome.summary)")
            #expect(
                outcome.errorLines.count == 1 && outcome.errors.contains("does not answer"),
                "\(arguments): \(outcome.errors)")
        }
        #expect(files() == before)

        kill(process, SIGCONT)
        #expect(try await caravan.json("show", "3")["title"].text == "Hammock")
        try await node.end()
    }

    @Test("a backup beside a stopped node holds what is saved here", .tags(.slow))
    func backup() async throws {
        let (scratch, disk) = (try ScratchFolder(), try ScratchFolder())
        let caravan = Product(home: scratch.path)
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        let node = try await ListeningNode(caravan)
        try await caravan.done("add", "Casa do Rio")
        let (file, key) = (disk.path + "/lisbon.backup", disk.path + "/key")
        try "correct horse".write(toFile: key, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        let process = node.running.process.processIdentifier
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        let saved = try await caravan.run("backup", file, "--passphrase-file", key)
        #expect(saved.status == 0 && saved.errors.contains("does not answer"), saved.summary)
        kill(process, SIGCONT)
        try await node.end()
        let restored = Product(home: disk.path + "/home")
        try await restored.done("restore", file, "--passphrase-file", key)
        #expect(try await restored.done("list").contains("Casa do Rio"))
    }

    @Test(
        "down and guests --close say that a stopped node does not answer",
        arguments: [["down"], ["guests", "--close"]])
    func endingOfAStoppedNode(words: [String]) async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        let node = try await ListeningNode(caravan)
        let process = node.running.process.processIdentifier
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        let outcome = try await caravan.start(words).ended(within: 6)
        #expect(!outcome.isKilled && outcome.isRefusal(saying: "does not answer"), outcome.summary)
    }
}
