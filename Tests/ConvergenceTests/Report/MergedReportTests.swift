import Convergence
import Testing

/// Lines of workers, merged: one and four, killed ones, repeated ones, cut ones.
struct MergedReportTests {
    private func lines(_ seeds: [UInt64]) throws -> [String] {
        let mutant = try #require(Mutant.named("shared-entry"))
        var lines: [String] = []
        mutant.sweep("shared-entry", Conditions(steps: 30), seeds: seeds, of: 1...200) {
            lines.append($0.line)
            return false
        }
        return lines
    }

    private func merged(_ lines: [String]) throws -> MergedReport {
        var merged = MergedReport()
        for line in lines { try merged.add(line) }
        return merged
    }

    @Test("four workers give what one gives, byte for byte, in any order")
    func four() throws {
        let one = try lines(Array(1...24))
        let four = try (1...4).flatMap { first in try lines(Array(stride(from: UInt64(first), through: 24, by: 4))) }
        #expect(try merged(one).text == merged(four).text)
        #expect(try merged(one.reversed()).text == merged(four).text)
        #expect(try merged(one).isViolated)
    }

    @Test("a seed counts once, a cut line not at all, and what is missing is told")
    func damage() throws {
        let all = try lines(Array(1...12))
        let whole = try merged(all).text
        // A range given twice.
        let twice = try merged(all + all[3...7])
        #expect(twice.text == whole && twice.dropped == "5 repeated and 0 unreadable lines were dropped")
        // A report cut in half, and the worker run again.
        let cut = all[..<5] + [String(all[5].prefix(all[5].count / 2))]
        #expect(try merged(cut + all).text == whole)
        // A worker killed in the middle of its range.
        let killed = try merged(Array(all[..<4]) + Array(all[8...]))
        #expect(
            killed.text.contains("missing between  4") && killed.text.contains("seeds            8, 1 to 12"),
            "\(killed.text)")
        #expect(try merged(["nonsense", "{}"]).unreadableCount == 2)
    }

    @Test("lines of two sweeps are not merged, and contradictory ones are told")
    func others() throws {
        let line = try lines([1])[0]
        let other = line.replacing("shared-entry", with: "another")
        #expect(throws: MergedReport.OtherSweep.self) { try merged([line, other]) }
        var report = try #require(SeedReport(line))
        #expect(report.line == line)
        report.digest &+= 1
        #expect(try merged([line, report.line]).text.contains("contradictory"))
    }
}
