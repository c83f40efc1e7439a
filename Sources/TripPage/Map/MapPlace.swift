import TripModel

/// An item that has a place.
struct MapPlace: Sendable {
    let item: ItemView
    let point: Land.Point
    let direction: Sphere.Direction

    /// Nil for an item without a place.
    init?(_ item: ItemView) {
        guard let point = item.fields[.place].flatMap({ Land.Point(place: $0.value) }) else { return nil }
        self.item = item
        self.point = point
        direction = Sphere.direction(of: point)
    }

    /// The class that colors its pin and its number in the list, by its votes.
    var mood: String { item.tally > 0 ? "map-wanted" : item.tally < 0 ? "map-unwanted" : "map-even" }

    /// As it is read aloud: "3 Casa do Rio, votes 2".
    var label: String { "\(item.number) \(item.title), votes \(item.tally)" }
}

extension Land.Point {
    /// Reads a field's value, as `Field.place` has it: "48.8584,2.2945". Nil if it is not a place: any member may have written it.
    package init?(place: String) {
        let parts = place.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
            abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}

/// Places near each other, seen from far away.
struct MapGroup: Sendable {
    /// Never empty.
    let places: [MapPlace]

    /// Single linkage: places belong together where steps of at most `step` kilometres lead from one to the other. In the
    /// order of their first places. Complexity: O(n²).
    static func groups(of places: [MapPlace], step: Double) -> [MapGroup] {
        // Chords compare as arcs do, and cost no arctangent.
        let half = Sphere.sine(min(step / Sphere.radius, .pi) / 2)
        let chordSquare = 4 * half * half
        var isTaken = [Bool](repeating: false, count: places.count)
        var groups: [MapGroup] = []
        for first in places.indices where !isTaken[first] {
            isTaken[first] = true
            var members = [first]
            var next = 0
            while next < members.count {
                let here = places[members[next]].direction
                next += 1
                for other in places.indices where !isTaken[other] {
                    let chord = places[other].direction - here
                    if Sphere.dot(chord, chord) <= chordSquare {
                        isTaken[other] = true
                        members.append(other)
                    }
                }
            }
            groups.append(MapGroup(places: members.sorted().map { places[$0] }))
        }
        return groups
    }
}
