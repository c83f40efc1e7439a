import DeltaCRDT

/// Where a reference looks first when it names items by title.
package enum ReferenceScope: String, Codable, Hashable, Sendable {
    /// For actions on items that are there.
    case present
    /// For restoring.
    case removed
}

extension LiveTrip {
    /// Finds the item that a person means: a number, the first digits of its id (four at least), or one of its titles,
    /// whole, in any case.
    ///
    /// A number comes first, then a whole short id; then titles, exact ones before those in another case, and the
    /// beginnings of ids. Items of the scope come before the others. A number that was shown here means the item that it
    /// was shown with; another one means the present one. Complexity: O(log n + n / 512), and O(n) where nothing is found.
    /// - Parameter shown: what numbers mean on this device.
    /// - Throws: `TripError` naming the candidates, or saying where to look.
    package mutating func resolve(
        _ reference: String, in scope: ReferenceScope = .present, shown: ShownNumbers = ShownNumbers()
    ) throws(TripError) -> ItemView {
        let text = try Reference.trimmed(reference, of: "item", listing: "caravan list")
        if text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            let item = try item(numbered: number, shown: shown)
        {
            return item
        }
        let digits = text.foldedASCII
        let index = prepared().index
        if digits.utf8.count >= ItemID.shownDigits, let id = index.items(beginning: digits, limit: 1).first,
            digits.utf8.elementsEqual(index.shortID(of: id).utf8), let item = item(id)
        {
            return item
        }
        var found = Matches(text, among: index.items(titled: text), in: replica.state)
        if digits.utf8.count >= 4 {
            found.add(index.items(beginning: digits, limit: Matches.beginningsMax), in: replica.state)
        }
        for group in scope == .present ? [found.present, found.removed] : [found.removed, found.present] {
            let items = (group.exact.isEmpty ? group.others : group.exact).compactMap { item($0) }
            if items.count == 1 { return items[0] }
            if items.count > 1 { throw ambiguous(text, items.sorted { $0.number < $1.number }, shown) }
        }
        throw unknown(text, shown)
    }

    /// The number to show for an item where no list is shown: the one that it was shown with here, or else its present
    /// one. Nil where that was shown with another item: then its short id names it. Complexity: O(n).
    package mutating func number(of id: ItemID, shown: ShownNumbers) -> Int? {
        if let number = shown.number(of: id) { return number }
        return number(of: id).flatMap { shown.item(numbered: $0) == nil ? $0 : nil }
    }

    /// Nil where no item has the number.
    private mutating func item(numbered number: Int, shown: ShownNumbers) throws(TripError) -> ItemView? {
        if let shown = shown.item(numbered: number) {
            if let id = prepared().index.item(mixedWord: shown), let item = item(id) { return item }
            throw TripError(
                .unknownItem,
                "the item that was shown as \(number) is no longer in the trip; see `caravan list`")
        }
        guard let id = prepared().index.item(numbered: number), let item = item(id) else { return nil }
        if let other = shown.number(of: id) {
            throw TripError(
                .ambiguousItem,
                "no item was shown as \(number) here; \(item.title.quoted), which now has this number, was shown as "
                    + "\(other); see `caravan list`")
        }
        return item
    }

    private mutating func ambiguous(_ text: String, _ found: [ItemView], _ shown: ShownNumbers) -> TripError {
        var names = found.prefix(4).map { "\(numbered($0, shown))\($0.title.quoted) (\($0.shortID))" }
        if found.count > names.count { names.append("\(found.count - names.count) more") }
        return TripError(
            .ambiguousItem,
            "\(text.quoted) could be \(names.joined(separator: " or ")); give a number or an id")
    }

    /// The number that means an item on this device, and a space; empty where none does.
    private mutating func numbered(_ item: ItemView, _ shown: ShownNumbers) -> String {
        number(of: item.id, shown: shown).map { "\($0) " } ?? ""
    }

    private mutating func unknown(_ text: String, _ shown: ShownNumbers) -> TripError {
        var candidates: [(id: ItemID, title: String)] = []
        let state = replica.state
        prepared().index.forEach { id in
            guard candidates.count < NearNames.candidatesMax, let title = state.items[id]?.title else { return }
            candidates.append((id, title))
        }
        guard let near = NearNames.nearest(to: text, among: candidates.lazy.map(\.title)),
            let item = item(candidates[near].id)
        else {
            return TripError(
                .unknownItem, "there is no item \(Int64(text) == nil ? text.quoted : text); see `caravan list`")
        }
        return TripError(
            .unknownItem, "there is no item \(text.quoted); did you mean \(numbered(item, shown))\(item.title.quoted)?")
    }
}

/// The items that answer to a text.
private struct Matches {
    struct Group {
        /// With exactly this title.
        var exact: Set<ItemID> = []
        /// With this title in another case, or with an id that begins so.
        var others: Set<ItemID> = []
    }

    var present = Group()
    var removed = Group()

    /// The most items that are found by the beginnings of their ids.
    static let beginningsMax = 64

    init(_ text: String, among candidates: [ItemID], in state: TripState) {
        let lowercased = Text(text.lowercased())
        for id in candidates {
            guard let item = state.items[id] else { continue }
            let titles = item.titlesToFind.filter { Text($0.string.lowercased()) == lowercased }
            let group = item.existence.isEnabled ? \Matches.present : \Matches.removed
            if titles.contains(Text(text)) {
                self[keyPath: group].exact.insert(id)
            } else if !titles.isEmpty {
                self[keyPath: group].others.insert(id)
            }
        }
    }

    mutating func add(_ ids: [ItemID], in state: TripState) {
        for id in ids {
            if state.holds(id) { present.others.insert(id) } else { removed.others.insert(id) }
        }
    }
}
