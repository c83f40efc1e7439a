package import ChangeLog
package import DeltaCRDT

/// What a node is told.
package enum Event: Sendable {
    /// The transport accepts connections at this port; and whether it may be asked for another now and then.
    case listening(port: UInt16, isRenewable: Bool = false)
    /// The machine's own addresses, numeric, the most useful first: what is published from now on says something of the
    /// first eight of them. Said before `listening` and `networkChanged`.
    case ownAddresses([String])
    /// The machine's addresses or links are not what they were. Where it is on another network, what is known there in place of all
    /// addresses but those that a person named.
    case networkChanged(known: [PeerAddress]? = nil)
    /// The time of an earlier `wake` has come.
    case woke

    /// Somebody here did something: this device's person, or the guest whose device's log is named. What the content acts on was made
    /// by the changes that it is about.
    case write(Statement? = nil, content: [UInt8] = [], about: [Bytes32] = [], as: ReplicaID? = nil, ticket: UInt64)
    /// This device's person lets somebody in as a guest, whose secrets are durable here.
    case admitGuest(DeviceSecrets, name: String, ticket: UInt64)
    /// Somebody here removes a participant from the trip, or leaves it. Of what a removed one wrote, all that is here counts; where some
    /// changes are kept, those and what is in their pasts.
    case remove(participant: Bytes32, kept: [Bytes32]? = nil, ticket: UInt64)
    /// The person here keeps somebody who waits, because somebody above them was removed.
    case keep(participant: Bytes32, ticket: UInt64)
    /// The invites of this device's person, by their ids, that the person here keeps open although a removed person may know them.
    case keepInvites(Set<Bytes32>)
    /// Records out of a bundle that this device's log was found to take whole, each after its past.
    case carried([[UInt8]])
    /// Whether something is missing here that was written here and that the disk lost: while it is, this node writes nothing by
    /// itself, for that would begin a second branch.
    case ownActsMissing(Bool)
    /// What was to be made durable is.
    case persisted(token: UInt64)

    /// An instance name is seen, or no longer.
    case appeared(instance: String)
    case disappeared(instance: String)
    case resolved(instance: String, addresses: [ServiceAddress])
    /// An address where somebody may be met: one that a person named, or one that is remembered.
    case addAddress(PeerAddress, isNamed: Bool)

    /// A connection that somebody opened to this node, at one of its own addresses, from an address of theirs.
    case accepted(ConnectionID, at: PeerAddress, from: String)
    /// A connection that this node asked for.
    case connected(ConnectionID)
    case received(ConnectionID, [UInt8])
    /// A connection is over, or could not be made.
    case closed(ConnectionID)

    /// Something of the chunks of photos here.
    case chunks(ChunkNews)

    /// What a mailbox says, or its shell.
    case mailbox(MailboxAnswer)

    /// Say goodbye to everyone.
    case stop
}
