import ChangeLog
import DeltaCRDT
import SyncEngine

/// A member's side of a session, whose member says what no honest node would.
struct HostileSession {
    private let member: DeviceSecrets
    private let keys: KeySchedule
    private let ephemeralSecret: Bytes32
    private let cryptography: any SessionCryptography
    /// Begins once the other side has greeted.
    private var handshake: (any Handshake)?
    private var sending: (any TransportCipher)?
    private var buffer: [UInt8] = []

    /// The plaintexts of fragments, their header of three bytes included.
    private static let buckets = [112, 240, 496, 1_008, 2_032, 4_080, 8_176, 16_368, 32_752, fragmentMax]
    static let fragmentMax = 65_519
    /// The size of the server nonce, which the accepting side sends to everybody.
    static let serverNonceSize = 16

    init(
        _ member: DeviceSecrets, epoch: Epoch, ephemeralSecret: Bytes32, cryptography: any SessionCryptography
    ) {
        self.member = member
        self.ephemeralSecret = ephemeralSecret
        self.cryptography = cryptography
        func schedule(_ cryptography: some Cryptography) -> KeySchedule {
            KeySchedule(secret: epoch.secret, using: cryptography)
        }
        keys = schedule(cryptography)
    }

    var isOpen: Bool { sending != nil }

    /// What opens the handshake, under a server nonce.
    mutating func firstMessage(serverNonce: [UInt8]) -> [UInt8] {
        var handshake = cryptography.handshake(
            .initiator, prologue: Array("caravan 1".utf8) + serverNonce, presharedKey: keys.session,
            staticSecret: member.agreementSecret, ephemeralSecret: ephemeralSecret)
        let payload = [UInt8](repeating: 0, count: 18) + [1]
        guard let message = try? handshake.write(payload) else { return [] }
        self.handshake = handshake
        let selector = cryptography.authenticate(serverNonce + message.prefix(32), key: keys.selector)
        return Self.frame(Array(selector.bytes.prefix(16)) + message)
    }

    /// Takes bytes of the other side. Returns what goes on with the handshake once it can.
    mutating func heard(_ bytes: [UInt8]) -> [UInt8]? {
        guard sending == nil else { return nil }
        buffer += bytes
        guard handshake != nil else {
            guard buffer.count >= Self.serverNonceSize else { return nil }
            defer { buffer.removeFirst(Self.serverNonceSize) }
            return firstMessage(serverNonce: Array(buffer.prefix(Self.serverNonceSize)))
        }
        guard buffer.count >= 2 else { return nil }
        let size = Int(buffer[0]) << 8 | Int(buffer[1])
        guard buffer.count >= 2 + size, var handshake, (try? handshake.read(Array(buffer[2..<2 + size]))) != nil,
            let last = try? handshake.write(member.device.replica.bytes)
        else { return nil }
        sending = handshake.transport()?.sending
        return Self.frame(last)
    }

    static func frame(_ message: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: message.count >> 8), UInt8(truncatingIfNeeded: message.count)] + message
    }

    /// The frames of a message, as an honest node would cut it.
    mutating func seal(_ message: [UInt8]) -> [UInt8] {
        var frames: [UInt8] = []
        var rest = message[...]
        repeat {
            let part = rest.prefix(Self.fragmentMax - 3)
            rest = rest.dropFirst(Self.fragmentMax - 3)
            frames += fragment(Array(part), hasMore: !rest.isEmpty, saying: part.count)
        } while !rest.isEmpty
        return frames
    }

    /// One frame whose header says what it likes.
    mutating func fragment(_ part: [UInt8], hasMore: Bool, saying length: Int) -> [UInt8] {
        let header = [
            hasMore ? 1 : 0, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length),
        ]
        let size = header.count + part.count
        let bucket = Self.buckets.first { $0 >= size } ?? size
        guard let sealed = sending?.seal(header + part + [UInt8](repeating: 0, count: bucket - size)) else { return [] }
        return Self.frame(sealed)
    }
}
