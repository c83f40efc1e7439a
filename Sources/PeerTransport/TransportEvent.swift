package import SyncEngine

/// What happened on a connection, in the order in which it happened.
///
/// A dialled connection begins with `connected` or ends at once with `refused`; an accepted one begins with
/// `accepted`. Exactly one `closed` or `refused` ends each, and nothing follows it.
package enum TransportEvent: Hashable, Sendable {
    /// Somebody connected to us, at this address of ours, from that host.
    case accepted(ConnectionID, at: PeerAddress, from: String)
    /// A dialled connection is open.
    case connected(ConnectionID)
    /// Bytes came: never none, at most `Limits.readChunkBytes`. Their boundaries mean nothing.
    case received(ConnectionID, [UInt8])
    /// An open connection has ended, by either side and for any reason.
    case closed(ConnectionID)
    /// A dial failed. The reason is for people to read.
    case refused(ConnectionID, reason: String)
}
