extension Report {
    /// The report for a terminal, in lines of at most 120 characters but for traces and commands.
    public var text: String {
        var lines = ["\(subject): \(verdict)", ""]
        lines += Self.columns(figures.map { [$0.value, $0.name] }, alignRight: [0])
        lines += (digest.map { ["  digest \(Figures.digest($0))"] } ?? []) + [""]
        if let failing { lines += failing.lines + [""] }
        if !faults.isEmpty {
            lines += ["Faults that happened:"]
            lines += Self.columns(
                faults.map { [$0.name, Figures.grouped($0.count), $0.meaning] }, alignRight: [1])
            lines.append("")
        }
        if !laws.isEmpty {
            let unchecked = laws.filter { $0.count == 0 }.map { $0.name }
            lines.append("\(laws.count - unchecked.count) of \(laws.count) laws were checked, ")
            lines[lines.count - 1] += "\(Figures.count(laws.reduce(0) { $0 + $1.count }, "time")) in all"
            if !unchecked.isEmpty { lines.append("never checked: \(unchecked.joined(separator: ", "))") }
            lines.append("")
        }
        lines += riskLines
        lines.append("again: \(command)")
        return lines.joined(separator: "\n") + "\n"
    }

    private var riskLines: [String] {
        guard !risks.isEmpty else { return [] }
        let never = risks.filter { $0.count == 0 }.map { $0.name }
        let runs = headlines.first { $0.key == "runs" }?.number ?? 0
        let rows = risks.filter { $0.count > 0 }.map { [$0.name, Figures.grouped($0.count), $0.meaning] }
        return ["Runs in which a fault could have broken a law:"] + Self.columns(rows, alignRight: [1])
            + (never.isEmpty
                ? [] : ["never at risk in \(Figures.count(runs, "run")): \(never.joined(separator: ", "))"])
            + [""]
    }

    /// Rows with their columns one under the other, two blanks before each. The last column is as wide as it is.
    package static func columns(_ rows: [[String]], alignRight: Set<Int> = []) -> [String] {
        guard let count = rows.map({ $0.count }).max() else { return [] }
        let widths = (0..<count).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let space = String(repeating: " ", count: widths[column] - cell.count)
                let isLast = column == row.count - 1
                line += "  " + (alignRight.contains(column) ? space + cell : isLast ? cell : cell + space)
            }
            return line
        }
    }
}

extension Report.Failing {
    /// The law, the seed, the small run and the command that repeats it.
    var lines: [String] {
        [
            "seed \(seed) breaks \(law.name) at step \(failedStep): \(law.description)",
            "shrunk from \(Self.describe(before))",
            "         to \(smallSize):",
        ] + trace + (command.map { ["", "this run again: \($0)"] } ?? [])
    }
}
