import Foundation
import Synchronization
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
    nonisolated let opened = ContinuousClock.now
    private let feed: TripFeed
    private var query: PageQuery
    private var copy = BrowserCopy()
    /// What the browser has already, by its digest: the document that it loaded, or the last patch of another stream.
    private let drawn: String?
    private var hasSaidHello = false
    private var lastWrite = ContinuousClock.now
    nonisolated let flag = DirtyFlag()
    /// What the page is told last.
    private nonisolated let farewell = Mutex<String?>(nil)

    /// Between beats by which the browser knows that the connection is alive: its script does not see comments.
    static let pulse = Duration.seconds(15)

    init(session: Token, viewer: Viewer, query: PageQuery, drawn: String?, feed: TripFeed) {
        self.session = session
        self.viewer = viewer
        self.query = query
        self.drawn = drawn
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
            let isFirst = copy.isEmpty
            var patch = copy.patch(to: drawing)
            if isFirst, drawing.digest == drawn { patch = nil }
            guard patch != nil || ContinuousClock.now - lastWrite > Self.pulse / 2 else { continue }
            lastWrite = .now
            return patch.map { "id: \(drawing.digest)\nevent: patch\ndata: \($0.json)\n\n" }
                ?? "event: beat\ndata: {}\n\n"
        }
        return farewell.withLock { $0.take() }
    }

    /// Ends it, and tells its reader why.
    nonisolated func end(saying text: String) {
        farewell.withLock { $0 = "event: bye\ndata: \(Farewell(text: text).json)\n\n" }
        flag.end()
    }

    nonisolated func end() {
        flag.end()
        Task { await feed.remove(self) }
    }
}

/// Why a stream ended, for its reader.
private struct Farewell: Encodable {
    let text: String

    /// In one line.
    var json: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}" }
}
