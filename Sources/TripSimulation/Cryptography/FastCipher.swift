import ChangeLog
import DeltaCRDT
import SyncEngine

/// XOR with a stream of words, and a tag of 16 bytes over header and ciphertext.
enum FastCipher {
    static let tagSize = 16

    /// - Parameter key: used for one message alone.
    static func seal(_ plaintext: [UInt8], under key: Bytes32, authenticating header: [UInt8]) -> [UInt8] {
        let size = plaintext.count
        return [UInt8](unsafeUninitializedCapacity: size + tagSize) { buffer, count in
            count = size + tagSize
            let ciphertext = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[..<size]))
            plaintext.withUnsafeBytes { combine($0, with: key, into: ciphertext) }
            let tag = self.tag(of: UnsafeRawBufferPointer(ciphertext), under: key, authenticating: header)
            let raw = UnsafeMutableRawBufferPointer(buffer)
            raw.storeBytes(of: tag.0.littleEndian, toByteOffset: size, as: UInt64.self)
            raw.storeBytes(of: tag.1.littleEndian, toByteOffset: size + 8, as: UInt64.self)
        }
    }

    /// The same where it stands, from an index of a buffer to its end.
    static func seal(_ buffer: inout [UInt8], from start: Int, under key: Bytes32) {
        let size = buffer.count - start
        buffer.append(contentsOf: repeatElement(0, count: tagSize))
        buffer.withUnsafeMutableBytes { buffer in
            let text = UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + size])
            combine(UnsafeRawBufferPointer(text), with: key, into: text)
            let tag = self.tag(of: UnsafeRawBufferPointer(text), under: key, authenticating: [])
            buffer.storeBytes(of: tag.0.littleEndian, toByteOffset: start + size, as: UInt64.self)
            buffer.storeBytes(of: tag.1.littleEndian, toByteOffset: start + size + 8, as: UInt64.self)
        }
    }

    /// Nil where anything was altered.
    static func open(_ sealed: [UInt8], under key: Bytes32, authenticating header: [UInt8]) -> [UInt8]? {
        open(sealed, in: sealed.indices, under: key, authenticating: header)
    }

    /// The same for a part of some bytes.
    static func open(
        _ bytes: [UInt8], in range: Range<Int>, under key: Bytes32, authenticating header: [UInt8]
    ) -> [UInt8]? {
        let size = range.count - tagSize
        guard size >= 0 else { return nil }
        return bytes.withUnsafeBytes { bytes in
            let sealed = UnsafeRawBufferPointer(rebasing: bytes[range])
            let ciphertext = UnsafeRawBufferPointer(rebasing: sealed[..<size])
            let tag = self.tag(of: ciphertext, under: key, authenticating: header)
            guard tag == (sealed.word(at: size), sealed.word(at: size + 8)) else { return nil }
            return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                count = size
                combine(ciphertext, with: key, into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
    }

    private static func combine(
        _ source: UnsafeRawBufferPointer, with key: Bytes32, into target: UnsafeMutableRawBufferPointer
    ) {
        var counter = key.words.0 ^ FastCryptography.Purpose.stream.rawValue
        let second = key.words.1
        var offset = 0
        while offset + 8 <= source.count {
            counter &+= SplitMix64.increment
            let word = source.word(at: offset) ^ SplitMix64.mixed(counter ^ second)
            target.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        var last = SplitMix64.mixed((counter &+ SplitMix64.increment) ^ second)
        while offset < source.count {
            target[offset] = source[offset] ^ UInt8(truncatingIfNeeded: last)
            last >>= 8
            offset += 1
        }
    }

    private static func tag(
        of ciphertext: UnsafeRawBufferPointer, under key: Bytes32, authenticating header: [UInt8]
    ) -> (UInt64, UInt64) {
        var hash = FastHash(purpose: FastCryptography.Purpose.seal.rawValue, key: key.words)
        hash.absorb(header)
        hash.absorb(ciphertext)
        let words = hash.words()
        return (words.0, words.1)
    }
}

/// One direction of a session: a key, and the number of the next message.
struct FastTransportCipher: TransportCipher {
    private var key: Bytes32
    private var number: UInt64 = 0

    init(key: Bytes32) { self.key = key }

    private var messageKey: Bytes32 {
        let words = key.words
        return Bytes32(
            words: (
                SplitMix64.mixed(words.0 ^ number), SplitMix64.mixed(words.1 &+ number), words.2,
                SplitMix64.mixed(words.3 ^ ~number)
            ))
    }

    mutating func seal(_ plaintext: [UInt8]) -> [UInt8]? {
        defer { number += 1 }
        return FastCipher.seal(plaintext, under: messageKey, authenticating: [])
    }

    mutating func open(_ ciphertext: [UInt8]) -> [UInt8]? {
        guard let plaintext = FastCipher.open(ciphertext, under: messageKey, authenticating: []) else { return nil }
        number += 1
        return plaintext
    }

    mutating func seal(_ buffer: inout [UInt8], from start: Int) -> Bool {
        FastCipher.seal(&buffer, from: start, under: messageKey)
        number += 1
        return true
    }

    mutating func open(_ buffer: [UInt8], in range: Range<Int>) -> [UInt8]? {
        guard let plaintext = FastCipher.open(buffer, in: range, under: messageKey, authenticating: []) else {
            return nil
        }
        number += 1
        return plaintext
    }

    /// The number goes on, as Noise's does (revision 34, section 11.3).
    mutating func rekey() { key = FastCryptography.hash(.rekey, key: key) }
}
