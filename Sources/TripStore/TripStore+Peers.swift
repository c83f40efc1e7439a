package import ChangeLog
import DeltaCRDT
import FoundationEssentials
import GRDB

/// Where a device was last reached. A hint for the next dial, nothing more.
package struct KnownPeer: Hashable, Sendable {
    package let device: Bytes32
    /// `host:port`, the best first.
    package let addresses: [String]
    /// By this machine's wall clock: milliseconds since 1970.
    package let lastSeen: Int64

    package init(device: Bytes32, addresses: [String], lastSeen: Int64) {
        self.device = device
        self.addresses = addresses
        self.lastSeen = lastSeen
    }
}

extension TripStore {
    package static let maximumKnownPeers = 64
    package static let maximumAddressesPerPeer = 8
    /// In bytes of UTF-8.
    package static let maximumAddressLength = 128

    /// The devices that were reached last, the newest first, at most `maximumKnownPeers`.
    package func knownPeers() throws(StoreError) -> [KnownPeer] {
        try withDatabase { database, _ in
            try Row.fetchAll(
                database,
                sql: "SELECT device, last_seen, addresses FROM peers ORDER BY last_seen DESC, device LIMIT ?",
                arguments: [Self.maximumKnownPeers]
            ).compactMap(Self.knownPeer)
        }
    }

    /// Puts these in place of what was known of the same devices, and forgets the oldest above `maximumKnownPeers`. Of
    /// addresses, those that are too long or too many are left out.
    package func remember(_ peers: [KnownPeer]) throws(StoreError) {
        guard !peers.isEmpty else { return }
        try write { database, _ in
            for peer in peers {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO peers (device, last_seen, addresses) VALUES (?, ?, ?)",
                    arguments: [Data(peer.device.bytes), peer.lastSeen, Data(Self.encode(peer.addresses))])
            }
            try database.execute(
                sql: """
                    DELETE FROM peers WHERE device NOT IN
                        (SELECT device FROM peers ORDER BY last_seen DESC, device LIMIT ?)
                    """, arguments: [Self.maximumKnownPeers])
        }
    }

    private static func encode(_ addresses: [String]) -> [UInt8] {
        let kept = addresses.filter { $0.utf8.count <= maximumAddressLength }.prefix(maximumAddressesPerPeer)
        var encoder = CanonicalEncoder()
        encoder.encode(count: kept.count)
        for address in kept { encoder.encode(address) }
        return encoder.bytes
    }

    /// Nil for a row that cannot be read: a hint is not worth an error.
    private static func knownPeer(in row: Row) -> KnownPeer? {
        guard case .blob(let key) = (row[0] as DatabaseValue).storage, let device = Bytes32(key),
            case .int64(let lastSeen) = (row[1] as DatabaseValue).storage,
            case .blob(let encoded) = (row[2] as DatabaseValue).storage
        else { return nil }
        var decoder = CanonicalDecoder(Array(encoded))
        guard let count = try? decoder.decodeCount(limit: maximumAddressesPerPeer) else { return nil }
        let addresses = (0..<count).compactMap { _ in try? decoder.decodeString(limit: maximumAddressLength) }
        guard addresses.count == count, decoder.remaining == 0 else { return nil }
        return KnownPeer(device: device, addresses: addresses, lastSeen: lastSeen)
    }
}
