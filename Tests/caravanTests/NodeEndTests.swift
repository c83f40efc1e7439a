import Foundation
import LibC
import Testing

/// How a node comes up, and how it goes.
struct NodeEndTests {
    private func home(_ scratch: ScratchFolder) async throws -> Product {
        let caravan = Product(home: scratch.path)
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        return caravan
    }

    private func sockets(in scratch: ScratchFolder) -> [String] {
        scratch.contents().filter { path in
            var status = stat()
            return lstat("\(scratch.path)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
        }
    }

    @Test("a node without discovery stays up and says so", arguments: [false, true])
    func withoutDiscovery(hasPort: Bool) async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let port = try Product.freePort()
        let node = try caravan.start(["up"] + (hasPort ? ["--port", "\(port)"] : []))
        let isReady = try await eventually(within: 10) { node.output.contains("ready") || !node.process.isRunning }
        #expect(isReady && node.process.isRunning, "\(node.errors)")
        let said = try await eventually(within: 5) {
            (node.output + node.errors).contains("Discovery") || !node.process.isRunning
        }
        #expect(said && node.process.isRunning, "\(node.output)\(node.errors)")
        let status = try await caravan.json("status")
        #expect(status["running"] == .flag(true) && status["discovery_problem"].text != nil, "\(status)")
        if hasPort { #expect(status["port"] == .number(Int64(port))) }
    }

    @Test("a closed terminal and Ctrl-\\ end a node as Ctrl-C does", arguments: [SIGHUP, SIGQUIT])
    func signals(number: Int32) async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let node = try await ListeningNode(caravan)
        #expect(sockets(in: scratch).count == 1)
        kill(node.running.process.processIdentifier, number)
        let end = try await node.running.ended(within: 10)
        #expect(end.status == 0 && !end.isKilled && end.errors == "", end.summary)
        #expect(sockets(in: scratch) == [])
    }

    @Test("down ends the node of this home, and says where none runs")
    func down() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let none = try await caravan.run("down")
        #expect(none.status == 0 && none.output == "Nothing changed: no node is running\n", none.summary)
        let node = try await ListeningNode(caravan)
        let down = try await caravan.run("down")
        #expect(down.status == 0 && !down.output.isEmpty, down.summary)
        let end = try await node.running.ended(within: 10)
        #expect(end.status == 0 && !end.isKilled && end.errors == "", end.summary)
        #expect(try await caravan.json("status")["running"] == .flag(false))
        #expect(sockets(in: scratch) == [])
    }
}
