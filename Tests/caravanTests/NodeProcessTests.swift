import Foundation
import Testing

/// `caravan up` as a process, with the commands beside it.
struct NodeProcessTests {
    @Test func aNodeServesCommandsSaysWhatHappensAndEndsAtOnce() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        #expect(try await caravan.run("new", "Lisbon in June", "--as", "Jie").status == 0)
        for signal in [SIGTERM, SIGINT] {
            let node = try caravan.start(["up", "--peer", "127.0.0.1:1"])
            #expect(try await eventually { node.output.hasPrefix("ready\n") })
            let watcher = try caravan.start(["watch", "--json"])
            // Who watches hears of what comes after: so add until one is heard of.
            let isHeard = try await eventually {
                let add = try await caravan.run("add", "Roof tent")
                #expect(add.status == 0)
                return watcher.output.contains("Roof tent") && node.output.contains("Roof tent")
            }
            #expect(isHeard)
            let second = try await caravan.run("up", "--peer", "127.0.0.1:1")
            #expect(second.status == 1 && second.errorLines.count == 1 && second.output == "")
            #expect(second.errors.contains("already running"))
            #expect(try await caravan.run("status", "--json").output.contains("\"running\": true"))

            let asked = ContinuousClock.now
            kill(node.process.processIdentifier, signal)
            let end = try await node.ended(within: 10)
            #expect(end.status == 0 && !end.isKilled && end.errors == "")
            #expect(ContinuousClock.now - asked < .seconds(2))
            #expect(try await watcher.ended(within: 5).status == 0)
        }
        #expect(try await caravan.run("list").status == 0)
    }

    @Test func aNodeThatWasKilledLeavesNothingInTheWay() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        #expect(try await caravan.run("new", "Lisbon in June", "--as", "Jie").status == 0)
        let node = try caravan.start(["up", "--peer", "127.0.0.1:1"])
        #expect(try await eventually { node.output.hasPrefix("ready\n") })
        #expect(try await caravan.run("add", "Roof tent").status == 0)
        kill(node.process.processIdentifier, SIGKILL)
        #expect(try await node.ended(within: 5).isKilled)
        #expect(scratch.contents().contains { "/\($0)".hasSuffix("/control") })
        #expect(try await caravan.run("add", "Casa do Rio").status == 0)
        let next = try caravan.start(["up", "--peer", "127.0.0.1:1"])
        #expect(try await eventually { next.output.hasPrefix("ready\n") })
        let list = try await caravan.run("list").output
        #expect(list.contains("Roof tent") && list.contains("Casa do Rio"))
    }

    /// A pipe whose reader has gone ends no command before its work is done, and by no signal.
    @Test func aClosedPipeDoesNoHarm() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        #expect(try await caravan.run("new", "Lisbon in June", "--as", "Jie").status == 0)
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let add = try caravan.start(["add", "Roof tent"], output: pipe.fileHandleForWriting)
        let end = try await add.ended(within: 10)
        #expect(end.status == 0 && !end.isKilled)
        #expect(try await caravan.run("list").output.contains("Roof tent"))
    }
}
