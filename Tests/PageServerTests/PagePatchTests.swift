import Testing

@testable import PageServer

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

    @Test("moves lead from any order of up to five regions to any other")
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

    @Test("text of any kind stands in one line of JSON")
    func json() {
        var json = JSONText()
        json.string("\"\\\n\r\t\u{0}\u{2028}é</script>")
        #expect(json.text == #""\"\\\n\r\t\u0000\u2028é</script>""#)
    }
}
