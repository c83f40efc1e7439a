import CAvahi
import LibC
import SyncEngine

/// A DNS record that says where a service is (RFC 6763), as it is published.
struct ServiceRecord {
    /// Its owner, as text with escapes.
    let name: String
    let type: UInt16
    /// Only this interface shows it; `Avahi.anyInterface` for all.
    let interface: AvahiIfIndex
    /// For how long others may keep it (RFC 6762, section 10).
    let seconds: UInt32
    /// As on the wire, its names whole.
    let data: [UInt8]

    private static let serviceSeconds: UInt32 = 4_500
    private static let hostSeconds: UInt32 = 120

    /// The service, where it is, what its TXT record says, and the addresses of its host: each on its own interface alone.
    static func all(of advertisement: Advertisement, at addresses: [NetworkInterfaces.HostAddress]) -> [ServiceRecord] {
        let type = "\(Avahi.serviceType).\(Avahi.domain)"
        let instance = "\(advertisement.instance).\(type)"
        let host = "\(advertisement.hostLabel).\(Avahi.domain)"
        let (priority, weight) = ([UInt8](repeating: 0, count: 2), [UInt8](repeating: 0, count: 2))
        let port = [UInt8(advertisement.port >> 8), UInt8(truncatingIfNeeded: advertisement.port)]
        let texts = Avahi.texts(of: advertisement.addressTags)
        let service = [
            ServiceRecord(
                name: type, type: DNS.pointer, interface: Avahi.anyInterface, seconds: serviceSeconds,
                data: DNS.name(instance)),
            ServiceRecord(
                name: instance, type: DNS.service, interface: Avahi.anyInterface, seconds: hostSeconds,
                data: priority + weight + port + DNS.name(host)),
            ServiceRecord(
                name: instance, type: DNS.text, interface: Avahi.anyInterface, seconds: serviceSeconds,
                data: texts.flatMap { [UInt8($0.count)] + $0 }),
        ]
        return service
            + addresses.compactMap { entry in
                DNS.address(entry.address).map { type, data in
                    ServiceRecord(name: host, type: type, interface: entry.interface, seconds: hostSeconds, data: data)
                }
            }
    }
}

extension ServiceRecord {
    /// As in an answer, on which others may go for so long.
    func written(seconds: UInt32) -> [UInt8] {
        let numbers = [
            type, DNS.internet, UInt16(seconds >> 16), UInt16(truncatingIfNeeded: seconds), UInt16(data.count),
        ]
        return DNS.name(name) + DNS.words(numbers) + data
    }
}

/// What of DNS is needed here (RFC 1035; RFC 2782 for services, RFC 3596 for IPv6).
enum DNS {
    static let ipv4: UInt16 = 1
    static let pointer: UInt16 = 12
    static let text: UInt16 = 16
    static let ipv6: UInt16 = 28
    static let service: UInt16 = 33
    static let any: UInt16 = 255
    static let internet: UInt16 = 1

    /// The labels of a name, none of which has a dot.
    static func labels(_ name: String) -> [[UInt8]] { name.utf8.split(separator: UInt8(ascii: ".")).map { Array($0) } }

    /// A name of labels without dots, as on the wire.
    static func name(_ text: String) -> [UInt8] { labels(text).flatMap { [UInt8($0.count)] + $0 } + [0] }

    static func words(_ words: [UInt16]) -> [UInt8] {
        words.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }

    static func header(_ number: UInt16, isAnswer: Bool, questions: Int, answers: Int) -> [UInt8] {
        words([number, isAnswer ? 0x8400 : 0, UInt16(questions), UInt16(answers), 0, 0])
    }

    static func question(_ name: String, _ type: UInt16) -> [UInt8] { Self.name(name) + words([type, internet]) }

    /// The type of record for a numeric address, and its data; nil where it is none.
    static func address(_ text: String) -> (type: UInt16, data: [UInt8])? {
        let isIPv6 = text.contains(":")
        var data = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
        guard inet_pton(isIPv6 ? AF_INET6 : AF_INET, text, &data) == 1 else { return nil }
        return (isIPv6 ? ipv6 : ipv4, data)
    }
}
