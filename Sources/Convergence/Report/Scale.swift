/// What the numbers of an axis are.
package enum Unit: Sendable, Hashable {
    /// Plain counts of something, as in "3 hops"; the noun in the singular.
    case count(String)
    case milliseconds
    case bytes

    /// A number with its unit, for people.
    func text(_ number: Int) -> String {
        switch self {
        case .count(let noun): Figures.count(number, noun)
        case .milliseconds: Figures.duration(milliseconds: number)
        case .bytes: Figures.bytes(number)
        }
    }

    /// The number as it stands at an axis.
    func label(_ number: Int) -> String {
        if case .count = self { return Figures.grouped(number) }
        guard number > 0 else { return "0" }
        let words = text(number).split(separator: " ")
        // 2.0 s is 2 s where nothing is measured.
        return words.map { $0.hasSuffix(".0") ? $0.dropLast(2) : $0 }.joined(separator: " ")
    }

    /// A round distance that divides what is below `end` into at most so many parts.
    func roundStep(upTo end: Int, parts: Int) -> Int {
        let least = max(1, (max(1, end) + parts - 1) / parts)
        if self == .milliseconds, least > 1_000 {
            let seconds = [2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400]
            if let step = seconds.first(where: { $0 * 1_000 >= least }) { return step * 1_000 }
        }
        var power = 1
        while power < Int.max / 100 {
            for factor in [1, 2, 5] where factor * power >= least { return factor * power }
            power *= 10
        }
        return least
    }
}

/// Numbers from 0 to `end`, laid along an axis of 1,000 units of a drawing that is stretched to its place.
struct Scale: Sendable {
    let unit: Unit
    let end: Int
    /// Where numbers stand.
    let ticks: [Int]

    static let length = 1_000
    /// Numbers beyond this are drawn at it: a double holds all up to it exactly, and sums of a few fit an `Int`.
    static let greatest = Int.max >> 10

    init(unit: Unit, end: Int, ticksMax: Int = 6) {
        self.unit = unit
        self.end = min(max(1, end), Self.greatest)
        let step = unit.roundStep(upTo: self.end, parts: ticksMax)
        ticks = Array(stride(from: 0, through: self.end, by: step))
    }

    /// The scale that ends at a round number.
    static func rounded(unit: Unit, end: Int, ticksMax: Int = 4) -> Scale {
        let bounded = min(max(1, end), greatest / 10)
        let step = unit.roundStep(upTo: bounded, parts: ticksMax)
        return Scale(unit: unit, end: (bounded + step - 1) / step * step, ticksMax: ticksMax)
    }

    /// Where a number lies, in tenths of a unit of the drawing, as text. Numbers beyond the ends lie at the ends.
    func position(_ number: Int) -> String { Self.decimal(tenths(number)) }

    /// The same as a percentage of the length.
    func percentage(_ number: Int) -> String { Self.decimal(tenths(number) / 10) + "%" }

    func tenths(_ number: Int) -> Int {
        let inside = min(max(number, 0), end)
        return Int((Double(inside) / Double(end) * Double(Self.length) * 10).rounded())
    }

    static func decimal(_ tenths: Int) -> String {
        tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }
}
