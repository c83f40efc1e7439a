import ChangeLog

/// What peers and strangers may ask of a node. Times in milliseconds.
package struct SessionLimits: Sendable {
    /// From the first byte of a connection to the end of its handshake.
    package var handshakeDuration: UInt64 = 2_000
    /// From dialling to a connection.
    package var dialDuration: UInt64 = 5_000
    /// Between dialling one address of a device and the next.
    package var dialStagger: UInt64 = 250
    /// Connections whose handshake is not over.
    package var handshakesMax = 64
    /// Sessions in all.
    package var sessionsMax = 64
    /// Sessions with one device, which may run in several places, and may have been started anew.
    package var sessionsOfDeviceMax = 4
    /// Sessions with devices that are not known to be let in.
    package var unprovenSessionsMax = 8
    /// Sessions with devices of people who are out, who are told so.
    package var outsideSessionsMax = 4
    /// Sessions under an invite's key.
    package var inviteSessionsMax = 8
    /// Invites that are open and answered at once: the newest.
    package var openInvitesMax = 8
    /// Invites that are over and still answered.
    package var endedInvitesMax = 4
    /// How long a session under an invite's key may last.
    package var inviteSessionDuration: UInt64 = 10_000
    /// Whoever meets others with the trip's secret, and is not known to be let in, asks to be once in so long.
    package var askDelay: UInt64 = 3_000
    /// A session in which nothing was sent for so long sends a ping.
    package var pingInterval: UInt64 = 2_000
    /// A session in which nothing was heard for so long is over.
    package var silenceMax: UInt64 = 7_000
    /// Two sessions with one peer that begin within so long of each other began at once.
    package var simultaneousMax: UInt64 = 3_000
    /// A new key after so many messages, or so long.
    package var rekeyMessages = 1_000
    package var rekeyInterval: UInt64 = 600_000
    /// This node's own instance names that it knows again.
    package var rememberedInstances = 1_024
    /// Between two questions for the addresses behind a name, whoever made it: the first pause after one that had no
    /// answer, doubled up to the last.
    package var resolveDelayMin: UInt64 = 1_000
    package var resolveDelayMax: UInt64 = 30_000
    /// The same after one that had an answer, for another may have given it.
    package var resolvedDelayMin: UInt64 = 15_000
    package var resolvedDelayMax: UInt64 = 240_000
    /// Names that are looked up at once, and how long after that for each more.
    package var lookupsAtOnceMax = 16
    package var lookupInterval: UInt64 = 100
    /// Addresses of one name that are dialled.
    package var resolvedAddressesMax = 16
    /// Instance names made with no key of this node's that may be present at once.
    package var instancesMax = 256
    /// A node's own instance names and host label last so long.
    package var instanceDuration: UInt64 = 900_000
    /// A transport that was asked for another port is not asked again for so long.
    package var portPatience: UInt64 = 10_000
    /// Of the ports at which a peer says within so long that it is reached, the last counts.
    package var toldPortInterval: UInt64 = 1_000
    /// Between two attempts at one address: the first pause, doubled up to the last.
    package var redialDelayMin: UInt64 = 250
    package var redialDelayMax: UInt64 = 2_000
    /// Addresses that are dialled without having been discovered.
    package var addressesMax = 256
    /// Changes and bytes of one message of changes.
    package var batchChangesMax = 1_000
    package var batchBytesMax = 256 << 10
    /// Bytes of changes sent that the peer has not said are durable.
    package var unacknowledgedBytesMax = 1 << 20
    /// Bytes of one session's messages that wait for their turn before no more is read, but for a message that is not whole.
    package var unreadBytesMax = 256 << 10
    /// Bytes of changes that wait for the disk before the messages of all sessions wait.
    package var unwrittenBytesMax = 4 << 20
    /// What the messages cost that are handled in one turn: about so many signatures, or 4 KiB each.
    package var turnCostMax = 256
    /// The disk lags behind where more bytes of changes wait for it, and a member where more were sent and aren't durable there.
    package var laggingBytesMin = 64 << 10
    /// A branch writes much that lately cost more.
    package var bulkCostMin = 64
    /// While somebody lags behind, a branch that writes much waits so long for each signature or 4 KiB of it that was handled. So 512 KiB
    /// a second are taken even where a hostile member acknowledges nothing.
    package var pacedCostDuration: UInt64 = 8
    /// How often a node looks whether they still lag behind.
    package var pacedTurnInterval: UInt64 = 10
    /// Changes taken from a device that is not known to be let in.
    package var unprovenChangesMax = 10_000
    /// Bytes of these changes.
    package var unprovenBytesMax = 64 << 20
    /// Epochs besides the newest whose names are recognised, so that a member who was away is found.
    package var olderEpochsMax = 8
    /// Members who are tried one after the other at an address where nobody answers to the newest epoch.
    package var pairsTriedMax = 32
    /// Members whose first messages are known by their keys alone.
    package var pairsMax = 1_024
    /// Members for whom names are published that only they can read, at once.
    package var pairNamesMax = 4
    /// Members to whose keys first messages are held in a second, all messages together.
    package var pairLookupsMax = 4_096
    /// Up to so long after it is seen that an epoch is to begin or to be handed on, it is left to others.
    package var epochDelayMax: UInt64 = 2_000
    /// For each so many removals and epochs in its chain, a node leaves the next epoch to others for twice as long.
    package var epochPatience = 8
    /// With so many removals and epochs in its chain, a node begins no epoch of its own accord: the rest is for what its person
    /// removes, whatever others make nodes do.
    package var epochsBegunMax = ChangeBounds.chainEpochsMax / 2
    /// With so many admissions in its chain, a node admits nobody by the invites of others: the rest is for its person's own.
    package var othersNewcomersMax = ChangeBounds.chainAdmissionsMax / 2
    /// Whoever lacks the newest epoch's secret, and has asked for it, begins an epoch of its own after so long.
    package var epochAnswerMax: UInt64 = 10_000
    /// People hear of a bound that was reached once in so long.
    package var boundNoticeInterval: UInt64 = 60_000
    /// How long other peers may wait to hear what is durable here.
    package var haveDelay: UInt64 = 200
    /// The same where there are too many for everybody to meet everybody.
    package var crowdedHaveDelay: UInt64 = 1_000
    /// With up to so many others around, everyone meets everyone.
    package var meshPeersMax = 12
    /// With more, a node dials so many and accepts so many.
    package var dialledPeersMax = 6
    package var acceptedPeersMax = 12
    /// Between one exchange of a peer for another and the next; where others appeared, or were lost, the shorter.
    package var reshuffleInterval: UInt64 = 300_000
    package var reshuffleIntervalMin: UInt64 = 30_000
    /// For so long after somebody fell silent, peers are exchanged often.
    package var partingMax: UInt64 = 180_000
    /// A session that has lasted so long may end for somebody who finds no other place.
    package var displaceableAge: UInt64 = 30_000
    /// After so many messages in a row that brought nothing new, a peer is asked to push no more: where everybody meets
    /// everybody, and where there are too many for that.
    package var repetitionsMax = 8
    package var crowdedRepetitionsMax = 1
    /// How long a change that a peer holds may take to come by itself.
    package var wantDelay: UInt64 = 150
    /// Names of one's own trip that are remembered at once: of more, a random choice.
    package var memberInstancesMax = 1_024
    /// Bodies that are asked for at once.
    package var bodiesWantedMax = 64
    /// Branches whose ends a peer may show.
    package var frontierTipsMax = 16_384
    /// What mailboxes may ask of a node.
    package var mailbox = MailboxLimits()

    /// Names under which a node is published at once: one for its epoch, one for each invite that it
    /// answers, and some for members who may have gone on to another epoch.
    package var publishedInstancesMax: Int { 1 + openInvitesMax + endedInvitesMax + pairNamesMax }

    /// How many names are published where so many say something: the rest is noise, for their number would say how many
    /// invites are open.
    func publishedInstances(for count: Int) -> Int {
        min(publishedInstancesMax, [2, 4, 8].first { count <= $0 } ?? publishedInstancesMax)
    }

    package init() {}
}
