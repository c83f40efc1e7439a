import Foundation
import Testing

/// Where and how somebody reads: their zone, their window, their pipe.
struct ReaderTests {
    private func clock(_ zone: String, _ utc: String) throws -> String {
        let date = try #require(ISO8601DateFormatter().date(from: utc))
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: zone)
        formatter.dateFormat = "HH:mm"
        return formatter.string(from: date)
    }

    @Test(
        "times are in the reader's zone in text and in UTC in JSON, with or without a node", arguments: [false, true])
    func zones(isRunning: Bool) async throws {
        let scratch = try ScratchFolder()
        var caravan = Product(home: scratch.path)
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        try await caravan.done("add", "Roof tent")
        // Its own zone is nobody's.
        caravan.environment["TZ"] = "Asia/Kathmandu"
        let node = isRunning ? try await ListeningNode(caravan) : nil
        let item = try await caravan.json("show", "1")
        let utc = try #require(item["added_at"].text)
        for zone in ["America/Lima", "UTC", "Asia/Tokyo"] {
            caravan.environment["TZ"] = zone
            for arguments in [["show", "1"], ["history"]] {
                let text = try await caravan.run(arguments)
                #expect(text.output.contains(try clock(zone, utc)), "\(zone): \(text.output)")
            }
            #expect(try await caravan.json("show", "1") == item)
            let entry = try #require(try await caravan.json("history").elements.last)
            #expect(entry["at"].text == utc && utc.hasSuffix("Z"))
        }
        try await node?.end()
    }

    @Test("text is as wide as the reader's window", arguments: [50, 80, 200])
    func windows(columns: UInt16) async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        let words = Array(repeating: "grill", count: 60).joined(separator: " ")
        try await caravan.done("add", "Casa do Rio", "--note", words, "--details", words)
        try await caravan.done("edit", "1", "--details", words + " all day")
        for (arguments, slack) in [(["show", "1"], 10), (["history"], 200)] {
            let terminal = try PseudoTerminal(columns: columns)
            let shown = try caravan.start(arguments, output: terminal.slave)
            #expect(try await shown.ended(within: 10).status == 0)
            let widest = terminal.screen.split(separator: "\r\n").map(\.count).max() ?? 0
            #expect(widest <= columns && widest > Int(columns) - slack, "\(arguments): \(widest) of \(columns)")
        }
    }

    @Test("messages, errors and topics of the help are broken between words in a narrow window")
    func narrow() async throws {
        let scratch = try ScratchFolder()
        var caravan = Product(home: scratch.path)
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        caravan.environment["NO_COLOR"] = "1"
        caravan.wrapper = ["/bin/sh", "-c", "exec \"$@\" 2>&1", "sh"]
        for arguments in [
            ["add", "A thing to do on the first day, if it rains"], [], ["wishes"], ["mailbox"],
            ["edit", "1", "--due", "2020-01-01"], ["list", "--sort", "beauty"], ["--no-pager", "help", "exit-codes"],
        ] {
            let terminal = try PseudoTerminal(columns: 50)
            let shown = try caravan.start(arguments, output: terminal.slave)
            _ = try await shown.ended(within: 20)
            let lines = terminal.screen.split(separator: "\r\n")
            #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= 50 }, "\(arguments): \(lines)")
        }
    }

    @Test("what goes into a pipe is not wrapped")
    func pipes() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        let details = Array(repeating: "grill", count: 50).joined(separator: " ")
        try await caravan.done("add", "Casa do Rio", "--details", details)
        // Many titles make a long line of the history.
        let titles = (2...4).map { "Cabin \($0) with a view of the lake" }
        for title in titles { try await caravan.done("add", title) }
        try await caravan.done("vote", "2", "3", "4")
        let node = try await ListeningNode(caravan)
        for isRunning in [true, false] {
            if !isRunning { try await node.end() }
            let card = try await caravan.done("show", "1").split(separator: "\n")
            #expect(card.contains { $0.contains(details) }, "\(card)")
            let history = try await caravan.done("history").split(separator: "\n")
            #expect(history.contains { line in titles.allSatisfy { line.contains($0) } }, "\(history)")
        }
    }
}
