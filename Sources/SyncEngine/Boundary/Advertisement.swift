/// What discovery is asked to publish.
package struct Advertisement: Hashable, Sendable {
    /// The instance name of the service.
    package let instance: String
    /// The first label of the host's name, random like the instance's.
    package let hostLabel: String
    package let port: UInt16
    /// What the TXT record says of the addresses behind the name, and noise for those that there are not.
    package let addressTags: [AddressTag]

    package init(instance: String, hostLabel: String, port: UInt16, addressTags: [AddressTag]) {
        self.instance = instance
        self.hostLabel = hostLabel
        self.port = port
        self.addressTags = addressTags
    }
}

/// What only those who hold the key of an instance name can make of one address behind it: 8 bytes.
package struct AddressTag: Hashable, Sendable {
    package let bytes: [UInt8]

    /// How many a TXT record holds, always.
    package static let count = 8
    private static let size = 8

    /// Nil where it has another length.
    package init?(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        guard self.bytes.count == Self.size else { return nil }
    }

    init(firstOf bytes: [UInt8]) {
        precondition(bytes.count >= Self.size)
        self.bytes = Array(bytes.prefix(Self.size))
    }

    /// What nobody can tell from the tag of an address.
    static func noise(using generator: inout some RandomNumberGenerator) -> AddressTag {
        let word = generator.next()
        return AddressTag(firstOf: (0..<8).map { UInt8(truncatingIfNeeded: (word as UInt64) >> (8 * UInt64($0))) })
    }
}

/// Where discovery says that an instance may be dialled, and the tags of the TXT record that said so.
package struct ServiceAddress: Hashable, Sendable {
    package let address: PeerAddress
    package let tags: [AddressTag]

    /// - Parameter tags: of more than a TXT record of ours holds, the first count.
    package init(_ address: PeerAddress, tags: [AddressTag]) {
        self.address = address
        self.tags = Array(tags.prefix(AddressTag.count))
    }
}

extension ServiceAddress: Comparable {
    package static func < (left: ServiceAddress, right: ServiceAddress) -> Bool {
        guard left.address == right.address else { return left.address < right.address }
        return left.tags.lexicographicallyPrecedes(right.tags) { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}
