import TripModel
import TripPage
import TripService

/// What the owner shares from: what is their own, and of the feeds that pages look at, what they hold.
struct Shelf {
    private struct Kept {
        var feed = Sources.Feed.awaited
        var isReading = true
        var begun: ContinuousClock.Instant
        var looked: ContinuousClock.Instant
    }

    var own = OwnView() {
        didSet {
            wishes = Offer.all(own.wishes.lazy.map { NewItem($0) })
            kept = kept.filter { name, _ in origin(of: name) != nil }
        }
    }
    private var wishes: [Offer] = []
    private var kept: [String: Kept] = [:]

    /// How many feeds are held at once.
    static let feedsMax = 4
    /// For how long a feed is held that nobody looks at.
    private static let patience = Duration.seconds(60)
    /// Before that it is not read again.
    private static let freshness = Duration.seconds(2)

    private func origin(of name: String) -> String? { own.feeds.first { $0.name == name }?.origin }

    /// What a page shows.
    mutating func sources(for query: PageQuery, at now: ContinuousClock.Instant) -> Sources {
        var sources = Sources(wishes: wishes, viewed: own.viewed, feeds: own.feeds.map(\.name))
        if query.view == .sources, case .feed(let name) = query.source, let feed = kept[name]?.feed {
            kept[name]?.looked = now
            sources.feed = feed
        }
        return sources
    }

    /// A row of a source by its id; nil where it is not there any more.
    func offer(_ id: String, from source: PageQuery.Source) -> Offer? {
        switch source {
        case .wishes: return wishes.first { $0.id == id }
        case .viewed: return nil
        case .feed(let name):
            guard case .read(let offers)? = kept[name]?.feed else { return nil }
            return offers.first { $0.id == id }
        }
    }

    /// How a wish is named where all are asked for.
    func reference(toWish id: String) -> String? { own.wishes.first { Offer(NewItem($0)).id == id }?.id }

    // MARK: - Feeds

    /// Where to read a feed from; nil where it is being read, or was a moment ago. What it held stays shown meanwhile.
    mutating func beginReading(_ name: String, at now: ContinuousClock.Instant) -> String? {
        guard let origin = origin(of: name) else { return nil }
        if let known = kept[name], known.isReading || now - known.begun < Self.freshness { return nil }
        if kept[name] == nil, kept.count >= Self.feedsMax,
            let oldest = kept.min(by: { $0.value.looked < $1.value.looked })?.key
        {
            kept[oldest] = nil
        }
        kept[name] = Kept(feed: kept[name]?.feed ?? .awaited, begun: now, looked: now)
        return origin
    }

    mutating func finish(_ name: String, _ feed: Sources.Feed) {
        kept[name]?.feed = feed
        kept[name]?.isReading = false
    }

    func isReading(_ name: String) -> Bool { kept[name]?.isReading ?? false }

    /// Lets go of feeds that nobody looks at.
    mutating func forget(at now: ContinuousClock.Instant) {
        kept = kept.filter { now - $0.value.looked < Self.patience }
    }
}
