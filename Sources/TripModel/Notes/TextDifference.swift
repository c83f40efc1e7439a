/// What turns one text into another, line by line and then word by word.
package enum TextDifference {
    package typealias Replacement = (range: Range<Int>, text: String)

    /// Beyond so many lines that differ, so many words of them, or so many places, all between the first and the last is one replacement.
    static let mostLines = 2_000
    private static let mostPlaces = 128

    /// The edits that turn one text into another: ranges of its bytes and their new text, from first to last. Between any two ranges,
    /// something stays. A word that is another is replaced whole, unless something is only added to it or only removed from it, and words
    /// of one line that are others are replaced with the blanks between them: two who write other words at the same moment don't mix them.
    ///
    /// Complexity: O(n), and O(d²) in the lines that differ and in their words, at most `most`² for the lines and for all the words.
    package static func replacements(from old: String, to new: String, most: Int = mostLines) -> [Replacement] {
        let (left, right) = (Array(old.utf8), Array(new.utf8))
        guard let (range, replaced) = compare(left[...], right[...]) else { return [] }
        // Whole lines, so that their words are whole.
        let whole = (Self.whole(range, in: left), Self.whole(replaced, in: right))
        var found: [(gone: Range<Int>, come: Range<Int>)] = []
        var (stepsOfLines, stepsOfWords) = (most * most, most * most)
        for some in hunks(left[whole.0], right[whole.1], steps: &stepsOfLines, parts: lines) {
            for few in hunks(left[some.0], right[some.1], steps: &stepsOfWords, parts: words) {
                guard let part = compare(left[few.0], right[few.1]) else { continue }
                let (gone, come) = part.0.isEmpty || part.1.isEmpty ? part : few
                if let last = found.last, ![last.gone, last.come, gone, come].contains(where: \.isEmpty),
                    left[last.gone.upperBound..<gone.lowerBound].allSatisfy({ isBlank($0) && $0 != 0x0A })
                {
                    found[found.count - 1] = (
                        last.gone.lowerBound..<gone.upperBound, last.come.lowerBound..<come.upperBound
                    )
                } else {
                    found.append((gone, come))
                }
            }
        }
        if found.count > mostPlaces { found = [(range, replaced)] }
        return found.map { ($0.gone, String(decoding: right[$0.come], as: UTF8.self)) }
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

    /// The lines that a range is in.
    private static func whole(_ range: Range<Int>, in text: [UInt8]) -> Range<Int> {
        let start = text[..<range.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let end = text[range.upperBound...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.count
        return start..<end
    }

    /// The parts that differ, in both, by the bytes that they take: lines, or words. All in one where that would take too many steps.
    private static func hunks(
        _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>, steps: inout Int,
        parts: (ArraySlice<UInt8>) -> [Range<Int>]
    ) -> [(Range<Int>, Range<Int>)] {
        let (old, new) = (parts(left), parts(right))
        let size = max(old.count, new.count)
        guard size > 1, size * size <= steps else { return [(left.indices, right.indices)] }
        steps -= size * size
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

    /// Words, and the blanks between them. Of scripts that write no blanks, from U+3000 on, each character.
    private static func words(of text: ArraySlice<UInt8>) -> [Range<Int>] {
        var (words, start): ([Range<Int>], Int) = ([], text.startIndex)
        var (wasBlank, wasAlone) = (false, false)
        for (place, byte) in zip(text.indices, text) where byte & 0xC0 != 0x80 {
            let (isBlank, isAlone) = (Self.isBlank(byte), byte >= 0xE3)
            if place > start, isAlone || wasAlone || isBlank != wasBlank {
                words.append(start..<place)
                start = place
            }
            (wasBlank, wasAlone) = (isBlank, isAlone)
        }
        if start < text.endIndex { words.append(start..<text.endIndex) }
        return words
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A }
}
