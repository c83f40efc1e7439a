import Foundation
import Testing

/// Who is here, and who has what.
struct StatusTests {
    @Test("two devices of one person have lines that differ")
    func twoDevices() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        let link = try await noah.done("device", "add").trimmingCharacters(in: .newlines)
        let laptop = trip.home("laptop")
        let address = node.address
        try await laptop.done("join", link, "--as", "Noah's laptop", "--peer", address)
        let second = try await trip.node(of: laptop)
        try await trip.settle(noah, laptop)
        let status = try await trip.founder.done("status")
        let lines = status.split(separator: "\n").filter { $0.contains("Noah") }
        let names = lines.map { $0.prefix { $0 != ":" } }
        #expect(names.count == 2 && Set(names).count == 2, "\(status)")
        _ = second
    }

    @Test("what others were known to have is known after a restart")
    func restart() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        for number in 1...3 { try await trip.founder.done("add", "Tent \(number)") }
        try await trip.settle(noah)
        try await node.end()
        try await trip.part()
        for isRunning in [false, true] {
            if isRunning { try await trip.meet() }
            let status = try await trip.founder.done("status")
            #expect(!status.contains("may lack"), "\(status)")
            let answer = try await trip.founder.json("status")
            #expect(answer["devices"].elements.map { $0["lacks"] } == [.number(0)], "\(answer)")
            #expect(answer["everyone_has_this"] == .flag(true))
        }
        // What came later is what they lack.
        try await trip.founder.done("add", "Hammock")
        #expect(try await trip.founder.json("status")["devices"].elements.map { $0["lacks"] } == [.number(1)])
    }

    @Test("status says in text where the node listens")
    func port() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        let node = try await ListeningNode(caravan)
        let port = try #require(node.address.split(separator: ":").last)
        let status = try await caravan.done("status")
        #expect(status.contains(port), "\(status)")
    }

    @Test("every time in JSON is written as RFC 3339 does, in UTC")
    func times() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        try await trip.settle(noah)
        try await trip.founder.done("invite", "--expires", "7d")
        let commands: [(arguments: [String], keys: Set<String>)] = [
            (["status"], ["last_heard"]), (["members"], ["last_heard"]), (["invite", "list"], ["expires"]),
        ]
        for (arguments, keys) in commands {
            let outcome = try await trip.founder.run(arguments + ["--json"])
            let answer = try JSONDecoder().decode(JSONAnswer.self, from: Data(outcome.output.utf8))
            let times = answer.allMembers.filter { keys.contains($0.key) && $0.value != .null }
            #expect(!times.isEmpty, "\(arguments): \(outcome.output)")
            for time in times {
                let text = time.value.text ?? ""
                #expect(text.hasSuffix("Z") && ISO8601DateFormatter().date(from: text) != nil, "\(arguments): \(time)")
            }
            // Milliseconds since 1970 have thirteen digits.
            let numbers = answer.allMembers.filter {
                if case .number(let number) = $0.value { number > 1 << 38 } else { false }
            }
            #expect(numbers.isEmpty, "\(arguments): \(numbers)")
        }
        _ = node
    }
}
