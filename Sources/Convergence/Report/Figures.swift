/// Numbers as people read them.
package enum Figures {
    /// 1234567 as 1,234,567.
    package static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.utf8.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return number < 0 ? "-" + text : text
    }

    /// Milliseconds as 870 ms, 4.2 s, 3 min 20 s or 2 h 5 min.
    package static func duration(milliseconds: Int) -> String {
        switch milliseconds {
        case ..<1_000: return "\(milliseconds) ms"
        case ..<10_000: return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
        case ..<60_000: return "\(milliseconds / 1_000) s"
        case ..<3_600_000: return joined(milliseconds / 60_000, "min", milliseconds % 60_000 / 1_000, "s")
        default: return joined(milliseconds / 3_600_000, "h", milliseconds % 3_600_000 / 60_000, "min")
        }
    }

    private static func joined(_ large: Int, _ largeUnit: String, _ small: Int, _ smallUnit: String) -> String {
        small == 0 ? "\(large) \(largeUnit)" : "\(large) \(largeUnit) \(small) \(smallUnit)"
    }

    /// Bytes as 812 B, 14.2 kB or 3.0 MB; a kB is 1,000 bytes.
    package static func bytes(_ count: Int) -> String {
        switch count {
        case ..<1_000: "\(count) B"
        case ..<1_000_000: "\(count / 1_000).\(count % 1_000 / 100) kB"
        default: "\(count / 1_000_000).\(count % 1_000_000 / 100_000) MB"
        }
    }

    /// Sixteen hexadecimal digits.
    package static func digest(_ digest: UInt64) -> String {
        let digits = String(digest, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// "1 seed", "2 seeds".
    package static func count(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }
}
