import DeltaCRDT
import Testing

@Suite struct TextTests {
    private let jie = ReplicaID(high: 1, low: 1)
    private let noah = ReplicaID(high: 2, low: 2)
    private let ana = ReplicaID(high: 3, low: 3)

    /// Types letter by letter, each behind the one before it or in front of it, and returns the deltas.
    private func type(_ word: String, in text: inout Text, at position: Int, backwards: Bool, by writer: ReplicaID)
        -> [Text]
    {
        let letters = backwards ? Array(word.reversed()) : Array(word)
        return letters.enumerated().map { number, letter in
            text.insert(String(letter), at: position + (backwards ? 0 : number), by: writer)
        }
    }

    @Test(
        "what two or three type at one place is not mixed, forwards and backwards",
        arguments: [false, true], [false, true])
    func runsAreNotMixed(first: Bool, second: Bool) {
        for context in ["", "(", ")", "()"] {
            var base = Text()
            base.insert(context, at: 0, by: ana)
            let place = context.hasPrefix("(") ? 1 : 0
            var texts = [base, base, base]
            let deltas = [
                type("lisbon", in: &texts[0], at: place, backwards: first, by: jie),
                type("PORTO", in: &texts[1], at: place, backwards: second, by: noah),
                type("12345678", in: &texts[2], at: place, backwards: first != second, by: ana),
            ].flatMap(\.self)
            for index in texts.indices { for delta in deltas.reversed() { texts[index].merge(delta) } }
            let string = texts[0].string
            #expect(texts.allSatisfy { $0 == texts[0] && $0.string == string })
            for word in ["lisbon", "PORTO", "12345678"] { #expect(string.contains(word), "\(string)") }
            #expect(string.count == context.count + 19)
        }
    }

    @Test("a run that comes letter by letter takes no more room than one that comes whole")
    func lettersThatComeAloneAreOneRun() {
        var (mine, theirs) = (Text(), Text())
        mine.insert("ab", at: 0, by: jie)
        theirs.merge(mine)
        for delta in type("between", in: &mine, at: 1, backwards: false, by: jie) { theirs.merge(delta) }
        for _ in 0..<4 { theirs.merge(mine.remove(3..<4)) }
        #expect(theirs.string == "abenb" && theirs == mine)
        #expect(theirs.encoded() == mine.encoded())
    }

    @Test("anchors stay with their character, wherever it goes, and where it was when it is gone")
    func anchorsStay() throws {
        var mine = Text()
        mine.insert("Lisbon in Jüne", at: 0, by: jie)
        var theirs = mine
        let after = mine.anchor(at: 6, staying: .after)
        let before = mine.anchor(at: 6, staying: .before)
        mine.merge(theirs.insert(", Portugal,", at: 6, by: noah))
        #expect(mine.position(of: after) == 6 && mine.position(of: before) == 17)
        mine.merge(theirs.insert("To ", at: 0, by: noah))
        #expect(mine.position(of: after) == 9 && mine.position(of: before) == 20)
        let last = mine.anchor(at: mine.utf8Count - 2, staying: .after)
        mine.remove(7..<9)
        #expect(mine.string == "To Lisb, Portugal, in Jüne" && mine.position(of: after) == 7)
        #expect(mine.position(of: last) == mine.utf8Count - 2)
        #expect(mine.position(of: .beginning) == 0 && mine.position(of: .end) == mine.utf8Count)
        let sent = try SequenceAnchor(decoding: after.encoded())
        let unknown = Text().position(of: sent)
        #expect(sent == after && unknown == nil)
    }

    @Test("characters of several bytes and scalars are inserted, found and removed whole")
    func charactersAreWhole() throws {
        var text = Text()
        text.insert("Zelt 🏕️, Café, 日本", at: 0, by: jie)
        let tent = text.position(ofCharacter: 5)
        text.remove(tent..<text.position(ofCharacter: 6))
        text.replace(text.position(ofCharacter: 7)..<text.position(ofCharacter: 11), with: "Tee", by: noah)
        #expect(text.string == "Zelt , Tee, 日本" && text.characterCount == 14)
        let long = String(repeating: "日本の旅", count: 2000)
        text.insert(long, at: 5, by: jie)
        text.remove(5 + 12 * 700..<5 + 12 * 1900)
        #expect(text.string == "Zelt " + String(repeating: "日本の旅", count: 800) + ", Tee, 日本")
        let read = try Text(decoding: text.encoded())
        #expect(read == text && read.string == text.string)
        #expect(try Text.string(decoding: text.encoded()) == text.string)
    }

    @Test("a position within a scalar is said to be none, before anything is broken") func scalarsAreNotCut() async {
        await #expect(processExitsWith: .failure) {
            var text = Text()
            text.insert("é", at: 0, by: ReplicaID(high: 1, low: 1))
            text.insert("x", at: 1, by: ReplicaID(high: 1, low: 1))
        }
        await #expect(processExitsWith: .failure) {
            var text = Text()
            text.insert("éa", at: 0, by: ReplicaID(high: 1, low: 1))
            text.remove(0..<1)
        }
    }

    @Test("a position outside ends the program, and its message has the position and the last one")
    func positionsAreNamed() async {
        let insertion = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var text = Text()
            text.insert("tent", at: 0, by: ReplicaID(high: 1, low: 1))
            text.insert("s", at: 7, by: ReplicaID(high: 1, low: 1))
        }
        #expect(message(of: insertion).contains("position 7 is not in the text; positions are 0 to 4"))
        let removal = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var text = Text()
            text.insert("tent", at: 0, by: ReplicaID(high: 1, low: 1))
            text.remove(2..<9)
        }
        #expect(message(of: removal).contains("position 9 is not in the text; positions are 0 to 4"))
        let character = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Text().position(ofCharacter: -1)
        }
        #expect(message(of: character).contains("position -1 is not in the text; positions are 0 to 0"))
        let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Int>()[0]
        }
        #expect(message(of: element).contains("position 0 is not in the list; it is empty"))
    }

    private func message(of result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test("a delta before what it stands on waits, unseen, and is shown when that comes")
    func deltasWait() throws {
        var mine = Text()
        let deltas = ["a", "b", "c", "d"].enumerated().map { mine.insert($1, at: $0, by: $0 < 2 ? jie : noah) }
        var theirs = Text()
        var told: [SequenceChange<String>] = []
        for delta in [deltas[3], deltas[1], deltas[2]] { theirs.merge(delta) { told.append($0) } }
        #expect(theirs.string.isEmpty && told.isEmpty && !theirs.isEmpty)
        let read = try Text(decoding: theirs.encoded())
        let alone = try Text.string(decoding: theirs.encoded())
        #expect(read == theirs && alone.isEmpty)
        theirs.merge(deltas[0]) { told.append($0) }
        #expect(theirs.string == "abcd" && theirs == mine)
        #expect(told == ["a", "b", "c", "d"].enumerated().map { .inserted($1, at: $0) })
    }

    @Test("24 writers at one place, a thousand letters each, end alike and unmixed")
    func manyWritersEndAlike() {
        let base = Text()
        var all = Text()
        var words: [String] = []
        for number in 0..<24 {
            var text = base
            let word = String(repeating: Character(Unicode.Scalar(UInt8(97 + number))), count: 1000)
            let deltas = type(
                word, in: &text, at: 0, backwards: number % 2 == 0, by: ReplicaID(high: UInt64(number), low: 1))
            words.append(word)
            for delta in deltas { all.merge(delta) }
        }
        let string = all.string
        #expect(words.allSatisfy(string.contains) && string.utf8.count == 24_000)
    }

    @Test(
        "hostile places: cycles, parents that are not there, 2^55 removed elements; nothing is shown of them, and nothing breaks"
    )
    func hostilePlacesAreBounded() throws {
        let name = jie.bytes
        // One letter that stands left of itself.
        let cycle: [UInt8] = [0x1F, 0, 1, 2, 0x61, 1, 0] + name + [4, 1, 1 << 3 | 4 | 2, 2, 2]
        var text = try Text(decoding: cycle)
        #expect(text.string.isEmpty && text.encoded() == cycle)
        text.insert("here", at: 0, by: noah)
        #expect(text.string == "here")
        // 2^55 removed elements, in a few bytes.
        let huge: [UInt8] = [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x04]
        var removed = try Text(decoding: [0x1F, 0, 0, 0, 1, 0] + name + [20, 1] + huge + [0])
        removed.merge(text)
        removed.insert("there", at: 0, by: noah)
        #expect(try Text(decoding: removed.encoded()) == removed)
        // More alive than there is content; a left child of the beginning; a run that goes on, said to begin.
        for places: [[UInt8]] in [
            [[4, 1, 2 << 3 | 2, 0]], [[4, 1, 1 << 3 | 6, 2, 4 << 1 | 2]], [[4, 1, 1 << 3 | 6, 2, 4 << 1]],
        ] {
            #expect(throws: DecodingFailure.self) {
                try Text(decoding: [0x1F, 0, 0, 2, 0x61, 1, 0] + name + places.flatMap(\.self))
            }
        }
    }
}
