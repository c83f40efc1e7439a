// Where in notes people write.
extension LiveTrip {
    /// A place in a note that stays with its character; nil if there is no such item.
    /// - Parameters:
    ///   - item: nil for the note of the trip.
    ///   - offset: in UTF-16 units of a text that was shown.
    package func caret(in item: ItemID?, at offset: Int, of shown: String) -> Caret? {
        note(of: item).map { Caret(item: item, element: $0.element(before: offset, in: shown)) }
    }

    /// Where that is in the text that is shown now, in UTF-16 units; nil while its character or item isn't known here.
    package func offset(of caret: Caret) -> Int? { note(of: caret.item)?.offset(behind: caret.element) }

    private func note(of item: ItemID?) -> Note? {
        item.map { replica.state.items[$0]?.sharedNote } ?? replica.state.note
    }
}
