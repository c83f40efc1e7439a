extension Panel {
    /// The chart with its title and caption.
    var markup: Markup {
        let drawing =
            switch chart {
            case .timeline(let timeline): timeline.markup
            case .histogram(let histogram): histogram.markup
            case .curves(let curves): curves.markup
            }
        return .element(
            "figure", class: isWide ? "panel wide" : "panel",
            .element("figcaption", [], .element("h2", [], title) + .element("p", class: "note", caption)) + drawing)
    }

    private var isWide: Bool {
        if case .timeline = chart { true } else { false }
    }

    /// All panels, wide ones across, the others in rows without a gap.
    static func grid(_ panels: [Panel]) -> Markup {
        let narrowCount = panels.filter { !$0.isWide }.count
        let style = narrowCount % 3 == 0 ? "panels thirds" : narrowCount % 2 == 0 ? "panels" : "panels odd"
        return panels.isEmpty ? .nothing : .element("div", class: style, .each(panels) { $0.markup })
    }
}

/// A drawing between a scale of heights at its left and a scale of lengths below.
///
/// The drawing is stretched to the space that there is; the labels are the page's own text and keep their size, so that
/// they can be read in a narrow window.
struct Plot {
    var across: Scale
    var up: Scale
    /// What is counted upwards.
    var upTitle: String
    var drawing: Markup
    /// What stands at the length's ticks, where it is not the numbers themselves.
    var acrossTicks: [(position: String, label: String)]

    init(across: Scale, up: Scale, upTitle: String, drawing: Markup) {
        self.across = across
        self.up = up
        self.upTitle = upTitle
        self.drawing = drawing
        acrossTicks = across.ticks.map { (across.percentage($0), across.unit.label($0)) }
    }

    var markup: Markup {
        let side = Scale.length
        let lines: Markup = .each(up.ticks) { tick in
            let height = Scale.decimal(side * 10 - up.tenths(tick))
            return .element(
                "line", [("class", "grid"), ("x1", "0"), ("x2", "\(side)"), ("y1", height), ("y2", height)])
        }
        let heights: Markup = .each(up.ticks) { tick in
            .element("span", [("style", "bottom:\(up.percentage(tick))")], up.unit.label(tick))
        }
        let lengths: Markup = .each(acrossTicks) { tick in
            .element(
                "span", (tick.position == "100%" ? [("class", "end")] : []) + [("style", "left:\(tick.position)")],
                tick.label)
        }
        return .element(
            "div", class: "plot",
            .element("p", class: "unit", upTitle) + .element("div", class: "heights", heights)
                + .element("div", class: "field", Self.canvas(lines + drawing, height: side))
                + .element("div", class: "lengths", lengths))
    }

    /// A drawing of 1,000 units across and so many down, stretched to its place.
    static func canvas(_ drawing: Markup, height: Int) -> Markup {
        .element(
            "svg",
            [
                ("xmlns", "http://www.w3.org/2000/svg"), ("viewBox", "0 0 \(Scale.length) \(height)"),
                ("preserveAspectRatio", "none"), ("role", "img"),
            ], drawing)
    }

    /// A rectangle between two numbers of the length, all the way up, with words for whoever points at it.
    static func column(
        _ style: String, from start: Int, to end: Int, on scale: Scale, height: Int = Scale.length, _ words: String
    ) -> Markup {
        let (left, right) = (scale.tenths(start), max(scale.tenths(start) + 20, scale.tenths(end)))
        return .element(
            "rect",
            [
                ("class", style), ("x", Scale.decimal(left)), ("y", "0"), ("width", Scale.decimal(right - left)),
                ("height", "\(height)"),
            ], .element("title", [], words))
    }
}
