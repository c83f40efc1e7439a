package import ChangeLog
import DeltaCRDT

/// What lies in a mailbox: a letter, sealed and padded. Nobody without the epoch's secret can tell anything of it but its size.
package enum MailboxBlock {
    /// The greatest block, in bytes: a change of the greatest size fits.
    package static let sizeMax = 2 << 20
    /// Blocks are padded to a power of two between these, in bytes, and longer ones as Padmé has it (Nikitin, Barman, Lueks,
    /// Underwood, Hubaux, Ford: *Reducing metadata leakage from encrypted files*, 2019).
    private static let powersOfTwo = 1_024...65_536

    private static let nonceSize = 24
    private static let tagSize = 16
    private static let boxSize = SealedBox.overhead + 32

    /// Who can read a block.
    private enum Kind: UInt8 {
        /// All who hold the epoch's secret.
        case open = 1
        /// Those of them for whom it holds a box.
        case boxed = 2
        /// In an invite's slots, who hold its link.
        case joinRequest = 3
        case joinAnswer = 4
    }

    /// What there is in a block.
    package enum Content: Hashable, Sendable {
        case letter([UInt8])
        /// A letter for the devices that its author sealed it to.
        case boxedLetter([UInt8])
        /// Somebody asks to be let in, or is answered.
        case joinRequest([UInt8])
        case joinAnswer([UInt8])
        /// It holds boxes, and none for this device; or a newer version made it.
        case notForThisDevice
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
            let key = Bytes32.random(using: &generator)
            var boxes: [[UInt8]] = []
            for device in devices.prefix(ChangeBounds.grantBoxesMax) {
                let box = SealedBox.seal(
                    key.bytes, to: device.agreementKey, ephemeralSecret: .random(using: &generator), using: cryptography
                )
                if let box { boxes.append(box) }
            }
            encoder.encode(byte: Kind.boxed.rawValue)
            encoder.encode(count: boxes.count)
            for box in boxes { encoder.encode(fixed: box) }
            encoder.encode(
                cryptography.encrypt(letter, nonce: onlyNonce, key: key, authenticating: slot.associatedData))
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
        case nil: return .notForThisDevice
        case .open, .joinRequest, .joinAnswer: break
        case .boxed:
            let count = try decoder.decodeCount(limit: ChangeBounds.grantBoxesMax, minimumSize: boxSize)
            for _ in 0..<count { boxes.append(Array(try decoder.decodeFixed(boxSize))) }
        }
        let letter = try decoder.decodeBytes(limit: sizeMax)
        guard opened[decoder.offset...].allSatisfy({ $0 == 0 }) else { throw .trailingBytes }
        switch kind {
        case .open: return .letter(letter)
        case .joinRequest: return .joinRequest(letter)
        case .joinAnswer: return .joinAnswer(letter)
        case .boxed, nil: break
        }
        let key = boxes.lazy.compactMap {
            SealedBox.open($0, with: reader.agreementSecret, using: cryptography).flatMap { Bytes32($0) }
        }.first
        guard let key else { return .notForThisDevice }
        let unsealed = cryptography.decrypt(
            letter, nonce: onlyNonce, key: key, authenticating: slot.associatedData)
        guard let unsealed else { throw .notCanonical }
        return .boxedLetter(unsealed)
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
    private static let onlyNonce = [UInt8](repeating: 0, count: nonceSize)
}

extension MailboxSlot {
    /// What binds a block, and a letter's signature, to its slot.
    var associatedData: [UInt8] { Array("caravan mailbox".utf8) + prefix.bytes + tag.bytes }
}
