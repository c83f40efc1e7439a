import ChangeLog
import Sodium
import Testing

struct SystemEntropyTests {
    /// 1,000 words and their copies' words are all different, and every bit of a word is drawn. By chance this fails
    /// once in 2^40 runs or rarer.
    @Test func neitherCopiesNorCallsRepeat() {
        var one = SystemEntropy()
        var two = one
        var seen: Set<UInt64> = []
        var set: UInt64 = 0
        var unset: UInt64 = 0
        for _ in 0..<1_000 {
            for word in [one.next(), two.next()] {
                #expect(seen.insert(word).inserted)
                set |= word
                unset |= ~word
            }
        }
        #expect(set == .max && unset == .max)
    }
}
