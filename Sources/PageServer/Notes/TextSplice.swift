/// What makes one text of another: the characters from a place on that go, and what takes their place. Counted in UTF-16 units, as
/// JavaScript counts them, and cutting no surrogate pair.
struct TextSplice: Encodable, Hashable, Sendable {
    let at: Int
    let out: Int
    let text: String
    /// Of the other text, so that its reader sees whether they had the first.
    let length: Int

    /// O(length).
    init(from old: String, to new: String) {
        let (left, right) = (Array(old.utf16), Array(new.utf16))
        let most = min(left.count, right.count)
        var first = 0
        while first < most, left[first] == right[first] { first += 1 }
        if first > 0, UTF16.isLeadSurrogate(left[first - 1]) { first -= 1 }
        var last = 0
        while last < most - first, left[left.count - 1 - last] == right[right.count - 1 - last] { last += 1 }
        if last > 0, UTF16.isTrailSurrogate(left[left.count - last]) { last -= 1 }
        at = first
        out = left.count - first - last
        text = String(decoding: right[first..<right.count - last], as: UTF16.self)
        length = right.count
    }
}

extension String {
    /// The text with another piece in place of one; nil where it doesn't reach that far. O(length).
    func spliced(at start: Int, out count: Int, with text: String) -> String? {
        var units = Array(utf16)
        guard start >= 0, count >= 0, start <= units.count, count <= units.count - start else { return nil }
        units.replaceSubrange(start..<start + count, with: text.utf16)
        return String(decoding: units, as: UTF16.self)
    }
}
