import Testing

@testable import TripModel

/// What turns one text into another, for what it may cost. What it makes of notes is tested with those.
struct TextDifferenceTests {
    @Test("words are compared while there are few, of all lines together")
    func bounded() {
        let told = { (most: Int) in
            TextDifference.replacements(from: "a b\n=\nc d\n", to: "a x\n=\nc y\n", most: most)
                .map { "\($0.range) \($0.text)" }
        }
        #expect(told(6) == ["2..<3 x", "8..<9 y"])
        #expect(told(4) == ["2..<3 x", "6..<10 c y\n"])
        #expect(told(1) == ["0..<10 a x\n=\nc y\n"])
    }
}
