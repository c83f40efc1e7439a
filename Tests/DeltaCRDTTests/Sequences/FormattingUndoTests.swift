import DeltaCRDT
import Testing

private let jie = ReplicaID(high: 1, low: 1)
private let noah = ReplicaID(high: 2, low: 2)

/// Undo of marks: one's own fall, others' stay, and what was covered comes back below all that was written since.
@Suite struct FormattingUndoTests {
    private var mine = RichText()
    private var theirs = RichText()
    private var stack = UndoStack(by: jie)

    init() {
        mine.insert("The fox jumped.", at: 0, by: noah)
        theirs = mine
    }

    private mutating func exchange() {
        mine.merge(theirs)
        theirs.merge(mine)
        #expect(mine == theirs && mine.marks == theirs.marks)
    }

    // MARK: Examples

    @Test("one's own bold is undone and redone, for a replica that gets the deltas too, in any order")
    mutating func ownMarks() throws {
        let bold = stack.mark(4..<7, "bold", in: &mine)
        let undone = stack.undo(in: &mine)
        #expect(mine.marks == [] && !stack.canUndo && stack.canRedo)
        let redone = stack.redo(in: &mine)
        #expect(mine.marks == [FormattingMark(4..<7, "bold")] && stack.canUndo && !stack.canRedo)
        let deltas = [bold, try #require(undone), try #require(redone)]
        theirs.merge(deltas[1])
        theirs.merge(deltas[0])
        #expect(theirs.marks == [])
        theirs.merge(deltas[2])
        #expect(theirs == mine)
        #expect(try RichText(decoding: mine.encoded()) == mine)
        #expect(stack.redo(in: &mine) == nil)
        stack.undo(in: &mine)
        let last = stack.undo(in: &mine)
        #expect(mine.marks == [] && last == nil)
    }

    @Test("another's bold at the same moment stays, also on the same span") mutating func boldOfOthers() {
        stack.mark(0..<7, "bold", in: &mine)
        stack.mark(8..<15, "bold", in: &mine)
        theirs.mark(4..<7, "bold", by: noah)
        theirs.mark(8..<15, "bold", by: noah)
        exchange()
        #expect(mine.marks == [FormattingMark(0..<7, "bold"), FormattingMark(8..<15, "bold")])
        stack.undo(in: &mine)
        #expect(mine.marks == [FormattingMark(0..<7, "bold"), FormattingMark(8..<15, "bold")])
        stack.undo(in: &mine)
        #expect(mine.marks == [FormattingMark(4..<7, "bold"), FormattingMark(8..<15, "bold")])
        exchange()
    }

    @Test("another's later mark stays where it is, at undo and at redo; one that covers all leaves nothing to undo")
    mutating func laterMarksOfOthers() {
        stack.mark(0..<7, "color", value: "red", in: &mine)
        exchange()
        theirs.mark(4..<15, "color", value: "blue", by: noah)
        exchange()
        stack.undo(in: &mine)
        #expect(mine.marks == [FormattingMark(4..<15, "color", value: "blue")])
        stack.redo(in: &mine)
        #expect(
            mine.marks == [
                FormattingMark(0..<4, "color", value: "red"), FormattingMark(4..<15, "color", value: "blue"),
            ])
        exchange()
        theirs.mark(0..<15, "color", value: "green", by: noah)
        exchange()
        let undone = stack.undo(in: &mine)
        #expect(undone == nil && mine.marks == [FormattingMark(0..<15, "color", value: "green")])
    }

    @Test("where another took one's mark off, the step before it is undone")
    mutating func coveredMarks() {
        stack.insert("Look! ", at: 0, in: &mine)
        stack.mark(6..<9, "bold", in: &mine)
        mine.unmark(6..<9, "bold", by: noah)
        stack.undo(in: &mine)
        #expect(mine.string == "The fox jumped." && mine.marks == [])
    }

    @Test("a link that one took off, or gave another address, comes back as it was, and grows at no edge")
    mutating func removedLinks() {
        mine.mark(4..<7, "link", value: "https://fox", expanding: .none, by: noah)
        stack.unmark(4..<7, "link", expanding: .none, in: &mine)
        stack.mark(0..<15, "link", value: "https://all", expanding: .none, in: &mine)
        #expect(mine.marks == [FormattingMark(0..<15, "link", value: "https://all")])
        stack.undo(in: &mine)
        #expect(mine.marks == [])
        stack.undo(in: &mine)
        #expect(mine.marks == [FormattingMark(4..<7, "link", value: "https://fox")])
        mine.insert("es", at: 7, by: noah)
        mine.insert("red ", at: 4, by: noah)
        #expect(mine.marks == [FormattingMark(8..<11, "link", value: "https://fox")])
        stack.redo(in: &mine)
        #expect(mine.marks == [])
        stack.redo(in: &mine)
        #expect(mine.marks == [FormattingMark(0..<21, "link", value: "https://all")])
    }

    @Test("what comes back lies below what others wrote since, where they had not seen that it fell")
    mutating func restoredMarksAreOld() {
        mine.mark(4..<7, "color", value: "red", by: noah)
        theirs.merge(mine)
        stack.mark(0..<15, "color", value: "blue", in: &mine)
        theirs.mark(6..<10, "color", value: "green", by: noah)
        exchange()
        stack.undo(in: &mine)
        #expect(
            mine.marks == [
                FormattingMark(4..<6, "color", value: "red"), FormattingMark(6..<10, "color", value: "green"),
            ])
        exchange()
    }

    @Test("what others typed within a span loses the mark with it, and has it again") mutating func typedWithin() {
        stack.mark(0..<15, "bold", in: &mine)
        exchange()
        theirs.insert("brown ", at: 4, by: noah)
        exchange()
        #expect(mine.marks == [FormattingMark(0..<21, "bold")])
        stack.undo(in: &mine)
        #expect(mine.string == "The brown fox jumped." && mine.marks == [])
        exchange()
        theirs.insert("x", at: 6, by: noah)
        exchange()
        stack.redo(in: &mine)
        #expect(mine.marks == [FormattingMark(0..<22, "bold")])
    }

    @Test("text that comes back has the marks of others that it had, and lies beside those that it lay beside")
    mutating func restoredText() {
        mine.mark(4..<7, "link", value: "https://fox", expanding: .none, by: noah)
        mine.mark(5..<9, "bold", by: noah)
        let marks = mine.marks
        stack.remove(3..<8, in: &mine)
        #expect(mine.string == "Thejumped." && mine.marks == [FormattingMark(3..<4, "bold")])
        stack.undo(in: &mine)
        #expect(mine.string == "The fox jumped." && mine.marks == marks)
        stack.redo(in: &mine)
        stack.undo(in: &mine)
        #expect(mine.string == "The fox jumped." && mine.marks == marks)
        exchange()
    }

    @Test("one's own mark on one's own text is redone on the text that comes back") mutating func marksOnRestoredText()
    {
        stack.insert("red ", at: 4, in: &mine)
        stack.mark(4..<7, "link", value: "https://red", expanding: .none, in: &mine, joining: true)
        stack.mark(0..<2, "bold", in: &mine)
        for _ in 0..<3 {
            stack.undo(in: &mine)
            stack.undo(in: &mine)
            #expect(mine.string == "The fox jumped." && mine.marks == [])
            stack.redo(in: &mine)
            stack.redo(in: &mine)
            #expect(mine.string == "The red fox jumped.")
            #expect(
                mine.marks == [FormattingMark(0..<2, "bold"), FormattingMark(4..<7, "link", value: "https://red")])
        }
    }

    @Test(
        "a lent text is undone without its marks, an empty range is no step, and a new mark forgets what could be redone"
    )
    func steps() {
        var (text, stack) = (mine, UndoStack(by: jie))
        stack.mark(4..<4, "bold", in: &text)
        stack.unmark(4..<4, "bold", in: &text)
        #expect(!stack.canUndo)
        stack.replace(4..<7, with: "cat", in: &text)
        stack.mark(4..<7, "bold", in: &text)
        let undone = text.edit { stack.undo(in: &$0) }
        #expect(text.string == "The fox jumped." && undone != RichText() && !stack.canUndo)
        stack.mark(0..<3, "bold", in: &text)
        #expect(!stack.canRedo)
    }

    // MARK: Any steps

    /// The text and its formatting as they are seen.
    private struct Shown: Equatable {
        let string: String
        let spans: [FormattedSpan]

        init(_ text: RichText) { (string, spans) = (text.string, text.spans) }
    }

    /// Edits or formats a text at random.
    private func edit(
        _ text: inout RichText, by stack: inout UndoStack, _ random: inout SplitMix64
    ) -> (delta: RichText, isJoined: Bool) {
        let count = text.text.characterCount
        let place = random.below(count + 1)
        let start = text.text.position(ofCharacter: place)
        let end = text.text.position(ofCharacter: min(count, place + random.below(6)))
        let isJoined = random.below(4) == 0
        let typed = ["A", "BC", "Ü日", "DEFGH"][random.below(4)]
        let (name, expansion): (String, MarkExpansion) = [
            ("color", .none), ("bold", .after), ("link", .none), ("note", .both), ("quote", .before),
        ][random.below(5)]
        return switch random.below(8) {
        case 0: (stack.remove(start..<end, in: &text, joining: isJoined), isJoined)
        case 1: (stack.replace(start..<end, with: typed, in: &text, joining: isJoined), isJoined)
        case 2, 3: (stack.insert(typed, at: start, in: &text, joining: isJoined), isJoined)
        case 4:
            (
                stack.unmark(start..<end, name, expanding: expansion, in: &text, joining: isJoined),
                isJoined || start == end
            )
        default:
            (
                stack.mark(
                    start..<end, name, value: ["", "a", "b"][random.below(3)], expanding: expansion, in: &text,
                    joining: isJoined), isJoined || start == end
            )
        }
    }

    @Test(
        "what one wrote and formatted alone is undone and redone step by step, and another replica follows",
        arguments: 0..<60)
    func stepsAreUndoneAndRedone(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (text, base) = (RichText(), UndoStack(by: noah))
        text.insert("a base with ä and 日", at: 0, by: noah)
        for _ in 0..<6 { _ = edit(&text, by: &base, &random) }
        var stack = UndoStack(by: jie)
        var copy = text
        var states = [Shown(text)]
        for _ in 0..<24 {
            let (delta, isJoined) = edit(&text, by: &stack, &random)
            copy.merge(delta)
            if isJoined && states.count > 1 {
                states[states.count - 1] = Shown(text)
            } else {
                states.append(Shown(text))
            }
        }
        for _ in 0..<2 {
            // A step that leaves the text as it was may be undone as one, or may leave nothing to undo.
            var expected = states.reversed().drop { $0 == Shown(text) }
            var last = Shown(text)
            while let delta = stack.undo(in: &text) {
                copy.merge(delta)
                #expect(copy == text)
                let shown = Shown(text)
                #expect(shown == last || shown == expected.first)
                last = shown
                expected = expected.drop { $0 == last }
            }
            #expect(expected.isEmpty && Shown(text) == states[0] && !stack.canUndo)
            while let delta = stack.redo(in: &text) { copy.merge(delta) }
            #expect(copy == text && Shown(text) == states.last && !stack.canRedo)
        }
    }

    /// A color that another gave to letters, by the first and the last of them.
    private struct Coloring {
        let first: Unicode.Scalar
        let last: Unicode.Scalar
        let value: String
    }

    @Test("when all of one's own is undone, letters and colors are as if the other had been alone", arguments: 0..<60)
    func othersAreNotUndone(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (mine, theirs, stack) = (RichText(), RichText(), UndoStack(by: jie))
        // Theirs are CJK letters, each of which comes once.
        var next: UInt32 = 0x4E00
        var colorings: [Coloring] = []
        for _ in 0..<48 {
            switch random.below(6) {
            case 0, 1, 2: _ = edit(&mine, by: &stack, &random)
            case 3:
                let letters = String(String.UnicodeScalarView((next..<next + 3).compactMap(Unicode.Scalar.init)))
                next += 3
                let place = random.below(theirs.text.characterCount + 1)
                theirs.insert(letters, at: theirs.text.position(ofCharacter: place), by: noah)
            case 4:
                let scalars = Array(theirs.string.unicodeScalars)
                let own = scalars.indices.filter { scalars[$0].value >= 0x4E00 && scalars[$0] != "日" }
                guard !own.isEmpty else { continue }
                let index = random.below(own.count)
                let (from, to) = (own[index], own[min(own.count - 1, index + random.below(5))])
                let start = scalars[..<from].reduce(0) { $0 + UTF8.width($1) }
                let end = scalars[...to].reduce(0) { $0 + UTF8.width($1) }
                let coloring = Coloring(first: scalars[from], last: scalars[to], value: "\(colorings.count)")
                colorings.append(coloring)
                theirs.mark(start..<end, "color", value: coloring.value, expanding: .none, by: noah)
            default:
                mine.merge(theirs)
                theirs.merge(mine)
            }
        }
        mine.merge(theirs)
        for _ in 0..<2 {
            while stack.undo(in: &mine) != nil {}
            let letters = Array(mine.string.unicodeScalars)
            #expect(letters.map(\.value).sorted() == Array(0x4E00..<next))
            var colors = [String?](repeating: nil, count: letters.count)
            for coloring in colorings {
                guard let first = letters.firstIndex(of: coloring.first),
                    let last = letters.firstIndex(of: coloring.last), first <= last
                else { continue }
                for index in first...last { colors[index] = coloring.value }
            }
            let shown = letters.indices.map { mine.attributes(at: 3 * $0) }
            #expect(shown.map { $0["color"] } == colors)
            #expect(shown.allSatisfy { $0.keys.allSatisfy { $0 == "color" } })
            while stack.redo(in: &mine) != nil {}
        }
        theirs.merge(mine)
        #expect(theirs == mine)
    }
}
