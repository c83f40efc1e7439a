import Foundation

/// The router of the network that this machine is on. Its hardware address tells one Wi-Fi from another, where names and
/// numbers are often the same.
package enum Router {
    /// "wlan0 a4:2b:b0:11:22:33"; nil where the machine knows no router, or has not spoken with it.
    package static var mark: String? {
        mark(routes: text("/proc/net/route"), neighbors: text("/proc/net/arp"))
    }

    /// - Parameters:
    ///   - routes: as /proc/net/route has them: interface, destination, gateway, flags, use, use, metric, mask.
    ///   - neighbors: as /proc/net/arp has them: address, type, flags, hardware address, mask, interface.
    static func mark(routes: String, neighbors: String) -> String? {
        let table = { (text: String) in
            text.split(separator: "\n").dropFirst().map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        }
        let ways = table(routes).filter { $0.count >= 8 && $0[1] == "00000000" && $0[7] == "00000000" }
        guard let way = ways.min(by: { (Int($0[6]) ?? .max) < (Int($1[6]) ?? .max) }),
            let gateway = UInt32(way[2], radix: 16), gateway != 0
        else { return nil }
        // In the machine's order of bytes, which is little-endian wherever this runs.
        let address = (0..<4).map { String(gateway >> (8 * UInt32($0)) & 0xFF) }.joined(separator: ".")
        let known = table(neighbors).first { $0.count >= 6 && $0[0] == address && $0[5] == way[0] }
        guard let hardware = known?[3], !shared.contains(where: hardware.hasPrefix) else { return nil }
        return "\(way[0]) \(hardware)"
    }

    /// How hardware addresses begin that many networks have alike: none, those of redundant routers (VRRP, RFC 9568; HSRP), and
    /// those of containers' bridges.
    private static let shared = [
        "00:00:00:00:00:00", "00:00:5e:00:01:", "00:00:5e:00:02:", "00:00:0c:07:ac:", "00:00:0c:9f:f", "02:42:",
    ]

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
