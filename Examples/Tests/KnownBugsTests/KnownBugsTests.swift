import Foundation
import KnownBugs
import Testing

/// Each known bug is found by its seed, as small as is written down, and its right counterpart holds.
struct KnownBugsTests {
    private static let traces = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Traces")

    @Test("a known bug is found, made small, and told as in its file", arguments: Bug.all.map(\.name))
    func found(_ name: String) throws {
        let bug = try #require(Bug.all.first { $0.name == name })
        let found = try #require(bug.find(bug.seed...bug.seed))
        #expect(found.law == bug.law && found.size == bug.size, "\(found)")
        #expect(found.size.replicas <= 3 && found.size.events <= 6, "\(found)")
        let file = Self.traces.appendingPathComponent("\(name).txt")
        let text = "\(bug.source)\n\n\(found.report)\n"
        if ProcessInfo.processInfo.environment["CARAVAN_RECORD"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test("its right counterpart holds", arguments: Bug.all.map(\.name))
    func right(_ name: String) throws {
        let bug = try #require(Bug.all.first { $0.name == name })
        let failed = bug.findInRight(1...30)
        #expect(failed == nil, "\(failed ?? "")")
    }
}
