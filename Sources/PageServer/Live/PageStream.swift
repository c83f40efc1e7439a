import TripPage

/// A page that is open in a browser, which is sent what changes on it.
///
/// What waits for it is a flag and not a queue: when the last patch was taken, the newest state is drawn and compared with
/// what was sent. A slow reader skips versions, and holds one patch at most.
actor PageStream: EventSource {
    nonisolated let id = Token().text
    /// Whose it is.
    nonisolated let session: Token
    nonisolated let viewer: Viewer
    private let feed: TripFeed
    private var query: PageQuery
    private var copy = BrowserCopy()
    private var hasSaidHello = false
    private var lastWrite = ContinuousClock.now
    nonisolated let flag = DirtyFlag()

    /// Between comments that keep the connection known to be alive.
    static let pulse = Duration.seconds(15)

    init(session: Token, viewer: Viewer, query: PageQuery, feed: TripFeed) {
        self.session = session
        self.viewer = viewer
        self.query = query
        self.feed = feed
    }

    /// Shows another part of the trip from now on.
    func look(_ query: PageQuery) {
        guard query != self.query else { return }
        self.query = query
        flag.set()
    }

    func next() async -> String? {
        guard hasSaidHello else {
            hasSaidHello = true
            flag.set()
            return "event: hello\ndata: {\"stream\":\"\(id)\"}\n\n"
        }
        while await flag.wait() {
            let drawing = await feed.draw(for: viewer, query)
            let patch = copy.patch(to: drawing)
            guard patch != nil || ContinuousClock.now - lastWrite > Self.pulse / 2 else { continue }
            lastWrite = .now
            return patch.map { "event: patch\ndata: \($0.json)\n\n" } ?? ":\n\n"
        }
        return nil
    }

    nonisolated func end() {
        flag.end()
        Task { await feed.remove(self) }
    }
}
