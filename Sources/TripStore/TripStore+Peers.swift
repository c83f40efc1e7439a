package import ChangeLog
package import DeltaCRDT
import FoundationEssentials
import GRDB
import SyncEngine

/// Where somebody may be dialled, and the network on which that was so.
package struct KnownAddress: Hashable, Sendable {
    /// `host:port`.
    package let text: String
    /// By what the network is recognized; empty where that was not known.
    package let network: String

    package init(_ text: String, network: String) { (self.text, self.network) = (text, network) }
}

/// Where a device was last reached, and what it held then. A hint, nothing more.
package struct KnownPeer: Hashable, Sendable {
    /// Its log's name.
    package let replica: ReplicaID
    /// The best first.
    package let addresses: [KnownAddress]
    /// When it was last heard, by this machine's wall clock: milliseconds since 1970.
    package let lastSeen: Int64
    /// The hashes of changes that, with their pasts, it said are durable there, the newest first.
    package let durable: [Bytes32]

    package init(replica: ReplicaID, addresses: [KnownAddress], lastSeen: Int64, durable: [Bytes32] = []) {
        self.replica = replica
        self.addresses = addresses
        self.lastSeen = lastSeen
        self.durable = durable
    }
}

extension TripStore {
    package static let maximumKnownPeers = 64
    package static let maximumAddressesPerPeer = 8
    /// In bytes of UTF-8.
    package static let maximumAddressLength = 128
    package static let maximumDurablePerPeer = PeerKnowledge.summaryMax

    /// The devices that were reached last, the newest first, at most `maximumKnownPeers`.
    package func knownPeers(_ seal: StoreSeal) throws(StoreError) -> [KnownPeer] {
        try withDatabase { database, _ in
            try Row.fetchAll(
                database,
                sql: "SELECT name, sealed FROM peers ORDER BY last_seen DESC, name LIMIT ?",
                arguments: [Self.maximumKnownPeers]
            ).compactMap { row in
                guard case .blob(let name) = (row[0] as DatabaseValue).storage,
                    case .blob(let sealed) = (row[1] as DatabaseValue).storage
                else { return nil }
                return seal.open(peer: Array(sealed), rowName: Array(name)).flatMap { KnownPeer(decoding: $0) }
            }
        }
    }

    /// Puts these in place of what was known of the same devices, and forgets the oldest above `maximumKnownPeers`. Of
    /// addresses and hashes, those that are too long or too many are left out.
    package func remember(_ peers: [KnownPeer], _ seal: StoreSeal) throws(StoreError) {
        guard !peers.isEmpty else { return }
        try write { database, _ in
            for peer in peers {
                let name = seal.rowName(of: peer.replica)
                try database.execute(
                    sql: "INSERT OR REPLACE INTO peers (name, last_seen, sealed) VALUES (?, ?, ?)",
                    arguments: [
                        Data(name), peer.lastSeen, Data(seal.seal(peer: Self.fitting(peer).encoded, rowName: name)),
                    ])
            }
            try database.execute(
                sql: """
                    DELETE FROM peers WHERE name NOT IN
                        (SELECT name FROM peers ORDER BY last_seen DESC, name LIMIT ?)
                    """, arguments: [Self.maximumKnownPeers])
        }
    }

    /// A peer without what is too long or too many.
    private static func fitting(_ peer: KnownPeer) -> KnownPeer {
        let kept = peer.addresses.filter {
            $0.text.utf8.count <= maximumAddressLength && $0.network.utf8.count <= maximumAddressLength
        }.prefix(maximumAddressesPerPeer)
        return KnownPeer(
            replica: peer.replica, addresses: Array(kept), lastSeen: peer.lastSeen,
            durable: Array(peer.durable.prefix(maximumDurablePerPeer)))
    }
}

extension KnownPeer {
    fileprivate var encoded: [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(replica)
        encoder.encode(lastSeen)
        encoder.encode(count: addresses.count)
        for address in addresses {
            encoder.encode(address.text)
            encoder.encode(address.network)
        }
        encoder.encode(count: durable.count)
        for hash in durable { encoder.encode(fixed: hash.bytes) }
        return encoder.bytes
    }

    /// Nil for what is of no form: a hint is not worth an error.
    fileprivate init?(decoding encoded: [UInt8]) {
        var decoder = CanonicalDecoder(encoded)
        do {
            replica = try decoder.decodeReplicaID()
            lastSeen = try decoder.decodeInt64()
            var addresses: [KnownAddress] = []
            for _ in 0..<(try decoder.decodeCount(limit: TripStore.maximumAddressesPerPeer)) {
                let text = try decoder.decodeString(limit: TripStore.maximumAddressLength)
                let network = try decoder.decodeString(limit: TripStore.maximumAddressLength)
                addresses.append(KnownAddress(text, network: network))
            }
            self.addresses = addresses
            var durable: [Bytes32] = []
            for _ in 0..<(try decoder.decodeCount(limit: TripStore.maximumDurablePerPeer, minimumSize: 32)) {
                durable.append(try decoder.decodeBytes32())
            }
            self.durable = durable
            try decoder.finish()
        } catch {
            return nil
        }
    }
}
