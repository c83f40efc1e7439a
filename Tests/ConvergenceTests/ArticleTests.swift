import Convergence
import Foundation
import Testing

/// The article names everything that there is.
struct ArticleTests {
    private func article() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = root.appendingPathComponent("Sources/Convergence/Convergence.docc/FaultsAndLaws.md").path
        return String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    }

    @Test func everyFaultAndLawIsExplained() throws {
        let text = try article()
        for name in Fault.allCases.map(\.rawValue) + Law.all.map(\.name) {
            #expect(text.contains("`\(name)`"), "\(name)")
        }
    }

    @Test func everyFaultHasAMeaningThatFitsALine() {
        for meaning in Fault.allCases.map(\.meaning) { #expect(!meaning.isEmpty && meaning.count <= 50, "\(meaning)") }
    }
}
