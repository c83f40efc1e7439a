extension SpaceTime {
    /// The drawing, in the sizes of a page; a wider one is scrolled on a screen, and made to fit on paper.
    var markup: Markup {
        let width = Self.left + columnWidth * replicas.count
        let drawing: Markup = lifelines + .each(rows, band) + .each(rows, message) + .each(rows, point)
        let words =
            "What replicas \(replicas.map(String.init).joined(separator: ", ")) did, sent and held, downwards in time"
        let svg: Markup = .element(
            "svg",
            [
                ("xmlns", "http://www.w3.org/2000/svg"), ("class", "spacetime"), ("viewBox", "0 0 \(width) \(height)"),
                ("width", "\(width)"), ("height", "\(height)"), ("role", "img"), ("aria-label", words),
            ], drawing)
        let note: Markup =
            omittedCount == 0
            ? .nothing
            : .element("p", class: "note", "The first \(omittedCount) moments are not drawn; the list has all.")
        return .element("div", [("class", "scroll"), ("tabindex", "0")], svg) + note
    }

    private func x(_ replica: Int) -> Int { Self.left + (replicas.firstIndex(of: replica) ?? 0) * columnWidth }

    // MARK: - Lines

    /// Each replica's line, whole where it ran.
    private var lifelines: Markup {
        .each(replicas) { replica in
            var (pieces, start, isRunning): ([(Int, Int, Bool)], Int, Bool) = ([], Self.header - 14, true)
            for row in rows {
                switch row.moment.kind {
                case .stop(replica) where isRunning, .start(replica) where !isRunning:
                    pieces.append((start, row.y, isRunning))
                    (start, isRunning) = (row.y, !isRunning)
                default: break
                }
            }
            pieces.append((start, height, isRunning))
            let lines: Markup = .each(pieces) { top, bottom, isRunning in
                segment(isRunning ? "life" : "life gone", (x(replica), top), (x(replica), bottom))
            }
            let name = text("name", x(replica), 20, "replica \(replica)")
            return name + lines
        }
    }

    private func segment(_ style: String, _ from: (x: Int, y: Int), _ to: (x: Int, y: Int)) -> Markup {
        .element(
            "line",
            [
                ("class", style), ("x1", "\(from.x)"), ("y1", "\(from.y)"), ("x2", "\(to.x)"), ("y2", "\(to.y)"),
            ])
    }

    private func text(_ style: String, _ x: Int, _ y: Int, _ words: String) -> Markup {
        .element("text", [("class", style), ("x", "\(x)"), ("y", "\(y)")], words)
    }

    // MARK: - Moments

    /// What befell all, across the drawing.
    private func band(_ row: Row) -> Markup {
        guard row.moment.replicas.isEmpty else { return .nothing }
        let style =
            switch row.moment.kind {
            case .violation, .repetition: "across broken"
            default: "across"
            }
        return .element(
            "rect",
            [
                ("class", style), ("x", "0"), ("y", "\(row.top)"),
                ("width", "\(Self.left + columnWidth * replicas.count)"), ("height", "\(row.height - 4)"), ("rx", "4"),
            ])
    }

    private func message(_ row: Row) -> Markup {
        switch row.moment.kind {
        case .arrival(let from, let to, let departure): arrow(from, to, departure, row, "message", 100)
        case .loss(let from, let to, let departure): arrow(from, to, departure, row, "message lost", 50)
        case .refusal(let to, let departure):
            arrow(self.row(of: departure)?.moment.replicas.first ?? to, to, departure, row, "message lost", 92)
        case .departure(let from, let to) where row.isUnderWay && replicas.contains(to):
            segment(
                "message late", (x(from), row.y), (x(from) + (x(to) < x(from) ? -40 : 40), row.y + 4))
                + text("label same", x(from) + 48, row.y + 8, "not there by the end")
        default: .nothing
        }
    }

    /// An arrow that ends after so many hundredths of its way; one that does not arrive ends in a cross.
    private func arrow(
        _ from: Int, _ to: Int, _ departure: Int, _ row: Row, _ style: String, _ hundredths: Int
    ) -> Markup {
        let start = (x: x(from), y: self.row(of: departure)?.y ?? row.top)
        let goal = (x: x(to), y: row.y)
        let (across, down) = (goal.x - start.x, goal.y - start.y)
        let end = (x: start.x + across * hundredths / 100, y: start.y + down * hundredths / 100)
        let line = segment(style, start, end)
        if hundredths < 100 {
            let cross = "M\(end.x - 5) \(end.y - 5)l10 10m0 -10l-10 10"
            let word = hundredths > 50 ? .nothing : text("label fault", end.x + 10, end.y + 4, "lost")
            return line + .element("path", [("class", "cross"), ("d", cross)]) + word
        }
        // A head of 9 by 8 units, turned with the line.
        let length = Double(across * across + down * down).squareRoot()
        let (along, aside) = (Double(across) / max(1, length), Double(down) / max(1, length))
        func corner(_ back: Double, _ side: Double) -> String {
            let (x, y) = (Double(end.x) - along * back - aside * side, Double(end.y) - aside * back + along * side)
            return "\(Scale.decimal(Int((x * 10).rounded()))) \(Scale.decimal(Int((y * 10).rounded())))"
        }
        let head = "M\(corner(5, 0))L\(corner(15, 4.5))L\(corner(15, -4.5))Z"
        return line + .element("path", [("class", "head"), ("d", head)])
    }

    private func point(_ row: Row) -> Markup {
        let replica = row.moment.replicas.last
        let x = replica.map(x) ?? 0
        var mark: Markup
        switch row.moment.kind {
        case .act: mark = circle("did", x, row.y, 6)
        case .departure, .arrival: mark = circle("met", x, row.y, 4)
        case .start: mark = circle("began", x, row.y, 6)
        case .stop: mark = .element("path", [("class", "cross"), ("d", "M\(x - 6) \(row.y - 6)l12 12m0 -12l-12 12")])
        case .incident: mark = .element("path", [("class", "befell"), ("d", "M\(x) \(row.y - 7)l7 7l-7 7l-7 -7Z")])
        case .loss, .refusal, .network, .violation, .repetition: mark = .nothing
        }
        if row.moment.line != nil { mark += text("when", 4, row.y + 4, "\(row.moment.time)") }
        let isBroken = row.moment.kind == .violation || row.moment.kind == .repetition
        for (index, label) in row.labels.enumerated() {
            let left = replica == nil ? Self.left - 12 : x + 14
            let y = row.y + 4 + (isFromTheRight(row) ? Self.lineHeight : 0) + index * Self.lineHeight
            let style = isBroken ? "label broken" : "label \(label.look.rawValue)"
            mark += text(style, left, y, label.line)
        }
        return .element("g", [], .element("title", [], row.moment.line ?? "a message leaves") + mark)
    }

    /// Such an arrow ends where the labels would begin: they stand below.
    private func isFromTheRight(_ row: Row) -> Bool {
        if case .arrival(let from, let to, _) = row.moment.kind { from > to } else { false }
    }

    private func circle(_ style: String, _ x: Int, _ y: Int, _ radius: Int) -> Markup {
        .element("circle", [("class", style), ("cx", "\(x)"), ("cy", "\(y)"), ("r", "\(radius)")])
    }
}
