import CAvahi
import LibC
import SyncEngine

extension NetworkInterfaces {
    /// What Avahi found on an interface, as an address to dial. Nil where no honest peer can be there: another host's
    /// record may say anything, and nobody shall make this node dial its own machine, a group or nothing at all.
    func peerAddress(_ address: AvahiAddress, port: UInt16, interface: Int32) -> PeerAddress? {
        guard port != 0 else { return nil }
        let isLoopback = self[interface]?.isLoopback ?? false
        switch address.proto {
        case Avahi.ipv4:
            let bytes = withUnsafeBytes(of: address.data.ipv4.address) { Array($0) }  // in the network's order
            switch bytes[0] {
            case 0, 224...255: return nil
            case 127 where !isLoopback: return nil
            default: return PeerAddress(host: bytes.map(String.init).joined(separator: "."), port: port)
            }
        case Avahi.ipv6:
            let bytes = withUnsafeBytes(of: address.data.ipv6.address) { Array($0) }
            let isOurselves = bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
            let isIPv4 = bytes.prefix(10).allSatisfy { $0 == 0 }  // mapped, compatible or unspecified
            guard bytes[0] != 0xff, isOurselves ? isLoopback : !isIPv4, var host = Self.text(bytes) else { return nil }
            if bytes[0] == 0xfe, bytes[1] & 0xc0 == 0x80 {
                // Without its scope a link-local address is EINVAL to connect(2).
                guard interface > 0 else { return nil }
                host += "%" + (self[interface]?.name ?? String(interface))
            }
            return PeerAddress(host: host, port: port)
        default:
            return nil
        }
    }

    private static func text(_ ipv6: [UInt8]) -> String? {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, ipv6, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
