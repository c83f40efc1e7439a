import NIOHTTP1
package import TripPage
package import TripService

/// The door that guests come in by: a listener of its own on the network, for one trip.
struct GuestEntrance: Sendable {
    let trip: String
    let listener: HTTPListener
    /// Admits phones while the door is open, `GuestDoor.phonesMax` of them.
    var code: GuestCode
    /// Milliseconds since 1970; nil for a door that is always open on its network.
    var closes: Int64?
    /// How many phones the code admitted.
    var arrived: Int
    /// What each guest may still do, by their ids; those who did nothing have none.
    var allowances: [String: GuestAllowance] = [:]
    /// Since when that is counted.
    var counted = WallTime.now.milliseconds
    var closing: Task<Void, Never>?
}

extension PageServer {
    /// Lets guests of a trip in for so many minutes: anybody on the network who is shown its code. Where the door is
    /// open already, its code stays, and it is open for that long from now.
    ///
    /// - Parameter minutes: nil for always on this network, also after the node starts again.
    /// - Throws: where this machine is on no network, or cannot listen there, or the trip is archived.
    package func openDoor(toTrip trip: String, minutes: Int?) async throws(ServiceError) -> GuestDoor {
        let range = GuestPass.minutesRange
        guard !options.addresses().isEmpty else {
            throw ServiceError("this computer isn’t on a network: join one or open a hotspot, then let guests in")
        }
        if minutes == nil, options.network() == nil { throw Self.unknownNetwork }
        // Looked for before anything is opened.
        try await requireOpen(trip)
        if entrance?.trip != trip { await closeToGuests() }
        let closes = minutes.map {
            WallTime.now.milliseconds + Int64(min(max($0, range.lowerBound), range.upperBound)) * 60_000
        }
        if entrance == nil {
            try await listen(toTrip: trip, until: closes, code: GuestCode(), arrived: 0)
        } else {
            entrance?.closing?.cancel()
            entrance?.closing = closes.map(closing)
            entrance?.closes = closes
        }
        do { try keepDoor() } catch {
            // What cannot be remembered is not promised.
            await shutDoor(saying: TripPage.doorClosed)
            throw error
        }
        guard let door = door(of: trip) else {
            throw ServiceError("the page for guests closed again: open it once more")
        }
        await tellOfDoor()
        return door
    }

    /// Throws where a trip isn't there, or is archived: a guest couldn't even join.
    func requireOpen(_ trip: String) async throws(ServiceError) {
        guard try await feed(of: trip).service.status().isArchived else { return }
        throw ServiceError("this trip is archived here; to let guests in, run `caravan archive --reopen` first")
    }

    /// Opens the door.
    func listen(toTrip trip: String, until closes: Int64?, code: GuestCode, arrived: Int) async throws(ServiceError) {
        let listener = HTTPListener(
            host: "::", limits: options.limits, priority: .utility,
            room: { [weak self] in await self?.guestRoom(for: $0) }
        ) { [weak self] request in
            await self?.answerGuest(request).readable(for: request) ?? Self.closedLine
        }
        await endClosedListener()
        try await start(listener, at: [memory.guestPort ?? 0, 0])
        // Somebody else opened it meanwhile.
        guard entrance == nil else { return await listener.stop() }
        memory.guestPort = listener.port
        try? save()
        entrance = GuestEntrance(
            trip: trip, listener: listener, code: code, closes: closes, arrived: arrived, closing: closes.map(closing))
        // A door that closed for a moment, as on another network, doesn't begin the day again.
        if closes == nil, let paused = pausedDoor, paused.trip == trip {
            entrance?.allowances = paused.allowances
            entrance?.counted = paused.counted
        }
    }

    /// Lets nobody in any more, and ends what guests have open.
    package func closeToGuests() async {
        if memory.standing != nil {
            memory.standing = nil
            try? save()
        }
        await shutDoor(saying: TripPage.doorClosed, answersOn: true)
    }

    /// Closes the door for now: a standing one opens again when the node starts or is back on its network.
    ///
    /// - Parameters:
    ///   - reason: what guests are told, by the name of their host.
    ///   - answersOn: whether phones that load the page again are told for a while that it is closed, and nothing else.
    func shutDoor(saying reason: @Sendable (String) -> String, answersOn: Bool = false) async {
        guard let closed = entrance else { return }
        entrance = nil
        if closed.closes == nil { pausedDoor = closed }
        closed.closing?.cancel()
        let feed = await openFeed(of: closed.trip)
        if let feed { await feed.dismissGuests(saying: reason(await feed.host)) }
        // Another door may have opened meanwhile, at a port of its own.
        if answersOn, entrance == nil, closedListener == nil {
            answerClosed(closed.listener)
        } else {
            await closed.listener.stop()
        }
        await tellOfDoor()
    }

    private func answerClosed(_ listener: HTTPListener) {
        let ending = Task { [weak self, patience = options.closedPatience] in
            guard (try? await Task.sleep(for: patience)) != nil else { return }
            await self?.endClosedListener()
        }
        closedListener = (listener, ending)
    }

    /// Ends what tells phones that the door is closed.
    func endClosedListener() async {
        guard let (listener, ending) = closedListener else { return }
        closedListener = nil
        ending.cancel()
        await listener.stop()
    }

    private func closing(at moment: Int64) -> Task<Void, Never> {
        Task { [weak self] in
            let left = max(moment - WallTime.now.milliseconds, 0)
            guard (try? await Task.sleep(for: .milliseconds(left))) != nil else { return }
            await self?.closeToGuests()
        }
    }

    /// Makes a new code once a guest is out who knows the old one.
    func renewCodeAfterRemoval(_ feed: TripFeed) async {
        try? await feed.readMembers()
        var out: Set<String> = []
        for guest in Set(memory.sessions.filter { $0.trip == feed.trip && $0.isOut != true }.compactMap(\.guest)) {
            if await feed.guest(guest) == nil { out.insert(guest) }
        }
        guard !out.isEmpty, memory.note(out: out, ofTrip: feed.trip) else { return }
        let code = GuestCode()
        if entrance?.trip == feed.trip {
            entrance?.code = code
            entrance?.arrived = 0
        }
        if memory.standing?.trip == feed.trip {
            memory.standing?.code = code
            memory.standing?.arrived = 0
        }
        try? save()
        await tellOfDoor()
    }

    /// The door of any other trip; nil where none is open.
    func doorElsewhere(than trip: String) -> DoorElsewhere? {
        guard let entrance, entrance.trip != trip else { return nil }
        return DoorElsewhere(trip: entrance.trip, closes: entrance.closes)
    }

    /// The door of a trip; nil where it is closed.
    func door(of trip: String) -> GuestDoor? {
        guard let entrance, entrance.trip == trip, let address = options.addresses().first else { return nil }
        let host = address.contains(":") ? "[\(address)]" : address
        let link = "http://\(host):\(entrance.listener.port)/enter/\(entrance.code.text)"
        return GuestDoor(
            link: link, code: options.qrCode(link), closes: entrance.closes, arrived: entrance.arrived)
    }
}
