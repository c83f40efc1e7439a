import Foundation
import Testing
import TripModel
import TripService

@testable import PageServer
@testable import TripPage

/// What a page server keeps of notes, without a server.
struct NoteDeskTests {
    private let start = ContinuousClock.now

    @Test(
        "a splice leads from one text to the other, in units of UTF-16, and cuts no character in two",
        arguments: [
            ("", ""), ("", "abc"), ("abc", ""), ("abc", "abc"), ("abc", "aXc"), ("aaa", "aa"), ("a 🏡 b", "a 🏠 b"),
            ("🏡", "🏠"), ("🏡🏡", "🏡"), ("👩‍👩‍👧", "👩‍👧"), ("é", "e\u{301}"), ("a\nb", "a\n\nb"),
        ])
    func splices(_ old: String, _ new: String) {
        let splice = TextSplice(from: old, to: new)
        let result = old.spliced(at: splice.at, out: splice.out, with: splice.text)
        #expect(result.map { Array($0.utf8) } == Array(new.utf8))
        #expect(splice.length == new.utf16.count && !splice.text.unicodeScalars.contains("\u{FFFD}"))
    }

    @Test("a splice that reaches beyond its text is none")
    func outside() {
        for (at, out) in [(-1, 0), (0, -1), (4, 0), (0, 4), (2, 2), (Int.max, Int.max)] {
            #expect("abc".spliced(at: at, out: out, with: "x") == nil)
        }
        #expect("abc".spliced(at: 3, out: 0, with: "x") == "abcx")
    }

    @Test("somebody no longer writes when the page leaves the note on which they wrote last")
    func seats() {
        var desk = NoteDesk(at: 0)
        let (noah, mia) = (ParticipantID(high: 1, low: 2), ParticipantID(high: 1, low: 3))
        desk.sit(noah, on: "s")
        desk.sit(noah, on: "t")
        desk.sit(mia, on: "u")
        let left = [(noah, "s"), (mia, "t"), (noah, "t"), (noah, "t")].map { desk.leave($0.0, $0.1) }
        #expect(left == [false, false, true, false])
    }

    @Test("what a session types in a note is one act until it pauses for a minute")
    func acts() {
        var desk = NoteDesk(at: 0)
        let typed = [0, 59, 118, 179].map { second in
            desk.act(of: "s", in: .trip, at: start + .seconds(second), new: UInt64(second))
        }
        #expect(typed == [0, 0, 0, 179])
        let others = [("s", NoteName.item("b4e7")), ("t", .trip)].map { session, note in
            desk.act(of: session, in: note, at: start + .seconds(180), new: 7)
        }
        #expect(others == [7, 7])
    }

    @Test("the last texts are kept, no more of them than a number and a size")
    func texts() {
        var desk = NoteDesk(at: 0)
        let first = NoteText(.trip, "first")
        desk.keep(first)
        for number in 0..<NoteDesk.textsMax - 1 { desk.keep(NoteText(.trip, "text \(number)")) }
        #expect(desk.text(first.mark) == "first")
        desk.keep(first)
        desk.keep(NoteText(.trip, "one more"))
        #expect(desk.text(first.mark) == "first", "it was shown again")
        #expect(desk.text(NoteText(.trip, "text 0").mark) == nil)
        let long = (0..<20).map { NoteText(.trip, String(repeating: "x", count: 1 << 20) + "\($0)") }
        for note in long { desk.keep(note) }
        #expect(desk.text(long[19].mark) != nil && desk.text(long[13].mark) != nil && desk.text(long[10].mark) == nil)
    }

    @Test("readings are numbered from a time on, and none that began before counts for what was done since")
    func readings() {
        var desk = NoteDesk(at: 1_000)
        let first = desk.begin()
        let second = desk.begin()
        #expect((first, second) == (1_001, 1_002) && desk.taken == 1_000)
        desk.take(second)
        desk.take(first)
        #expect(desk.taken == second && desk.begun == second)
    }

    @Test("a guest writes ten thousand pieces of notes, and is told then what to ask their host")
    func allowance() throws {
        var allowance = GuestAllowance()
        try allowance.take(GuestAllowance.writingMax - 1, .writing, host: "Jie")
        #expect(throws: ServiceError("you can write in notes 1 more time: send fewer at once")) {
            try allowance.take(2, .writing, host: "Jie")
        }
        try allowance.take(1, .writing, host: "Jie")
        #expect(throws: ServiceError.self) { try allowance.take(1, .writing, host: "Jie") }
        try allowance.take(1, .votes, host: "Jie")
    }

    private func drawing(_ text: String, around: String = "Casa", writer: String = "") -> Drawing {
        let note = NoteText(.item("b4e7"), text)
        let fragment = Fragment(
            id: "c-1",
            html: tag(.article, .id("c-1")) {
                around
                HTML.part(id: note.name.fragment, tag(.div, .id(note.name.fragment)) { tag(.textarea) { text } })
                HTML.part(id: "who", tag(.p, .id("who")) { writer })
            })
        return Drawing(
            PageContent(
                title: "Trip", fragments: [], lists: [FragmentList(id: "cards", fragments: [fragment])], notes: [note]),
            reading: 7)
    }

    @Test("a page that has a note is sent what changed in it, and one that hasn't all of it")
    func patches() throws {
        var copy = BrowserCopy()
        let drawings = [
            drawing("one"), drawing("one two"), drawing("one two", writer: "Noah is writing"),
            drawing("three", around: "Quinta", writer: "Noah is writing"),
            drawing("three", around: "Quinta", writer: "Noah is writing"),
        ]
        let patches = drawings.map { copy.patch(to: $0) }
        let first = try #require(patches[0])
        #expect(first.notes == nil && first.put.count == 1 && first.reading == 7)
        let patch = try #require(patches[1])
        #expect(patch.put.isEmpty && patch.notes?.map(\.id) == ["note-b4e7"] && patch.reading == 7)
        let splice = try #require(patch.notes?.first?.splice)
        #expect((splice.at, splice.out, splice.text, splice.length) == (3, 0, " two", 7))
        #expect(patch.notes?.first?.mark == NoteText(.trip, "one two").mark)
        let writing = try #require(patches[2])
        #expect(writing.notes == nil && writing.put.map(\.id) == ["who"])
        let whole = try #require(patches[3])
        #expect(whole.notes == nil && whole.put.map(\.id) == ["c-1"])
        #expect(patches[4] == nil)
        let json = String(data: try JSONEncoder().encode(patch), encoding: .utf8) ?? ""
        #expect(json.contains("\"notes\":[{") && json.contains("\"reading\":7"))
    }
}
