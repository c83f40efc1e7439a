import DeltaCRDT
import Testing

private let jie = ReplicaID(high: 0x9E37_79B9, low: 1)
private let noah = ReplicaID(high: 0x85EB_CA6B, low: 2)

/// The examples of texts and lists.
@Suite struct SequenceExampleTests {
    @Test func text() {
        var mine = Text()
        mine.insert("Lisbon", at: 0, by: jie)
        var theirs = mine

        let lead = mine.insert("To ", at: 0, by: jie)
        let tail = theirs.insert(" in June", at: 6, by: noah)

        mine.merge(tail)
        theirs.merge(lead)
        #expect(mine.string == "To Lisbon in June")
        #expect(mine == theirs)
    }

    @Test func list() {
        var mine = List<String>()
        mine.append("tent", by: jie)
        mine.append("rope", by: jie)
        var theirs = mine

        let removal = mine.remove(at: 0)
        let insertion = theirs.insert("stove", at: 1, by: noah)

        mine.merge(insertion)
        theirs.merge(removal)
        #expect(mine.elements == ["stove", "rope"])
        #expect(mine == theirs)
    }

    @Test func movableList() {
        var mine = MovableList<String>()
        mine.insert(contentsOf: ["tent", "stove", "rope"], at: 0, by: jie)
        var theirs = mine

        mine.merge(theirs.move(from: 0, to: 2, by: noah))
        theirs.merge(mine.move(from: 2, to: 0, by: jie))
        #expect(mine.elements == ["tent", "stove", "rope"])
        #expect(mine == theirs)
    }

    @Test func days() {
        var days = MovableList<String>()
        days.insert(contentsOf: ["museum", "beach", "castle"], at: 0, by: jie)
        var copy = days

        days.merge(copy.move(from: 2, to: 0, by: noah))
        copy.merge(days.remove(at: 1))
        #expect(days.elements == ["castle", "beach"])
        #expect(days == copy)
    }

    @Test("two who put two nodes into each other at the same moment leave a tree") func tree() {
        var mine = Tree()
        let (plans, _) = mine.insert(under: nil, by: jie)
        let (maps, _) = mine.insert(under: nil, by: jie)
        var theirs = mine

        let one = mine.move(plans, under: maps, by: jie)
        let other = theirs.move(maps, under: plans, by: noah)
        mine.merge(other)
        theirs.merge(one)
        #expect(mine == theirs)
        #expect(mine.hierarchy.count == 2)
        #expect(mine.hierarchy.children(of: nil).count == 1)
    }

    @Test func richText() {
        var mine = RichText()
        mine.insert("The fox jumped.", at: 0, by: jie)
        var theirs = mine

        let bold = mine.mark(0..<7, "bold", by: jie)
        let word = theirs.insert("quick ", at: 4, by: noah)

        mine.merge(word)
        theirs.merge(bold)
        #expect(mine.string == "The quick fox jumped.")
        #expect(mine.marks == [FormattingMark(0..<13, "bold")])
        #expect(mine == theirs)
    }

    @Test func formatting() {
        var note = RichText()
        note.insert("See the hut", at: 0, by: jie)
        note.mark(8..<11, "link", value: "https://hut.example", expanding: .none, by: jie)
        note.mark(0..<3, "bold", by: jie)
        var copy = note

        let removal = copy.unmark(0..<1, "bold", by: noah)
        note.insert("s!", at: 11, by: jie)
        note.merge(removal)
        #expect(note.spans.map(\.attributes) == [[:], ["bold": ""], [:], ["link": "https://hut.example"], [:]])
    }

    @Test func editing() {
        var note = RichText()
        var heard = Text()
        heard.insert("Lisbon", at: 0, by: jie)
        note.edit { $0.merge(heard) }
        #expect(note.string == "Lisbon")
    }

    @Test func undoOfFormatting() {
        var note = RichText()
        note.insert("See the hut", at: 0, by: noah)
        var stack = UndoStack(by: jie)
        stack.mark(0..<11, "color", value: "red", in: &note)
        note.mark(8..<11, "color", value: "blue", by: noah)

        stack.undo(in: &note)
        #expect(note.marks == [FormattingMark(8..<11, "color", value: "blue")])
        stack.redo(in: &note)
        #expect(note.marks.count == 2)
    }

    @Test func edits() {
        let name = ReplicaID(high: 7, low: 1)
        var note = Text()
        let edit = note.edit(replacing: [(0..<0, "Lisbon")], as: name)
        note.apply(edit, as: name) { _ in true }
        #expect(note.string == "Lisbon")
    }

    @Test func undo() {
        var text = Text()
        var stack = UndoStack(by: jie)
        stack.insert("Lisbon", at: 0, in: &text)
        text.insert(" in June", at: 6, by: noah)

        stack.undo(in: &text)
        #expect(text.string == " in June")
        stack.redo(in: &text)
        #expect(text.string == "Lisbon in June")
    }

    @Test func history() throws {
        var note = Text()
        var history = StateHistory<Text>()
        history.append(note.insert("Lisbon in June", at: 0, by: jie))
        history.append(note.replace(10..<14, with: "May", by: noah))

        let june = try history.state(at: 1)
        #expect(june.string == "Lisbon in June")
        #expect(june.changes(to: note) == [.removed(10..<14), .inserted("May", at: 10)])
    }

    @Test func versions() {
        var plan = Text()
        plan.insert("Lisbon in June", at: 0, by: jie)
        let yesterday = plan
        plan.replace(10..<14, with: "May", by: noah)

        #expect(yesterday.changes(to: plan) == [.removed(10..<14), .inserted("May", at: 10)])
        #expect(plan.changes(to: yesterday) == [.removed(10..<13), .inserted("June", at: 10)])
    }

    @Test func versionsOfMovableLists() {
        var days = MovableList<String>()
        days.insert(contentsOf: ["museum", "beach", "castle"], at: 0, by: jie)
        let yesterday = days
        days.move(from: 2, to: 0, by: noah)
        days.insert(contentsOf: ["market"], at: 3, by: jie)

        #expect(yesterday.changes(to: days) == [.moved(from: 2, to: 0), .inserted(["market"], at: 3)])
        #expect(days.changes(to: yesterday) == [.removed(3..<4), .moved(from: 0, to: 2)])
    }

    @Test func versionsOfTrees() {
        var folders = Tree()
        let (plans, _) = folders.insert(under: nil, by: jie)
        let yesterday = folders
        let (maps, _) = folders.insert(under: nil, by: jie)
        folders.move(plans, under: maps, by: noah)

        #expect(yesterday.changes(to: folders) == [.added(maps, under: nil), .moved(plans, from: nil, to: maps)])
        #expect(folders.changes(to: yesterday) == [.moved(plans, from: maps, to: nil), .removed(maps)])
    }

    @Test func checkpoint() {
        var note = Text()
        note.insert("Lisbon", at: 0, by: jie)
        let (copy, saved) = (note, note.checkpoint)
        note.insert(" in June", at: 6, by: jie)
        note.remove(0..<1)
        #expect(copy.merging(note.delta(since: saved)) == note)
    }

    @Test func plan() {
        var plan = Text()
        plan.insert("Monday: museum", at: 0, by: jie)
        var copy = plan

        let caret = plan.anchor(at: 7, staying: .after)
        let mine = plan.insert(" early", at: 7, by: jie)
        let theirs = copy.insert(" and beach", at: 14, by: noah)

        plan.merge(theirs)
        copy.merge(mine)
        #expect(plan.string == "Monday: early museum and beach")
        #expect(plan.position(of: caret) == 7)
        #expect(plan == copy)
    }
}
