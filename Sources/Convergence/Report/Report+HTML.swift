extension Report {
    /// A page that is whole in itself: no script, no font, no picture from elsewhere. It is XML, too.
    public var html: String {
        let head: Markup =
            .element("meta", [("charset", "utf-8")])
            + .element("meta", [("name", "viewport"), ("content", "width=device-width, initial-scale=1")])
            + .element("meta", [("name", "color-scheme"), ("content", "light dark")])
            + .element("title", [], "\(subject): \(verdict)")
            + .element("style", [], StyleSheet.text)
        let body: Markup = .element(
            "main", [],
            opening + failure + Panel.grid(panels) + faultTable + riskTable + lawTable + boundTable + repetition)
        let page: Markup = .element(
            "html", [("xmlns", "http://www.w3.org/1999/xhtml"), ("lang", "en")],
            .element("head", [], head) + .element("body", [], body))
        return "<!DOCTYPE html>\n" + page.source + "\n"
    }

    private var opening: Markup {
        let state = failing == nil ? (isInterrupted ? "open" : "held") : "broken"
        let verdict: Markup =
            .element("span", class: "sign", failing == nil ? (isInterrupted ? "…" : "✓") : "✕")
            + .text(self.verdict.prefix(1).uppercased() + self.verdict.dropFirst())
        let figures: Markup = .each(figures) { value, name in
            .element("div", [], .element("dd", [], value) + .element("dt", [], name))
        }
        return .element(
            "header", [],
            .element("p", class: "kind", "Convergence report") + .element("h1", [], subject)
                + (digest == nil ? .nothing : .element("p", class: "verdict \(state)", verdict))
                + .element("dl", class: "headlines", figures))
    }

    private var failure: Markup {
        guard let failing else { return .nothing }
        let content: Markup =
            .element("h2", [], failing.law.description)
            + .element("p", class: "finding", failing.finding)
            + .element(
                "p", class: "note",
                "Seed \(failing.seed), step \(Figures.grouped(failing.failedStep)). Made small from "
                    + "\(Failing.describe(failing.before)) to \(failing.smallSize):")
            + (failing.diagram?.markup ?? .nothing)
            + .element("pre", class: "trace", .each(failing.trace) { traceLine($0) })
            + (failing.command.map {
                .element("p", class: "note", "This run again:") + .element("pre", class: "command", $0)
            } ?? .nothing)
        return .element("section", class: "panel failing", content)
    }

    private func traceLine(_ line: String) -> Markup {
        let isViolation = line.split(separator: " ").contains("violated:")
        return isViolation ? .element("b", [], line) + .text("\n") : .text(line + "\n")
    }

    private var faultTable: Markup {
        Self.table(
            "Faults that happened", "How often each kind of fault met something, in all runs together.", faults)
    }

    private var riskTable: Markup {
        Self.table(
            "Laws at risk",
            "In how many runs each was at risk: its premise held, so that a fault could have broken it. A red one was not tested.",
            risks)
    }

    private var lawTable: Markup {
        Self.table("Laws that were checked", "How often each was looked at, in all runs together.", laws)
    }

    /// Rows with a bar as long as the count is great.
    private static func table(_ title: String, _ note: String, _ counts: [FaultCount]) -> Markup {
        guard !counts.isEmpty else { return .nothing }
        let scale = Scale(unit: .count("time"), end: counts.map { $0.count }.max() ?? 0)
        let rows: Markup = .each(counts) { row in
            let bar: Markup = .element("i", [("style", "width:\(scale.percentage(row.count))")])
            return .element(
                "tr", row.count == 0 ? [("class", "never")] : [],
                .element("th", [("scope", "row")], row.name) + .element("td", class: "meaning", row.meaning)
                    + .element("td", class: "number", Figures.grouped(row.count))
                    + .element("td", [("class", "bar"), ("aria-hidden", "true")], bar))
        }
        return section(title, note, rows)
    }

    private var boundTable: Markup {
        guard !bounds.isEmpty else { return .nothing }
        let rows: Markup = .each(bounds) { maximum in
            let isBroken = maximum.bound.map { maximum.value > $0 } ?? false
            let share = Scale(unit: .count("of it"), end: maximum.bound ?? 1).percentage(maximum.value)
            let bar: Markup = maximum.bound == nil ? .nothing : .element("i", [("style", "width:\(share)")])
            return .element(
                "tr", isBroken ? [("class", "never")] : [],
                .element("th", [("scope", "row")], maximum.name)
                    + .element("td", class: "number", Figures.grouped(maximum.value))
                    + .element("td", class: "number", maximum.bound.map { "of \(Figures.grouped($0))" } ?? "")
                    + .element("td", [("class", "bar"), ("aria-hidden", "true")], bar))
        }
        return Self.section(
            "Bounds", "The greatest that any node held at any time, and what it may hold.", rows)
    }

    private static func section(_ title: String, _ note: String, _ rows: Markup) -> Markup {
        .element(
            "section", class: "panel",
            .element("h2", [], title) + .element("p", class: "note", note)
                + .element("table", [], .element("tbody", [], rows)))
    }

    private var repetition: Markup {
        let words =
            "The same command gives the same runs, byte for byte, on every machine."
            + (digest == nil ? "" : " The digest follows from everything that every replica showed.")
        let shown: Markup =
            digest.map {
                .element("p", class: "note", .text("digest ") + .element("code", [], Figures.digest($0)))
            } ?? .nothing
        return .element(
            "section", class: "panel",
            .element("h2", [], "The same again") + .element("p", class: "note", words)
                + .element("pre", class: "command", command) + shown)
    }
}
