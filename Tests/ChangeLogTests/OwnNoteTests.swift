import Convergence
import LogFixtures
import Testing

@testable import ChangeLog

/// What one participant's devices alone can read.
struct OwnNoteTests {
    private let content: [UInt8] = Array("a boat trip".utf8)

    @Test("each of a person's devices reads it, and nobody else, nor anybody where a byte is another")
    func readers() throws {
        let first = Member.secrets(1)
        let second = Member.secrets(2, of: first.device.participant)
        var generator = SeededGenerator(seed: 5)
        let note = OwnNote.seal(
            content, to: [first.device, second.device], using: &generator, Member.cryptography)
        for reader in [first, second] {
            let opened = OwnNote.open(note, with: reader.agreementSecret, using: Member.cryptography)
            #expect(opened?.content == content && opened?.readers == 2)
        }
        let other = Member.secrets(3).agreementSecret
        #expect(OwnNote.open(note, with: other, using: Member.cryptography) == nil)
        for offset in note.indices {
            var altered = note
            altered[offset] ^= 1
            let opened = OwnNote.open(altered, with: first.agreementSecret, using: Member.cryptography)
            // A byte of the other device's box is not this one's to check.
            #expect(opened == nil || (81..<161).contains(offset), "byte \(offset)")
            let cut = OwnNote.open(Array(note[..<offset]), with: first.agreementSecret, using: Member.cryptography)
            #expect(cut == nil)
        }
        let grown = OwnNote.open(note + [1, 2], with: first.agreementSecret, using: Member.cryptography)
        #expect(grown?.content == content, "it may grow at its end")
    }

    @Test("a number of boxes that cannot be there is refused before room is made for them")
    func promises() {
        let secret = Member.secrets(1).agreementSecret
        for note: [UInt8] in [[], [17], [16], [0], [0, 0], [0xFF, 0xFF, 0xFF, 0x0F]] {
            #expect(OwnNote.open(note, with: secret, using: Member.cryptography) == nil)
        }
    }
}
