import DeltaCRDT

/// What a node says of itself in a session. From a peer that has not proven that it is a member's, it counts once that is proven.
package enum Introduction: Hashable, Sendable {
    /// The sender accepts connections at this port from now on, of the address that the connection is to or from.
    case port(UInt16)
    /// The sender runs this version of the program.
    case version(VersionName)

    /// The number of the message's kind in the protocol, which never changes its meaning.
    enum Kind: UInt8 {
        case port = 20
        case version = 24
    }

    var kind: Kind {
        switch self {
        case .port: .port
        case .version: .version
        }
    }
}

extension Introduction {
    func encode(into encoder: inout CanonicalEncoder) {
        switch self {
        case .port(let port):
            encoder.encode(byte: UInt8(port >> 8))
            encoder.encode(byte: UInt8(port & 255))
        case .version(let name): encoder.encode(name.text)
        }
    }

    /// Reads a body; what follows it stays.
    init(_ kind: Kind, from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        switch kind {
        case .port: self = .port(UInt16(try decoder.decodeByte()) << 8 | UInt16(try decoder.decodeByte()))
        case .version: self = .version(try VersionName(from: &decoder))
        }
    }
}
