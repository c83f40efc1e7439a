import DeltaCRDT

/// Words that people add and remove.
typealias WordSet = LoggedSet<Text, LoggedOperation>

extension WordSet {
    /// In the order in which they were added: by the lowest operation that holds each. O(n log n).
    var wordsAsAdded: [Text] {
        let held = entries.compactMap { entry in entry.adds.last.map { (word: entry.element, add: $0) } }
        return held.sorted { $0.add < $1.add }.map(\.word)
    }

    /// Takes words away, and then adds others.
    mutating func change(_ added: [Text], _ removed: [Text], by act: FoldedOperation) {
        for word in removed { remove(word, by: act) }
        for word in added { insert(word, by: act) }
    }

    /// The words to add and to take away so that a change of these is undone, from what there was before and what there is now.
    static func undoing(
        _ added: [Text], _ removed: [Text], before: WordSet?, now: WordSet?
    ) -> (added: [Text], removed: [Text])? {
        let (had, has) = (before ?? WordSet(), now ?? WordSet())
        let back = removed.filter { had.contains($0) && !has.contains($0) }
        let gone = added.filter { !had.contains($0) && has.contains($0) }
        return back.isEmpty && gone.isEmpty ? nil : (back, gone)
    }
}
