import Testing
import TripFixtures

@testable import TripModel

/// Names that were mistyped, and texts of others on one's own screen.
@Suite struct TextTests {
    @Test("the nearest name is found, and none where none is near")
    func nearNames() {
        let names = ["Casa do Rio", "Hostel", "Hotel Alfama", "民宿", "Ana"]
        let nearest = { (name: String) in NearNames.nearest(to: name, among: names).map { names[$0] } }
        for (typed, meant) in [
            ("Cas do Rio", "Casa do Rio"), ("casa do rioo", "Casa do Rio"), ("Hsotel", "Hostel"), ("hostl", "Hostel"),
            ("Hotel Alfma", "Hotel Alfama"), ("hotel", "Hotel Alfama"), ("Hotel A", "Hotel Alfama"), ("Anna", "Ana"),
        ] { #expect(nearest(typed) == meant, "\(typed)") }
        for typed in ["", "x", "zzz", "Porto", "民", "An", String(repeating: "Casa", count: 100_000)] {
            #expect(nearest(typed) == nil, "\(typed.prefix(9))")
        }
        #expect(NearNames.nearest(to: "abcd", among: ["abce", "abcf"]) == 0, "the first of equals")
        #expect(
            NearNames.nearest(to: "--limt", among: ["--list", "--limit"]) == 1, "of equals, what has all that was typed"
        )
        #expect(NearNames.nearest(to: "Pot", among: ["Pod", "Pots"]) == 1)
        let people = ["Pia", "Mia 🌻", "Miaaa"]
        #expect(NearNames.nearest("mia", among: people) == "Mia 🌻", "the first that begins so")
        #expect(NearNames.nearest("MIA", among: people + ["mia"]) == "mia", "what differs in case alone")
        let many = (0..<20_000).map { $0 == 15_000 ? "needle" : "hay \($0)" }
        #expect(NearNames.nearest(to: "needlo", among: many) == nil, "a bounded number is looked at")
        #expect(NearNames.nearest(to: "needlo", among: many[14_000...]) == 1_000)
    }

    @Test("an unknown title is answered with the nearest one")
    func didYouMean() throws {
        var world = World(participants: [0])
        for title in ["Casa do Rio", "Boat"] { _ = try world.add(ItemDraft(title: title), on: 0) }
        var live = LiveTrip(world.nodes[0].replica)
        func message(_ text: String) -> String {
            do throws(TripError) {
                _ = try live.resolve(text)
                return ""
            } catch { return error.message }
        }
        #expect(message("Cas do Rio") == "there is no item “Cas do Rio”; did you mean 1 “Casa do Rio”?")
        #expect(message("Castle") == "there is no item “Castle”; see `caravan list`")
    }

    @Test("a foreign text is shown on one line, in its own direction, and no longer than asked for")
    func displayed() {
        for (text, shown) in [
            ("Mia\u{1B}[2J", "Mia [2J"), ("a\nb\r\nc\u{2028}d\u{85}e", "a b c d e"), ("\u{202E}aiM\u{2066}", "aiM"),
            ("民宿 🏡", "民宿 🏡"), ("a\tb", "a b"), ("a\rb", "a b"), ("", ""),
        ] { #expect(Array(text.displayed().utf8) == Array(shown.utf8), "\(shown)") }
        #expect("two\r\nlines\rand\n\u{1B}".displayed(keepsLines: true) == "two\nlines and\n ")
        for (text, shown) in [
            ("a\u{200B}b", "a·b"), ("a\u{61C}\u{FEFF}", "a··"), ("\u{3164}a\u{E0041}", "·a·"),
            ("👩\u{200D}👧 ❤\u{FE0F}", "👩\u{200D}👧 ❤\u{FE0F}"),
            ("نامه\u{200C}ای", "نامه\u{200C}ای"), ("a\u{202E}b", "ab"),
        ] { #expect(Array(text.displayed(marksIdle: true).utf8) == Array(shown.utf8), "\(shown)") }
        #expect("abcdef".displayed(limit: 3) == "abc…" && "abc".displayed(limit: 3) == "abc")
        // A character of any number of scalars is shown whole or not at all.
        let tall = "e" + String(repeating: "\u{301}", count: 1_000)
        #expect(("ab" + tall).displayed(limit: 40) == "ab…")
        #expect(String(repeating: "x", count: 41).quoted == "“\(String(repeating: "x", count: 40))…”")
        #expect(" \u{200B}\u{202E}".isBlank && "".isBlank && !"a".isBlank)
    }
}
