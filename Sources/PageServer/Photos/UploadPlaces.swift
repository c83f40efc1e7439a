import Synchronization

/// What the body of a request may be.
struct BodyRoom: Sendable {
    var bytes: Int
    /// Taken until the request was answered; nil for one that takes none.
    var place: UploadPlaces.Place?
    /// Whether the request shows a session: its connection makes room for no other.
    var isLetIn = false
    /// Why the body is not read; nil where it is.
    var refusal: HTTPResponse?
}

/// How many may send photos at once: the body of each lies in memory until it was dealt with. The owner and the guests have
/// places of their own.
final class UploadPlaces: Sendable {
    private let taken = Mutex<[Token: Int]>([:])
    private let eachMax: Int

    static let placesMax = 4

    /// - Parameter eachMax: how many of the places one session has.
    init(each eachMax: Int) { self.eachMax = eachMax }

    /// A place, until the last reference to it goes.
    final class Place: Sendable {
        private let places: UploadPlaces
        private let session: Token

        fileprivate init(_ places: UploadPlaces, _ session: Token) {
            self.places = places
            self.session = session
        }

        deinit {
            places.taken.withLock { taken in
                let left = taken[session, default: 1] - 1
                taken[session] = left > 0 ? left : nil
            }
        }
    }

    /// Nil where none is free for a session.
    func take(for session: Token) -> Place? {
        let isFree = taken.withLock { taken in
            guard taken.values.reduce(0, +) < Self.placesMax, taken[session, default: 0] < eachMax else { return false }
            taken[session, default: 0] += 1
            return true
        }
        return isFree ? Place(self, session) : nil
    }
}
