import Foundation
import LibC
import Testing

/// A node that goes on without its terminal, and what systemd is told.
struct ServiceTests {
    private func home(_ scratch: ScratchFolder) async throws -> Product {
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        return caravan
    }

    private func log(_ caravan: Product) -> String {
        String(decoding: FileManager.default.contents(atPath: caravan.home + "/log") ?? Data(), as: UTF8.self)
    }

    @Test("a detached node is ready when the command returns, has no terminal, and ends by down")
    func detach() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let up = try await caravan.run("up", "--detach", "--no-page")
        #expect(up.status == 0 && up.output.contains("Started the node in the background"), up.summary)
        let process = try #require(Int32(up.output.filter(\.isNumber)))
        #expect(getsid(process) == process)
        try await caravan.done("add", "Roof tent")
        #expect(try await caravan.json("status")["running"] == .flag(true))
        let second = try await caravan.run("up", "--detach", "--no-page")
        #expect(second.isRefusal(saying: "already running"), second.summary)
        try await caravan.done("down")
        #expect(try await eventually { kill(process, 0) != 0 })
        #expect(log(caravan).contains(#""event": "ready""#) && log(caravan).contains(#""event": "stop""#))
        #expect(!log(caravan).contains("Roof tent") && !log(caravan).contains("Jie"))
    }

    @Test("a trip that is named before the command is the one that a detached node runs")
    func detachesOneTrip() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        for title in ["Lisbon", "Porto"] { try await caravan.done("new", title, "--as", "Jie") }
        try await caravan.done("-t", "Lisbon", "up", "--detach", "--no-page")
        let running = try await caravan.json("trips").elements.filter { $0["running"] == .flag(true) }
        #expect(running.map { $0["title"].text } == ["Lisbon"])
        try await caravan.done("down")
    }

    @Test("a detached node runs with no trip yet, and a trip that is created joins it")
    func detachesBeforeTheFirstTrip() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/new")
        try await caravan.done("up", "--detach", "--no-page")
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        #expect(try await caravan.json("trips").elements.map { $0["running"] } == [.flag(true)])
        try await caravan.done("down")
    }

    @Test("what keeps a detached node from starting is said once, where it was asked for")
    func failure() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/none")
        let up = try await caravan.run("up", "--detach", "--trip", "Porto")
        #expect(up.isRefusal(saying: "there are no trips"), up.summary)
        for wrong in [["--log", "text"], ["--guests"], ["--log", "xml"]] {
            let outcome = try await caravan.run(["up", "--detach"] + wrong)
            #expect(outcome.status == 64 && outcome.errorLines.count == 1, outcome.summary)
        }
    }

    @Test("a log of JSON has an object a line, and nothing that the trip says")
    func jsonLog() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let node = try caravan.start(["up", "--log", "json", "--peer", "127.0.0.1:1"])
        #expect(try await eventually { node.output.contains(#""event": "ready""#) })
        try await caravan.done("add", "Roof tent")
        #expect(try await eventually { node.output.contains(#""event": "changed""#) })
        kill(node.process.processIdentifier, SIGTERM)
        let end = try await node.ended(within: 10)
        #expect(end.status == 0 && !end.output.contains("Roof") && !end.output.contains("Jie"), end.summary)
        for line in end.output.split(separator: "\n") {
            let object = try JSONDecoder().decode(JSONAnswer.self, from: Data(line.utf8))
            #expect(object["at"].text?.hasSuffix("Z") == true && object["event"].text != nil, "\(line)")
        }
    }

    @Test("a unit is written to the XDG folder, is one that systemd takes, and is taken away again")
    func unit() async throws {
        let scratch = try ScratchFolder()
        var caravan = try await home(scratch)
        caravan.environment["XDG_CONFIG_HOME"] = scratch.path + "/con fig"
        caravan.environment["XDG_RUNTIME_DIR"] = scratch.path
        let path = scratch.path + "/con fig/systemd/user/caravan.service"
        #expect(try await caravan.done("service", "uninstall").hasPrefix("Nothing changed: there is no unit at"))
        try await caravan.done("service", "install", "--no-start")
        let text = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        #expect(text.contains("ExecStart=\"\(Product.executable)\" up --log json\n"))
        #expect(text.contains("Environment=\"CARAVAN_HOME=\(caravan.home)\"\n"))
        // It is valid, and its exposure is below 4 of 10.
        let analyses = [["--user", "verify", "--man=no"], ["security", "--offline=true", "--threshold=40"]]
        for words in analyses where access("/usr/bin/systemd-analyze", X_OK) == 0 {
            let analysis = Process()
            analysis.executableURL = URL(fileURLWithPath: "/usr/bin/systemd-analyze")
            analysis.arguments = words + [path]
            analysis.environment = caravan.environment
            analysis.standardOutput = FileHandle.nullDevice
            try analysis.run()
            analysis.waitUntilExit()
            #expect(analysis.terminationStatus == 0, "\(words)")
        }
        // Again over its own, but not over another's.
        try await caravan.done("service", "install", "--no-start")
        try await caravan.done("service", "uninstall")
        #expect(!FileManager.default.fileExists(atPath: path))
        try Data("[Service]\n".utf8).write(to: URL(fileURLWithPath: path))
        for word in ["install", "uninstall"] {
            let outcome = try await caravan.run("service", word)
            #expect(outcome.isRefusal(saying: "not written by caravan"), outcome.summary)
        }
        #expect(FileManager.default.contents(atPath: path) == Data("[Service]\n".utf8))
    }

    @Test(
        "a node with sessions ends within a second of each signal, and the others hear that it did",
        arguments: [SIGTERM, SIGHUP])
    func end(signal: Int32) async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        try await trip.settle(noah)
        let asked = ContinuousClock.now
        kill(node.running.process.processIdentifier, signal)
        let end = try await node.running.ended(within: 10)
        let took = ContinuousClock.now - asked
        #expect(end.status == 0 && took < .seconds(1), "\(took) \(end.summary)")
        // A session that ends without its end frame would be missed after 7 s alone.
        #expect(try await eventually(within: 2) { trip.host.running.output.contains("Noah disconnected") })
    }
}
