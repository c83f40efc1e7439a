import Attachments
import ChangeLog

// What holds between a node's machines after every event.
extension SyncNode {
    /// What has more entries is checked as a whole only by `checkInvariants`.
    private static let entriesCheckedMax = 64

    /// Traps where a structure contradicts itself or another. O(changes · branches, and names, addresses and blocks).
    package func checkInvariants() {
        log.checkInvariants()
        checkConnections()
        checkWrites()
        checkDiscovery()
        mailboxes.checkInvariants(under: limits.mailbox)
        photos.fetching.checkInvariants()
        epochs.checkInvariants(of: secrets.device.replica, in: log, limits)
    }

    /// The same after an event, in builds with `CHECK_INVARIANTS`, without what is linear in more than `entriesCheckedMax`
    /// entries. The log checks itself when it changes (`TripLog.isCheckDue`). O(connections).
    func checkAfter(_ event: Event) {
        // Mostly a node is woken for nothing.
        if case .woke = event, turn.effects.isEmpty { return }
        // What is due and not done would have the node woken without end.
        if let earliestTask {
            precondition(
                earliestTask > now.monotonic,
                "a task was due \(now.monotonic - min(now.monotonic, earliestTask)) ms ago")
        }
        checkConnections()
        if replication.writes.count <= Self.entriesCheckedMax { checkWrites() }
        if dialer.names.count + dialer.addresses.entries.count <= Self.entriesCheckedMax { checkDiscovery() }
        if mailboxes.blockCount <= Self.entriesCheckedMax { mailboxes.checkInvariants(under: limits.mailbox) }
        if photos.fetching.missingCount <= Self.entriesCheckedMax { photos.fetching.checkInvariants() }
        if log.graph.count <= Self.entriesCheckedMax {
            epochs.checkInvariants(of: secrets.device.replica, in: log, limits)
        }
    }

    private func checkConnections() {
        gate.checkInvariants()
        table.checkInvariants()
        turns.checkInvariants()
        presence.checkInvariants(under: limits)
        let unhandled = zip(table.keys, table.values).filter { $1.hasUnhandled }.map { $0.0 }
        precondition(
            turns.waiting == Set(unhandled),
            "\(turns.waiting.count) sessions wait for a turn, and \(unhandled.count) have messages")
        for id in presence.peers + versions.peers {
            precondition(table.index(of: id) != nil, "connection \(id.rawValue) has no session, and said something")
        }
        for id in membership.dismissed {
            precondition(
                table.index(of: id) == nil && !gate.contains(id),
                "the device on connection \(id.rawValue) is dismissed, and the connection goes on")
        }
        for (id, session) in zip(table.keys, table.values) {
            precondition(!gate.contains(id), "connection \(id.rawValue) has both a handshake and a session")
            session.replication.checkInvariants(before: log.graph.count)
            check(session, on: id)
        }
    }

    private func check(_ session: Session, on id: ConnectionID) {
        let replica = session.peer.replica
        let isAllowed =
            switch session.standing {
            case .member(let device): device.replica == replica && log.isIn(replica)
            case .outside: log.isOut(replica)
            case .unproven: !log.isOut(replica)
            case .stranger: !log.isIn(replica)
            case .joiner, .sponsor: true
            }
        precondition(
            isAllowed,
            """
            the device on connection \(id.rawValue) is \(session.isWithMember ? "" : "not ")a member in the session; \
            in the log it is \(log.isIn(replica) ? "in" : log.isOut(replica) ? "out" : "neither in nor out")
            """)
        let bytes = session.channel.waitingBytes
        precondition(
            session.isRead
                ? !session.hasUnhandled || bytes <= limits.unreadBytesMax
                : session.hasUnhandled && bytes >= limits.unreadBytesMax / 4,
            """
            connection \(id.rawValue) is \(session.isRead ? "" : "not ")read, and \(bytes) bytes wait, \
            \(session.hasUnhandled ? "" : "not ")with a whole frame
            """)
    }

    private func checkWrites() {
        replication.checkInvariants(before: log.graph.count)
        precondition(
            membership.dismissed.isEmpty || !replication.writes.isEmpty,
            "\(membership.dismissed.count) dismissals wait, and everything is durable")
    }

    private func checkDiscovery() {
        dialer.checkInvariants()
        for (address, entry) in dialer.addresses.entries {
            guard let id = entry.connection else { continue }
            precondition(
                (table[id]?.address ?? gate.address(of: id)) == address,
                "\(address) is dialed as connection \(id.rawValue), which goes elsewhere or is over")
        }
    }
}
