import DeltaCRDT
import Testing

@Suite struct TextLocationTests {
    @Test("each position has a line and a column, and they lead back to it") func locationsLeadBack() {
        let lines = ["", "Lisbon", "日本", "", "ab", ""]
        var text = Text()
        // In runs of two writers, so that lines cross them.
        for (number, letter) in lines.joined(separator: "\n").enumerated() {
            text.insert(String(letter), at: text.utf8Count, by: ReplicaID(high: UInt64(number / 5 % 2), low: 1))
        }
        var position = 0
        for (line, content) in lines.enumerated() {
            for column in 0...content.utf8.count {
                let location = TextLocation(line: line, column: column)
                #expect(text.location(of: position) == location)
                #expect(text.position(of: location) == position)
                position += 1
            }
            #expect(text.position(of: TextLocation(line: line, column: 99)) == position - 1)
        }
        #expect(position == text.utf8Count + 1)
        #expect(text.position(of: TextLocation(line: lines.count, column: 0)) == nil)
        #expect(text.position(of: TextLocation(line: -1, column: 0)) == nil)
        #expect(Text().position(of: TextLocation(line: 0, column: 3)) == 0)
    }
}
