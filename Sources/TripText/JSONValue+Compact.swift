extension JSONValue {
    /// The text with its line end.
    package var line: String { text + "\n" }

    /// The text in one line: line ends stand between its parts alone, for inside of strings they are escaped.
    package var compact: String {
        text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    }
}
