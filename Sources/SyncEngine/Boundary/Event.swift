package import ChangeLog
package import DeltaCRDT

/// An input of a node.
package enum Event: Sendable {
    /// The transport accepts connections at this port, and whether it can change the port now and then.
    case listening(port: UInt16, isRenewable: Bool = false)
    /// The machine's own addresses, numeric, the most useful first. The node publishes the first eight of them from then on.
    /// Comes before `listening` and `networkChanged`.
    case ownAddresses([String])
    /// The machine's addresses or links changed. On another network, the addresses known there replace all addresses except those
    /// that a person named.
    case networkChanged(known: [PeerAddress]? = nil)
    /// The time of an earlier `wake` has come.
    case woke

    /// A person here acted: this device's person, or the guest whose device's log is named. `about` holds the changes that made the
    /// things on which the content acts.
    case write(Statement? = nil, content: [UInt8] = [], about: [Bytes32] = [], as: ReplicaID? = nil, ticket: UInt64)
    /// A person here writes in a note, at a place as a session says it, or no longer: this device's person, or the guest whose device's
    /// log is named. It ends if it isn't said again.
    case writing(at: [UInt8]?, as: ReplicaID? = nil)
    /// This device's person admits a guest, whose secrets are durable here.
    case admitGuest(DeviceSecrets, name: String, ticket: UInt64)
    /// A person here removes a participant from the trip, or leaves it. All changes of a removed participant that are here count. If
    /// the removal names changes to keep, only those and their pasts count.
    case remove(participant: Bytes32, kept: [Bytes32]? = nil, ticket: UInt64)
    /// The person here keeps a person who waits because somebody above was removed.
    case keep(participant: Bytes32, ticket: UInt64)
    /// The person here ends another device of theirs. Of its changes that are here, those count that stand on no absent body, on the
    /// branch that arrived first.
    case end(device: ReplicaID, ticket: UInt64)
    /// The ids of this device's person's invites that stay open although a removed person may know them.
    case keepInvites(Set<Bytes32>)
    /// Records from a bundle that this device's log accepts as a whole, each after its past.
    case carried([[UInt8]])
    /// Whether the disk lost a change that was written here. While it is missing, this node writes nothing of its own accord,
    /// because that would begin a second branch.
    case ownActsMissing(Bool)
    /// A `persist` effect is durable.
    case persisted(token: UInt64)

    /// An instance name appeared or disappeared.
    case appeared(instance: String)
    case disappeared(instance: String)
    case resolved(instance: String, addresses: [ServiceAddress])
    /// An address where a member may be: one that a person named, or a remembered one.
    case addAddress(PeerAddress, isNamed: Bool)

    /// An incoming connection to one of this node's addresses, from an address of the peer.
    case accepted(ConnectionID, at: PeerAddress, from: String)
    /// A connection that this node requested.
    case connected(ConnectionID)
    case received(ConnectionID, [UInt8])
    /// A connection ended, or could not be opened.
    case closed(ConnectionID)

    /// News about chunks of photos.
    case chunks(ChunkNews)

    /// An answer of a mailbox or its shell.
    case mailbox(MailboxAnswer)

    /// Say goodbye to everyone.
    case stop
}
