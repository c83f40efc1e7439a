/// JSON in one line (RFC 8259), written piece by piece.
struct JSONText {
    private(set) var text = ""

    mutating func raw(_ piece: String) { text += piece }

    mutating func string(_ value: String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar == "\u{2028}" || scalar == "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    mutating func array<Element>(_ elements: some Sequence<Element>, _ write: (inout JSONText, Element) -> Void) {
        text += "["
        var isFirst = true
        for element in elements {
            if !isFirst { text += "," }
            isFirst = false
            write(&self, element)
        }
        text += "]"
    }
}
