import Attachments
package import ChangeLog
import DeltaCRDT

/// What lies in a mailbox: a letter, or chunks of photos, sealed and padded. Nobody without the epoch's secret can tell anything of it but its size.
package enum MailboxBlock {
    /// The greatest block, in bytes: a change of the greatest size fits.
    package static let sizeMax = 2 << 20
    /// Blocks are padded to a power of two between these, in bytes, and longer ones as Padmé has it (Nikitin, Barman, Lueks,
    /// Underwood, Hubaux, Ford: *Reducing metadata leakage from encrypted files*, 2019).
    private static let powersOfTwo = 1_024...65_536

    private static let nonceSize = 24
    private static let tagSize = 16
    /// Chunks of photos in one block: with a box for each device that a trip can have, it is not too long.
    package static let chunksMax = 16

    /// Who can read a block.
    private enum Kind: UInt8 {
        /// All who hold the epoch's secret.
        case open = 1
        /// Those of them for whom it holds a box.
        case boxed = 2
        /// In an invite's slots, who hold its link.
        case joinRequest = 3
        case joinAnswer = 4
        /// Chunks of photos, for all who hold the epoch's secret, or for those of them for whom it holds a box.
        case chunks = 5
    }

    /// What there is in a block.
    package enum Content: Hashable, Sendable {
        case letter([UInt8])
        /// A letter for the devices that its author sealed it to.
        case boxedLetter([UInt8])
        /// Somebody asks to be let in, or is answered.
        case joinRequest([UInt8])
        case joinAnswer([UInt8])
        /// Pieces of photos, each named by its hash alone. Where they are sealed to devices: what their sealer held.
        case chunks([[UInt8]], boxedAt: [Bytes32]?)
        /// It holds boxes, and none for this device.
        case notForThisDevice
        /// A newer version made it.
        case unknown
    }

    /// Seals a letter.
    ///
    /// - Parameters:
    ///   - devices: to each the block's key is sealed; nil where all who hold the epoch's secret may read it.
    ///   - generator: must be a cryptographic one.
    /// - Returns: nil where it would be longer than `sizeMax`.
    package static func seal(
        _ letter: [UInt8], in slot: MailboxSlot, under keys: MailboxKeys, to devices: [Device]? = nil,
        using generator: inout some RandomNumberGenerator, _ cryptography: some Cryptography
    ) -> [UInt8]? {
        var encoder = CanonicalEncoder(reservingCapacity: letter.count + 16)
        if let devices {
            encoder.encode(byte: Kind.boxed.rawValue)
            encoder.encodeBoxed(letter, in: slot, to: devices, using: &generator, cryptography)
        } else {
            encoder.encode(byte: Kind.open.rawValue)
            encoder.encode(letter)
        }
        return seal(content: encoder.bytes, in: slot, under: keys, using: &generator, cryptography)
    }

    /// Seals what somebody says who asks to be let in, or is told who asked.
    static func seal(
        _ note: JoinNote, in slot: MailboxSlot, under keys: MailboxKeys,
        using generator: inout some RandomNumberGenerator,
        _ cryptography: some Cryptography
    ) -> [UInt8]? {
        var encoder = CanonicalEncoder()
        switch note {
        case .request(let request):
            encoder.encode(byte: Kind.joinRequest.rawValue)
            encoder.encode(request.encoding)
        case .answer(let answer):
            encoder.encode(byte: Kind.joinAnswer.rawValue)
            encoder.encode(answer.encoding)
        }
        return seal(content: encoder.bytes, in: slot, under: keys, using: &generator, cryptography)
    }

    /// Seals chunks of photos, as a letter is sealed. At most `chunksMax`, each of at most `Blob.chunkSize` bytes.
    /// - Parameter have: what is durable here, if they are sealed to devices: it shows which devices their sealer knew.
    package static func seal(
        chunks: [[UInt8]], in slot: MailboxSlot, under keys: MailboxKeys, to devices: [Device]? = nil,
        have: [Bytes32] = [], using generator: inout some RandomNumberGenerator, _ cryptography: some Cryptography
    ) -> [UInt8]? {
        var list = CanonicalEncoder(reservingCapacity: chunks.reduce(16) { $0 + $1.count + 4 })
        list.encode(count: chunks.count)
        for chunk in chunks { list.encode(chunk) }
        var encoder = CanonicalEncoder(reservingCapacity: list.bytes.count + 16)
        encoder.encode(byte: Kind.chunks.rawValue)
        if let devices {
            list.encode(count: have.count)
            for hash in have { list.encode(fixed: hash.bytes) }
            encoder.encodeBoxed(list.bytes, in: slot, to: devices, using: &generator, cryptography)
        } else {
            encoder.encode(count: 0)
            encoder.encode(list.bytes)
        }
        return seal(content: encoder.bytes, in: slot, under: keys, using: &generator, cryptography)
    }

    private static func seal(
        content: [UInt8], in slot: MailboxSlot, under keys: MailboxKeys,
        using generator: inout some RandomNumberGenerator, _ cryptography: some Cryptography
    ) -> [UInt8]? {
        let size = paddedSize(nonceSize + content.count + tagSize)
        guard size <= sizeMax else { return nil }
        let padding = [UInt8](repeating: 0, count: size - nonceSize - content.count - tagSize)
        let nonce = Array(Bytes32.random(using: &generator).bytes.prefix(nonceSize))
        return nonce
            + cryptography.encrypt(
                content + padding, nonce: nonce, key: keys.seal, authenticating: slot.associatedData)
    }

    /// Opens a block; nil where it is none of this slot's, or was altered.
    package static func open(
        _ block: [UInt8], in slot: MailboxSlot, under keys: MailboxKeys, by reader: DeviceSecrets,
        using cryptography: some Cryptography
    ) -> Content? {
        guard block.count <= sizeMax, block.count > nonceSize + tagSize else { return nil }
        let opened = cryptography.decrypt(
            Array(block[nonceSize...]), nonce: Array(block[..<nonceSize]), key: keys.seal,
            authenticating: slot.associatedData)
        guard let opened else { return nil }
        return try? content(of: opened, in: slot, by: reader, using: cryptography)
    }

    private static func content(
        of opened: [UInt8], in slot: MailboxSlot, by reader: DeviceSecrets, using cryptography: some Cryptography
    ) throws(DecodingFailure) -> Content {
        var decoder = CanonicalDecoder(opened)
        let kind = Kind(rawValue: try decoder.decodeByte())
        var boxes: [[UInt8]] = []
        switch kind {
        case nil: return .unknown
        case .open, .joinRequest, .joinAnswer: break
        case .boxed, .chunks:
            boxes = try decoder.decodeBoxes(limit: ChangeBounds.grantBoxesMax)
        }
        let letter = try decoder.decodeBytes(limit: sizeMax)
        guard opened[decoder.offset...].allSatisfy({ $0 == 0 }) else { throw .trailingBytes }
        switch kind {
        case .open: return .letter(letter)
        case .joinRequest: return .joinRequest(letter)
        case .joinAnswer: return .joinAnswer(letter)
        case .chunks where boxes.isEmpty: return try chunks(of: letter, isBoxed: false)
        case .boxed, .chunks, nil: break
        }
        guard let key = SealedBox.open(firstOf: boxes, with: reader.agreementSecret, using: cryptography) else {
            return .notForThisDevice
        }
        let unsealed = cryptography.decrypt(
            letter, nonce: onlyNonce, key: key, authenticating: slot.associatedData)
        guard let unsealed else { throw .notCanonical }
        return kind == .chunks ? try chunks(of: unsealed, isBoxed: true) : .boxedLetter(unsealed)
    }

    /// A list that may have grown at its end.
    private static func chunks(of list: [UInt8], isBoxed: Bool) throws(DecodingFailure) -> Content {
        var decoder = CanonicalDecoder(list)
        var chunks: [[UInt8]] = []
        for _ in 0..<(try decoder.decodeCount(limit: chunksMax, minimumSize: 1)) {
            let chunk = try decoder.decodeBytes(limit: Blob.chunkSize)
            guard !chunk.isEmpty else { throw .notCanonical }
            chunks.append(chunk)
        }
        guard isBoxed else { return .chunks(chunks, boxedAt: nil) }
        var have: [Bytes32] = []
        let count = decoder.remaining > 0 ? try decoder.decodeCount(limit: MailboxLetter.haveMax, minimumSize: 32) : 0
        for _ in 0..<count {
            have.append(try decoder.decodeBytes32())
        }
        return .chunks(chunks, boxedAt: have)
    }

    /// How long a block is whose content would take so many bytes.
    static func paddedSize(_ size: Int) -> Int {
        if size <= powersOfTwo.upperBound {
            var padded = powersOfTwo.lowerBound
            while padded < size { padded *= 2 }
            return padded
        }
        let exponent = Int.bitWidth - 1 - size.leadingZeroBitCount
        let significant = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = (1 << (exponent - significant)) - 1
        return (size + mask) & ~mask
    }

    /// A block's own key seals one letter.
    fileprivate static let onlyNonce = [UInt8](repeating: 0, count: nonceSize)
}

extension CanonicalEncoder {
    /// Appends bytes under a key of their own, and before them this key for each of some devices.
    fileprivate mutating func encodeBoxed(
        _ bytes: [UInt8], in slot: MailboxSlot, to devices: [Device], using generator: inout some RandomNumberGenerator,
        _ cryptography: some Cryptography
    ) {
        let key = Bytes32.random(using: &generator)
        encode(
            boxes: SealedBox.seal(
                key, toEach: devices.prefix(ChangeBounds.grantBoxesMax), using: &generator, cryptography))
        encode(
            cryptography.encrypt(
                bytes, nonce: MailboxBlock.onlyNonce, key: key, authenticating: slot.associatedData))
    }
}

extension MailboxSlot {
    /// What binds a block, and a letter's signature, to its slot.
    var associatedData: [UInt8] { Array("caravan mailbox".utf8) + prefix.bytes + tag.bytes }
}
