/// A node's counts and measurements of itself, for operators. None is a secret, a name or a text of a trip.
package struct NodeMetrics: Codable, Hashable, Sendable {
    /// Seconds since the process began to run the home.
    package var uptimeSeconds: Double
    /// Bytes of memory that the system holds for the process; nil where it does not say.
    package var residentBytes: Int64?
    /// Descriptors that are open; nil where the system does not say.
    package var openDescriptors: Int?
    /// Commands that are connected to the control socket, those that watch included.
    package var commands: Int
    /// In the order of their ids.
    package var trips: [TripMetrics]

    package init(
        uptimeSeconds: Double, residentBytes: Int64?, openDescriptors: Int?, commands: Int, trips: [TripMetrics]
    ) {
        self.uptimeSeconds = uptimeSeconds
        self.residentBytes = residentBytes
        self.openDescriptors = openDescriptors
        self.commands = commands
        self.trips = trips
    }
}

/// The same of one trip. Counts are since its node came up.
package struct TripMetrics: Codable, Hashable, Sendable {
    /// The trip's id in its home.
    package var trip: String
    /// Changes that are held.
    package var changes = 0
    /// Sessions with members.
    package var sessions = 0
    /// Connections whose handshake is not over.
    package var handshakes = 0
    /// Names of nodes, of whichever trip, that discovery shows.
    package var names = 0
    /// Addresses that are tried.
    package var addresses = 0
    /// Whether Avahi takes orders; nil where nobody is looked for.
    package var isDiscovering: Bool?
    package var connections = ConnectionMetrics()
    package var store = StoreMetrics()
    package var photoChunks = PhotoChunkMetrics()
    /// Bytes that came and wait to be handled.
    package var waitingBytes = 0
    /// Changes of others that were not taken.
    package var refusedChanges = 0
    /// How often others asked for more than the node gives.
    package var limits: [TripEvent.Limit: Int] = [:]

    package init(trip: String) { self.trip = trip }
}

/// What was counted of the chunks of photos.
package struct PhotoChunkMetrics: Codable, Hashable, Sendable {
    /// That are wanted and have not come.
    package var wanted: Int
    /// That others sent, whole and as they were named; and that were sent to others.
    package var received: Int
    package var sent: Int

    package init(wanted: Int = 0, received: Int = 0, sent: Int = 0) {
        (self.wanted, self.received, self.sent) = (wanted, received, sent)
    }
}

/// What was counted of TCP connections.
package struct ConnectionMetrics: Codable, Hashable, Sendable {
    package var accepted: UInt64 = 0
    /// Those of them that came from other machines.
    package var acceptedFromOthers: UInt64 = 0
    package var dialled: UInt64 = 0
    /// Those of them that led to other machines.
    package var dialledToOthers: UInt64 = 0
    /// Connections that were turned away: too many, in all or from one address.
    package var refused: UInt64 = 0
    /// Connections that were ended because too much waited unsent.
    package var overflowed: UInt64 = 0
    package var receivedBytes: UInt64 = 0
    package var sentBytes: UInt64 = 0
    /// Bytes that were handed over to be sent, and wait.
    package var unsentBytes = 0

    package init() {}
}

/// What was measured of writes to a trip's store: each makes one or more changes durable.
package struct StoreMetrics: Codable, Hashable, Sendable {
    /// Upper bounds of the durations that are told apart, in seconds.
    package static let bounds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5]

    /// Writes by duration: one number for each bound, and one for what took longer.
    package private(set) var writes = [UInt64](repeating: 0, count: bounds.count + 1)
    package private(set) var seconds = 0.0
    package private(set) var failures: UInt64 = 0
    /// Writes that wait.
    package var waiting = 0

    package init() {}

    package mutating func count(seconds: Double, isDurable: Bool) {
        guard isDurable else { return failures += 1 }
        writes[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        self.seconds += seconds
    }
}
