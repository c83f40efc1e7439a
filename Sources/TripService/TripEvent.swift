package import TripModel

/// Something that people may want to hear of, as it happens.
package enum TripEvent: Codable, Hashable, Sendable {
    /// Somebody did something, here or elsewhere.
    case changed(HistoryView)
    /// So many events found no room at a listener that read too slowly: all is to be read again.
    case missed(Int)
    /// Something shown no longer counts, or counts again: everything must be read again.
    case rebuilt
    /// Statements no longer count, or count again: members, invites and history must be read again.
    case membership
    /// The spread of changes to other devices changed: read `StatusView` again.
    case spread
    /// Somebody began to write in a note, moved, or stopped: `TripRequest.writers` says who writes where.
    case writing
    /// Pictures of photos of these items came.
    case pictures([ItemID])
    /// This person's own data changed: read `OwnView` again.
    case own
    case here(name: String)
    case gone(name: String)
    /// This device's person is out of the trip from now on.
    case youAreOut(RemovalView)
    /// A device writes in two places: a copy of a home. Nil if an older node didn't say whether it is the device here.
    case inTwoPlaces(name: String, isHere: Bool? = nil)
    /// A device has written as much as one may.
    case full(name: String)
    /// A change says what this version does not know: it takes effect once this one is newer.
    case needsNewer(name: String)
    /// A change was not taken.
    case refused(name: String)
    /// Somebody's node says what no node understands, and is not listened to.
    case misbehaved(name: String)
    /// Others asked for more than this node gives.
    case limit(Limit)
    /// Why nodes are not found by themselves any more; nil where they are again.
    case discovery(problem: String?)
    case problem(String)

    /// What others can make a node hold or do only so often.
    package enum Limit: String, Codable, Hashable, Sendable {
        case handshakes, sessions, unprovenSessions, inviteSessions, unprovenChanges, pairLookups, instances
        case mailboxBlocks, mailboxRoom
    }
}
