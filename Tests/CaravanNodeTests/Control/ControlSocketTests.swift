import CaravanNode
import Foundation
import TestTiers
import Testing
import TripModel
import TripService

/// The socket itself: its file, its frames, its bounds.
struct ControlSocketTests {
    @Test func garbageEndsItsOwnConnectionAndNoOther() async throws {
        let trip = try await ServedTrip()
        try await trip.whileServed {
            let text = { (body: String) in RawClient.header(UInt32(body.utf8.count)) + body.utf8 }
            let garbage: [(name: String, bytes: [UInt8])] = [
                ("a frame of 4 GiB", RawClient.header(.max)),
                ("a frame of a byte too many", RawClient.header((4 << 20) + 1)),
                ("an empty frame", RawClient.header(0)),
                ("not JSON", text("hello")),
                ("not UTF-8", RawClient.header(4) + [0xFF, 0xFE, 0x00, 0x80]),
                ("JSON of another shape", text(#"{"request":{"_0":{"fly":{}},"trip":"x"}}"#)),
                ("nested too deep", text(String(repeating: "[", count: 1 << 20))),
                ("a web browser", Array("GET / HTTP/1.1\r\n\r\n".utf8)),
            ]
            for (name, bytes) in garbage {
                let client = try #require(RawClient(path: trip.socketPath))
                _ = client.answer()
                client.send(bytes)
                #expect(client.isSentAway(), "\(name)")
            }
            for part in [1, 4, 10] {
                let client = try #require(RawClient(path: trip.socketPath))
                client.send(Array(text(#"{"watch":{"trip":"x"}}"#).prefix(part)))
                _ = client.answer()
                client.sayNoMore()
                #expect(client.isSentAway(), "\(part) bytes of a frame")
            }
            #expect(try await trip.access.status().title == "Lisbon in June")
        }
    }

    @Test func aDeadNodesSocketIsReplacedAndALiveOneIsNot() async throws {
        let trip = try await ServedTrip()
        #expect(RawClient.leaveDeadSocket(at: trip.socketPath))
        // With a dead socket in the way, a command does it by itself.
        try await trip.access.add("Casa do Rio")
        try await trip.whileServed {
            #expect(try await trip.titles() == ["Casa do Rio"])
            let mode = try FileManager.default.attributesOfItem(atPath: trip.socketPath)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let error = #expect(throws: ServiceError.self) { try HomeNode(home: trip.home, network: nil) }
            #expect(error?.message.contains("already running") == true)
            #expect(try await trip.access.status().title == "Lisbon in June")
        }
        #expect(!FileManager.default.fileExists(atPath: trip.socketPath))
    }

    @Test func aFolderWithALongPathIsServedToo() async throws {
        let trip = try await ServedTrip(home: String(repeating: "a long way home ", count: 15))
        #expect(trip.socketPath.utf8.count > 200)
        try await trip.whileServed {
            // The node owns the store, so this went through the socket.
            let title = try await trip.access.status().title
            #expect(title == "Lisbon in June")
        }
    }

    @Test func aCrowdIsToldToWaitAndWhoLeftTakesNoPlace() async throws {
        let trip = try await ServedTrip()
        try await trip.whileServed {
            var crowd = (0..<32).compactMap { _ in RawClient(path: trip.socketPath) }
            #expect(crowd.count == 32)
            let isTold = try await ServedTrip.eventually {
                do { _ = try await trip.access.status() } catch { return "\(error)".contains("busy") }
                return false
            }
            #expect(isTold)
            // They watch, and leave while nothing happens.
            for client in crowd { client.send(frame: #"{"watch":{"trip":"x"}}"#) }
            crowd = []
            #expect(try await ServedTrip.eventually { (try? await trip.access.status()) != nil })
        }
    }

    @Test(.tags(.slow)) func anAnswerMayBeLongerThanAQuestion() async throws {
        let trip = try await ServedTrip()
        let note = String(repeating: "\"n\" ", count: 2_490)
        try await trip.whileServed {
            for part in 0..<5 {
                let items = (0..<95).map { NewItem(title: "Item \(part).\($0)", fields: [.note: note]) }
                _ = try await trip.access.answer(.add(items))
            }
            let items = try await trip.access.trip().items
            #expect(items.reduce(0) { $0 + ($1.fields[.note]?.value.utf8.count ?? 0) } > 4 << 20)
            #expect(items.contains { $0.title == "Item 4.94" })
        }
    }

    @Test("a client whose answer takes time is told so each half second")
    func pulse() async throws {
        let trip = try await ServedTrip()
        try await trip.whileServed {
            let client = try #require(RawClient(path: trip.socketPath))
            #expect(client.answer() == #"{"ready":{}}"#)
            let began = ContinuousClock.now
            client.send(frame: #"{"watch":{"trip":"\#(trip.id)"}}"#)
            for _ in 0..<2 { #expect(client.answer() == #"{"working":{}}"#) }
            #expect(ContinuousClock.now - began >= .milliseconds(990))
        }
    }

    @Test("a client that asks nothing for 10 s, or reads nothing of its answer, is disconnected", .tags(.slow))
    func patience() async throws {
        let trip = try await ServedTrip()
        try await trip.whileServed {
            let items = (0..<95).map { number in
                NewItem(title: "Item \(number)", fields: [.note: String(repeating: "\(number) ", count: 2_490)])
            }
            _ = try await trip.access.answer(.add(items))
            let silent = try #require(RawClient(path: trip.socketPath))
            let deaf = try #require(RawClient(path: trip.socketPath))
            deaf.send(frame: #"{"request":{"_0":{"view":{}},"trip":"\#(trip.id)"}}"#)
            let began = ContinuousClock.now
            // The command that asks is one of them.
            #expect(try await ServedTrip.eventually { try await trip.home.nodeMetrics()?.commands == 1 })
            #expect(ContinuousClock.now - began > .seconds(9))
            withExtendedLifetime((silent, deaf)) {}
        }
    }
}
