/// What a person typed to name something: an item, a list, a trip.
package enum Reference {
    /// The text without the spaces around it.
    ///
    /// An empty text names nothing. It is the beginning of every title and every id, so a script whose variable is unset
    /// would name whatever comes first.
    /// - Parameters:
    ///   - kind: what is named, such as "item".
    ///   - listing: the command that shows the names.
    package static func trimmed(_ text: String, of kind: String, listing: String) throws(TripError) -> String {
        let name = TextClasses.trimmed(text)
        guard !name.isEmpty else {
            throw TripError(.unknownItem, "the name of the \(kind) is empty; see `\(listing)`")
        }
        return name
    }
}
