package import Attachments
package import ChangeLog

/// A request of a node to its shell. The shell performs effects in order.
package enum Effect: Sendable {
    /// Make these changes durable, after all earlier effects, then report `persisted` with the token.
    case persist(token: UInt64, [SignedChange])
    /// Store these changes again, which an earlier effect stored, with or without their bodies as they are now.
    case alter([SignedChange])
    /// Show these changes.
    case apply([AppliedChange])
    /// The changes at these indices started or stopped counting. Discard the view of them and of what builds on them. If people
    /// see any of that, show all changes of the log again.
    case rebuild(for: [Int])
    /// The change requested with this ticket is durable, or was not written.
    case authored(ticket: UInt64, Result<Bytes32, WritingFailure>)

    /// Store a chunk of a photo, which matches its name and came from a peer, and report `stored` or `notStored`.
    case storeChunk(BlobHash, [UInt8])
    /// Read a chunk, and report `loaded`.
    case loadChunk(BlobHash, for: ChunkReader)

    /// Store this secret of an epoch with the device's secrets before performing any other effect.
    case storeEpoch(secret: Bytes32)

    case advertise([Advertisement])
    /// Accept connections at a new port, and for a while also at the old one. Then report `listening`, with the old port
    /// if there is no new one.
    case renewPort
    case resolve(instance: String)
    /// Keep reporting this name as long as it is seen, even in a flood of names.
    case hold(instance: String)

    case dial(ConnectionID, PeerAddress)
    case send(ConnectionID, [UInt8])
    /// Stop reading from a connection because enough of its bytes wait here, or continue.
    case read(ConnectionID, Bool)
    /// Close a connection once all sent bytes have left.
    case close(ConnectionID)

    /// Send this request to a mailbox.
    case mailbox(MailboxRequest)

    /// Report `woke` at this time of the monotonic clock. This replaces any earlier request.
    case wake(at: UInt64)
    case notice(Notice)
}

/// News for people.
package enum Notice: Hashable, Sendable {
    /// A session with a member has begun.
    case met(Device, PeerAddress?)
    case parted(Device)
    /// A peer reported a new address.
    case moved(Device, PeerAddress)
    /// A peer reported what is durable there.
    case acknowledged
    /// Somebody began to write in a note, moved, or stopped: `writers` says who writes where.
    case writing
    /// This device's own admission is in the log, and it has an epoch's secret; or it is out already.
    case admitted
    /// This device's request to join is in a mailbox.
    case askedThroughMailbox
    /// A member refused to admit this device.
    case joinRefused(JoinRefusal)
    /// A peer broke the protocol, which ended the session.
    case misbehaved(Misbehaviour, Device?)
    /// A replica writes in two places.
    case forked(Device)
    /// People were removed from the trip, left it, or wait: their names for this trip, ascending.
    case removed([Bytes32])
    /// Others exceeded a bound of this node.
    case reached(Bound)
}

/// How a peer broke the protocol.
package enum Misbehaviour: Hashable, Sendable {
    /// A change that every node refuses.
    case refusedChange(Refusal)
    /// Bytes that are not a message.
    case malformedMessage
    /// A message that its sender may not send, or not at this time.
    case unexpectedMessage
    /// Bytes that don't match the chunk's name.
    case forgedChunk
}

/// Why a member refuses to admit a device.
package enum JoinRefusal: UInt8, Error, Hashable, Sendable {
    /// The invite was closed or used up, or has expired.
    case inviteClosed = 1
    /// The request does not prove what it claims.
    case invalidRequest = 2
}
