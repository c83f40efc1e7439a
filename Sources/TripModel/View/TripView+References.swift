/// Where a reference looks first when it names items by title.
package enum ReferenceScope: Hashable, Sendable {
    /// For actions on items that are there.
    case present
    /// For restoring.
    case removed
}

extension TripView {
    /// Finds the item that a person means: the number shown in the list, the first digits of its id (four at least), or
    /// one of its titles, whole, in any case.
    ///
    /// A number comes first, then a whole short id; then titles, exact ones before those in another case, and the
    /// beginnings of ids. Items of the scope come before the others. Complexity: O(n).
    /// - Throws: `TripError` naming the candidates, or saying where to look.
    package func resolve(_ reference: String, in scope: ReferenceScope = .present) throws(TripError) -> ItemView {
        let text = TextClasses.trimmed(reference)
        guard !text.isEmpty else { throw TripError(.unknownItem, "no item is named: look at `caravan list`") }
        let ordered = scope == .present ? [items, removedItems] : [removedItems, items]
        if text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            let item = ordered.joined().first(where: { $0.number == number })
        {
            return item
        }
        let digits = text.foldedASCII
        if digits.utf8.count >= ItemID.shownDigits,
            let item = ordered.joined().first(where: { digits.utf8.elementsEqual($0.shortID.utf8) })
        {
            return item
        }
        for group in ordered {
            let found = Self.matches(text, digits: digits, among: group)
            if found.count == 1 { return found[0] }
            if found.count > 1 { throw Self.ambiguous(text, found) }
        }
        throw TripError(.unknownItem, "no item is called \(text.quoted): look at `caravan list`")
    }

    private static func matches(_ text: String, digits: String, among items: [ItemView]) -> [ItemView] {
        let exact = items.filter { item in item.titles.contains { $0.utf8.elementsEqual(text.utf8) } }
        if !exact.isEmpty { return exact }
        let lowercased = text.lowercased()
        let isPrefix = digits.utf8.count >= 4
        return items.filter { item in
            item.titles.contains { $0.lowercased() == lowercased }
                || isPrefix && item.id.digits.utf8.starts(with: digits.utf8)
        }
    }

    private static func ambiguous(_ text: String, _ found: [ItemView]) -> TripError {
        var names = found.prefix(4).map { "\($0.number) \($0.title.quoted) (\($0.shortID))" }
        if found.count > names.count { names.append("\(found.count - names.count) more") }
        return TripError(
            .ambiguousItem,
            "\(text.quoted) may be \(names.joined(separator: " or ")): name one by its number or its id")
    }
}

extension ItemView {
    /// Every title that is shown for the item.
    package var titles: [String] {
        guard let title = fields[.title] else { return [] }
        return [title.value] + title.alternatives.map(\.value)
    }
}
