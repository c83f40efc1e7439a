import Foundation
import Testing
import TripService

@testable import caravan

struct NodeLogTests {
    /// Known addresses are dialled before a node has looked at all else, so somebody may be here by then.
    @Test("a node says that it is ready first, and then what happened before")
    func readyFirst() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "node-log-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/log"
        let log = try NodeLog(.text, file: LogFile(path: path))
        log.heard(.problem("the first"), title: nil, id: "trip")
        #expect((try? String(contentsOfFile: path, encoding: .utf8)) ?? "" == "")
        log.becomeReady()
        log.heard(.problem("the second"), title: nil, id: "trip")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 3 && lines[0] == "ready")
        #expect(lines[1].contains("the first") && lines[2].contains("the second"))
    }
}
