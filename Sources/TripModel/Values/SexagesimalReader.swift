/// Reads degrees with hemispheres, and minutes and seconds where they are written: 38°42'36.0"N 9°08'34.8"W,
/// N 38° 42.6' W 9° 8.58', 38.71° N, 9.143° W. Exact, in integers.
struct SexagesimalReader {
    /// "38.71,-9.143"; nil for anything else.
    private(set) var coordinates: String?

    /// Digits of a number, before and after its point.
    private static let digitsMax = 9

    init(_ text: String) {
        let folded = text.foldedASCII
        guard folded.utf8.count <= 80 else { return }
        // One of n and s, and one of e and w, each before or after its numbers; nothing else is a letter.
        let letters = folded.unicodeScalars.filter { $0.properties.isAlphabetic }.map(Character.init)
        guard letters.count == 2, "ns".contains(letters[0]), "ew".contains(letters[1]) else { return }
        let isBefore = folded.unicodeScalars.first { !TextClasses.isSpace($0) }.map(Character.init) == letters[0]
        let parts: [Substring]
        if isBefore {
            parts = folded.split(whereSeparator: { $0 == letters[0] || $0 == letters[1] })
        } else {
            let north = folded.prefix { $0 != letters[0] }
            let rest = folded.dropFirst(north.count + 1)
            let east = rest.prefix { $0 != letters[1] }
            guard rest.dropFirst(east.count + 1).allSatisfy(\.isWhitespace) else { return }
            parts = [north, east]
        }
        let angles = parts.filter { !$0.allSatisfy(\.isWhitespace) }.map { Self.micros(ofAngle: $0) }
        guard angles.count == 2, let latitude = angles[0], let longitude = angles[1], latitude <= 90_000_000,
            longitude <= 180_000_000
        else { return }
        coordinates =
            Self.degrees(latitude, isNegative: letters[0] == "s") + ","
            + Self.degrees(longitude, isNegative: letters[1] == "w")
    }

    /// Millionths of a degree of up to three numbers: degrees, minutes, seconds. The last alone may have a fraction.
    private static func micros(ofAngle text: Substring) -> Int64? {
        let numbers = text.split { !($0.isASCII && $0.isNumber || $0 == ".") }
        guard (1...3).contains(numbers.count) else { return nil }
        var total: Int64 = 0
        for (place, number) in numbers.enumerated() {
            guard let value = micros(ofNumber: number), place == 0 || value < 60_000_000,
                place == numbers.count - 1 || value % 1_000_000 == 0
            else { return nil }
            // Rounded to the nearest millionth of a degree, a tenth of a metre.
            let divisor: Int64 = [1, 60, 3_600][place]
            total += (2 * value + divisor) / (2 * divisor)
        }
        return total
    }

    private static func micros(ofNumber text: Substring) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = Int64(parts[0]), (0...180).contains(whole) else { return nil }
        guard parts.count == 2 else { return whole * 1_000_000 }
        guard (1...digitsMax).contains(parts[1].utf8.count), let fraction = Int64((parts[1] + "000000").prefix(6))
        else {
            return nil
        }
        return whole * 1_000_000 + fraction
    }

    private static func degrees(_ micros: Int64, isNegative: Bool) -> String {
        let fraction = String(String(1_000_000 + micros % 1_000_000).dropFirst())
        let digits = String(fraction.reversed().drop { $0 == "0" }.reversed())
        return (isNegative && micros > 0 ? "-" : "") + "\(micros / 1_000_000)" + (digits.isEmpty ? "" : "." + digits)
    }
}
