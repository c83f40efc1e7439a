import ArgumentParser
import Console
import Convergence
import TripSimulation

/// All sets of a few crafted statements, by which a node derives who is in.
enum SimulateSets {
    static let sizes = 1...5
    static let partsMax = 10_000

    static func check(_ size: Int?, _ part: String?, isAlone: Bool) throws {
        guard let size else {
            if part != nil { throw ValidationError("--part needs --statements") }
            return
        }
        guard sizes.contains(size) else { throw ValidationError("--statements takes 1 to 5") }
        guard isAlone else { throw ValidationError("--statements can be combined only with --part") }
        _ = try self.part(part)
    }

    /// Reads 3/20.
    static func part(_ text: String?) throws -> (first: Int, of: Int) {
        guard let text else { return (0, 1) }
        let halves = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard halves.count == 2, let number = halves[0], let count = halves[1], (1...partsMax).contains(count),
            (1...count).contains(number)
        else { throw ValidationError("--part takes K/N, such as 1/20, with K from 1 to N") }
        return (number - 1, count)
    }

    static func run(upTo size: Int, part: (first: Int, of: Int)) throws {
        var search = SetSearch(upTo: size, part: part)
        let progress = SimulateProgress("set", of: 100)
        do throws(SetSearch.Finding) {
            try search.run { size, done, count in
                progress.done(UInt64(done * 100 / max(1, count)), detail: "of \(size) statements")
                return progress.isInterrupted
            }
        } catch {
            progress.end()
            Output.line(error.description)
            throw ExitCode.failure
        }
        progress.end()
        for (index, count) in search.counts.enumerated() {
            Output.line(
                "\(index + 1) statements: \(Figures.grouped(count.sets)) sets, \(Figures.grouped(count.arrivals)) last arrivals, "
                    + "\(Figures.grouped(count.steps)) after which a node derives nothing")
        }
        Output.line("\(Figures.grouped(progress.elapsed / 1_000)) s; no set on which a node and the rules disagree")
        if progress.isInterrupted { throw CancellationError() }
    }
}
