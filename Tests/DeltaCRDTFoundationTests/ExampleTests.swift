import DeltaCRDT
import DeltaCRDTFoundation
import Foundation
import Testing

private let jie = ReplicaID(high: 0x9E37_79B9, low: 1)
private let noah = ReplicaID(high: 0x85EB_CA6B, low: 2)

/// The examples of DeltaCRDT's articles that need a file, line for line, with what they claim.
@Suite struct ExampleTests {
    @Test func syncingADocument() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("synced-\(UUID())")
        defer { try? FileManager.default.removeItem(at: url) }
        var theirs = AddWinsSet<String>()
        theirs.insert("stove", by: noah)
        var (there, sent) = (SyncSession<AddWinsSet<String>>(), [[UInt8]]())
        func send(_ message: [UInt8]) { sent.append(message) }
        do {
            let file = try DocumentFile<AddWinsSet<String>>(at: url)
            var session = SyncSession<AddWinsSet<String>>()

            /// Sends all pending messages.
            func flush() {
                while let message = session.message(for: file.state) { send(message) }
            }

            /// Takes a received message.
            func take(_ message: [UInt8]) throws {
                try file.update { list in try session.receive(message, into: &list) }
                flush()
            }

            flush()
            try file.update(by: jie) { $0.insert("tent") }
            flush()

            while true {
                for message in sent { try there.receive(message, into: &theirs) }
                sent = []
                guard let message = there.message(for: theirs) else { break }
                try take(message)
            }
            #expect(file.state == theirs)
            let size = try Data(contentsOf: url).count
            #expect(throws: DecodingFailure.self) { try take([0xFF]) }
            #expect(try Data(contentsOf: url).count == size)
        }
        #expect(theirs.elements.sorted() == ["stove", "tent"])
        #expect(try DocumentFile<AddWinsSet<String>>(at: url).state == theirs)
    }
}
