/// The two directions of a session after its handshake: messages are cut into fragments, each padded to one of a few
/// sizes and sealed, so that a listener learns little from their lengths.
struct SecureChannel: Sendable {
    private var sending: any TransportCipher
    private var receiving: any TransportCipher
    private var reader: FrameReader
    private var partial: [UInt8] = []
    private(set) var sentSinceRekey = 0

    /// - Parameter reader: the handshake's, with whatever bytes came behind its last message.
    init(_ ciphers: (sending: any TransportCipher, receiving: any TransportCipher), reader: FrameReader) {
        sending = ciphers.sending
        receiving = ciphers.receiving
        self.reader = reader
    }

    /// Plaintext sizes of a fragment, its header included. The last fills the longest frame that Noise allows.
    private static let buckets = [112, 240, 496, 1_008, 2_032, 4_080, 8_176, 16_368, 32_752, 65_519]
    /// Whether more follows, and how many bytes of the fragment count.
    private static let headerSize = 3

    /// The frames of one message. Nil when the cipher is used up.
    mutating func seal(_ message: [UInt8]) -> [UInt8]? {
        var frames: [UInt8] = []
        var rest = message[...]
        let room = SecureChannel.buckets[SecureChannel.buckets.count - 1] - SecureChannel.headerSize
        repeat {
            let part = rest.prefix(room)
            rest = rest.dropFirst(room)
            let size = part.count + SecureChannel.headerSize
            let bucket = SecureChannel.buckets.first { $0 >= size } ?? size
            var plaintext: [UInt8] = []
            plaintext.reserveCapacity(bucket)
            plaintext.append(rest.isEmpty ? 0 : 1)
            plaintext.append(UInt8(part.count >> 8))
            plaintext.append(UInt8(part.count & 255))
            plaintext.append(contentsOf: part)
            plaintext.append(contentsOf: repeatElement(0, count: bucket - size))
            guard let ciphertext = sending.seal(plaintext) else { return nil }
            frames += FrameReader.frame(ciphertext)
            sentSinceRekey += 1
        } while !rest.isEmpty
        return frames
    }

    mutating func append(_ bytes: [UInt8]) { reader.append(bytes) }

    /// Why a channel cannot go on.
    enum Failure: Error, Hashable {
        case altered
        case malformed
        case tooLarge
    }

    /// The next whole message; nil where more bytes are needed.
    mutating func next() throws(Failure) -> [UInt8]? {
        while let frame = reader.next() {
            guard let plaintext = receiving.open(frame) else { throw .altered }
            guard plaintext.count >= SecureChannel.headerSize, plaintext[0] <= 1 else { throw .malformed }
            let length = Int(plaintext[1]) << 8 | Int(plaintext[2])
            guard length <= plaintext.count - SecureChannel.headerSize else { throw .malformed }
            guard partial.count + length <= Message.sizeMax else { throw .tooLarge }
            partial += plaintext[SecureChannel.headerSize..<SecureChannel.headerSize + length]
            if plaintext[0] == 0 {
                defer { partial = [] }
                return partial
            }
            // A fragment that more follows is a full one: anything else would be a way to keep us busy with nothing.
            guard length == SecureChannel.buckets[SecureChannel.buckets.count - 1] - SecureChannel.headerSize else {
                throw .malformed
            }
        }
        return nil
    }

    mutating func rekeySending() {
        sending.rekey()
        sentSinceRekey = 0
    }

    mutating func rekeyReceiving() { receiving.rekey() }
}
