private import CSodium
import DeltaCRDT

/// An answer to a hidden question, which nobody can read before the question is closed: a commitment (Blum, 1983).
package struct SealedAnswer: Hashable, Sendable {
    /// BLAKE2b-256 (RFC 7693) of the question, its author, a nonce and the answer.
    package let commitment: [UInt8]
    /// What its author's own devices read of it, so that each of them can reveal it.
    package let note: [UInt8]

    /// The most bytes of a note.
    package static let noteMax = 1 << 15

    /// Nil unless the commitment has 32 bytes and the note at most `noteMax`.
    package init?(commitment: [UInt8], note: [UInt8]) {
        guard commitment.count == 32, note.count <= Self.noteMax else { return nil }
        self.commitment = commitment
        self.note = note
    }
}

/// What shows that a sealed answer was this one. The hash binds: nobody finds another answer for a commitment.
package struct RevealedAnswer: Hashable, Sendable {
    package let nonce: [UInt8]
    package let answer: Answer

    package static let nonceSize = 32
    /// Notes are as long as a multiple of this: so their length says little of what was chosen.
    private static let noteStep = 256

    /// Nil unless the nonce has `nonceSize` bytes. It must be random, or others find the answer by trying all.
    package init?(nonce: [UInt8], answer: Answer) {
        guard nonce.count == Self.nonceSize else { return nil }
        self.nonce = nonce
        self.answer = answer
    }

    /// The commitment to it by somebody, for one question. O(n).
    package func commitment(to question: ItemID, by participant: ParticipantID) -> [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(fixed: Array("caravan answer".utf8))
        encoder.encode(question.operation)
        encoder.encode(fixed: participant.bytes)
        encoder.encode(fixed: nonce)
        encoder.encode(answer)
        var hash = [UInt8](repeating: 0, count: 32)
        crypto_generichash(&hash, hash.count, encoder.bytes, UInt64(encoder.bytes.count), nil, 0)
        return hash
    }

    /// The content of a note, padded with zeros.
    /// - Parameter options: those of the question. A note has room for all of them, so that its length does not say how many were chosen.
    package func note(beside options: [String]) -> [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(fixed: nonce)
        encoder.encode(answer)
        let room = options.reduce(Self.nonceSize + 2) { $0 + $1.utf8.count + 4 }
        let steps = (max(encoder.bytes.count, room) + Self.noteStep - 1) / Self.noteStep
        return encoder.bytes + Array(repeating: 0, count: steps * Self.noteStep - encoder.bytes.count)
    }

    /// Reads the content of a note.
    package init?(note: [UInt8]) {
        var decoder = CanonicalDecoder(note)
        guard let nonce = try? decoder.decodeFixed(Self.nonceSize), let answer = try? decoder.decodeAnswer() else {
            return nil
        }
        self.init(nonce: Array(nonce), answer: answer)
    }
}
