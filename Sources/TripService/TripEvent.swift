package import TripModel

/// Something that people may want to hear of, as it happens.
package enum TripEvent: Codable, Hashable, Sendable {
    /// Somebody did something, here or elsewhere.
    case changed(HistoryView)
    /// So many events found no room at a listener that read too slowly: all is to be read again.
    case missed(Int)
    /// Of what was shown, something counts no more, or counts again: all is to be read anew.
    case rebuilt
    /// Statements count no more, or count again: who is in, who may come in and what happened are to be read anew.
    case membership
    /// Who has what changed: `StatusView` says it anew.
    case spread
    /// Pictures of photos of these items came.
    case pictures([ItemID])
    /// What is this person's own changed: `OwnView` says it anew.
    case own
    case here(name: String)
    case gone(name: String)
    /// This device's person is out of the trip from now on.
    case youAreOut(RemovalView)
    /// A device writes in two places: a copy of a home.
    case inTwoPlaces(name: String)
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
