// Where in notes people write.
extension LiveTrip {
    /// A place in a note that stays with its character; nil if there is no such item.
    /// - Parameters:
    ///   - item: nil for the note of the trip.
    ///   - offset: in UTF-16 units of a text that was shown.
    package func caret(in item: ItemID?, at offset: Int, of shown: String) -> Caret? {
        note(of: item).map { Caret(item: item, element: $0.element(before: offset, in: shown)) }
    }

    /// Where carets are in the texts that are shown now, in UTF-16 units; none while its character or item isn't known here.
    ///
    /// Complexity: O(n) in each note, and O(log n) for each caret.
    package func offsets(of carets: Set<Caret>) -> [Caret: Int] {
        var offsets: [Caret: Int] = [:]
        for (item, carets) in Dictionary(grouping: carets, by: \.item) {
            guard let places = note(of: item)?.offsets(behind: carets.map(\.element)) else { continue }
            for (caret, place) in zip(carets, places) { offsets[caret] = place }
        }
        return offsets
    }

    private func note(of item: ItemID?) -> Note? {
        item.map { replica.state.items[$0]?.sharedNote } ?? replica.state.note
    }
}
