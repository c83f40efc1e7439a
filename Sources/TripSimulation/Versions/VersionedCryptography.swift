import ChangeLog
import DeltaCRDT
import SyncEngine

/// What a machine of a mixed group speaks and hears: a session's bytes between its node and the cipher.
///
/// A newer one writes more at the end of every message that has room for it, and a message that nobody else knows in the
/// place of every ping. An older one speaks and hears as it is, or with a fault.
struct VersionedCryptography: LayeredCryptography {
    let sound: any SessionCryptography
    let version: Version
    let mutation: TripMutation?

    func handshake(
        _ role: HandshakeRole, prologue: [UInt8], presharedKey: Bytes32, staticSecret: Bytes32, ephemeralSecret: Bytes32
    ) -> any Handshake {
        VersionedHandshake(
            sound: sound.handshake(
                role, prologue: prologue, presharedKey: presharedKey, staticSecret: staticSecret,
                ephemeralSecret: ephemeralSecret),
            version: version, mutation: mutation)
    }
}

private struct VersionedHandshake: Handshake {
    var sound: any Handshake
    let version: Version
    let mutation: TripMutation?

    mutating func write(_ payload: [UInt8]) throws(HandshakeFailure) -> [UInt8] { try sound.write(payload) }
    mutating func read(_ message: [UInt8]) throws(HandshakeFailure) -> [UInt8] { try sound.read(message) }
    mutating func show(_ staticSecret: Bytes32) { sound.show(staticSecret) }
    var isComplete: Bool { sound.isComplete }
    var remoteStaticKey: Bytes32? { sound.remoteStaticKey }

    func transport() -> (sending: any TransportCipher, receiving: any TransportCipher)? {
        guard let (sending, receiving) = sound.transport() else { return nil }
        return switch (version, mutation) {
        case (.newer, _): (NewerSpeech(sound: sending), receiving)
        case (.older, .withheldUnknown): (WithholdingSpeech(sound: sending), receiving)
        case (.older, .refusedUnknown): (sending, RefusingHearing(sound: receiving))
        case (.older, _): (sending, receiving)
        }
    }
}

/// One fragment of a message as it is sealed: a flag whether more follows, a length, the part, and zeros up to one of a few
/// sizes.
private struct MessageFragment {
    private static let headerSize = 3

    let hasMore: Bool
    var part: [UInt8]
    let size: Int

    init?(_ plaintext: [UInt8]) {
        guard plaintext.count >= Self.headerSize else { return nil }
        let length = Int(plaintext[1]) << 8 | Int(plaintext[2])
        guard length <= plaintext.count - Self.headerSize else { return nil }
        hasMore = plaintext[0] != 0
        part = Array(plaintext[Self.headerSize..<Self.headerSize + length])
        size = plaintext.count
    }

    /// Bytes that the part may be longer by.
    var room: Int { size - Self.headerSize - part.count }

    var plaintext: [UInt8] {
        [hasMore ? 1 : 0, UInt8(part.count >> 8), UInt8(part.count & 255)] + part
            + [UInt8](repeating: 0, count: room)
    }
}

/// The records of a message that brings changes; nil for every other one.
private func records(_ message: [UInt8]) -> [[UInt8]]? {
    guard message.first == Message.changes([]).encoding.first else { return nil }
    var decoder = CanonicalDecoder(message, in: 1..<message.count)
    guard let count = try? decoder.decodeCount(limit: .max) else { return nil }
    var records: [[UInt8]] = []
    for _ in 0..<count {
        guard let record = try? decoder.decodeBytes(limit: ChangeBounds.recordBytesMax) else { return nil }
        records.append(record)
    }
    return records
}

/// Whether a change says something that the older version does not know.
private func isUnknown(_ record: [UInt8]) -> Bool {
    guard let content = try? SignedChange(record: record, using: FastCryptography()).change.content else {
        return false
    }
    return Version.older.misses(content)
}

/// A cipher that stands before another.
private protocol LayeredCipher: TransportCipher {
    var sound: any TransportCipher { get set }
}

extension LayeredCipher {
    mutating func seal(_ plaintext: [UInt8]) -> [UInt8]? { sound.seal(plaintext) }
    mutating func open(_ ciphertext: [UInt8]) -> [UInt8]? { sound.open(ciphertext) }
    mutating func rekey() { sound.rekey() }
}

private struct NewerSpeech: LayeredCipher {
    var sound: any TransportCipher

    /// A message that no version has, and what follows the body of every other.
    private static let message: [UInt8] = [92] + Array("what is newer".utf8)
    private static let appendix = Array("and what is newer".utf8)

    mutating func seal(_ plaintext: [UInt8]) -> [UInt8]? {
        guard var fragment = MessageFragment(plaintext), !fragment.hasMore, fragment.room >= Self.appendix.count else {
            return sound.seal(plaintext)
        }
        if fragment.part == Message.ping.encoding {
            fragment.part = Self.message
        } else {
            fragment.part += Self.appendix
        }
        return sound.seal(fragment.plaintext)
    }
}

/// The fault: an older version passes on what it knows alone.
private struct WithholdingSpeech: LayeredCipher {
    var sound: any TransportCipher
    private var isWithin = false

    init(sound: any TransportCipher) { self.sound = sound }

    mutating func seal(_ plaintext: [UInt8]) -> [UInt8]? {
        guard var fragment = MessageFragment(plaintext) else { return sound.seal(plaintext) }
        defer { isWithin = fragment.hasMore }
        guard !isWithin, !fragment.hasMore, let records = records(fragment.part) else { return sound.seal(plaintext) }
        let known = Message.changes(records.filter { !isUnknown($0) }).encoding
        // As long as it was: in a size that is greater than it needs, it would be refused.
        fragment.part = known + [UInt8](repeating: 0, count: fragment.part.count - known.count)
        return sound.seal(fragment.plaintext)
    }
}

/// The fault: an older version ends a session for what it does not know.
private struct RefusingHearing: LayeredCipher {
    var sound: any TransportCipher
    private var isWithin = false

    init(sound: any TransportCipher) { self.sound = sound }

    mutating func open(_ ciphertext: [UInt8]) -> [UInt8]? {
        guard let plaintext = sound.open(ciphertext), let fragment = MessageFragment(plaintext) else { return nil }
        defer { isWithin = fragment.hasMore }
        guard !isWithin, !fragment.hasMore, let kind = fragment.part.first else { return plaintext }
        let isKnown = kind <= Message.epochWanted(Bytes16(high: 0, low: 0)).encoding[0]
        return isKnown && !(records(fragment.part) ?? []).contains(where: isUnknown) ? plaintext : nil
    }
}
