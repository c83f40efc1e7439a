import Foundation
import PageServer
import TestTiers
import Testing
import TripModel
import TripService

/// Open pages are sent what changes.
struct StreamTests {
    @Test("a stream says hello, sends all there is, and then what changes alone")
    func patches() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let ids = try await house.add(["Casa do Rio", "Casa do Tejo", "Casa da Sé"].map { NewItem(title: $0) })
        let stream = try await house.stream(browser)
        var text = try await stream.received { $0.contains("event: patch") && $0.hasSuffix("\n\n") }
        #expect(text.contains("Content-Type: text/event-stream"))
        #expect(text.range(of: "event: hello")!.lowerBound < text.range(of: "event: patch")!.lowerBound)
        let first = try #require(Patch.all(text).first)
        #expect(first.lists["cards"] == ids.map { "c-" + $0 })
        #expect(Set(ids.map { "c-" + $0 }).isSubset(of: first.put.keys))
        _ = try await house.service.answer(.act(.vote(.for), on: [.typed(ids[1])]))
        text = try await stream.received { text in Patch.all(text).dropFirst().contains { $0.put["v-" + ids[1]] != nil }
        }
        for patch in Patch.all(text).dropFirst() {
            #expect(patch.put["c-" + ids[0]] == nil && patch.put["c-" + ids[2]] == nil)
            #expect(patch.lists.isEmpty && patch.put["tools"] == nil)
            #expect(patch.put.values.reduce(0) { $0 + $1.utf8.count } < 2_000)
        }
        await house.close()
    }

    @Test("a stream sends nothing of what its document shows already, and all of it where that has changed meanwhile")
    func drawn() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let ids = try await house.add(["Casa do Rio", "Casa do Tejo"].map { NewItem(title: $0) })
        // A page that is open keeps its trip's feed.
        _ = try await house.stream(browser)
        func digest() async throws -> String {
            let text = try await browser.get("/t/\(house.trip)/").body
            let start = try #require(text.range(of: "data-drawn=\"")).upperBound
            return String(text[start...].prefix { $0 != "\"" })
        }
        // Who has what is read a moment after what changed.
        var before = ""
        #expect(
            try await eventually {
                let now = try await digest()
                defer { before = now }
                return now == before
            })
        let stream = try await house.stream(browser, query: "drawn=\(before)")
        _ = try await stream.received { $0.contains("event: hello") }
        _ = try await house.service.answer(.act(.vote(.for), on: [.typed(ids[1])]))
        let text = try await stream.received { Patch.all($0).contains { $0.put["v-" + ids[1]] != nil } }
        for patch in Patch.all(text) { #expect(patch.lists.isEmpty && patch.put["c-" + ids[0]] == nil) }
        let late = try await house.stream(browser, query: "drawn=\(before)")
        let all = try await late.received { Patch.all($0).first != nil }
        #expect(Patch.all(all).first?.lists["cards"] == ids.map { "c-" + $0 })
        await house.close()
    }

    @Test("of what changes in rows that a page does not show, nothing is sent but what is told beside them")
    func beyond() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let ids = try await house.add((0..<100).map { NewItem(title: "Stay \($0)") })
        let stream = try await house.stream(browser)
        _ = try await stream.received { Patch.all($0).first?.lists["cards"] == ids.prefix(60).map { "c-" + $0 } }
        _ = try await house.service.answer(.act(.vote(.for), on: [.typed(ids[99])]))
        let text = try await stream.received { Patch.all($0).contains { $0.put["l-" + ids[99]] != nil } }
        for patch in Patch.all(text) {
            #expect(patch.put.keys.allSatisfy { !$0.hasSuffix(ids[99]) || $0.hasPrefix("l-") })
        }
        await house.close()
    }

    @Test("a stream follows its page to another view, and no other browser can lead it there")
    func looks() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let ids = try await house.add(["Casa do Rio", "Casa do Tejo"].map { NewItem(title: $0) })
        _ = try await house.service.answer(.act(.vote(.for), on: [.typed(ids[1])]))
        let stream = try await house.stream(browser)
        let text = try await stream.received { $0.contains("event: patch") && $0.hasSuffix("\n\n") }
        let id = try #require(text.range(of: "{\"stream\":\"").map { String(text[$0.upperBound...].prefix(32)) })
        let form = [("stream", id), ("query", "sort=votes")]
        #expect(try await house.browser().post("/t/\(house.trip)/look", form).status == 410)
        #expect(try await browser.post("/t/\(house.trip)/look", form).status == 204)
        _ = try await stream.received { text in
            Patch.all(text).contains { $0.place.contains { $0[0] == "c-" + ids[1] || $0[0] == "c-" + ids[0] } }
        }
        await house.close()
    }

    @Test("of 200 streams one that never reads holds up no other, and costs no memory", .tags(.slow))
    func readerThatNeverReads() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let ids = try await house.add((0..<40).map { NewItem(title: "Stay \($0)") })
        var memory = [residentBytes()]
        let deaf = try await house.stream(browser, reads: false)
        var streams: [RawConnection] = []
        for _ in 0..<199 { streams.append(try await house.stream(browser, keptMax: 65_536)) }
        for stream in streams { try await stream.receives("\"title\":\"Lisbon") }
        for round in 0..<60 {
            let title = "Round \(round)."
            _ = try await house.service.answer(
                .act(.edit([.title: "Stay \(title)"]), on: [.typed(ids[round % ids.count])]))
            try await streams[round].receives(title)
            if round % 20 == 19 { memory.append(residentBytes()) }
        }
        for stream in streams { try await stream.receives("Round 59.") }
        #expect(deaf.receivedCount == 0)
        // Half of a stream is the test's own: what it keeps of it, and its side of the connection.
        #expect((memory[1] - memory[0]) / 200 < 384 << 10, "\(memory)")
        // What was sent is let go: a kilobyte kept of each patch of 20 rounds would be more.
        #expect(memory[3] - memory[2] < 4 << 20, "\(memory)")
        await house.close()
    }

    @Test("a reader that takes nothing for long is sent away")
    func stuckReader() async throws {
        let house = try await PageHouse { $0.limits.writeDeadline = .milliseconds(500) }
        let browser = try await house.browser()
        // More than the system takes for a reader who takes nothing.
        let text = String(repeating: "👩", count: 200)
        for _ in 0..<3 {
            try await house.add((0..<50).map { _ in NewItem(title: text, fields: [.price: text, .host: text]) })
        }
        let deaf = try await house.stream(browser, query: "at=60", reads: false)
        #expect(try await eventually { await house.server.openStreams == 1 })
        #expect(try await eventually { await house.server.openStreams == 0 })
        await deaf.close()
        await house.close()
    }

    @Test("a stop ends all streams within a second")
    func stop() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        var streams: [RawConnection] = []
        for number in 0..<50 { streams.append(try await house.stream(browser, reads: number > 0)) }
        for stream in streams.dropFirst() { _ = try await stream.received { $0.contains("event: patch") } }
        let took = await ContinuousClock().measure { await house.server.stop() }
        #expect(took < .seconds(1))
        for stream in streams.dropFirst() { #expect(try await eventually { stream.isClosed }) }
        await house.close()
    }

    /// In a process of its own: what other tests left running traps where the system gives it no descriptor.
    @Test("out of descriptors the page pauses, and goes on once there are some")
    func noDescriptors() async {
        await #expect(processExitsWith: .success) {
            let house = try await PageHouse()
            let browser = try await house.browser()
            let stream = try await house.stream(browser)
            _ = try await stream.received { $0.contains("event: patch") }
            var held: [FileHandle] = []
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var low = limit
            low.rlim_cur = 512
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &low)
            while let handle = FileHandle(forReadingAtPath: "/dev/null") { held.append(handle) }
            // One is let go, so that the test can knock; the server has none to answer with.
            _ = held.popLast()
            let knock = try await RawConnection(port: house.port)
            try await knock.send(browser.head("GET", "/style/page.css"))
            try await Task.sleep(for: .milliseconds(300))
            #expect(knock.receivedCount == 0)
            // What is open goes on.
            _ = try await house.service.answer(.add([NewItem(title: "Meanwhile")]))
            _ = try await stream.received { $0.contains("Meanwhile") }
            held = []
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            _ = try await knock.received { $0.hasPrefix("HTTP/1.1 200") }
            #expect(try await browser.get("/t/\(house.trip)/").status == 200)
            await house.close()
        }
    }

    /// Of this process, as the system says.
    private func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
    }
}

/// A patch as the page's script reads it.
struct Patch: Decodable {
    struct Put: Decodable {
        let id: String
        let html: String
    }

    let title: String?
    let put: [String: String]
    let drop: [String]
    let place: [[String?]]
    let lists: [String: [String]]

    private enum CodingKeys: CodingKey { case title, put, drop, place, lists }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decodeIfPresent(String.self, forKey: .title)
        put = Dictionary(uniqueKeysWithValues: try container.decode([Put].self, forKey: .put).map { ($0.id, $0.html) })
        drop = try container.decode([String].self, forKey: .drop)
        place = try container.decode([[String?]].self, forKey: .place)
        lists = try container.decodeIfPresent([String: [String]].self, forKey: .lists) ?? [:]
    }

    /// All whole ones of a stream.
    static func all(_ text: String) -> [Patch] {
        text.components(separatedBy: "event: patch\ndata: ").dropFirst().compactMap { part in
            part.range(of: "\n\n").flatMap {
                try? JSONDecoder().decode(Patch.self, from: Data(part[..<$0.lowerBound].utf8))
            }
        }
    }
}
