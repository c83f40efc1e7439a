package import Attachments
package import ChangeLog

/// What a node asks its shell to do, in this order.
package enum Effect: Sendable {
    /// Make these changes durable, after all that was asked before, then say `persisted` with the token.
    case persist(token: UInt64, [SignedChange])
    /// Keep these changes, which were to be made durable before, with or without their bodies as they are now.
    case alter([SignedChange])
    /// Show these changes.
    case apply([AppliedChange])
    /// The changes at these places count that did not, or count no more: forget what was shown of them, and of what stands on them,
    /// and show all changes of the log anew where people see any of that.
    case rebuild(for: [Int])
    /// The change that was asked for with this ticket is durable, or was not written.
    case authored(ticket: UInt64, Result<Bytes32, WritingFailure>)

    /// Put a chunk of a photo, which is what its name says, and say `stored` or `notStored`. It came from a peer.
    case storeChunk(BlobHash, [UInt8])
    /// Read a chunk, and say `loaded`.
    case loadChunk(BlobHash, for: ChunkReader)

    /// Keep this secret of an epoch with the device's own before anything else is done.
    case storeEpoch(secret: Bytes32)

    case advertise([Advertisement])
    /// Accept connections at another port from now on, and for a while at the one before; then say `listening`, with the port
    /// as it was where there is no other.
    case renewPort
    case resolve(instance: String)
    /// Go on showing this name as long as it is seen, whatever else is.
    case hold(instance: String)

    case dial(ConnectionID, PeerAddress)
    case send(ConnectionID, [UInt8])
    /// Read no more of a connection, of which enough waits here; or read on.
    case read(ConnectionID, Bool)
    /// Close a connection once what was sent has left.
    case close(ConnectionID)

    /// Ask this of a mailbox.
    case mailbox(MailboxRequest)

    /// Say `woke` at this time of the monotonic clock, and forget any earlier request.
    case wake(at: UInt64)
    case notice(Notice)
}

/// What people may want to hear of.
package enum Notice: Hashable, Sendable {
    /// A session with a member has begun.
    case met(Device, PeerAddress?)
    case parted(Device)
    /// Somebody who is met said where they are reached from now on.
    case moved(Device, PeerAddress)
    /// A peer said what is durable there.
    case acknowledged
    /// This device's own admission is in the log: it may write.
    case admitted
    /// This device's request to be let in lies in a mailbox.
    case askedThroughMailbox
    /// A member did not let this device in.
    case joinRefused(JoinRefusal)
    /// A peer broke the protocol, and the session is over.
    case misbehaved(Misbehaviour, Device?)
    /// A replica writes in two places.
    case forked(Device)
    /// People were removed from the trip, left it, or wait: their names for this trip, ascending.
    case removed([Bytes32])
    /// Others asked for more than this node gives.
    case reached(Bound)
}

/// How a peer broke the protocol.
package enum Misbehaviour: Hashable, Sendable {
    /// A change that no node takes.
    case refusedChange(Refusal)
    /// Bytes that are no message.
    case malformedMessage
    /// A message that its sender may not send, or not then.
    case unexpectedMessage
    /// Other bytes than the chunk's name says.
    case forgedChunk
}

/// Why a member does not let somebody in.
package enum JoinRefusal: UInt8, Error, Hashable, Sendable {
    /// The invite was closed, used up, or its time is over.
    case inviteClosed = 1
    /// The request does not prove what it claims.
    case invalidRequest = 2
}
