import SyncEngine

/// The instances that one-shot queries found, each for 15 s after it was heard last. At most `DiscoveryLimits.instances`: the host
/// that named the most gives room for others', so a flood by one keeps nobody else's out.
struct QueriedServices {
    enum Change {
        /// It was not here before, and took the room of another, where that is named.
        case added(inPlaceOf: (instance: String, interface: Int32)?)
        /// It is here; and whether it is known better where it may be dialled.
        case known(hasNews: Bool)
        case noRoom
    }

    private struct Entry {
        let source: String
        let interface: Int32
        var addresses: [ServiceAddress]?
        var expires: ContinuousClock.Instant
    }

    private var entries: [String: Entry] = [:]
    /// How many of them each host named.
    private var counts: [String: Int] = [:]

    private static let lifetime = Duration.seconds(15)

    /// Notes that a host named an instance, and where it may be dialled; nil where it did not say. O(1), or O(instances) where all
    /// room is taken.
    mutating func note(
        _ instance: String, from source: String, on interface: Int32, at addresses: [ServiceAddress]?,
        now: ContinuousClock.Instant
    ) -> Change {
        if let entry = entries[instance] {
            entries[instance]?.expires = now + Self.lifetime
            guard let addresses else { return .known(hasNews: false) }
            let all = Set(entry.addresses ?? []).union(addresses.prefix(AddressTag.count)).sorted()
            guard all != entry.addresses, all.count <= 2 * AddressTag.count else { return .known(hasNews: false) }
            entries[instance]?.addresses = all
            return .known(hasNews: true)
        }
        var displaced: (instance: String, interface: Int32)?
        if entries.count >= DiscoveryLimits.instances {
            let greatest = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }
            guard let greatest, greatest.value > counts[source, default: 0] + 1 else { return .noRoom }
            displaced = entries.filter { $0.value.source == greatest.key }.min {
                ($0.value.expires, $0.key) < ($1.value.expires, $1.key)
            }.map { ($0.key, $0.value.interface) }
            if let displaced { remove(displaced.instance) }
        }
        entries[instance] = Entry(
            source: source, interface: interface, addresses: addresses?.prefix(AddressTag.count).sorted(),
            expires: now + Self.lifetime)
        counts[source, default: 0] += 1
        return .added(inPlaceOf: displaced)
    }

    /// Where an instance may be dialled; nil where no host has said it.
    func addresses(of instance: String) -> [ServiceAddress]? { entries[instance]?.addresses }

    /// Forgets those whose time is over; their names and interfaces.
    mutating func expire(now: ContinuousClock.Instant) -> [(instance: String, interface: Int32)] {
        let over = entries.filter { $0.value.expires <= now }.map { ($0.key, $0.value.interface) }
        for (instance, _) in over { remove(instance) }
        return over
    }

    /// When the next one's time is over.
    var deadline: ContinuousClock.Instant? { entries.values.map(\.expires).min() }

    private mutating func remove(_ instance: String) {
        guard let entry = entries.removeValue(forKey: instance) else { return }
        counts[entry.source, default: 1] -= 1
        if counts[entry.source] == 0 { counts[entry.source] = nil }
    }
}
