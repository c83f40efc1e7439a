import DeltaCRDT
import Testing

@Suite struct UndoTests {
    private let jie = ReplicaID(high: 1, low: 1)
    private let noah = ReplicaID(high: 2, low: 2)

    /// Edits a text at random; letters of several bytes too.
    private func edit(_ text: inout Text, by stack: inout UndoStack, _ random: inout SplitMix64) -> (
        delta: Text, isJoined: Bool
    ) {
        let typed = ["A", "BC", "Ü日", "DEFGH"][random.below(4)]
        let count = text.characterCount
        let place = random.below(count + 1)
        let start = text.position(ofCharacter: place)
        let end = text.position(ofCharacter: min(count, place + random.below(6)))
        let isJoined = random.below(4) == 0
        return switch random.below(4) {
        case 0: (stack.remove(start..<end, in: &text, joining: isJoined), isJoined)
        case 1: (stack.replace(start..<end, with: typed, in: &text, joining: isJoined), isJoined)
        default: (stack.insert(typed, at: start, in: &text, joining: isJoined), isJoined)
        }
    }

    @Test("what one wrote alone is undone and redone step by step, and another replica follows", arguments: 0..<40)
    func stepsAreUndoneAndRedone(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var text = Text()
        var stack = UndoStack(by: jie)
        text.insert("a base with ä and 日", at: 0, by: noah)
        var copy = text
        var states = [text.string]
        for _ in 0..<24 {
            let (delta, isJoined) = edit(&text, by: &stack, &random)
            copy.merge(delta)
            if isJoined && states.count > 1 {
                states[states.count - 1] = text.string
            } else {
                states.append(text.string)
            }
        }
        for _ in 0..<2 {
            // A step that leaves the text as it was may be undone as one, or may leave nothing to undo.
            var expected = states.reversed().drop { $0 == text.string }
            var last = text.string
            while let delta = stack.undo(in: &text) {
                copy.merge(delta)
                #expect(copy == text)
                #expect(text.string == last || text.string == expected.first)
                last = text.string
                expected = expected.drop { $0 == last }
            }
            #expect(expected.isEmpty && text.string == states[0] && !stack.canUndo)
            while let delta = stack.redo(in: &text) { copy.merge(delta) }
            #expect(copy == text && text.string == states.last && !stack.canRedo)
        }
    }

    @Test(
        "an undo removes nothing that others wrote, brings back what one removed of theirs, and moves nothing of it",
        arguments: 0..<40)
    func othersAreNotUndone(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (mine, theirs) = (Text(), Text())
        var stack = UndoStack(by: jie)
        var next: UInt32 = 0x4E00
        var before: Set<[Unicode.Scalar]> = []
        func note() {
            // Theirs are CJK letters, each of which comes once.
            let letters = mine.string.unicodeScalars.filter { $0.value >= 0x4E00 && $0 != "日" }
            for (left, right) in zip(letters, letters.dropFirst()) { before.insert([left, right]) }
        }
        for _ in 0..<32 {
            switch random.below(4) {
            case 0, 1: _ = edit(&mine, by: &stack, &random)
            case 2:
                let letters = String(String.UnicodeScalarView((next..<next + 3).compactMap(Unicode.Scalar.init)))
                next += 3
                let place = theirs.position(ofCharacter: random.below(theirs.characterCount + 1))
                theirs.insert(letters, at: place, by: noah)
            default:
                mine.merge(theirs)
                theirs.merge(mine)
            }
            note()
        }
        mine.merge(theirs)
        while stack.undo(in: &mine) != nil { note() }
        let letters = Array(mine.string.unicodeScalars)
        #expect(letters.map(\.value).sorted() == Array(0x4E00..<next))
        for pair in before {
            guard let left = letters.firstIndex(of: pair[0]), let right = letters.firstIndex(of: pair[1]) else {
                continue
            }
            #expect(left < right, "\(pair) in \(mine.string)")
        }
        theirs.merge(mine)
        #expect(theirs == mine)
    }

    @Test("steps beyond the limit are forgotten, an edit forgets what could be redone, and joined edits are one step")
    func stepsAreBounded() {
        var text = Text()
        var stack = UndoStack(by: jie, limit: 2)
        for (place, letter) in ["a", "b", "c"].enumerated() { stack.insert(letter, at: place, in: &text) }
        stack.insert("d", at: 3, in: &text, joining: true)
        stack.undo(in: &text)
        #expect(text.string == "ab" && stack.canRedo)
        stack.insert("x", at: 2, in: &text)
        #expect(stack.redo(in: &text) == nil)
        stack.undo(in: &text)
        stack.undo(in: &text)
        let last = stack.undo(in: &text)
        #expect(text.string == "a" && last == nil)
    }

    @Test("what others wrote between removed letters stays between them when these come back")
    func whatStandsBetweenStays() throws {
        var text = Text()
        text.insert("abcdef", at: 0, by: noah)
        var theirs = text
        var stack = UndoStack(by: jie)
        stack.remove(1..<5, in: &text)
        text.merge(theirs.insert("X", at: 3, by: noah))
        #expect(text.string == "aXf")
        // The text may be written and read in between.
        text = try Text(decoding: text.encoded())
        stack.undo(in: &text)
        #expect(text.string == "abcXdef")
    }
}
