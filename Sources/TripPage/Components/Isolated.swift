extension TripPage {
    /// A name or a title within a sentence: it runs in the direction of its own first letter, and the sentence keeps its own.
    static func isolated(_ text: String) -> HTML { tag(.span, .plain(.dir, "auto")) { text } }

    /// "A, B and C", each by itself.
    static func isolated(_ names: [String]) -> HTML { series(names.map { name in isolated(name) }) }

    /// "a, b and c".
    static func series(_ pieces: [HTML]) -> HTML {
        guard let last = pieces.last, pieces.count > 1 else { return pieces.first ?? .none }
        return .group(pieces.dropLast().map { [$0] }.joined(separator: [", "]) + [" and ", last])
    }
}
