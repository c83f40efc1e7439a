#if hasFeature(Embedded)
import DeltaCRDT

// Embedded Swift has no reflection: its arrays have no description, and it shows no value whose type may have none. But a run must have
// the digest and the trace there that it has elsewhere.

extension DefaultStringInterpolation {
    mutating func appendInterpolation<Element: CustomStringConvertible>(_ values: [Element]) {
        appendLiteral(
            "[" + values.map { ($0 as? String)?.debugDescription ?? $0.description }.joined(separator: ", ") + "]")
    }

    /// Shows numbers and texts, which most elements are, and why bytes are refused.
    mutating func appendInterpolation<Value>(_ value: Value) {
        if let number = value as? Int {
            appendLiteral(String(number))
        } else {
            appendLiteral(value as? String ?? (value as? DecodingFailure)?.description ?? "…")
        }
    }
}
#endif
