import NIOHTTP1
import TripPage
package import TripService

/// The page of a home over HTTP: on loopback for whoever owns the home, and on the network for guests while they are let in.
///
/// The owner's browser comes in by a one-time link and stays by a cookie, which the home remembers.
package actor PageServer {
    let home: any HomeService
    let options: PageOptions
    private let file: PageFile
    var memory: PageMemory
    private var listener: HTTPListener?
    var origins = Origins([], port: 0)
    var links = OneTimeTokens()
    var rates = RateLimiter()
    /// What a page that is loaded without script says once.
    var toasts: [Token: Toast] = [:]
    var sentForms: [SentForm: Task<Toast, Never>] = [:]
    var sentFormsInOrder: [SentForm] = []
    var sentNotes = SentNotes()
    private var feeds: [String: Task<TripFeed, any Error>] = [:]
    private var sweeping: Task<Void, Never>?
    var entrance: GuestEntrance?
    /// What tells phones that the door is closed, for `PageOptions.closedPatience` after it closed, and what ends it.
    var closedListener: (listener: HTTPListener, ending: Task<Void, Never>)?
    /// The door that is always open on its network, as it was when it closed for a while: what guests did that day counts on.
    var pausedDoor: GuestEntrance?
    /// The last wish to join a trip, until the page has said what became of it.
    var joining: PageJoin?
    /// Why a backup was not restored, until its form says so.
    var refusedRestore: String?
    /// The last trip that was started here, or is being started.
    var started: (form: StartForm, at: ContinuousClock.Instant, trip: Task<Result<String, ServiceError>, Never>)?
    /// Whether a key is being made of a passphrase.
    var isSealing = false
    /// Sessions whose guest is being admitted: each is admitted once, however often its form comes.
    var introductions: [Token: Task<Result<String, ServiceError>, Never>] = [:]
    nonisolated let uploads = UploadPlaces(each: UploadPlaces.placesMax)
    nonisolated let guestUploads = UploadPlaces(each: 1)

    package static let linkLifetime: Int64 = 600_000
    /// How long a standing door is not looked after, and a trip is kept up to date that nobody looks at.
    private static let feedPatience = Duration.seconds(30)

    package init(home: any HomeService, options: PageOptions) {
        self.home = home
        self.options = options
        file = PageFile(folder: options.folder)
        memory = file.read() ?? PageMemory()
    }

    /// Listens on loopback: at the port of the options, or else at the one that was used last, or else at any.
    package func start() async throws(ServiceError) {
        let listener = HTTPListener(
            host: "127.0.0.1", limits: options.limits, priority: .userInitiated,
            room: { [weak self] in await self?.room(for: $0) }
        ) { [weak self] request in
            await self?.readableAnswer(to: request)
                ?? .line(.serviceUnavailable, "the node is stopping: reload once it runs again")
        }
        try await start(listener, at: options.port.map { [$0] } ?? [memory.port ?? 0, 0])
        self.listener = listener
        origins = Origins(["127.0.0.1", "localhost"], port: listener.port)
        memory.port = listener.port
        try save()
        await tendStandingDoor()
        sweeping = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.feedPatience)
                await self?.endFeedsOfNobody()
                await self?.tendStandingDoor()
            }
        }
    }

    /// Listens at the first of these ports that is free.
    func start(_ listener: HTTPListener, at ports: [UInt16]) async throws(ServiceError) {
        for port in ports {
            if (try? await listener.start(port: port)) != nil { return }
        }
        throw ServiceError(
            "the page can’t use port \(ports[0]), for another program does: choose another port or end that program")
    }

    /// Where the owner's page is: "127.0.0.1:41234".
    package var address: String { "127.0.0.1:\(listener?.port ?? 0)" }

    /// A link that lets one browser in, once, within 10 minutes; at most 16 are open.
    package func link() -> String {
        "http://\(address)/enter/\(links.issue(at: WallTime.now.milliseconds, lifetime: Self.linkLifetime).text)"
    }

    /// Ends all streams and connections.
    package func stop() async {
        sweeping?.cancel()
        await shutDoor(saying: memory.standing == nil ? TripPage.doorClosed : TripPage.doorStopped)
        await endClosedListener()
        for feed in feeds.values { await (try? feed.value)?.end() }
        feeds = [:]
        await listener?.stop()
        listener = nil
    }

    func save() throws(ServiceError) { try file.write(memory) }

    // MARK: - Trips that somebody looks at

    /// A trip as it is kept for open pages.
    func feed(of trip: String) async throws(ServiceError) -> TripFeed {
        if let task = feeds[trip], let feed = try? await task.value, await !feed.hasEnded { return feed }
        let (door, elsewhere) = (self.door(of: trip), doorElsewhere(than: trip))
        // Whoever asked first: the owner reads it too.
        let task = Task(priority: .userInitiated) { [weak self, home, options] in
            guard let service = await home.trip(trip) else {
                if let problem = await home.problem(ofTrip: trip) {
                    throw ServiceError(.notAnswering, "\(problem): go to /")
                }
                throw ServiceError("no such trip is running here: go to /")
            }
            return try await TripFeed(
                trip: trip, service: service, home: home, door: door, elsewhere: elsewhere,
                calendar: await self?.calendarAddress(ofTrip: trip), options: options)
        }
        feeds[trip] = task
        do { return try await task.value } catch {
            feeds[trip] = nil
            throw error as? ServiceError ?? ServiceError("the trip can’t be read: reload the page")
        }
    }

    /// How many pages are open.
    package var openStreams: Int {
        get async {
            var count = 0
            for task in feeds.values { count += await (try? task.value)?.streamCount ?? 0 }
            return count
        }
    }

    /// A feed that is there already.
    func openFeed(of trip: String) async -> TripFeed? { await (try? feeds[trip]?.value) ?? nil }

    /// Tells all pages which trip guests can use now.
    func tellOfDoor() async {
        for task in feeds.values {
            guard let feed = try? await task.value else { continue }
            await feed.set(door: door(of: feed.trip), elsewhere: doorElsewhere(than: feed.trip))
        }
    }

    private func endFeedsOfNobody() async {
        for (trip, task) in feeds {
            guard let feed = try? await task.value else { continue }
            let isOver = await feed.hasEnded
            let lastLook = await feed.lastLook
            let isIdle = await feed.streamCount == 0 && ContinuousClock.now - lastLook > Self.feedPatience
            guard isOver || isIdle else { continue }
            feeds[trip] = nil
            await feed.end()
        }
    }
}
