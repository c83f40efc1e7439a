package import SyncEngine

/// What discovery has to say. All of it is a hint: nothing here is authenticated, and a peer that is gone may stay listed
/// for more than an hour (RFC 6762, section 10).
package enum DiscoveryEvent: Hashable, Sendable {
    /// An instance is seen on some interface. Said once, however many interfaces show it; one's own are among them.
    case appeared(instance: String)
    /// An instance is seen nowhere any more, or made room for another.
    case disappeared(instance: String)
    /// Where an instance may be dialled: all that is known so far, sorted. Said again as more is learnt, and with no
    /// address where there was no answer in time or the service is of a version that we do not speak.
    case resolved(instance: String, addresses: [ServiceAddress])

    /// Avahi accepts our requests. What was advertised is being published, and everything seen is reported again.
    case available
    /// Avahi does not answer; discovery goes on trying. Everything that had appeared is forgotten.
    case unavailable(reason: String)
    /// Avahi does not publish this, mostly because another holds the name. It is tried again after a while.
    case refused(instance: String, reason: String)
    /// Whether there are more names of our type than can be looked at, as where somebody floods the network with false ones.
    case crowded(Bool)
    /// The machine's addresses or links are not what they were. What is advertised follows by itself.
    case networkChanged
    /// So many events found no room in the queue. Everything that is seen is reported again after this one.
    case dropped(Int)
}
