package import TripModel

/// What a search looks through, by item, as `folding` makes it. Folding the texts of thousands takes longer than all else
/// that is drawn, so it is kept beside the view.
package struct FoldedTexts: Sendable {
    private var texts: [ItemID: [UInt8]] = [:]
    private let folding: @Sendable (String) -> String

    /// - Parameter folding: what makes texts alike that a search takes for the same.
    package init(folding: @escaping @Sendable (String) -> String = { $0.lowercased() }) { self.folding = folding }

    /// The same folding, and no texts.
    package var emptied: FoldedTexts { FoldedTexts(folding: folding) }

    /// Folds those of the items that are not known. O(n), and in the texts of those.
    package mutating func read(_ items: [ItemView]) {
        for item in items where texts[item.id] == nil { texts[item.id] = folded(item) }
    }

    /// Lets go of items whose texts may be others now.
    package mutating func forget(_ items: Set<ItemID>) {
        for item in items { texts[item] = nil }
    }

    /// Whether each word stands in something that somebody wrote of the item, or in a name beside it, folded alike.
    /// O(n m) in their bytes at worst.
    func item(_ item: ItemView, answersTo words: [[UInt8]]) -> Bool {
        let text = texts[item.id] ?? folded(item)
        return words.allSatisfy { text.contains($0) }
    }

    static func folded(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }

    /// The words of a text that is searched for.
    func words(_ text: String) -> [[UInt8]] { text.searchedWords.map(folded) }

    private func folded(_ text: String) -> [UInt8] { Array(folding(text).utf8) }

    private func folded(_ item: ItemView) -> [UInt8] { folded(item.searchedText) }
}

extension [UInt8] {
    func contains(_ wanted: [UInt8]) -> Bool {
        withUnsafeBufferPointer { text in
            wanted.withUnsafeBufferPointer { wanted in
                guard let first = wanted.first, text.count >= wanted.count else { return wanted.isEmpty }
                for start in 0...text.count - wanted.count where text[start] == first {
                    if text[start..<start + wanted.count].elementsEqual(wanted) { return true }
                }
                return false
            }
        }
    }
}
