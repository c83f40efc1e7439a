/// Which instances are seen, and where: an instance is here as long as one place shows it. At most 256 instances.
struct SightingTable {
    /// An interface, and the protocol (IPv4 or IPv6) on it.
    struct Place: Hashable {
        let interface: Int32
        let protocolNumber: Int32

        /// Where hosts said it themselves, when they were asked.
        static func queried(on interface: Int32) -> Place { Place(interface: interface, protocolNumber: -2) }

        var isQueried: Bool { protocolNumber == -2 }
    }

    enum Change: Equatable {
        case appeared
        /// Appeared, and took the room of the oldest that is not held.
        case appearedInPlace(of: String)
    }

    private struct Sighting {
        let order: UInt64
        var places: Set<Place>
        var isHeld = false
    }

    private var sightings: [String: Sighting] = [:]
    private var nextOrder: UInt64 = 0

    /// Notes a sighting; nil where the instance was here before, or there is no room.
    mutating func add(_ instance: String, at place: Place) -> Change? {
        if let places = sightings[instance]?.places {
            if places.count < DiscoveryLimits.placesPerInstance { sightings[instance]?.places.insert(place) }
            return nil
        }
        var displaced: String?
        if sightings.count >= DiscoveryLimits.instances {
            // A flood of false names may push out other false names, never one that says something to somebody here.
            displaced = sightings.lazy.filter { !$0.value.isHeld }.min { $0.value.order < $1.value.order }?.key
            guard let displaced else { return nil }
            sightings[displaced] = nil
        }
        sightings[instance] = Sighting(order: nextOrder, places: [place])
        nextOrder += 1
        return displaced.map(Change.appearedInPlace) ?? .appeared
    }

    /// Forgets a sighting; true where that was the instance's last.
    mutating func remove(_ instance: String, at place: Place) -> Bool {
        guard sightings[instance]?.places.remove(place) != nil, sightings[instance]?.places.isEmpty == true else {
            return false
        }
        sightings[instance] = nil
        return true
    }

    /// Keeps an instance's room as long as it is seen.
    mutating func hold(_ instance: String) { sightings[instance]?.isHeld = true }

    /// Forgets all places but some; the instances that no place shows any more.
    mutating func removeAll(but isKept: (Place) -> Bool) -> [String] {
        var gone: [String] = []
        for instance in instances {
            let kept: Set<Place> = sightings[instance]?.places.filter(isKept) ?? []
            sightings[instance]?.places = kept
            guard kept.isEmpty else { continue }
            sightings[instance] = nil
            gone.append(instance)
        }
        return gone
    }

    func contains(_ instance: String) -> Bool { sightings[instance] != nil }

    var isFull: Bool { sightings.count >= DiscoveryLimits.instances }

    /// The interfaces that show an instance, in order of their numbers.
    func interfaces(of instance: String) -> [Int32] {
        Set((sightings[instance]?.places ?? []).map(\.interface)).sorted()
    }

    /// Everything that is seen, oldest first.
    var instances: [String] { sightings.sorted { $0.value.order < $1.value.order }.map(\.key) }
}
