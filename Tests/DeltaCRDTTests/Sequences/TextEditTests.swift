import DeltaCRDT
import Testing

/// The operation-based form of a text against a tree of single characters, over random causal orders.
@Suite struct TextEditTests {
    /// What each edit wrote, in Fugue's tree, with nothing merged: the order is read from the tree alone.
    private struct Specification {
        private struct Node {
            let element: TextEdit.Element
            let place: TextEdit.Place
            let scalar: Unicode.Scalar
        }

        private var nodes: [Node] = []
        private var removed: Set<TextEdit.Element> = []
        private var known: Set<TextEdit.Element> = []

        mutating func apply(_ edit: TextEdit, as name: ReplicaID, hasSeen: (ReplicaID) -> Bool) {
            for removal in edit.removals where removal.edit != name && hasSeen(removal.edit) {
                for number in removal.numbers where known.contains(.init(edit: removal.edit, number: number)) {
                    removed.insert(.init(edit: removal.edit, number: number))
                }
            }
            var number = 0
            for insertion in edit.insertions {
                var place = insertion.place
                switch place {
                case .beginning: break
                case .after(let element), .before(let element):
                    let isSeen = element.edit == name ? element.number < number : hasSeen(element.edit)
                    if !isSeen || !known.contains(element) { place = .beginning }
                }
                for scalar in insertion.text.unicodeScalars {
                    let element = TextEdit.Element(edit: name, number: number)
                    nodes.append(Node(element: element, place: place, scalar: scalar))
                    known.insert(element)
                    place = .after(element)
                    number += 1
                }
            }
        }

        var string: String {
            var children: [TextEdit.Place: [Node]] = [:]
            for node in nodes { children[node.place, default: []].append(node) }
            var scalars = String.UnicodeScalarView()
            func visit(_ place: TextEdit.Place) {
                let sorted = (children[place] ?? []).sorted {
                    ($0.element.edit, $0.element.number) < ($1.element.edit, $1.element.number)
                }
                for node in sorted {
                    visit(.before(node.element))
                    if !removed.contains(node.element) { scalars.append(node.scalar) }
                    visit(.after(node.element))
                }
            }
            visit(.beginning)
            return String(scalars)
        }
    }

    private struct Written {
        let name: ReplicaID
        let edit: TextEdit
        let past: Set<ReplicaID>
    }

    private static let words = ["a", "bc", "def", "ü", "日本", "🏕️", "x\n", "0123456789"]

    private func edit(of text: Text, as name: ReplicaID, _ random: inout SplitMix64) -> TextEdit {
        let scalars = Array(text.string.unicodeScalars)
        var replacements: [(range: Range<Int>, text: String)] = []
        var (position, index) = (0, 0)
        for _ in 0...random.below(3) {
            for _ in 0..<random.below(scalars.count - index + 1) {
                position += UTF8.width(scalars[index])
                index += 1
            }
            let start = position
            for _ in 0..<min(random.below(4), scalars.count - index) {
                position += UTF8.width(scalars[index])
                index += 1
            }
            // Two in one place are no two replacements.
            if let last = replacements.last, last.range.upperBound == start { continue }
            replacements.append((start..<position, Self.words[random.below(Self.words.count)]))
        }
        return text.edit(replacing: replacements, as: name)
    }

    @Test("edits in any causal order give one text, that of the tree", arguments: 0..<60)
    func ordersAgree(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var texts = Array(repeating: Text(), count: 3)
        var seen = Array(repeating: Set<ReplicaID>(), count: 3)
        var log: [Written] = []
        for step in 0..<40 {
            let writer = random.below(3)
            for written in log where !seen[writer].contains(written.name) && written.past.isSubset(of: seen[writer]) {
                guard random.below(3) > 0 else { continue }
                texts[writer].apply(written.edit, as: written.name) { written.past.contains($0) }
                seen[writer].insert(written.name)
            }
            let name = ReplicaID(high: random.next(), low: UInt64(step))
            var edit = edit(of: texts[writer], as: name, &random)
            let before = texts[writer].string
            if random.below(8) == 0, !log.isEmpty {
                let other = log[random.below(log.count)]
                // A forged one: it names what it may not have seen, or what is not.
                let number = random.below(12)
                edit = TextEdit(
                    insertions: [
                        .init("forged", at: .after(.init(edit: other.name, number: number))),
                        .init("!", at: .before(.init(edit: name, number: number))),
                    ],
                    removals: [.init(number..<number + 5, of: other.name), .init(0..<3, of: name)])
            }
            #expect(texts[writer].string == before)
            log.append(Written(name: name, edit: edit, past: seen[writer]))
            texts[writer].apply(edit, as: name) { log.last?.past.contains($0) ?? false }
            seen[writer].insert(name)
        }
        var specification = Specification()
        for written in log { specification.apply(written.edit, as: written.name) { written.past.contains($0) } }
        for writer in texts.indices {
            var rest = log.filter { !seen[writer].contains($0.name) }
            while !rest.isEmpty {
                let ready = rest.indices.filter { rest[$0].past.isSubset(of: seen[writer]) }
                let written = rest.remove(at: ready[random.below(ready.count)])
                texts[writer].apply(written.edit, as: written.name) { written.past.contains($0) }
                seen[writer].insert(written.name)
            }
            #expect(texts[writer].string == specification.string)
            #expect(texts[writer] == texts[0] && texts[writer].encoded() == texts[0].encoded())
        }
    }

    @Test("an edit does what was asked of it where nothing else came")
    func editsAreExact() {
        var random = SplitMix64(seed: 7)
        var text = Text()
        for step in 0..<300 {
            let name = ReplicaID(high: 1, low: UInt64(step + 1))
            let old = Array(text.string.utf8)
            let middle = text.position(ofCharacter: random.below(text.characterCount + 1))
            let end = min(old.count, middle + random.below(3))
            let isBoundary = end == old.count || old[end] & 0xC0 != 0x80
            let range = middle..<(isBoundary ? end : middle)
            let word = Self.words[random.below(Self.words.count)]
            text.apply(text.edit(replacing: [(range, word)], as: name), as: name) { _ in true }
            let expected = Array(old[..<range.lowerBound]) + Array(word.utf8) + Array(old[range.upperBound...])
            #expect(Array(text.string.utf8) == expected)
        }
    }

    @Test("what is inserted behind a character, removed or not, comes right behind it", arguments: 0..<20)
    func behind(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var (text, written) = (Text(), [(name: ReplicaID, count: Int)]())
        for step in 0..<30 {
            let name = ReplicaID(high: random.next(), low: UInt64(step))
            let edit = edit(of: text, as: name, &random)
            text.apply(edit, as: name) { _ in true }
            written.append((name, edit.insertions.reduce(0) { $0 + $1.text.unicodeScalars.count }))
        }
        let (own, bytes) = (ReplicaID(high: .max, low: .max), Array(text.string.utf8))
        let arranged = text.arranged
        #expect(arranged == text)
        for (name, count) in written {
            for number in 0..<count {
                let element = TextEdit.Element(edit: name, number: number)
                // Each is asked for on its own, of a text that stays as it is.
                guard let position = arranged.position(behind: element),
                    let insertion = arranged.insertion(of: "+", after: element)
                else {
                    Issue.record("a character of the text is nowhere")
                    return
                }
                var copy = text
                copy.apply(TextEdit(insertions: [insertion], removals: []), as: own) { _ in true }
                let expected = Array(bytes[..<position]) + Array("+".utf8) + Array(bytes[position...])
                #expect(Array(copy.string.utf8) == expected)
            }
        }
        #expect(arranged.insertion(of: "+", after: .init(edit: own, number: 0)) == nil)
    }

    @Test("what edits did to a text is what two versions differ in, place by place", arguments: 0..<20)
    func places(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var versions = [Text()]
        for step in 0..<60 {
            let name = ReplicaID(high: random.next(), low: UInt64(step))
            // Some are made of an earlier version.
            let edit = edit(of: versions[max(0, step - random.below(5))], as: name, &random)
            var text = versions[step]
            text.apply(edit, as: name) { _ in true }
            versions.append(text)
            let before = versions[max(0, step - random.below(3))]
            var (bytes, expected, start) = (Array(before.string.utf8), [[String]](), -1)
            for change in before.changes(to: text) {
                switch change {
                case .removed(let range):
                    expected.append([String(decoding: bytes[range], as: UTF8.self), ""])
                    bytes.removeSubrange(range)
                    start = range.lowerBound
                case .inserted(let words, let place):
                    if place == start, let last = expected.last, last[1].isEmpty {
                        expected[expected.count - 1][1] = words
                    } else {
                        expected.append(["", words])
                    }
                    bytes.insert(contentsOf: words.utf8, at: place)
                    start = -1
                }
            }
            #expect(before.edits(until: text).map { [$0.removed, $0.inserted] } == expected)
        }
    }

    @Test("a number that no character has is nowhere", arguments: [Int.min, -1, 1, Int(Dot.maximumCounter), Int.max])
    func numbers(number: Int) {
        let (name, other) = (ReplicaID(high: 1, low: 1), ReplicaID(high: 1, low: 2))
        var text = Text()
        text.apply(TextEdit(insertions: [.init("a", at: .beginning)], removals: []), as: name) { _ in true }
        let element = TextEdit.Element(edit: name, number: number)
        #expect(text.position(behind: element) == nil)
        #expect(text.insertion(of: "b", after: element) == nil)
        // It goes to the beginning, whose children are in the order of their edits' names.
        text.apply(TextEdit(insertions: [.init("b", at: .after(element))], removals: []), as: other) { _ in true }
        #expect(text.string == "ab")
    }
}
