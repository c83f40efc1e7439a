import TripModel

extension JSONValue {
    /// The text with its line end.
    var line: String { text + "\n" }
}
