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

    /// What a sealed fragment is longer by than its plaintext, and what its length before it takes.
    private static let tagSize = 16
    private static let lengthSize = 2

    /// The least plaintext that a fragment of so many bytes fits in, its header included.
    private static func bucket(of size: Int) -> Int { buckets.first { $0 >= size } ?? size }

    /// The frames of one message. Nil when the cipher is used up.
    ///
    /// Each fragment is laid out and sealed where it is sent from.
    mutating func seal(_ message: [UInt8]) -> [UInt8]? {
        let room = SecureChannel.buckets[SecureChannel.buckets.count - 1] - SecureChannel.headerSize
        var frames: [UInt8] = []
        var position = 0
        repeat {
            let end = min(position + room, message.count)
            let size = end - position + SecureChannel.headerSize
            let bucket = SecureChannel.bucket(of: size)
            let sealedSize = bucket + SecureChannel.tagSize
            let start = frames.count + SecureChannel.lengthSize
            frames.reserveCapacity(start + sealedSize)
            frames.append(UInt8(sealedSize >> 8))
            frames.append(UInt8(sealedSize & 255))
            frames.append(end == message.count ? 0 : 1)
            frames.append(UInt8((end - position) >> 8))
            frames.append(UInt8((end - position) & 255))
            frames.append(contentsOf: message[position..<end])
            frames.append(contentsOf: repeatElement(0, count: bucket - size))
            guard sending.seal(&frames, from: start) else { return nil }
            precondition(frames.count == start + sealedSize, "a cipher adds a tag of 16 bytes")
            sentSinceRekey += 1
            position = end
        } while position < message.count
        return frames
    }

    mutating func append(_ bytes: [UInt8]) { reader.append(bytes) }

    /// Whether a whole frame waits, which may end a message.
    var hasFrame: Bool { reader.hasFrame }

    /// Bytes that came and were not looked at.
    var waitingBytes: Int { reader.waitingBytes }

    /// Why a channel cannot go on.
    enum Failure: Error, Hashable {
        case altered
        case malformed
        case tooLarge
    }

    /// Some bytes, of which a part is meant.
    struct Part: Sendable {
        let bytes: [UInt8]
        let range: Range<Int>
    }

    /// The next whole message; nil where more bytes are needed.
    mutating func next() throws(Failure) -> Part? {
        while let frame = reader.nextRange() {
            guard let plaintext = receiving.open(reader.buffer, in: frame) else { throw .altered }
            guard plaintext.count >= SecureChannel.headerSize, plaintext[0] <= 1 else { throw .malformed }
            let length = Int(plaintext[1]) << 8 | Int(plaintext[2])
            // In a greater bucket than it needs it would be a way to keep us busy with nothing.
            guard plaintext.count == SecureChannel.bucket(of: length + SecureChannel.headerSize) else {
                throw .malformed
            }
            guard partial.count + length <= Message.sizeMax else { throw .tooLarge }
            let content = SecureChannel.headerSize..<SecureChannel.headerSize + length
            guard plaintext[content.upperBound...].allSatisfy({ $0 == 0 }) else { throw .malformed }
            if plaintext[0] == 0 {
                // Mostly the message is one fragment, and is read where it lies.
                if partial.isEmpty { return Part(bytes: plaintext, range: content) }
                partial += plaintext[content]
                defer { partial = [] }
                return Part(bytes: partial, range: 0..<partial.count)
            }
            partial += plaintext[content]
            // A fragment that more follows is a full one, for the same reason.
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
