import Foundation
import Testing

@testable import PageServer
@testable import TripPage

/// What a patch says leads from one order to the other, in the fewest moves.
struct PagePatchTests {
    /// As the page's script applies it.
    private func apply(_ moves: [PagePatch.Move], to order: [String], keeping new: [String]) -> [String] {
        var order = order.filter(new.contains)
        for move in moves {
            order.removeAll { $0 == move.id }
            let place = move.before.flatMap { order.firstIndex(of: $0) } ?? order.count
            order.insert(move.id, at: place)
        }
        return order
    }

    @Test("moves lead from any order of up to five fragments to any other")
    func allOrders() {
        let all = ["a", "b", "c", "d", "e"]
        func orders(_ rest: [String]) -> [[String]] {
            [[]] + rest.flatMap { next in orders(rest.filter { $0 != next }).map { [next] + $0 } }
        }
        let every = orders(all)
        for old in every.prefix(120) {
            for new in every {
                #expect(apply(PagePatch.moves(from: old, to: new, in: "l"), to: old, keeping: new) == new)
            }
        }
    }

    @Test("one that rises is one move, wherever to")
    func oneMove() {
        let old = (0..<100).map(String.init)
        for to in stride(from: 0, to: 90, by: 7) {
            var new = old
            new.insert(new.remove(at: 95), at: to)
            #expect(PagePatch.moves(from: old, to: new, in: "l").map(\.id) == ["95"])
        }
        #expect(PagePatch.moves(from: old, to: old, in: "l").isEmpty)
    }

    @Test("a token is 32 digits, and no two are alike")
    func tokens() {
        let tokens = Set((0..<1_000).map { _ in Token().text })
        #expect(tokens.count == 1_000 && tokens.allSatisfy { Token($0) != nil })
        for text in ["", "0", String(repeating: "A", count: 32), String(repeating: "é", count: 16)] {
            #expect(Token(text) == nil)
        }
    }

    @Test("a patch stands in one line, whatever was written, and says what it was made of")
    func json() throws {
        let text = "\"\\\n\r\t\u{0}\u{2028}é</script>"
        var patch = PagePatch()
        patch.put = [PagePatch.Put(id: "c-1", html: text)]
        patch.place = PagePatch.moves(from: [], to: ["c-1", "c-2"], in: "cards")
        let json = patch.json
        #expect(!json.contains { $0.isNewline && $0 != "\u{2028}" })
        let read = try JSONDecoder().decode(Patch.self, from: Data(json.utf8))
        #expect(read.put == ["c-1": text] && read.place == [["c-2", "cards", nil], ["c-1", "cards", "c-2"]])
    }

    private func drawing(_ card: String, votes: String) -> Drawing {
        let votes = HTML.part(id: "v-1", tag(.p, .id("v-1")) { votes })
        let fragment = Fragment(id: "c-1", html: tag(.article, .id("c-1")) { .group([.text(card), votes, "end"]) })
        return Drawing(
            PageContent(title: "Trip", fragments: [], lists: [FragmentList(id: "cards", fragments: [fragment])]))
    }

    @Test("of a fragment of which only a part changed, that part is sent; of one that changed around it, all")
    func parts() {
        var copy = BrowserCopy()
        let first = copy.patch(to: drawing("Casa", votes: "1"))
        #expect(first?.put.map(\.html) == ["<article id=\"c-1\">Casa<p id=\"v-1\">1</p>end</article>"])
        #expect(copy.patch(to: drawing("Casa", votes: "1")) == nil)
        let vote = copy.patch(to: drawing("Casa", votes: "2"))
        #expect(vote?.put.map(\.html) == ["<p id=\"v-1\">2</p>"] && vote?.drop == [] && vote?.place == [])
        #expect(copy.patch(to: drawing("Quinta", votes: "2"))?.put.map(\.id) == ["c-1"])
    }

    @Test("drawings of the same content share a digest, and no others do")
    func digest() {
        #expect(drawing("Casa", votes: "1").digest == drawing("Casa", votes: "1").digest)
        #expect(drawing("Casa", votes: "1").digest != drawing("Casa", votes: "2").digest)
    }
}
