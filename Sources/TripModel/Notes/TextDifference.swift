/// What turns one text into another, line by line and then within the lines.
enum TextDifference {
    typealias Replacement = (range: Range<Int>, text: String)

    /// Beyond so many lines that differ, or so many places, all between the first and the last is one replacement.
    static let mostLines = 2_000
    private static let mostPlaces = 128

    /// The edits that turn one text into another: ranges of its bytes and their new text, from first to last. Between any two ranges,
    /// something stays.
    ///
    /// Complexity: O(n), and O(d²) in the lines that differ, at most `lines`.
    static func replacements(from old: String, to new: String, lines: Int = mostLines) -> [Replacement] {
        let (left, right) = (Array(old.utf8), Array(new.utf8))
        let all = compare(left[...], right[...])
        guard left != right, let (range, replaced) = all else { return [] }
        var found: [Replacement] = []
        for hunk in hunks(left[range], right[replaced], most: lines) {
            guard let part = compare(left[hunk.0], right[hunk.1]) else { continue }
            found.append((part.0, String(decoding: right[part.1], as: UTF8.self)))
        }
        guard found.count > mostPlaces else { return found }
        return [(range, String(decoding: right[replaced], as: UTF8.self))]
    }

    /// What makes the same change to a text that others changed since: what they wrote stays.
    /// - Parameters:
    ///   - base: the text that was changed.
    ///   - current: what that is now.
    static func replacements(from base: String, to new: String, in current: String) -> [Replacement] {
        let own = replacements(from: base, to: new)
        if base.utf8.elementsEqual(current.utf8) { return own }
        let others = replacements(from: base, to: current)
        var moved: [Replacement] = []
        func append(_ range: Range<Int>, _ text: String) {
            guard let last = moved.last, last.range.upperBound >= range.lowerBound else {
                return moved.append((range, text))
            }
            let end = max(last.range.upperBound, range.upperBound)
            moved[moved.count - 1] = (last.range.lowerBound..<end, last.text + text)
        }
        for (range, text) in own {
            // What of the range stands in the current text still, and how far it has moved.
            var (shift, start, isInserted) = (0, range.lowerBound, false)
            func take(upTo end: Int) {
                guard start < end || !isInserted else { return }
                append(start + shift..<max(start, end) + shift, isInserted ? "" : text)
                isInserted = true
            }
            for other in others {
                let growth = other.text.utf8.count - other.range.count
                if other.range.upperBound < range.lowerBound
                    || other.range.upperBound == range.lowerBound && !(other.range.isEmpty && range.isEmpty)
                {
                    shift += growth
                    continue
                }
                guard other.range.lowerBound < range.upperBound else { break }
                if start < other.range.lowerBound { take(upTo: other.range.lowerBound) }
                shift += growth
                start = max(start, other.range.upperBound)
            }
            take(upTo: max(start, range.upperBound))
        }
        return moved.filter { !$0.range.isEmpty || !$0.text.isEmpty }
    }

    /// The part of each that is left where the same beginning and the same end are taken away, between scalars; nil where all is the same.
    private static func compare(
        _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>
    ) -> (Range<Int>, Range<Int>)? {
        let isInside = { (bytes: ArraySlice<UInt8>, place: Int) in
            bytes.indices.contains(place) && bytes[place] & 0xC0 == 0x80
        }
        var first = zip(left, right).prefix { $0 == $1 }.count
        while isInside(left, left.startIndex + first) || isInside(right, right.startIndex + first) { first -= 1 }
        let (leftRest, rightRest) = (left.dropFirst(first), right.dropFirst(first))
        if leftRest.isEmpty, rightRest.isEmpty { return nil }
        var last = zip(leftRest.reversed(), rightRest.reversed()).prefix { $0 == $1 }.count
        while isInside(left, left.endIndex - last) || isInside(right, right.endIndex - last) { last -= 1 }
        let ranges = (leftRest.dropLast(last).indices, rightRest.dropLast(last).indices)
        return (ranges.0, ranges.1)
    }

    /// The lines that differ, in both, by the bytes that they take.
    private static func hunks(
        _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>, most: Int
    ) -> [(Range<Int>, Range<Int>)] {
        let (old, new) = (lines(of: left), lines(of: right))
        guard old.count <= most, new.count <= most, old.count > 1 || new.count > 1 else {
            return [(left.indices, right.indices)]
        }
        let difference = new.map { right[$0] }.difference(from: old.map { left[$0] })
        var (gone, come) = (Set<Int>(), Set<Int>())
        for change in difference {
            switch change {
            case .remove(let offset, _, _): gone.insert(offset)
            case .insert(let offset, _, _): come.insert(offset)
            }
        }
        var hunks: [(Range<Int>, Range<Int>)] = []
        var (place, other) = (0, 0)
        while place < old.count || other < new.count {
            let (start, otherStart) = (place, other)
            while gone.contains(place) { place += 1 }
            while come.contains(other) { other += 1 }
            if place > start || other > otherStart {
                hunks.append(
                    (
                        bytes(old, start..<place, in: left), bytes(new, otherStart..<other, in: right)
                    ))
            }
            (place, other) = (place + 1, other + 1)
        }
        return hunks
    }

    private static func bytes(_ lines: [Range<Int>], _ range: Range<Int>, in text: ArraySlice<UInt8>) -> Range<Int> {
        let start = range.lowerBound < lines.count ? lines[range.lowerBound].lowerBound : text.endIndex
        return start..<(range.isEmpty ? start : lines[range.upperBound - 1].upperBound)
    }

    /// Each with its line feed.
    private static func lines(of text: ArraySlice<UInt8>) -> [Range<Int>] {
        var (lines, start): ([Range<Int>], Int) = ([], text.startIndex)
        for (place, byte) in zip(text.indices, text) where byte == 0x0A {
            lines.append(start..<place + 1)
            start = place + 1
        }
        if start < text.endIndex { lines.append(start..<text.endIndex) }
        return lines
    }
}
