extension Histogram {
    var markup: Markup {
        let bins = self.bins
        guard let last = bins.last else {
            return .element("p", class: "note", "There was none.")
        }
        let width = (bins[0].range.upperBound + 1)
        let across = Scale(unit: unit, end: bins.count * width, ticksMax: 4)
        let up = Scale.rounded(unit: .count(noun), end: bins.map { $0.count }.max() ?? 1)
        var drawing: Markup = .nothing
        for (index, bin) in bins.enumerated() where bin.count > 0 {
            drawing += bar(bin, at: index * width, width: width, across, up)
        }
        drawing += mark("mark solid", percentile(50), "median", across)
        drawing += mark("mark", percentile(99), "99 of 100 are no greater", across)
        var plot = Plot(across: across, up: up, upTitle: noun + "s", drawing: drawing)
        let edge = (bins.count - 1) * width
        plot.acrossTicks = across.ticks.filter { last.isOpen ? $0 < edge - width : width > 1 || $0 < across.end }
            .map { (width == 1 ? across.percentage(centre: $0) : across.percentage($0), unit.label($0)) }
        if last.isOpen { plot.acrossTicks.append((across.percentage(edge), "≥ " + unit.label(edge))) }
        return plot.markup + figures
    }

    private func bar(_ bin: Bin, at start: Int, width: Int, _ across: Scale, _ up: Scale) -> Markup {
        let (left, right) = (across.tenths(start), across.tenths(start + width))
        // A bar that is there can be seen.
        let height = max(up.tenths(bin.count), 60)
        let gap = max(8, (right - left) / 12)
        return .element(
            "rect",
            [
                ("class", "bar"), ("x", Scale.decimal(left + gap / 2)), ("width", Scale.decimal(right - left - gap)),
                ("y", Scale.decimal(Scale.length * 10 - height)), ("height", Scale.decimal(height)),
            ], .element("title", [], words(bin)))
    }

    private func words(_ bin: Bin) -> String {
        let range: String
        if bin.isOpen {
            range = "\(unit.text(bin.range.lowerBound)) to \(unit.text(bin.range.upperBound))"
        } else if bin.range.count == 1 {
            range = unit.text(bin.range.lowerBound)
        } else {
            range = "\(unit.label(bin.range.lowerBound)) to \(unit.text(bin.range.upperBound))"
        }
        return "\(range): \(Figures.count(bin.count, noun))"
    }

    private func mark(_ style: String, _ value: Int, _ words: String, _ across: Scale) -> Markup {
        let place = bins[0].range.count == 1 ? across.tenths(value) + across.tenths(1) / 2 : across.tenths(value)
        return .element(
            "line",
            [
                ("class", style), ("x1", Scale.decimal(place)), ("x2", Scale.decimal(place)), ("y1", "0"),
                ("y2", "\(Scale.length)"),
            ], .element("title", [], "\(words): \(unit.text(value))"))
    }

    private var figures: Markup {
        let greatest = counts.last?.value ?? 0
        func figure(_ key: Markup, _ name: String, _ value: String) -> Markup {
            .element("div", [], .element("dt", [], key + .text(name)) + .element("dd", [], value))
        }
        let figures =
            figure(.element("i", class: "solid", ""), "median", unit.text(percentile(50)))
            + figure(.element("i"), "99 of 100", unit.text(percentile(99)))
            + figure(.nothing, "greatest", unit.text(greatest))
            + figure(.nothing, "in all", Figures.grouped(total))
        return .element("dl", class: "figures", figures)
    }
}

extension Scale {
    /// The middle of the place of a number whose bar is one wide.
    func percentage(centre number: Int) -> String {
        Self.decimal((tenths(number) + tenths(1) / 2) / 10) + "%"
    }
}
