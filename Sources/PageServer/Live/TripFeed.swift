import TripExchange
import TripModel
import TripPage
import TripService

/// A trip as open pages show it, kept up to date while anybody looks.
///
/// The first thing that happens is read and shown at once; what follows within 30 ms is read together. Who is here and who
/// has what is read five times a second at most, and nothing waits for it.
actor TripFeed {
    nonisolated let trip: String
    nonisolated let service: any TripService
    private let home: any HomeService
    private let options: PageOptions

    private var view: TripView
    private var texts = FoldedTexts()
    private var members: MembersView
    private var status: StatusView
    private var history: HistoryView
    private var invite: InviteView?
    private var entries: [TripEntry] = []
    private var door: GuestDoor?
    private var shelf = Shelf()
    private var land = Land(isAwaited: true)
    private var landPoints: [Land.Point]?

    private var streams: [String: PageStream] = [:]
    private var reading = Reading()
    /// The wait for the next reading, and when it ends; nil where none is planned.
    private var planned: (due: ContinuousClock.Instant, wait: Task<Void, Never>)?
    private var isReading = false
    private var lastReading = ContinuousClock.now
    private var lastMembersReading = ContinuousClock.now
    private var listening: Task<Void, Never>?
    private var pulse: Task<Void, Never>?
    private(set) var hasEnded = false
    private(set) var lastLook = ContinuousClock.now

    private struct Face: Hashable {
        let viewer: Viewer
        let query: PageQuery
    }
    /// What was drawn since something changed last.
    private var drawings: [Face: Drawing] = [:]

    static let coalescing = Duration.milliseconds(30)
    static let membersPause = Duration.milliseconds(200)
    /// Cards as they were drawn last, for each way in which they are.
    private var cards: [Face: CardCache] = [:]
    static let drawingsMax = 64
    static let cardsMax = 4

    /// Reads the trip.
    init(
        trip: String, service: any TripService, home: any HomeService, door: GuestDoor?, options: PageOptions
    ) async throws(ServiceError) {
        self.trip = trip
        self.service = service
        self.home = home
        self.door = door
        self.options = options
        // Heard before it is read, so that nothing falls between.
        let events = try await service.events()
        view = try await service.view()
        members = try await service.members()
        status = try await service.status()
        history = try await service.recentHistory(PageState.historyMax)
        invite = try await service.shownInvite()
        shelf.own = try await service.own()
        entries = await home.trips()
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
        for stream in streams.values { stream.flag.end() }
        streams = [:]
    }

    // MARK: - Who looks

    var streamCount: Int { streams.count }

    /// Streams of one guest's session; each is drawn for whenever something changes. A page of theirs needs one.
    static let guestStreamsMax = 4

    func add(_ stream: PageStream) {
        if hasEnded { return stream.flag.end() }
        lastLook = .now
        if stream.viewer.isGuest {
            let others = streams.values.filter { $0.session == stream.session }
            if others.count >= Self.guestStreamsMax, let oldest = others.min(by: { $0.opened < $1.opened }) {
                oldest.flag.end()
                streams[oldest.id] = nil
            }
        }
        streams[stream.id] = stream
    }

    func remove(_ stream: PageStream) {
        lastLook = .now
        streams[stream.id] = nil
    }

    /// A session's own stream.
    func stream(_ id: String, of session: Token) -> PageStream? {
        streams[id].flatMap { $0.session == session ? $0 : nil }
    }

    /// Ends the streams of sessions that are let in no more.
    func endStreams(where isOut: (PageStream) -> Bool) {
        for stream in streams.values where isOut(stream) { stream.flag.end() }
    }

    /// Draws anew for every stream; one on which nothing changed for long says that it is alive.
    private func redraw() {
        drawings = [:]
        for stream in streams.values { stream.flag.set() }
    }

    private func beat() {
        shelf.forget(at: .now)
        redraw()
    }

    // MARK: - What the owner shares from

    /// How long a document waits for a feed before it says that it is being read.
    private static let feedPatience = Duration.seconds(2)

    /// Notes that the owner opens an item.
    func ownerOpens(_ query: PageQuery) async {
        if let open = query.open, let id = item(open)?.id { _ = try? await service.answer(.look(at: id)) }
    }

    /// Reads the feed that the owner looks at.
    ///
    /// - Parameter waits: for what a document shows; a page that is open hears of it.
    func readFeed(_ query: PageQuery, waits: Bool) async {
        guard query.view == .sources, case .feed(let name) = query.source else { return }
        if let origin = shelf.beginReading(name, at: .now) {
            // Many rows take a while: not here, where everybody waits.
            Task.detached { [weak self, options] in await self?.finish(name, await Self.read(origin, options)) }
        }
        let end = ContinuousClock.now + Self.feedPatience
        while waits, shelf.isReading(name), ContinuousClock.now < end {
            try? await Task.sleep(for: Self.coalescing)
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
        shelf.finish(name, feed)
        redraw()
    }

    /// A row of a source, as it was read last.
    func offer(_ id: String, from source: PageQuery.Source) -> Offer? { shelf.offer(id, from: source) }

    /// How a wish is named where it is shared or taken away.
    func reference(toWish id: String) -> String? { shelf.reference(toWish: id) }

    // MARK: - What happens

    private func heard(_ event: TripEvent) {
        reading.note(event)
        readSoon()
    }

    private func readSoon() {
        guard !isReading, !reading.isEmpty, !hasEnded else { return }
        let due =
            reading.isMembersAlone ? lastMembersReading + Self.membersPause : lastReading + Self.coalescing
        if let planned, planned.due <= due { return }
        planned?.wait.cancel()
        planned = (
            due,
            Task {
                if ContinuousClock.now < due { try? await Task.sleep(until: due, clock: .continuous) }
                guard !Task.isCancelled else { return }
                planned = nil
                isReading = true
                await read()
                isReading = false
                readSoon()
            }
        )
    }

    /// Reads everything, whether or not it was heard yet that something happened. O(items).
    func readAnew() async {
        guard !hasEnded else { return }
        reading = .everything
        await read()
    }

    private func read() async {
        var wanted = reading
        reading = Reading()
        lastReading = .now
        if wanted.members, !wanted.isWhole, lastReading < lastMembersReading + Self.membersPause {
            (wanted.members, reading.members) = (false, true)
        }
        if wanted.members { lastMembersReading = lastReading }
        do {
            if wanted.isWhole {
                try await readView()
            } else if !wanted.items.isEmpty {
                let items = try await service.items(wanted.items.sorted())
                if let changed = view.replacing(items.sorted { $0.number < $1.number }) {
                    view = changed
                    texts.forget(wanted.items)
                } else {
                    try await readView()
                }
            }
            if wanted.own { shelf.own = try await service.own() }
            if wanted.history { history = try await service.recentHistory(PageState.historyMax) }
            // What people did is shown before who has it.
            if !wanted.isMembersAlone { redraw() }
            if wanted.members {
                members = try await service.members()
                status = try await service.status()
            }
            if wanted.invites { invite = try await service.shownInvite() }
            if wanted.isWhole || wanted.members { entries = await home.trips() }
            if wanted.members || wanted.invites { redraw() }
            endStreamsOfRemovedGuests()
        } catch {
            // The node is on its way out: its last event ends this feed.
        }
    }

    private func readView() async throws(ServiceError) {
        view = try await service.view()
        texts = FoldedTexts()
    }

    func set(door: GuestDoor?) {
        self.door = door
        redraw()
    }

    // MARK: - Guests

    /// A guest of the trip who is in; nil for anybody else.
    func guest(_ id: String) -> MemberView? {
        members.people.first { $0.id == id && $0.isGuest && $0.removal == nil }
    }

    /// How long the last words to guests may take.
    private static let farewellPatience = Duration.milliseconds(500)

    /// Ends the guests' streams with a sentence, and waits until it is sent.
    func dismissGuests(saying text: String) async {
        let guests = streams.values.filter(\.viewer.isGuest)
        for stream in guests { stream.end(saying: text) }
        let end = ContinuousClock.now + Self.farewellPatience
        while guests.contains(where: { streams[$0.id] != nil }), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The member whose node this is.
    var host: String { status.you }

    private func endStreamsOfRemovedGuests() {
        for stream in streams.values where stream.viewer.isGuest {
            guard let id = stream.viewer.participant else { continue }
            let guest = members.people.first { $0.isGuest && ParticipantID($0.id) == id }
            if let guest, guest.removal == nil { continue }
            let remover = guest?.removal?.by
            stream.end(
                saying: remover.map { "\($0) removed you from this trip" } ?? "You’re no longer a guest of this trip")
        }
    }

    /// Reads who is in now, where a guest has come just before.
    func readMembers() async throws(ServiceError) {
        members = try await service.members()
        try await readView()
        redraw()
    }

    // MARK: - Drawing

    /// Who looks, where it is the owner.
    var owner: Viewer {
        Viewer(participant: members.people.first(where: \.isYou).flatMap { ParticipantID($0.id) })
    }

    /// An item as it is shown now, by its short id.
    func item(_ shortID: String) -> ItemView? { items([shortID]).first }

    /// Items as they are shown now, those that are known. O(items).
    func items(_ shortIDs: [String]) -> [ItemView] {
        guard !shortIDs.isEmpty else { return [] }
        let wanted = Set(shortIDs)
        return view.items.filter { wanted.contains($0.shortID) }
            + view.removedItems.filter { wanted.contains($0.shortID) }
    }

    /// What a page shows, at this moment, as a document.
    func document(for viewer: Viewer, _ query: PageQuery, toast: Toast?) -> String {
        let state = state(for: viewer, query, toast: toast)
        let drawing = toast == nil ? draw(for: viewer, query) : draw(state)
        return TripPage.document(state, drawing.content, drawn: drawing.digest)
    }

    func draw(for viewer: Viewer, _ query: PageQuery) -> Drawing {
        lastLook = .now
        let face = Face(viewer: viewer, query: query)
        if let drawing = drawings[face] { return drawing }
        let drawing = draw(state(for: viewer, query))
        if drawings.count < Self.drawingsMax { drawings[face] = drawing }
        return drawing
    }

    private func draw(_ state: PageState) -> Drawing {
        // Cards are drawn alike whatever else is open, and wherever the reader is.
        var query = state.query
        (query.open, query.isEditing, query.at) = (nil, false, nil)
        let kept = Face(viewer: state.viewer, query: query)
        var cards = CardCache(of: cards[kept])
        let content = TripPage.content(state) { cards.region(of: $0) }
        if self.cards[kept] == nil, self.cards.count >= Self.cardsMax { self.cards = [:] }
        cards.forgetEarlier()
        self.cards[kept] = cards
        return Drawing(content)
    }

    /// What a page shows, at this moment.
    func state(for viewer: Viewer, _ query: PageQuery, toast: Toast? = nil) -> PageState {
        lastLook = .now
        let moment = Moment.now
        if !query.find.isEmpty { texts.read(view.items) }
        if viewer.isGuest {
            // Guests see what is planned, and by whom; nothing else of the trip is theirs to see. Whoever has not said who
            // they are sees whose guests were here before, to be one of them.
            let isNew = viewer.participant == nil
            let people = members.people.filter { isNew && ($0.isYou || $0.isGuest && $0.removal == nil) }
            return PageState(
                tripID: trip, trip: view, members: MembersView(people: people, overshotInvites: []),
                status: StatusView(
                    title: status.title, you: status.you, changes: 0,
                    listening: nil, discoveryProblem: nil, writingProblem: status.writingProblem, removal: nil,
                    devices: [], inTwoPlaces: []),
                history: HistoryView(entries: [], names: HistoryNames(people: [], items: [])), viewer: viewer,
                query: query.forGuests, texts: texts,
                land: land(for: query), guestsUntil: door?.closes, toast: toast, now: moment.milliseconds,
                secondsFromUTC: moment.secondsFromUTC)
        }
        return PageState(
            tripID: trip, trip: view, members: members, status: status, history: history, invite: invite,
            inviteCode: invite.flatMap { options.qrCode($0.link) }, trips: entries, viewer: viewer,
            sources: shelf.sources(for: query, at: .now), query: query,
            texts: texts, land: land(for: query), guests: door, toast: toast, now: moment.milliseconds,
            secondsFromUTC: moment.secondsFromUTC)
    }

    /// The land around the places, which is looked up when a map is shown, and again when a place changed.
    private func land(for query: PageQuery) -> Land {
        guard query.view == .map else { return land }
        let points = view.items.compactMap { $0.fields[.place].flatMap { Land.Point(place: $0.value) } }
        guard points != landPoints else { return land }
        landPoints = points
        Task { [weak self, options] in await self?.set(land: await options.land(points)) }
        return land
    }

    private func set(land: Land) {
        self.land = land
        redraw()
    }
}
