import Foundation
import LibC
import Testing

@testable import caravan

/// `caravan feeds`, `browse` and `recent`: what one person has for themselves on one machine.
struct FeedTests {
    private static let table =
        "title,link,price\r\nCasa,https://example.org/1,80 EUR\r\nLoft,https://example.org/2,90 EUR\r\n"

    @Test("a feed is browsed, searched and shared from; what the trip has already is marked and passed over")
    func browse() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/jie")
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        let path = scratch.path + "/stays.csv"
        try Data(Self.table.utf8).write(to: URL(fileURLWithPath: path))
        #expect(try await caravan.done("feeds").hasPrefix("No feeds yet"))
        #expect(try await caravan.done("feeds", "add", path).hasPrefix("Added feed “stays.csv” with 2 items"))
        let again = try await caravan.run("feeds", "add", path)
        #expect(again.isRefusal(saying: "already a feed “stays.csv”"), again.summary)
        #expect(try await caravan.json("feeds").elements.map { $0["origin"].text } == [path])
        #expect(
            try await caravan.done("browse", "stays.csv", "--search", "LOFT")
                == "2  Loft · 90 EUR · https://example.org/2\n")
        #expect(try await caravan.done("browse", "stays.csv", "--share", "2").hasPrefix("Added 1 “Loft”"))
        try await caravan.done("browse", "stays.csv", "--wish", "1")
        #expect(try await caravan.json("wishes").elements.map { $0["title"].text } == ["Casa"])
        let listed = try await caravan.json("browse", "stays.csv").elements
        #expect(listed.map { $0["there_already"] } == [.flag(false), .flag(true)])
        let known = try await caravan.run("browse", "stays.csv", "--share", "2")
        #expect(known.status == 0 && known.errors.contains("Skipped 1 item that the trip already has"), known.summary)
        let beyond = try await caravan.run("browse", "stays.csv", "--share", "3")
        #expect(beyond.isRefusal(saying: "there is no row 3"), beyond.summary)
        // On the disk nothing of it stands in the clear.
        let folder = scratch.path + "/jie/trips"
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let bytes = FileManager.default.contents(atPath: folder + "/" + file) ?? Data()
            #expect(!bytes.contains(Data("stays.csv".utf8)), "\(file)")
        }
        try await caravan.done("feeds", "remove", "stays.csv")
        let gone = try await caravan.run("feeds", "remove", "stays.csv")
        #expect(gone.isRefusal(saying: "there is no feed"), gone.summary)
    }

    @Test("what one looked at last is shown, the latest first, and is nobody's business")
    func recent() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/jie")
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        #expect(try await caravan.done("recent").hasPrefix("Nothing viewed yet"))
        for title in ["Casa", "Loft", "Tent"] { try await caravan.done("add", title) }
        for title in ["Casa", "Tent", "Casa"] { try await caravan.done("show", title) }
        #expect(try await caravan.done("recent") == "1  Casa\n3  Tent\n")
        #expect(try await caravan.json("history").elements.count == 6)
    }

    @Test("an address of this network is read; redirects, broken answers, and what is not of this network are refused")
    func nearby() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/jie")
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        let head = "HTTP/1.0 200 OK\r\nContent-Length: \(Self.table.utf8.count)\r\n\r\n"
        let server = try OneAnswer(head + Self.table)
        #expect(try await caravan.done("browse", server.link + "/stays.csv").hasPrefix("1  Casa · 80 EUR"))
        for (answer, part) in [
            ("HTTP/1.0 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n", "redirects to another address"),
            ("HTTP/1.0 404 Not Found\r\n\r\n", "status 404"), ("hello", "invalid HTTP response"),
            ("", "invalid HTTP response"),
            ("HTTP/1.0 200 OK\r\nContent-Length: 100\r\n\r\ntitle", "closed the connection too early"),
            ("HTTP/1.0 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "larger than 64 MiB"),
            ("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "invalid HTTP response"),
            (String(repeating: "x", count: 200_000), "invalid HTTP response"),
        ] {
            let server = try OneAnswer(answer)
            let outcome = try await caravan.run("browse", server.link + "/stays.csv")
            #expect(outcome.isRefusal(saying: part), outcome.summary)
        }
        for (address, part) in [
            ("http://192.0.2.1/a.csv", "is not on this network"), ("https://127.0.0.1/a.csv", "http:// URLs"),
            ("http://[2001:db8::1]/a.csv", "is not on this network"),
            ("http://user@127.0.0.1/", "not a plain http:// URL"),
        ] {
            let outcome = try await caravan.run("browse", address)
            #expect(outcome.isRefusal(saying: part), outcome.summary)
        }
    }

    @Test("loopback, link-local and private addresses are nearby, and no others")
    func addresses() {
        for bytes: [UInt8] in [
            [127, 0, 0, 1], [10, 1, 2, 3], [172, 16, 0, 1], [172, 31, 0, 1], [192, 168, 1, 1], [169, 254, 1, 1],
            [0xFE, 0x80] + [UInt8](repeating: 1, count: 14), [0xFD] + [UInt8](repeating: 1, count: 15),
            [UInt8](repeating: 0, count: 15) + [1], [UInt8](repeating: 0, count: 10) + [255, 255, 10, 0, 0, 1],
        ] { #expect(NearbyPage.isNearby(bytes), "\(bytes)") }
        for bytes: [UInt8] in [
            [8, 8, 8, 8], [172, 32, 0, 1], [172, 15, 0, 1], [192, 169, 0, 1], [0, 0, 0, 0], [224, 0, 0, 251], [],
            [0x20, 0x01] + [UInt8](repeating: 1, count: 14), [UInt8](repeating: 0, count: 16),
            [UInt8](repeating: 0, count: 10) + [255, 255, 8, 8, 8, 8],
        ] { #expect(!NearbyPage.isNearby(bytes), "\(bytes)") }
    }
}

/// A server on loopback that sends its first client some bytes, whatever the request, and closes.
private final class OneAnswer: Sendable {
    let link: String

    init(_ answer: String) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 1) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        try #require(isListening)
        link = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        let bytes = Array(answer.utf8)
        Thread.detachNewThread {
            let client = accept(listener, nil, nil)
            var request = [UInt8](repeating: 0, count: 4_096)
            _ = read(client, &request, request.count)
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { break }
                rest = rest.dropFirst(count)
            }
            shutdown(client, Int32(SHUT_WR))
            while read(client, &request, request.count) > 0 {}
            close(client)
            close(listener)
        }
    }
}
