import Foundation
import Glibc
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
        let commands = try [["add", "Roof tent"], ["list"], ["status"]].map { (try caravan.start($0), $0) }
        for (running, arguments) in commands {
            let outcome = try await running.ended(within: 6)
            let took = ContinuousClock.now - asked
            #expect(!outcome.isKilled && took < .seconds(3), "\(arguments): no answer after \(took)")
            let isRead = arguments == ["list"] && outcome.status == 0
            #expect(isRead || outcome.isRefusal(saying: "does not answer"), outcome.summary)
        }

        kill(process, SIGCONT)
        try await caravan.done("add", "Casa do Rio")
        try await node.end()
        let list = try await caravan.done("list")
        #expect(list.contains("Casa do Rio") && !list.contains("Roof tent"), "it was done later:\n\(list)")
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
