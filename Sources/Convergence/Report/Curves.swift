/// How numbers grow with another one that grows by factors, as hops with the number of nodes.
package struct Curves: Sendable {
    /// One of the numbers.
    package struct Series: Sendable {
        package var name: String
        /// In ascending order of `x`, which is at least 1.
        package var points: [(x: Int, y: Double)]
        /// Not measured, but what no measurement can be below: drawn thin.
        package var isBound: Bool

        package init(name: String, points: [(x: Int, y: Double)], isBound: Bool = false) {
            self.name = name
            self.points = points
            self.isBound = isBound
        }
    }

    /// What grows by factors, in the plural: "nodes".
    package var noun: String
    package var unit: Unit
    package var series: [Series]

    package init(noun: String, unit: Unit, series: [Series]) {
        self.noun = noun
        self.unit = unit
        self.series = series
    }
}

extension Curves {
    /// The powers of ten between which all points lie.
    private var decades: ClosedRange<Int> {
        let all = series.flatMap { $0.points.map { $0.x } }
        func power(_ number: Int, roundedUp: Bool) -> Int {
            var (power, value) = (0, 1)
            while value <= number / 10 {
                value *= 10
                power += 1
            }
            return roundedUp && value < number ? power + 1 : power
        }
        let low = power(max(1, all.min() ?? 1), roundedUp: false)
        return low...max(low + 1, power(max(1, all.max() ?? 1), roundedUp: true))
    }

    /// Where a number lies along the drawing, in tenths of its units.
    private func place(_ number: Int, _ decades: ClosedRange<Int>) -> Int {
        Int(
            (Self.logarithm(Double(max(1, number))) - Double(decades.lowerBound))
                / Double(decades.count - 1) * Double(Scale.length * 10))
    }

    /// The decimal logarithm of a number that is at least 1: each squaring of its mantissa gives a binary digit (Knuth,
    /// *The Art of Computer Programming* 1, 1.2.2, exercise 25), so that no C library's rounding is in the page.
    static func logarithm(_ number: Double) -> Double {
        var (mantissa, result) = (number, 0.0)
        while mantissa >= 10 {
            mantissa /= 10
            result += 1
        }
        var digit = 0.5
        for _ in 0..<40 {
            mantissa *= mantissa
            if mantissa >= 10 {
                mantissa /= 10
                result += digit
            }
            digit /= 2
        }
        return result
    }

    var markup: Markup {
        let decades = self.decades
        let greatest = series.flatMap { $0.points.map { $0.y } }.max() ?? 1
        let up = Scale.rounded(unit: unit, end: Int(min(max(1, greatest), Double(Scale.greatest)).rounded(.up)))
        let drawing: Markup = .each(series.enumerated()) { index, one in draw(one, index, decades, up) }
        var plot = Plot(
            across: Scale(unit: .count(""), end: 1), up: up, upTitle: "by the number of \(noun)", drawing: drawing)
        plot.acrossTicks = decades.map { power in
            let number = (0..<power).reduce(1) { product, _ in product * 10 }
            return (Scale.decimal(place(number, decades) / 10) + "%", Figures.grouped(number))
        }
        let legend: Markup = .each(series.enumerated()) { index, one in
            .element("li", [], .element("i", class: "key curve \(style(one, index))", "") + .text(one.name))
        }
        return plot.markup + .element("ul", class: "legend", legend)
    }

    private func style(_ one: Series, _ index: Int) -> String { one.isBound ? "bound" : "series\(index % 3)" }

    private func draw(_ one: Series, _ index: Int, _ decades: ClosedRange<Int>, _ up: Scale) -> Markup {
        let points = one.points.map { point in
            let height = min(max(point.y, 0), Double(up.end)) / Double(up.end) * Double(Scale.length * 10)
            return (
                x: Scale.decimal(place(point.x, decades)), y: Scale.decimal(Scale.length * 10 - Int(height.rounded())),
                words: "\(one.name), \(Figures.grouped(point.x)) \(noun): \(words(point.y))"
            )
        }
        let path = points.map { "\($0.x) \($0.y)" }.joined(separator: "L")
        let line: Markup = .element(
            "path", [("class", "line \(style(one, index))"), ("d", path.isEmpty ? "" : "M" + path)])
        let dots: Markup = .each(one.isBound ? [] : points) { point in
            .element(
                "path", [("class", "dot \(style(one, index))"), ("d", "M\(point.x) \(point.y)h0")],
                .element("title", [], point.words))
        }
        return line + dots
    }

    /// With one decimal where it is small.
    private func words(_ number: Double) -> String {
        let tenths = Int(min(max(number, 0), Double(Scale.greatest)) * 10)
        guard number < 100, case .count(let noun) = unit else { return unit.text(tenths / 10) }
        return "\(Scale.decimal(tenths)) \(noun)s"
    }
}
