import ChangeLog
import SyncEngine

/// A member's side of a session, whose member says what no honest node would.
struct HostileSession {
    private var handshake: any Handshake
    private var sending: (any TransportCipher)?
    private var buffer: [UInt8] = []

    /// The longest plaintext of a fragment, its header of three bytes included.
    static let fragmentMax = 65_519

    init(
        _ member: DeviceSecrets, epoch: Epoch, ephemeralSecret: Bytes32, cryptography: any SessionCryptography
    ) {
        handshake = cryptography.handshake(
            .initiator, prologue: Array("caravan 1".utf8), presharedKey: epoch.sessionKey,
            staticSecret: member.agreementSecret, ephemeralSecret: ephemeralSecret)
    }

    mutating func firstMessage() -> [UInt8] { (try? handshake.write([])).map(Self.frame) ?? [] }

    var isOpen: Bool { sending != nil }

    /// Takes bytes of the other side. Returns what completes the handshake once it can.
    mutating func heard(_ bytes: [UInt8]) -> [UInt8]? {
        guard sending == nil else { return nil }
        buffer += bytes
        guard buffer.count >= 2 else { return nil }
        let size = Int(buffer[0]) << 8 | Int(buffer[1])
        guard buffer.count >= 2 + size else { return nil }
        guard (try? handshake.read(Array(buffer[2..<2 + size]))) != nil, let last = try? handshake.write([]) else {
            return nil
        }
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
    mutating func fragment(_ part: [UInt8], hasMore: Bool, saying size: Int) -> [UInt8] {
        let header = [
            hasMore ? 1 : 0, UInt8(truncatingIfNeeded: size >> 8), UInt8(truncatingIfNeeded: size),
        ]
        guard let sealed = sending?.seal(header + part) else { return [] }
        return Self.frame(sealed)
    }
}
