import CAvahi
import SyncEngine

/// What one mDNS message says of services of our type (RFC 1035, section 4; RFC 6762; RFC 6763). Nothing in it is believed but
/// as a hint.
struct ServiceAnswer: Equatable {
    /// The instances that it names, in order; at most `instancesMax`.
    private(set) var instances: [String] = []
    private var services: [String: (host: [[UInt8]], port: UInt16)] = [:]
    private var tags: [String: [AddressTag]] = [:]
    private var addresses: [[[UInt8]]: [AvahiAddress]] = [:]

    static let instancesMax = 64
    private static let recordsMax = 512
    private static let addressesMax = 16
    private static let type = DNS.labels("\(Avahi.serviceType).\(Avahi.domain)")

    /// Nil where it is no answer to the question of that number, or is malformed. O(bytes).
    init?(_ message: [UInt8], to number: UInt16) {
        var reader = DNSReader(message)
        guard let header = reader.words(6), header[0] == number, header[1] & 0xFA0F == 0x8000 else { return nil }
        for _ in 0..<min(Int(header[2]), 8) {
            guard reader.name() != nil, reader.words(2) != nil else { return nil }
        }
        let count = Int(header[3]) + Int(header[4]) + Int(header[5])
        for _ in 0..<min(count, Self.recordsMax) {
            guard let record = reader.record() else { return nil }
            take(record, reader)
        }
    }

    static func == (left: ServiceAnswer, right: ServiceAnswer) -> Bool { left.instances == right.instances }

    /// Where an instance may be dialled; nil where the message does not say, or what it says is of a version that we do not speak.
    func places(of instance: String, on interface: Int32, of network: NetworkInterfaces) -> [ServiceAddress]? {
        guard let service = services[instance], let tags = tags[instance] else { return nil }
        return (addresses[service.host] ?? []).compactMap { address in
            network.peerAddress(address, port: service.port, interface: interface)
                .map { ServiceAddress($0, tags: tags) }
        }
    }

    private mutating func take(_ record: DNSReader.Record, _ message: DNSReader) {
        var data = message
        data.move(to: record.data)
        switch record.type {
        case DNS.pointer where record.name == Self.type:
            if let name = data.name() { note(name) }
        case DNS.service:
            guard let instance = Self.instance(record.name), let words = data.words(3), let host = data.name() else {
                return
            }
            note(record.name)
            services[instance] = (host, words[2])
        case DNS.text:
            guard let instance = Self.instance(record.name), let texts = data.texts(until: record.data.upperBound)
            else {
                return
            }
            note(record.name)
            tags[instance] = Avahi.tags(of: texts)
        case DNS.ipv4, DNS.ipv6:
            guard addresses[record.name, default: []].count < Self.addressesMax,
                let address = AvahiAddress(message.bytes[record.data], isIPv6: record.type == DNS.ipv6)
            else { return }
            addresses[record.name, default: []].append(address)
        default: break
        }
    }

    private mutating func note(_ name: [[UInt8]]) {
        guard let instance = Self.instance(name), instances.count < Self.instancesMax, !instances.contains(instance)
        else {
            return
        }
        instances.append(instance)
    }

    /// The instance that a name of our type is of.
    private static func instance(_ name: [[UInt8]]) -> String? {
        guard name.count == type.count + 1, name.dropFirst().elementsEqual(type), let label = name.first else {
            return nil
        }
        return String(validating: label, as: UTF8.self)
    }
}

/// What somebody asks of all hosts about our type: all services, or all of one.
struct ServiceQuestion {
    let number: UInt16
    let type: UInt16
    /// In lower case.
    let name: String

    private static let suffix = "\(Avahi.serviceType).\(Avahi.domain)"

    /// Nil where it is another question, none, or more than one.
    init?(_ message: [UInt8]) {
        var reader = DNSReader(message)
        guard let header = reader.words(6), header[1] & 0xF800 == 0, header[2] == 1, let labels = reader.name(),
            let words = reader.words(2), words[1] & 0x7FFF == DNS.internet,
            let name = String(validating: labels.joined(separator: [UInt8(ascii: ".")]), as: UTF8.self),
            name == Self.suffix || name.hasSuffix(".\(Self.suffix)")
        else { return nil }
        (number, type, self.name) = (header[0], words[0], name)
    }

    /// Whether the answer is about an instance.
    func isAbout(_ instance: String) -> Bool {
        name == Self.suffix
            ? [DNS.pointer, DNS.any].contains(type)
            : name == "\(instance).\(Self.suffix)" && [DNS.service, DNS.text, DNS.any].contains(type)
    }
}

/// Reads a DNS message from its start.
struct DNSReader {
    struct Record {
        let name: [[UInt8]]
        let type: UInt16
        let data: Range<Int>
    }

    let bytes: [UInt8]
    private var offset = 0

    /// RFC 1035, section 3.1.
    private static let nameBytesMax = 255

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func move(to range: Range<Int>) { offset = range.lowerBound }

    mutating func words(_ count: Int) -> [UInt16]? {
        guard offset + 2 * count <= bytes.count else { return nil }
        defer { offset += 2 * count }
        return (0..<count).map { UInt16(bytes[offset + 2 * $0]) << 8 | UInt16(bytes[offset + 2 * $0 + 1]) }
    }

    /// The labels of a name, in lower case. Pointers lead to what stands before, always further: so it ends.
    mutating func name() -> [[UInt8]]? {
        var labels: [[UInt8]] = []
        var (size, at, limit) = (1, offset, offset)
        var end: Int?
        while at < bytes.count {
            let length = Int(bytes[at])
            switch length {
            case 0:
                offset = end ?? at + 1
                return labels
            case 1...63:
                size += length + 1
                guard at + 1 + length <= bytes.count, size <= Self.nameBytesMax else { return nil }
                labels.append(bytes[at + 1..<at + 1 + length].map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 })
                at += 1 + length
            case 0xC0...:
                guard at + 1 < bytes.count else { return nil }
                end = end ?? at + 2
                let target = (length & 0x3F) << 8 | Int(bytes[at + 1])
                guard target < limit else { return nil }
                (at, limit) = (target, target)
            default: return nil
            }
        }
        return nil
    }

    mutating func record() -> Record? {
        guard let name = name(), let words = words(5) else { return nil }
        let data = offset..<offset + Int(words[4])
        guard data.upperBound <= bytes.count else { return nil }
        offset = data.upperBound
        // The highest bit of the class is no part of it (RFC 6762, section 10.2); what is of another class is of no type of ours.
        return Record(name: name, type: words[1] & 0x7FFF == DNS.internet ? words[0] : 0, data: data)
    }

    /// The strings of a TXT record.
    mutating func texts(until end: Int) -> [[UInt8]]? {
        var texts: [[UInt8]] = []
        while offset < end {
            let length = Int(bytes[offset])
            guard offset + 1 + length <= end else { return nil }
            texts.append(Array(bytes[offset + 1..<offset + 1 + length]))
            offset += 1 + length
        }
        return texts
    }
}

extension AvahiAddress {
    /// From an address as on the wire; nil where it has another length.
    init?(_ bytes: ArraySlice<UInt8>, isIPv6: Bool) {
        guard bytes.count == (isIPv6 ? 16 : 4) else { return nil }
        self.init()
        proto = isIPv6 ? Avahi.ipv6 : Avahi.ipv4
        withUnsafeMutableBytes(of: &data) { $0.copyBytes(from: bytes) }
    }
}
