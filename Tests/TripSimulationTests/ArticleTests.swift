import Convergence
import Foundation
import Testing
import TripSimulation

/// The page about simulated nodes names everything that there is.
struct ArticleTests {
    private func article() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = root.appendingPathComponent("Documentation/Simulation.md").path
        return String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    }

    @Test func everyProfileFaultAndLawIsExplained() throws {
        let text = try article()
        let names = Profile.allCases.map(\.rawValue) + TripFault.allCases.map(\.rawValue) + Law.ofTrips.map(\.name)
        for name in names { #expect(text.contains("`\(name)`"), "\(name)") }
    }

    @Test func everyFaultHasAMeaningThatFitsALine() {
        let meanings = TripFault.allCases.map(\.meaning)
        for meaning in meanings { #expect(!meaning.isEmpty && meaning.count <= 50, "\(meaning)") }
        #expect(Set(meanings).count == meanings.count)
    }
}
