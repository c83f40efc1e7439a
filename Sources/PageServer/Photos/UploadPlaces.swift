import Synchronization

/// What the body of a request may be.
struct BodyRoom: Sendable {
    let bytes: Int
    /// Taken until the request was answered; nil for one that takes none.
    let place: UploadPlaces.Place?
}

/// How many may send photos at once: the body of each lies in memory until it was dealt with.
final class UploadPlaces: Sendable {
    private let taken = Mutex(0)

    private static let placesMax = 4

    /// A place, until the last reference to it goes.
    final class Place: Sendable {
        private let places: UploadPlaces

        fileprivate init(_ places: UploadPlaces) { self.places = places }

        deinit { places.taken.withLock { $0 -= 1 } }
    }

    /// Nil where none is free.
    func take() -> Place? {
        let isFree = taken.withLock { taken in
            guard taken < Self.placesMax else { return false }
            taken += 1
            return true
        }
        return isFree ? Place(self) : nil
    }
}
