import TripModel
import TripPage

/// The land around a trip's places, looked up again when a place changed.
struct KnownLand: Sendable {
    private(set) var land = Land(isAwaited: true)
    private var points: [Land.Point]?

    /// - Returns: what to look up; nil where that was done or is being done.
    mutating func pointsToLookUp(of view: TripView) -> [Land.Point]? {
        let points = view.items.compactMap { $0.fields[.place].flatMap { Land.Point(place: $0.value) } }
        guard points != self.points else { return nil }
        self.points = points
        return points
    }

    mutating func take(_ land: Land) { self.land = land }
}
