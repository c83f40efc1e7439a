import Foundation
import TestTiers
import Testing

/// `caravan up --notify`: the desktop tells what others do.
struct NotifyTests {
    /// A folder of programs with a `notify-send` that records what it is asked to show.
    private func programs(_ scratch: ScratchFolder) throws -> (folder: String, shown: () -> String) {
        let folder = scratch.path + "/programs"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let script = "#!/bin/sh\nshift 2\nprintf '%s: %s\\n' \"$1\" \"$2\" >> '\(folder)/shown'\n"
        try script.write(toFile: folder + "/notify-send", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder + "/notify-send")
        return (
            folder,
            { String(decoding: FileManager.default.contents(atPath: folder + "/shown") ?? Data(), as: UTF8.self) }
        )
    }

    @Test("what somebody else does is shown once, what one does oneself is not", .tags(.slow))
    func notifications() async throws {
        let trip = try await Gathering()
        let (folder, shown) = try programs(trip.scratch)
        let noah = try await trip.joined("noah", as: "Noah")
        var jie = trip.founder
        jie.environment["PATH"] = folder + ":/usr/bin:/bin"
        try await trip.part()
        let up = try jie.start(["up", "--peer", "127.0.0.1:1", "--notify"])
        #expect(try await eventually { up.output.hasPrefix("ready\n") })
        try await jie.done("add", "Casa & <b>")
        let port = "\(try await jie.json("status")["port"])".filter(\.isNumber)
        let node = try await ListeningNode(noah, peer: "127.0.0.1:\(port)")
        #expect(try await eventually { try await noah.json("list")["items"].elements.count == 1 })
        try await noah.done("vote", "Casa & <b>")
        try await noah.done("edit", "Casa & <b>", "--title", "Casa do Rio")
        #expect(try await eventually(within: 30) { shown().contains("changed the title") })
        #expect(shown().contains("Lisbon in June: ") && !shown().contains("Jie added"), "\(shown())")
        #expect(shown().contains("Noah voted for “Casa &amp; &lt;b&gt;”"), "\(shown())")
        #expect(shown().contains("Noah changed the title you gave “Casa &amp; &lt;b&gt;”"), "\(shown())")
        try await node.end()
        kill(up.process.processIdentifier, SIGTERM)
        let end = try await up.ended(within: 10)
        #expect(end.status == 0 && end.errors == "", end.summary)
    }

    @Test("quiet hours are checked before anything runs")
    func wrongUse() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        for arguments in [
            ["--notify", "--quiet-hours", "late"], ["--notify", "--quiet", "late"], ["--quiet-hours", "22:00-08:00"],
        ] {
            let outcome = try await caravan.run(["up"] + arguments)
            #expect(outcome.isRefusal(saying: "--quiet", status: 64), outcome.summary)
        }
    }
}
