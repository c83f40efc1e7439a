/// The digits under which people name items.
enum ShortIDs {
    /// For each item, in the order given, its fewest digits from `ItemID.shownDigits` up that no other item begins with.
    /// Complexity: O(n log n).
    static func assign(_ items: [ItemID]) -> [String] {
        let all = items.map { Array($0.digits.utf8) }
        let order = all.indices.sorted { all[$0].lexicographicallyPrecedes(all[$1]) }
        var needed = Array(repeating: ItemID.shownDigits, count: items.count)
        for (left, right) in zip(order, order.dropFirst()) {
            let shared = zip(all[left], all[right]).prefix { $0 == $1 }.count
            needed[left] = max(needed[left], shared + 1)
            needed[right] = max(needed[right], shared + 1)
        }
        return all.indices.map { String(decoding: all[$0].prefix(needed[$0]), as: UTF8.self) }
    }
}
