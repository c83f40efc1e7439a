import DeltaCRDT
import Testing

private let alice = ReplicaID(high: 0x9E37_79B9, low: 1)
private let bob = ReplicaID(high: 0x85EB_CA6B, low: 2)

/// The examples of Peritext (Litt, Lim, Kleppmann, van Hardenberg, 2022), and what it leaves open.
@Suite struct RichTextTests {
    private var mine = RichText()
    private var theirs = RichText()

    init() {
        mine.insert("The fox jumped.", at: 0, by: alice)
        theirs = mine
    }

    private func merged(_ mine: RichText, _ theirs: RichText) -> RichText {
        let (one, other) = (mine.merging(theirs), theirs.merging(mine))
        #expect(one == other && one.marks == other.marks && one.encoded() == other.encoded())
        return one
    }

    @Test("formatting and inserting at once: what is typed within a bold range is bold")
    mutating func insertedWithin() {
        mine.mark(0..<15, "bold", by: alice)
        theirs.insert("brown ", at: 4, by: bob)
        let both = merged(mine, theirs)
        #expect(both.string == "The brown fox jumped." && both.marks == [FormattingMark(0..<21, "bold")])
    }

    @Test("overlapping formatting of one kind: all of it is bold") mutating func overlapOfOneKind() {
        mine.mark(0..<7, "bold", by: alice)
        theirs.mark(4..<15, "bold", by: bob)
        #expect(merged(mine, theirs).marks == [FormattingMark(0..<15, "bold")])
    }

    @Test("overlapping formatting of two kinds: the middle has both") mutating func overlapOfTwoKinds() {
        mine.mark(0..<7, "bold", by: alice)
        theirs.mark(4..<15, "italic", by: bob)
        let both = merged(mine, theirs)
        #expect(both.marks == [FormattingMark(0..<7, "bold"), FormattingMark(4..<15, "italic")])
        #expect(
            both.spans == [
                FormattedSpan(0..<4, ["bold": ""]), FormattedSpan(4..<7, ["bold": "", "italic": ""]),
                FormattedSpan(7..<15, ["italic": ""]),
            ])
        #expect(both.attributes(at: 5) == ["bold": "", "italic": ""] && both.attributes(at: 15) == ["italic": ""])
    }

    @Test("overlapping colors: everywhere one of the two, and the same for all")
    mutating func overlappingValues() {
        mine.mark(0..<7, "color", value: "red", by: alice)
        theirs.mark(4..<15, "color", value: "blue", by: bob)
        let both = merged(mine, theirs)
        let seam = both.marks.first?.range.upperBound
        #expect(
            both.marks == [
                FormattingMark(0..<(seam ?? 0), "color", value: "red"),
                FormattingMark((seam ?? 0)..<15, "color", value: "blue"),
            ])
        #expect(seam == 4 || seam == 7)
    }

    @Test("bold and not bold at once: one of the two on each character, and the same for all")
    mutating func markAndUnmark() {
        mine.mark(0..<15, "bold", by: alice)
        theirs = mine
        mine.unmark(4..<15, "bold", by: alice)
        theirs.mark(0..<7, "bold", by: bob)
        let both = merged(mine, theirs)
        #expect(both.marks == [FormattingMark(0..<4, "bold")] || both.marks == [FormattingMark(0..<7, "bold")])
        // Who saw the other's act has the last word.
        var later = both
        later.unmark(0..<15, "bold", by: alice)
        #expect(later.marks == [])
        later.mark(4..<7, "bold", by: bob)
        #expect(later.marks == [FormattingMark(4..<7, "bold")])
    }

    @Test("comments overlap, each with a name of its own") mutating func comments() {
        mine.mark(0..<7, "comment 1", value: "Alice: which?", expanding: .none, by: alice)
        theirs.mark(4..<15, "comment 2", value: "Bob: how high?", expanding: .none, by: bob)
        #expect(merged(mine, theirs).attributes(at: 5).count == 2)
    }

    @Test("at the end of bold, bold goes on; before its beginning, it doesn't") mutating func boldGrows() {
        mine.mark(4..<7, "bold", by: alice)
        theirs.insert("es", at: 7, by: bob)
        theirs.insert("red ", at: 4, by: bob)
        let both = merged(mine, theirs)
        #expect(both.string == "The red foxes jumped." && both.marks == [FormattingMark(8..<13, "bold")])
    }

    @Test("a link does not go on at its end") mutating func linksStay() {
        mine.mark(4..<7, "link", value: "https://fox", expanding: .none, by: alice)
        mine.insert("es", at: 7, by: alice)
        theirs.insert("trot", at: 7, by: bob)
        let both = merged(mine, theirs)
        #expect(both.marks == [FormattingMark(4..<7, "link", value: "https://fox")])
    }

    @Test("a link whose last characters were removed does not go on either, nor bold before a removed end")
    mutating func removedEdges() {
        mine.mark(4..<7, "link", value: "https://fox", expanding: .none, by: alice)
        mine.mark(0..<3, "bold", by: alice)
        theirs = mine
        mine.remove(5..<7)
        mine.insert("un", at: 5, by: alice)
        #expect(mine.string == "The fun jumped." && mine.marks.last?.range == 4..<5)
        // Bold ends before the space, which is removed: what is typed behind the last bold character is bold.
        theirs.remove(3..<4)
        theirs.insert("n", at: 3, by: bob)
        let both = merged(mine, theirs)
        #expect(both.string == "Thenfun jumped.")
        #expect(
            both.marks == [FormattingMark(0..<4, "bold"), FormattingMark(4..<5, "link", value: "https://fox")])
        // Of a link that begins behind removed text, and of the beginning of all.
        var whole = RichText()
        whole.insert("ab", at: 0, by: alice)
        whole.mark(0..<2, "link", value: "x", expanding: .none, by: alice)
        whole.remove(0..<2)
        whole.insert("c", at: 0, by: bob)
        #expect(whole.string == "c" && whole.marks == [])
        // Of two edges at removed characters, the last one counts.
        whole = RichText()
        whole.insert("abcd", at: 0, by: alice)
        whole.mark(0..<2, "link", value: "x", expanding: .none, by: alice)
        whole.mark(0..<3, "comment", expanding: .none, by: alice)
        whole.remove(1..<3)
        whole.insert("e", at: 1, by: bob)
        #expect(whole.string == "aed" && whole.marks.map(\.range) == [0..<1, 0..<1])
    }

    @Test("what is left of a link when its middle is taken off grows at no edge; of bold, at its ends alone")
    mutating func unmarkedMiddles() {
        mine.mark(0..<15, "link", value: "x", expanding: .none, by: alice)
        mine.unmark(4..<7, "link", expanding: .none, by: alice)
        mine.mark(0..<15, "bold", by: alice)
        mine.unmark(4..<7, "bold", by: alice)
        mine.insert("1", at: 4, by: bob)
        mine.insert("2", at: 8, by: bob)
        #expect(mine.string == "The 1fox2 jumped.")
        #expect(mine.marks.filter { $0.name == "link" }.map(\.range) == [0..<4, 9..<17])
        #expect(mine.marks.filter { $0.name == "bold" }.map(\.range) == [0..<5, 9..<17])
    }

    @Test("of two links at once, the later address counts where they overlap, by what its author had seen")
    mutating func laterLinksCount() {
        theirs.mark(0..<3, "link", value: "a", expanding: .none, by: bob)
        theirs.mark(0..<7, "link", value: "b", expanding: .none, by: bob)
        mine.mark(4..<15, "link", value: "c", expanding: .none, by: alice)
        let both = merged(mine, theirs)
        #expect(
            both.marks == [
                FormattingMark(0..<7, "link", value: "b"), FormattingMark(7..<15, "link", value: "c"),
            ])
    }

    @Test("a mark that covers earlier ones whole replaces them, so that toggling takes no room")
    mutating func overwrittenMarks() {
        mine.mark(4..<7, "bold", by: alice)
        let size = mine.encoded().count
        for _ in 0..<200 {
            mine.unmark(4..<7, "bold", by: alice)
            mine.mark(4..<7, "bold", by: alice)
        }
        #expect(mine.encoded().count < size + 16 && mine.marks == [FormattingMark(4..<7, "bold")])
        // One with another edge is kept, for others may type there.
        mine.mark(4..<7, "bold", expanding: .none, by: alice)
        mine.insert("es", at: 7, by: bob)
        #expect(mine.marks == [FormattingMark(4..<9, "bold")])
    }

    @Test("a mark waits for its characters, and marks on removed text stay for what others type within")
    mutating func waitingMarks() {
        let tail = mine.insert(" Twice.", at: 15, by: alice)
        let bold = mine.mark(16..<21, "bold", by: alice)
        theirs.merge(bold)
        #expect(theirs.marks == [])
        theirs.merge(tail)
        #expect(theirs.marks == [FormattingMark(16..<21, "bold")] && theirs == mine)
        mine.remove(16..<21)
        theirs.insert("ro", at: 18, by: bob)
        let both = merged(mine, theirs)
        #expect(both.string == "The fox jumped. ro." && both.marks == [FormattingMark(16..<18, "bold")])
    }

    @Test("a follower gets what was typed without marks, and then the marks") mutating func changesAreTold() {
        mine.mark(4..<7, "bold", by: alice)
        theirs.merge(mine)
        mine.insert("es", at: 7, by: alice)
        mine.unmark(4..<5, "bold", by: alice)
        mine.remove(0..<4)
        var changes: [RichTextChange] = []
        theirs.merge(mine) { changes.append($0) }
        #expect(
            changes.suffix(2) == [
                .marked(0..<1, name: "bold", value: nil), .marked(3..<5, name: "bold", value: ""),
            ])
        #expect(Set(changes.prefix(2)) == [.inserted("es", at: 7), .removed(0..<4)] && changes.count == 4)
    }

    @Test("a stack undoes the typing of one person in a rich text") mutating func undo() {
        var stack = UndoStack(by: alice)
        let typed = mine.edit { stack.insert("es", at: 7, in: &$0) }
        mine.mark(4..<9, "bold", by: bob)
        let undone = mine.edit { _ = stack.undo(in: &$0) }
        #expect(mine.string == "The fox jumped." && mine.marks == [FormattingMark(4..<7, "bold")])
        theirs.merge(typed)
        #expect(theirs.string == "The foxes jumped.")
        theirs.merge(undone)
        #expect(theirs.string == mine.string && theirs.text == mine.text)
        #expect(mine.text.context.isSubset(of: mine.context) && mine.text.context != mine.context)
    }

    @Test("an event that is a mark here and a character there is told as a conflict, and the character stays")
    func forgedEvents() throws {
        var (marked, typed) = (RichText(), RichText())
        marked.insert("a", at: 0, by: alice)
        typed.merge(marked)
        marked.mark(0..<1, "bold", by: alice)
        typed.insert("b", at: 1, by: alice)
        for (one, other) in [(marked, typed), (typed, marked)] {
            var (joined, conflicts) = (one, CausalContext())
            joined.merge(other, conflicts: &conflicts)
            #expect(conflicts == CausalContext(Dot(replica: alice, counter: 2)))
            #expect(joined == typed)
            #expect(try RichText(decoding: joined.encoded()) == joined)
        }
        var text = Text()
        text.insert("ab", at: 0, by: alice)
        var edited = marked
        edited.edit { $0.merge(text) }
        #expect(edited.string == "ab" && edited.marks == [])
        #expect(try RichText(decoding: edited.encoded()) == edited)
    }

    @Test("a thousand marks that lie in each other take a moment to read") func manyMarks() {
        var text = RichText()
        text.insert(String(repeating: "a", count: 2000), at: 0, by: alice)
        for number in 0..<1000 {
            text.mark(
                number..<1999 - number / 2, number % 2 == 0 ? "bold" : "n\(number)", value: "\(number)", by: alice)
        }
        #expect(text.marks.count == 1499)
        #expect(text.marks.allSatisfy { !$0.range.isEmpty })
    }
}
