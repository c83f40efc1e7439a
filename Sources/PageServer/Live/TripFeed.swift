import TripExchange
import TripModel
import TripPage
import TripService

/// A trip as open pages show it, kept up to date while anybody looks: it asks the trip's node, and hands what it hears to the
/// values that know what to do with it.
actor TripFeed {
    nonisolated let trip: String
    nonisolated let service: any TripService
    private let home: any HomeService
    private let options: PageOptions

    private(set) var screen: TripScreen
    var plan = ReadingPlan(at: .now)
    var desk = NoteDesk(at: WallTime.now.milliseconds)
    private var streams = StreamTable()
    private var painter = PagePainter()

    /// The wait for the next reading, and when it ends; nil where none is planned.
    private var planned: (due: ContinuousClock.Instant, wait: Task<Void, Never>)?
    private var listening: Task<Void, Never>?
    private var pulse: Task<Void, Never>?
    private(set) var hasEnded = false
    private(set) var lastLook = ContinuousClock.now

    /// Reads the trip.
    init(
        trip: String, service: any TripService, home: any HomeService, door: GuestDoor?, elsewhere: DoorElsewhere?,
        calendar: String?, options: PageOptions
    ) async throws(ServiceError) {
        self.trip = trip
        self.service = service
        self.home = home
        self.options = options
        // Heard before it is read, so that nothing falls between.
        let events = try await service.events()
        let mirror = TripMirror(
            view: try await service.view(), members: try await service.members(), status: try await service.status(),
            history: try await service.recentHistory(PageState.historyMax), invites: try await service.openInvites(),
            entries: await home.trips())
        screen = TripScreen(trip: trip, calendar: calendar, door: door, mirror: mirror, qrCode: options.qrCode)
        screen.elsewhere = elsewhere
        screen.mirror.take(try await service.writers())
        screen.shelf.own = try await service.own()
        screen.isUnderPassphrase = try await home.isUnderPassphrase(trip: trip)
        listening = Task { [weak self] in
            for await event in events { await self?.heard(event) }
            await self?.end()
        }
        pulse = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: PageStream.pulse)
                await self?.beat()
            }
        }
    }

    /// Tells all streams that nothing more comes.
    func end() {
        hasEnded = true
        listening?.cancel()
        pulse?.cancel()
        planned?.wait.cancel()
        desk.close()
        streams.endAll()
    }

    // MARK: - Who looks

    var streamCount: Int { streams.count }

    func add(_ stream: PageStream) {
        if hasEnded { return stream.flag.end() }
        lastLook = .now
        streams.add(stream)
        if stream.viewer.isGuest { painter.forget() }
    }

    func remove(_ stream: PageStream) {
        lastLook = .now
        streams.remove(stream)
        Task { await unseat(stream.viewer, from: stream.id) }
        if stream.viewer.isGuest { painter.forget() }
    }

    /// A session's own stream.
    func stream(_ id: String, of session: Token) -> PageStream? {
        streams.stream(id, of: session)
    }

    /// Draws anew for every stream; one on which nothing changed for long says that it is alive.
    func redraw() {
        painter.forget()
        streams.redraw()
    }

    private func beat() {
        screen.shelf.forget(at: .now)
        redraw()
        // No event says that a mailbox was read.
        guard !screen.mirror.status.mailboxes.isEmpty, streams.count > 0 else { return }
        plan.noteMembers()
        readSoon()
    }

    // MARK: - What the owner shares from

    /// How long a document waits for a feed before it says that it is being read.
    private static let feedPatience = Duration.seconds(2)

    /// Begins to note what is new, when the owner looks at the trip for the first time.
    func ownerLooks() async {
        guard screen.shelf.own.news == nil, case .own(let own) = try? await service.answer(.see(nil)) else { return }
        screen.shelf.own = own
    }

    /// Notes that the owner opens an item.
    func ownerOpens(_ query: PageQuery) async {
        // The form of an expense isn't a look at an item.
        if query.view != .costs, let open = query.open, let id = item(open)?.id {
            _ = try? await service.answer(.look(at: id))
        }
    }

    /// Reads the feed that the owner looks at.
    ///
    /// - Parameter waits: for what a document shows; a page that is open hears of it.
    func readFeed(_ query: PageQuery, waits: Bool) async {
        guard query.view == .sources, case .feed(let name) = query.source else { return }
        if let origin = screen.shelf.beginReading(name, at: .now) {
            // Many rows take a while: not here, where everybody waits.
            Task.detached { [weak self, options] in await self?.finish(name, await Self.read(origin, options)) }
        }
        let end = ContinuousClock.now + Self.feedPatience
        while waits, screen.shelf.isReading(name), ContinuousClock.now < end {
            try? await Task.sleep(for: ReadingPlan.coalescing)
        }
    }

    private static func read(_ origin: String, _ options: PageOptions) async -> Sources.Feed {
        do throws(ServiceError) {
            return .read(Offer.all(try await options.feed(origin).entries.lazy.map(\.item)))
        } catch {
            return .problem(error.message)
        }
    }

    private func finish(_ name: String, _ feed: Sources.Feed) {
        screen.shelf.finish(name, feed)
        redraw()
    }

    /// A row of a source, as it was read last.
    func offer(_ id: String, from source: PageQuery.Source) -> Offer? { screen.shelf.offer(id, from: source) }

    /// How a wish is named where it is shared or taken away.
    func reference(toWish id: String) -> String? { screen.shelf.reference(toWish: id) }

    // MARK: - What happens

    private func heard(_ event: TripEvent) {
        plan.note(event)
        readSoon()
    }

    func readSoon() {
        guard !hasEnded, let due = plan.due else { return }
        if let planned, planned.due <= due { return }
        planned?.wait.cancel()
        planned = (
            due,
            Task {
                if ContinuousClock.now < due { try? await Task.sleep(until: due, clock: .continuous) }
                guard !Task.isCancelled else { return }
                planned = nil
                await read()
                readSoon()
            }
        )
    }

    /// Reads everything, whether or not it was heard yet that something happened. O(items).
    func readAnew() async {
        guard !hasEnded else { return }
        plan.noteEverything()
        await read()
        readSoon()
    }

    private func read() async {
        let wanted = plan.begin(at: .now)
        let reading = desk.begin()
        defer {
            plan.end()
            desk.end(reading)
        }
        do {
            if wanted.isWhole {
                try await readView()
            } else {
                let items = try await wanted.items.isEmpty ? [] : service.items(wanted.items.sorted())
                // At once, so that no page is drawn with half of it under the number of the last one.
                if wanted.tripNote { screen.mirror.take(note: try await service.note()) }
                if !wanted.items.isEmpty, !screen.mirror.take(items, of: wanted.items) {
                    try await readView()
                }
            }
            if screen.mirror.needsWriters(after: wanted) { screen.mirror.take(try await service.writers()) }
            desk.take(reading)
            if wanted.own { screen.shelf.own = try await service.own() }
            if wanted.history { screen.mirror.take(try await service.recentHistory(PageState.historyMax)) }
            // What people did is shown before who has it.
            if !wanted.isMembersAlone { redraw() }
            if wanted.members {
                screen.mirror.take(try await service.members())
                screen.mirror.take(try await service.status())
            }
            if wanted.invites { screen.mirror.take(try await service.openInvites()) }
            if wanted.isWhole || wanted.members { screen.mirror.take(await home.trips()) }
            if wanted.members || wanted.invites { redraw() }
            endStreamsOfRemovedGuests()
        } catch {
            // The node is on its way out: its last event ends this feed.
        }
    }

    private func readView() async throws(ServiceError) {
        let reading = desk.begin()
        screen.mirror.take(try await service.view())
        desk.take(reading)
    }

    func set(door: GuestDoor?, elsewhere: DoorElsewhere?) async {
        if door == screen.door, elsewhere == screen.elsewhere { return }
        (screen.door, screen.elsewhere) = (door, elsewhere)
        // That trip may be newer than what was read here.
        if elsewhere != nil { screen.mirror.take(await home.trips()) }
        redraw()
    }

    // MARK: - Guests

    /// A guest of the trip who is in; nil for anybody else.
    func guest(_ id: String) -> MemberView? { screen.mirror.guest(id) }

    /// How long the last words to guests may take.
    private static let farewellPatience = Duration.milliseconds(500)

    /// Ends the guests' streams with a sentence, and waits until it is sent.
    func dismissGuests(saying text: String) async {
        let guests = streams.ofGuests
        for stream in guests { stream.end(saying: text) }
        let end = ContinuousClock.now + Self.farewellPatience
        while guests.contains(where: { streams.contains($0) }), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The member whose node this is.
    var host: String { screen.mirror.status.you }

    private func endStreamsOfRemovedGuests() {
        for stream in streams.ofGuests {
            if let id = stream.viewer.participant, let text = screen.mirror.farewell(to: id) {
                stream.end(saying: text)
            }
        }
    }

    /// Reads who is in now, where a guest has come just before.
    func readMembers() async throws(ServiceError) {
        screen.mirror.take(try await service.members())
        try await readView()
        redraw()
    }

    /// Reads how things stand, where something was done that no event tells.
    func readStatus() async throws(ServiceError) {
        screen.mirror.take(try await service.status())
        screen.isUnderPassphrase = try await home.isUnderPassphrase(trip: trip)
        redraw()
    }

    // MARK: - Drawing

    /// Who looks, where it is the owner.
    var owner: Viewer { screen.mirror.owner }

    /// An item as it is shown now, by its short id.
    func item(_ shortID: String) -> ItemView? { screen.mirror.item(shortID) }

    /// Items as they are shown now, those that are known. O(items).
    func items(_ shortIDs: [String]) -> [ItemView] { screen.mirror.items(shortIDs) }

    /// What the trip has already of items.
    func known(_ items: [NewItem]) -> String? { screen.mirror.known(items) }

    /// An item as it is shown now, and the trip around it.
    func planned(_ shortID: String) -> (item: ItemView?, trip: TripView) { (item(shortID), screen.mirror.view) }

    /// What a form of an expense asks of the trip as it is now.
    func action(of form: ExpenseForm, by viewer: Viewer) -> Result<PageAction, RefusedExpense> {
        do throws(RefusedExpense) {
            return .success(try form.action(in: screen.mirror.view, by: viewer.participant))
        } catch {
            return .failure(error)
        }
    }

    /// What a page shows, at this moment, as a document.
    func document(for viewer: Viewer, _ query: PageQuery, toast: Toast?) -> String {
        let state = state(for: viewer, query, toast: toast)
        let drawing = toast == nil ? draw(for: viewer, query) : painter.draw(state, as: nil)
        return TripPage.document(state, drawing.content, drawn: drawing.digest)
    }

    /// What the trip is called now; nil for one that nobody has named.
    var title: String? { screen.mirror.view.title?.value }

    /// The name that a viewer set.
    func ownName(of viewer: Viewer) -> String { screen.mirror.view.ownName(of: viewer) ?? host }

    func draw(for viewer: Viewer, _ query: PageQuery) -> Drawing {
        lastLook = .now
        let drawing = painter.drawing(for: viewer, query) ?? painter.draw(state(for: viewer, query), as: query)
        for note in drawing.content.notes { desk.keep(note) }
        return drawing
    }

    /// What a page shows, at this moment.
    func state(for viewer: Viewer, _ query: PageQuery, toast: Toast? = nil) -> PageState {
        lastLook = .now
        if let points = screen.pointsToLookUp(for: query) {
            Task { [weak self, options] in await self?.set(land: await options.land(points)) }
        }
        var state = screen.state(
            for: viewer, query, toast: toast, guestsHere: streams.guestsHere, at: .now, lastLook)
        (state.writers, state.reading) = (screen.mirror.writers, desk.taken)
        return state
    }

    private func set(land: Land) {
        screen.take(land)
        redraw()
    }
}
