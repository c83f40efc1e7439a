extension Timeline {
    var markup: Markup {
        let across = Scale(unit: time, end: end)
        let up = Scale.rounded(unit: value, end: points.map { $0.value }.max() ?? 1)
        let plot = Plot(
            across: across, up: up, upTitle: "different states",
            drawing: bandColumns(across) + area(across, up) + line(across, up) + pointers(across))
        return .element("div", class: "timeline", plot.markup + laneRows(across) + legend)
    }

    private func bandColumns(_ across: Scale) -> Markup {
        .each(outline(of: bands)) { band in
            Plot.column(
                "band \(band.trouble.rawValue)", from: band.start, to: band.end, on: across, describe(band))
        }
    }

    private func describe(_ band: Band) -> String {
        "\(band.description), \(time.label(band.start)) to \(time.label(band.end))"
    }

    /// The path of the steps: level to the next point, then up or down.
    private func steps(_ across: Scale, _ up: Scale) -> String {
        var path = ""
        for point in outline {
            let height = Scale.decimal(Scale.length * 10 - up.tenths(point.value))
            path +=
                path.isEmpty ? "M\(across.position(point.time)) \(height)" : "H\(across.position(point.time))V\(height)"
        }
        return path.isEmpty ? "" : path + "H\(across.position(end))"
    }

    private func line(_ across: Scale, _ up: Scale) -> Markup {
        .element("path", [("class", "line"), ("d", steps(across, up))])
    }

    private func area(_ across: Scale, _ up: Scale) -> Markup {
        guard let first = points.first else { return .nothing }
        let path = steps(across, up) + "V\(Scale.length)H\(across.position(first.time))Z"
        return .element("path", [("class", "area"), ("d", path)])
    }

    /// Invisible columns that say what was when, to whoever points at them.
    private func pointers(_ across: Scale) -> Markup {
        guard !points.isEmpty else { return .nothing }
        let width = max(1, (end + 99) / 100)
        var index = 0
        var current = points[0].value
        var columns: Markup = .nothing
        for start in stride(from: 0, to: max(1, end), by: width) {
            while index < points.count, points[index].time < start + width {
                current = points[index].value
                index += 1
            }
            // The curve's own colour shows where one points; bands below stay in sight.
            let words = "\(time.text(min(start + width, end))): \(value.text(current))"
            columns += Plot.column("pointer", from: start, to: min(start + width, end), on: across, words)
        }
        return columns
    }

    private func laneRows(_ across: Scale) -> Markup {
        guard !lanes.isEmpty else { return .nothing }
        return .element(
            "div", class: lanes.count > 16 ? "lanes many" : "lanes",
            .each(lanes.prefix(Self.lanesMax)) { lane in
                let drawing: Markup = .each(outline(of: lane.bands)) { band in
                    Plot.column(
                        "band \(band.trouble.rawValue)", from: band.start, to: band.end, on: across, height: 10,
                        "\(lane.name): \(describe(band))")
                }
                return .element("span", [], lane.name)
                    + .element("div", class: "lane", Plot.canvas(drawing, height: 10))
            })
    }

    private var legend: Markup {
        let shown = Set(bands.map { $0.trouble }).union(lanes.flatMap { $0.bands.map { $0.trouble } })
        return .element(
            "ul", class: "legend",
            .element("li", [], .element("i", class: "key curve", "") + .text("different states at once"))
                + .each(Trouble.allCases.filter(shown.contains)) { trouble in
                    .element("li", [], .element("i", class: "key \(trouble.rawValue)", "") + .text(trouble.name))
                })
    }
}
