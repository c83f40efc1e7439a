import TripModel
import TripPage

/// The streams of one trip's open pages.
struct StreamTable: Sendable {
    private var streams: [String: PageStream] = [:]

    /// Streams of one guest's session; each is drawn for whenever something changes. A page of theirs needs one.
    static let guestStreamsMax = 4

    var count: Int { streams.count }
    var ofGuests: [PageStream] { streams.values.filter(\.viewer.isGuest) }
    /// The ids of guests whose page is open.
    var guestsHere: Set<String> { Set(ofGuests.compactMap { $0.viewer.participant?.description }) }

    /// Adds a stream; of a guest's session the oldest ends where there are too many.
    mutating func add(_ stream: PageStream) {
        if stream.viewer.isGuest {
            let others = streams.values.filter { $0.session == stream.session }
            if others.count >= Self.guestStreamsMax, let oldest = others.min(by: { $0.opened < $1.opened }) {
                oldest.flag.end()
                streams[oldest.id] = nil
            }
        }
        streams[stream.id] = stream
    }

    mutating func remove(_ stream: PageStream) { streams[stream.id] = nil }

    func contains(_ stream: PageStream) -> Bool { streams[stream.id] != nil }

    /// A session's own stream.
    func stream(_ id: String, of session: Token) -> PageStream? {
        streams[id].flatMap { $0.session == session ? $0 : nil }
    }

    /// Lets each be drawn for again.
    func redraw() { for stream in streams.values { stream.flag.set() } }

    mutating func endAll() {
        for stream in streams.values { stream.flag.end() }
        streams = [:]
    }
}
