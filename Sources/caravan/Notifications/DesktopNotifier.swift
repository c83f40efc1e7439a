import CaravanNode
import Console
import Desktop
import TripModel
import TripService
import TripText

/// Tells the person at this desktop what others do, while a node runs.
actor DesktopNotifier {
    private let quiet: QuietHours?
    private var digest = NewsDigest()
    private var followed: Set<String> = []
    private var listeners: [Task<Void, Never>] = []
    private var bell: Task<Void, Never>?
    private var hasComplained = false

    /// How often trips that came meanwhile are looked for.
    private static let lookInterval = Duration.seconds(5)

    /// - Parameter quiet: hours in this home's zone.
    init(quiet: QuietHours?) {
        self.quiet = quiet
    }

    /// Follows all trips of a node, and those that come to it, until its task is cancelled.
    func run(_ node: HomeNode) async {
        while !Task.isCancelled {
            for id in await node.tripIDs where followed.insert(id).inserted {
                guard let trip = await node.node(of: id) else { continue }
                await follow(trip)
            }
            try? await Task.sleep(for: Self.lookInterval)
        }
        for listener in listeners { listener.cancel() }
        bell?.cancel()
    }

    private func follow(_ trip: TripNode) async {
        // First what happens, then what has happened: nothing falls between.
        let events = await trip.events()
        var filter = NewsFilter(for: await trip.me)
        if case .history(let history)? = try? await trip.answer(.history) { filter.learn(history) }
        listeners.append(
            Task { [weak self, filter] in
                var filter = filter
                for await event in events {
                    guard case .changed(let view) = event else { continue }
                    let news = filter.news(in: view, at: Reader.now)
                    if !news.isEmpty { await self?.heard(news, in: trip.title) }
                }
            })
    }

    private func heard(_ news: [News], in trip: String) {
        digest.heard(news, in: trip, at: Reader.now)
        guard bell == nil else { return }
        bell = Task { await ring() }
    }

    /// Tells what waits, each when it is due.
    private func ring() async {
        while let due = digest.due, !Task.isCancelled {
            let now = Reader.now
            if due > now {
                // A clock that is set back makes nobody wait longer than this.
                try? await Task.sleep(for: .milliseconds(min(due - now, NewsDigest.interval)))
                continue
            }
            guard let notification = digest.next(at: now, isQuiet: quiet?.contains(Reader.minuteOfDay(now)) ?? false)
            else { continue }
            do { try await Desktop.notify(title: notification.title, text: notification.text) } catch {
                complain(error)
            }
        }
        bell = nil
    }

    /// Once: what cannot be shown is in the output of `caravan up`.
    private func complain(_ error: DesktopError) {
        guard !hasComplained else { return }
        hasComplained = true
        Output.note("No notifications: \(error.message)")
    }
}
