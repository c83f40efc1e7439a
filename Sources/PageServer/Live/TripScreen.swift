import TripModel
import TripPage
import TripService

/// What pages show of a trip: what its node said last, what its owner shares from, the land around its places, and the door for guests.
struct TripScreen: Sendable {
    let trip: String
    /// The address of the trip's calendar.
    let calendar: String?
    /// A link as a QR code.
    let qrCode: @Sendable (String) -> CodePicture?
    var mirror: TripMirror
    var shelf = Shelf()
    var door: GuestDoor?
    /// Where guests can use another trip.
    var elsewhere: DoorElsewhere?
    var isUnderPassphrase = false
    private var land = KnownLand()

    init(
        trip: String, calendar: String?, door: GuestDoor?, mirror: TripMirror,
        qrCode: @escaping @Sendable (String) -> CodePicture?
    ) {
        (self.trip, self.calendar, self.door) = (trip, calendar, door)
        (self.mirror, self.qrCode) = (mirror, qrCode)
    }

    /// What a page shows.
    ///
    /// - Parameters:
    ///   - guestsHere: the ids of guests whose page is open. They alone of the guests count as here.
    ///   - moment: when it is drawn. `now` is the same by the clock that feeds are kept by.
    mutating func state(
        for viewer: Viewer, _ query: PageQuery, toast: Toast? = nil, guestsHere: Set<String>, at moment: WallTime,
        _ now: ContinuousClock.Instant
    ) -> PageState {
        let members = mirror.members.showing(guestsHere: guestsHere)
        let texts = mirror.texts(for: query)
        var state = PageState(
            tripID: trip, trip: mirror.view, members: viewer.isGuest ? members.shown(to: viewer) : members,
            status: viewer.isGuest ? mirror.status.forGuests : mirror.status,
            history: viewer.isGuest
                ? HistoryView(entries: [], names: HistoryNames(people: [], items: [])) : mirror.history,
            viewer: viewer, query: viewer.isGuest ? query.forGuests : query, texts: texts, land: land.land,
            toast: toast,
            now: moment.milliseconds, secondsFromUTC: moment.secondsFromUTC)
        // Guests see what is planned, who planned it, and who is in; nothing else of the trip is theirs to see.
        guard !viewer.isGuest else {
            state.guestsUntil = door?.closes
            return state
        }
        state.guestsElsewhere = elsewhere
        state.trips = mirror.entries
        state.sources = shelf.sources(for: query, at: now)
        state.news = Set(shelf.own.news ?? [])
        (state.guests, state.calendar, state.invite) = (door, calendar, mirror.invite)
        // A code takes longer than all else that is drawn.
        if query.view == .members {
            state.earlierInvites = mirror.earlierInvites
            state.inviteCode = mirror.invite.flatMap { qrCode($0.link) }
        }
        if query.view == .safety {
            state.deviceInvite = mirror.deviceInvite
            state.deviceCode = mirror.deviceInvite.flatMap { qrCode($0.link) }
            state.isUnderPassphrase = isUnderPassphrase
        }
        return state
    }

    /// The places around which land is to be looked up, when a map or an open card is shown; nil if that was done since a place changed.
    mutating func pointsToLookUp(for query: PageQuery) -> [Land.Point]? {
        let isDrawn = query.view == .map || query.open.flatMap { mirror.item($0)?.fields[.place] } != nil
        return isDrawn ? land.pointsToLookUp(of: mirror.view) : nil
    }

    mutating func take(_ land: Land) { self.land.take(land) }
}

extension MembersView {
    /// The people that a guest sees: those who are in. A guest without a name sees the host and earlier guests alone, to be one of them.
    fileprivate func shown(to guest: Viewer) -> MembersView {
        let isNew = guest.participant == nil
        return MembersView(
            people: people.filter { isNew ? $0.isYou || $0.isGuest && $0.removal == nil : $0.removal == nil },
            overshotInvites: [])
    }
}

extension StatusView {
    /// What of it guests are shown.
    fileprivate var forGuests: StatusView {
        StatusView(
            title: title, you: you, changes: 0, listening: nil, discoveryProblem: nil, writingProblem: writingProblem,
            removal: nil, devices: [], inTwoPlaces: [], isArchived: isArchived)
    }
}
