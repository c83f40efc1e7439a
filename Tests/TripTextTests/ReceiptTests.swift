import Foundation
import Testing
import TripService

@testable import TripText

/// What programs read of what was done.
@Suite struct ReceiptTests {
    @Test("each act of a receipt is on the page of commands")
    func documentedActs() throws {
        let page = URL(filePath: #filePath).appending(path: "../../../Documentation/Commands.md").standardizedFileURL
        let list = try String(contentsOf: page, encoding: .utf8).split(separator: "\n`did` is ").last ?? ""
        for act in Receipt.Act.allCases {
            let word = TripJSON.receipt(Receipt(act, [])).text.split(separator: "\"")[3]
            #expect(list.contains("“\(word)”"))
        }
    }
}
