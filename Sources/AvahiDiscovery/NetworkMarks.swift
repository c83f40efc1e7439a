import Files
import LibC

/// How the networks of this machine are recognized: by the prefix of their addresses and the hardware address of their router. What was
/// remembered on another network is not asked for here, where it would tell listeners who is looked for.
package struct NetworkMarks: Hashable, Sendable {
    private struct Link: Hashable {
        let interface: String
        let network: LocalNetwork?
        /// The first 8 bytes of its IPv6 addresses that are not of the link alone.
        let prefixes: Set<[UInt8]>
        /// Nil where the router's hardware address is not known yet.
        let mark: String?
        let isDefault: Bool
    }

    private let links: [Link]

    /// As the system tells it now: getifaddrs(3), /proc/net/route, /proc/net/arp.
    package static func current() -> NetworkMarks {
        NetworkMarks(
            networks: LocalNetwork.current(), entries: InterfaceEntry.all(), routes: table("/proc/net/route"),
            neighbors: table("/proc/net/arp"))
    }

    init(networks: [LocalNetwork], entries: [InterfaceEntry], routes: [[String]], neighbors: [[String]]) {
        // Interface, destination, gateway; both as hexadecimal numbers in the machine's order.
        let gateways = Dictionary(
            routes.filter { $0.count > 2 && $0[1] == "00000000" }.compactMap { row in
                UInt32(row[2], radix: 16).map { (row[0], LocalNetwork.text(UInt32(bigEndian: $0))) }
            }, uniquingKeysWith: { first, _ in first })
        // Address, type, flags, hardware address, mask, interface.
        let hardware = Dictionary(
            neighbors.filter { $0.count > 5 && $0[3] != "00:00:00:00:00:00" }.map { ("\($0[0])%\($0[5])", $0[3]) },
            uniquingKeysWith: { first, _ in first })
        let names = Set(entries.filter { $0.has(IFF_UP) && !$0.has(IFF_LOOPBACK) }.map(\.name)).sorted()
        links = names.flatMap { name -> [Link] in
            let prefixes = Set(entries.filter { $0.name == name }.compactMap(\.address).compactMap(Self.prefix))
            let gateway = gateways[name]
            let router: String? = gateway.map { hardware["\($0)%\(name)"] } ?? "no router"
            let own = networks.filter { $0.interface == name }
            guard !own.isEmpty else {
                let text = prefixes.min { $0.lexicographicallyPrecedes($1) }.map { "\($0)" }
                return [Link(interface: name, network: nil, prefixes: prefixes, mark: text, isDefault: false)]
            }
            return own.map { network in
                Link(
                    interface: name, network: network, prefixes: prefixes,
                    mark: router.map { "\(network.description) \($0)" }, isDefault: gateway != nil)
            }
        }
    }

    /// The mark of the network over which a numeric host is reached; nil where that is not known.
    package func mark(of host: String) -> String? {
        if host == "::1" || host.hasPrefix("127.") { return "this machine" }
        if let scope = host.split(separator: "%").dropFirst().first {
            return links.first { $0.interface == scope }?.mark
        }
        if host.contains(":") {
            guard let prefix = Self.prefix(host) else { return nil }
            return (links.first { $0.prefixes.contains(prefix) } ?? links.first { $0.isDefault })?.mark
        }
        guard LocalNetwork.number(host) != nil else { return nil }
        return (links.first { $0.network?.contains(host) == true } ?? links.first { $0.isDefault })?.mark
    }

    /// Nil for what is no IPv6 address, or one of a link alone.
    private static func prefix(_ address: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, address, &bytes) == 1, !(bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80) else {
            return nil
        }
        return Array(bytes.prefix(8))
    }

    /// A table of the system's, without its heading; at most 64 KiB of it.
    private static func table(_ path: String) -> [[String]] {
        let bytes = (try? WholeFile.beginning(of: path, upTo: 65_536)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().map { line in
            line.split { $0 == " " || $0 == "\t" }.map(String.init)
        }
    }
}
