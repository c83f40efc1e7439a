package import ChangeLog
import FoundationEssentials
import GRDB

/// Where a device was last reached, and what it held then. A hint, nothing more.
package struct KnownPeer: Hashable, Sendable {
    package let device: Bytes32
    /// `host:port`, the best first.
    package let addresses: [String]
    /// When it was last heard, by this machine's wall clock: milliseconds since 1970.
    package let lastSeen: Int64
    /// The hashes of changes that, with their pasts, it said are durable there, the newest first.
    package let durable: [Bytes32]

    package init(device: Bytes32, addresses: [String], lastSeen: Int64, durable: [Bytes32] = []) {
        self.device = device
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
    package func knownPeers(_ seal: PeerSeal) throws(StoreError) -> [KnownPeer] {
        try withDatabase { database, _ in
            try Row.fetchAll(
                database,
                sql: "SELECT device, addresses FROM peers ORDER BY last_seen DESC, device LIMIT ?",
                arguments: [Self.maximumKnownPeers]
            ).compactMap { row in
                guard case .blob(let name) = (row[0] as DatabaseValue).storage,
                    case .blob(let sealed) = (row[1] as DatabaseValue).storage
                else { return nil }
                return seal.open(Array(sealed), rowName: Array(name))
            }
        }
    }

    /// Puts these in place of what was known of the same devices, and forgets the oldest above `maximumKnownPeers`. Of
    /// addresses and hashes, those that are too long or too many are left out.
    package func remember(_ peers: [KnownPeer], _ seal: PeerSeal) throws(StoreError) {
        guard !peers.isEmpty else { return }
        try write { database, _ in
            for peer in peers {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO peers (device, last_seen, addresses) VALUES (?, ?, ?)",
                    arguments: [
                        Data(seal.rowName(of: peer.device)), peer.lastSeen, Data(seal.seal(Self.fitting(peer))),
                    ])
            }
            try database.execute(
                sql: """
                    DELETE FROM peers WHERE device NOT IN
                        (SELECT device FROM peers ORDER BY last_seen DESC, device LIMIT ?)
                    """, arguments: [Self.maximumKnownPeers])
        }
    }

    /// A peer without what is too long or too many.
    private static func fitting(_ peer: KnownPeer) -> KnownPeer {
        let kept = peer.addresses.filter { $0.utf8.count <= maximumAddressLength }.prefix(maximumAddressesPerPeer)
        return KnownPeer(
            device: peer.device, addresses: Array(kept), lastSeen: peer.lastSeen,
            durable: Array(peer.durable.prefix(maximumDurablePerPeer)))
    }
}
