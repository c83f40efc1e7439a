import Convergence
import Foundation
import Testing

/// The articles name everything that there is.
struct ArticleTests {
    private func article(_ name: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let path = root.appendingPathComponent("Sources/Convergence/Convergence.docc/\(name).md").path
        return String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    }

    @Test func everyFaultAndLawIsExplained() throws {
        let text = try article("FaultsAndLaws")
        let names =
            Fault.allCases.map(\.rawValue) + TripFault.allCases.map(\.rawValue) + (Law.all + Law.ofTrips).map(\.name)
        for name in names { #expect(text.contains("`\(name)`"), "\(name)") }
    }

    @Test func everyFaultHasAMeaningThatFitsALine() {
        let meanings = Fault.allCases.map(\.meaning) + TripFault.allCases.map(\.meaning)
        for meaning in meanings { #expect(!meaning.isEmpty && meaning.count <= 50, "\(meaning)") }
        #expect(Set(TripFault.allCases.map(\.meaning)).count == TripFault.allCases.count)
    }
}
