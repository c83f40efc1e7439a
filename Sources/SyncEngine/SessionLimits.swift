import ChangeLog

/// Bounds on what peers and strangers may ask of a node. Times are in milliseconds.
package struct SessionLimits: Sendable {
    /// From the first byte of a connection to the end of its handshake.
    package var handshakeDuration: UInt64 = 2_000
    /// From dialing to a connection.
    package var dialDuration: UInt64 = 5_000
    /// Between dialing one address of a device and the next.
    package var dialStagger: UInt64 = 250
    /// Connections with an unfinished handshake.
    package var handshakesMax = 64
    /// All sessions.
    package var sessionsMax = 64
    /// Sessions with one device, which may run in several places, and may have restarted.
    package var sessionsOfDeviceMax = 4
    /// Sessions with devices whose admission is not known here.
    package var unprovenSessionsMax = 8
    /// Sessions with devices of people who are out, which receive their removal; and as many with strangers.
    package var outsideSessionsMax = 4
    /// Sessions under an invite's key.
    package var inviteSessionsMax = 8
    /// Open invites that are answered at the same time: the newest.
    package var openInvitesMax = 8
    /// Ended invites that are still answered.
    package var endedInvitesMax = 4
    /// How long a session under an invite's key, with a stranger, or with a device that is out may last.
    package var briefSessionDuration: UInt64 = 10_000
    /// How often a device with the trip's secret asks to be admitted, if its admission is not known.
    package var askDelay: UInt64 = 3_000
    /// A session sends a ping after so long without a message of this node.
    package var pingInterval: UInt64 = 2_000
    /// A session ends after so long without a message of its peer.
    package var silenceMax: UInt64 = 7_000
    /// Two sessions with one peer that begin within so long of each other count as simultaneous.
    package var simultaneousMax: UInt64 = 3_000
    /// A session takes a new key after so many messages, or so long.
    package var rekeyMessages = 1_000
    package var rekeyInterval: UInt64 = 600_000
    /// This node's own earlier instance names that it recognizes.
    package var rememberedInstances = 1_024
    /// Between two lookups of the addresses behind a name, made by anybody: the first pause after a lookup without an
    /// answer, doubled up to the last.
    package var resolveDelayMin: UInt64 = 1_000
    package var resolveDelayMax: UInt64 = 30_000
    /// The same after a lookup with an answer, because an attacker may have given it.
    package var resolvedDelayMin: UInt64 = 15_000
    package var resolvedDelayMax: UInt64 = 240_000
    /// Names that are looked up at once, and how long after that for each more.
    package var lookupsAtOnceMax = 16
    package var lookupInterval: UInt64 = 100
    /// Addresses of one name that are dialed.
    package var resolvedAddressesMax = 16
    /// Instance names made with no key of this node's that may be present at once.
    package var instancesMax = 256
    /// A node's own instance names and host label last so long.
    package var instanceDuration: UInt64 = 900_000
    /// After names were made for a membership or an epoch, the next waits so long. So do names that are compared with its secret.
    package var namesPause: UInt64 = 1_000
    /// A transport that was asked for another port is not asked again for so long.
    package var portPatience: UInt64 = 10_000
    /// If a peer names several ports within so long, the last one counts.
    package var toldPortInterval: UInt64 = 1_000
    /// People who write in notes at one node: a person and their guests.
    package var writersMax = 1 + ChangeBounds.guestsMax
    /// A node says so often who writes there. If a peer says it more often, the last one in so long counts.
    package var writersInterval: UInt64 = 250
    /// Somebody writes for so long after the last sign of it.
    package var writerDuration: UInt64 = 10_000
    /// Between two attempts at one address: the first pause, doubled up to the last.
    package var redialDelayMin: UInt64 = 250
    package var redialDelayMax: UInt64 = 2_000
    /// Addresses that are dialed without having been discovered.
    package var addressesMax = 256
    /// Changes and bytes of one message of changes.
    package var batchChangesMax = 1_000
    package var batchBytesMax = 256 << 10
    /// Bytes of sent changes that the peer has not reported as durable.
    package var unacknowledgedBytesMax = 1 << 20
    /// Bytes of one session's messages that wait for their turn. Beyond that, the node reads only the rest of an incomplete message.
    package var unreadBytesMax = 256 << 10
    /// Bytes of changes that wait for the disk. Beyond that, the messages of all sessions wait.
    package var unwrittenBytesMax = 4 << 20
    /// The cost of the messages handled in one turn: about so many signatures, or 4 KiB each.
    package var turnCostMax = 256
    /// The disk lags if more bytes of changes wait for it. A member lags if more bytes were sent and aren't durable there.
    package var laggingBytesMin = 64 << 10
    /// A branch writes in bulk if it cost more lately.
    package var bulkCostMin = 64
    /// While the disk or a member lags, a branch that writes in bulk waits so long for each handled signature or 4 KiB. So a node
    /// takes 512 KiB a second even if a hostile member acknowledges nothing.
    package var pacedCostDuration: UInt64 = 8
    /// After a pause, such a branch may use so many milliseconds of its pace at once. That is most of what a returning member lacks.
    package var pacedAtOnceMax: UInt64 = 1_000
    /// The most that a part of a message of such a branch costs. The parts are handled one at a time.
    package var pacedCostMax = 32
    /// How often a node checks whether they still lag.
    package var pacedTurnInterval: UInt64 = 10
    /// Changes taken from a device whose admission is not known here.
    package var unprovenChangesMax = 10_000
    /// Bytes of these changes.
    package var unprovenBytesMax = 64 << 20
    /// Of what a stranger hands over, the changes that are not here.
    package var strangerChangesMax = 1_000
    /// Bytes of these changes.
    package var strangerBytesMax = 1 << 20
    /// How many messages of a stranger may hold an admission of it: each is judged on a copy of the log.
    package var strangerAdmissionsMax = 8
    /// People who wait. What would make more of them is not taken from strangers.
    package var waitingMax = 64
    /// Members whose first messages are recognized only by their keys.
    package var pairsMax = 1_024
    /// Members with a pairwise rendezvous name that a node publishes all the time. One at a time of the others has such a name too, and
    /// a copy of the node's device.
    package var steadyPairwiseNames = 4
    /// Pairwise rendezvous names that a node publishes at the same time.
    package var pairwiseNamesMax: Int { steadyPairwiseNames + 2 }
    /// Members whose pairwise rendezvous names are recognized: the first in the turns of their branches.
    package var namedPairsMax = 32
    /// Keys of members that first messages are compared with in a second, for all messages together.
    package var pairLookupsMax = 4_096
    /// When an epoch must begin or be granted, a node waits up to so long, because another may do it first.
    package var epochDelayMax: UInt64 = 2_000
    /// For each so many removals and epochs in its chain, a node waits twice as long before it begins the next epoch.
    package var epochPatience = 8
    /// With so many removals and epochs in its chain, a node begins no epoch of its own accord. The rest is reserved for removals
    /// by its own person.
    package var epochsBegunMax = ChangeBounds.chainEpochsMax / 2
    /// With so many bytes in its chain, a node begins and grants no epoch of its own accord. The rest is reserved for its person.
    package var epochBytesMax = ChangeBounds.chainBytesMax / 2
    /// With so many admissions in its chain, a node admits nobody by other people's invites. The rest is reserved for its person's
    /// own invites.
    package var othersNewcomersMax = ChangeBounds.chainAdmissionsMax / 2
    /// A node that lacks the newest epoch's secret, and has asked for it, begins its own epoch after so long.
    package var epochAnswerMax: UInt64 = 10_000
    /// How often people are told that a bound was reached.
    package var boundNoticeInterval: UInt64 = 60_000
    /// How long a report of what is durable here may wait, for the other peers.
    package var haveDelay: UInt64 = 200
    /// The same if there are too many nodes for a full mesh.
    package var crowdedHaveDelay: UInt64 = 1_000
    /// With up to so many other nodes, every node connects to every other one.
    package var meshPeersMax = 12
    /// With more, a node dials so many and accepts so many.
    package var dialledPeersMax = 6
    package var acceptedPeersMax = 12
    /// Between two replacements of a peer; the shorter if nodes appeared or were lost.
    package var reshuffleInterval: UInt64 = 300_000
    package var reshuffleIntervalMin: UInt64 = 30_000
    /// For so long after a peer falls silent, peers are replaced often.
    package var partingMax: UInt64 = 180_000
    /// A session that has lasted so long may end to make room for a node that finds no other.
    package var displaceableAge: UInt64 = 30_000
    /// After so many messages in a row without anything new, a node asks a peer to stop pushing: in a full mesh, and in a
    /// larger group.
    package var repetitionsMax = 8
    package var crowdedRepetitionsMax = 1
    /// How long a node waits for a change that a peer announced before it requests the change.
    package var wantDelay: UInt64 = 150
    /// Names of the node's own trip that are remembered; a random choice if there are more.
    package var memberInstancesMax = 1_024
    /// Bodies that are requested at the same time.
    package var bodiesWantedMax = 64
    /// Branches whose ends a peer may show.
    package var frontierTipsMax = 16_384
    /// What mailboxes may ask of a node.
    package var mailbox = MailboxLimits()

    /// Names that a node publishes at the same time: one for its epoch, one for each invite that it
    /// answers, and some for members who may have a later epoch.
    package var publishedInstancesMax: Int { 1 + openInvitesMax + endedInvitesMax + pairwiseNamesMax }

    /// How many names are published for so many meaningful ones. The rest is noise, because the number of names would reveal
    /// how many invites are open.
    func publishedInstances(for count: Int) -> Int {
        min(publishedInstancesMax, [2, 4, 8].first { count <= $0 } ?? publishedInstancesMax)
    }

    package init() {}
}
