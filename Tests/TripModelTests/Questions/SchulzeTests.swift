import Testing
import TripFixtures

@testable import TripModel

/// Schulze's method by published examples, and by its own laws.
@Suite struct SchulzeTests {
    /// - Parameter ballots: how many voted for which order, by letters; "A=B" ranks both alike.
    private func schulze(_ options: String, _ ballots: [(Int, String)]) -> Schulze {
        let letters = options.map { $0 }
        let all = ballots.flatMap { count, order -> [[Int: Int]] in
            var ranks: [Int: Int] = [:]
            for (rank, group) in order.split(separator: ">").enumerated() {
                for letter in group.split(separator: "=") {
                    ranks[letters.firstIndex(of: Character(String(letter))) ?? -1] = rank + 1
                }
            }
            return Array(repeating: ranks, count: count)
        }
        return Schulze(all, options: letters.count)
    }

    private func words(_ options: String, _ schulze: Schulze) -> String {
        let letters = options.map { String($0) }
        return schulze.ranking.map { $0.map { letters[$0] }.joined(separator: "=") }.joined(separator: ">")
    }

    @Test("45 voters of Wikipedia's example, with their pairwise table")
    func wikipedia() {
        let result = schulze(
            "ABCDE",
            [
                (5, "A>C>B>E>D"), (5, "A>D>E>C>B"), (8, "B>E>D>A>C"), (3, "C>A>B>E>D"), (7, "C>A>E>B>D"),
                (2, "C>B>A>D>E"), (7, "D>C>E>B>A"), (8, "E>B>A>D>C"),
            ])
        #expect(
            result.preferences == [
                [0, 20, 26, 30, 22], [25, 0, 16, 33, 18], [19, 29, 0, 17, 24], [15, 12, 28, 0, 14],
                [23, 27, 21, 31, 0],
            ])
        #expect(words("ABCDE", result) == "E>A>C>B>D")
    }

    @Test("Schulze's own examples: 30 voters of four options, and a tie of nine")
    func schulzesExamples() {
        // Section 3.1 of the paper: S(D) wins.
        let first = schulze(
            "ABCD", [(8, "A>C>D>B"), (2, "B>A>D>C"), (4, "C>D>B>A"), (4, "D>B>A>C"), (3, "D>C>B>A")])
        #expect(words("ABCD", first) == "D>A>C>B")
        // Section 3.2: neither of A and C beats the other in full; D is first, with the others tied in part.
        let second = schulze("ABCD", [(3, "A>B>C>D"), (2, "C>B>D>A"), (2, "D>A>B>C"), (2, "D>B>C>A")])
        #expect(second.ranking.first?.count == 2)
    }

    @Test("what nobody ranked, and what all rank alike, is equal")
    func ties() {
        #expect(words("ABC", schulze("ABC", [])) == "A=B=C")
        #expect(words("ABC", schulze("ABC", [(2, "A=B>C")])) == "A=B>C")
        #expect(words("ABC", schulze("ABC", [(1, "A>B>C"), (1, "B>C>A"), (1, "C>A>B")])) == "A=B=C")
        // What is not ranked comes last.
        #expect(words("ABC", schulze("ABC", [(2, "B")])) == "B>A=C")
    }

    @Test("an option that beats all others in pairs is first, one that loses to all is last", arguments: 0..<200)
    func condorcet(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let options = 2 + Int(generator.next() % 5)
        let ballots = (0..<(1 + Int(generator.next() % 9))).map { _ in
            Dictionary(uniqueKeysWithValues: (0..<options).map { ($0, 1 + Int(generator.next() % UInt64(options))) })
        }
        let result = Schulze(ballots, options: options)
        #expect(result.ranking.flatMap(\.self).sorted() == Array(0..<options))
        for one in 0..<options {
            let others = (0..<options).filter { $0 != one }
            if others.allSatisfy({ result.preferences[one][$0] > result.preferences[$0][one] }) {
                #expect(result.ranking.first == [one])
            }
            if others.allSatisfy({ result.preferences[one][$0] < result.preferences[$0][one] }) {
                #expect(result.ranking.last == [one])
            }
        }
        // Everybody turned round turns the order round (reversal symmetry).
        let reversed = Schulze(ballots.map { $0.mapValues { options + 1 - $0 } }, options: options)
        #expect(
            reversed.ranking.first == result.ranking.last || result.ranking.count == 1
                || reversed.ranking.last != result.ranking.last)
    }
}
