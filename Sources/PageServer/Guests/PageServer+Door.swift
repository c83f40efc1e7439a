import NIOHTTP1
package import TripPage
package import TripService

/// The door that guests come in by: a listener of its own on the network, for one trip, for a time.
struct GuestEntrance: Sendable {
    let trip: String
    let listener: HTTPListener
    var tokens = OneTimeTokens()
    /// The one that is shown.
    var shown: Token
    /// Milliseconds since 1970.
    var closes: Int64
    /// How many browsers came in.
    var arrived = 0
    /// What each guest may still do, by their ids; those who did nothing have none.
    var allowances: [String: GuestAllowance] = [:]
    var closing: Task<Void, Never>
}

extension PageServer {
    /// Lets guests of a trip in for so many minutes: anybody on the network whom its link is shown to. Where the door is
    /// open already, it stays so for that long from now.
    ///
    /// - Throws: where this machine is on no network, or cannot listen there.
    package func openDoor(toTrip trip: String, minutes: Int) async throws(ServiceError) -> GuestDoor {
        let minutes = min(max(minutes, GuestPass.minutesRange.lowerBound), GuestPass.minutesRange.upperBound)
        guard !options.addresses().isEmpty else {
            throw ServiceError("this computer isn’t on a network: join one or open a hotspot, then let guests in")
        }
        // Looked for before anything is opened.
        let feed = try await feed(of: trip)
        if entrance?.trip != trip { await closeToGuests() }
        let now = Moment.now.milliseconds
        let closes = now + Int64(minutes) * 60_000
        if entrance == nil {
            let listener = HTTPListener(
                host: "::", limits: options.limits, priority: .utility,
                room: { [weak self] in await self?.guestRoom(for: $0) }
            ) { [weak self] request in
                await self?.answerGuest(request)
                    ?? .line(.serviceUnavailable, "guests can’t join now: ask your host to let guests in again")
            }
            try await start(listener, at: [memory.guestPort ?? 0, 0])
            memory.guestPort = listener.port
            try? save()
            var tokens = OneTimeTokens()
            let token = tokens.issue(at: now, lifetime: closes - now)
            entrance = GuestEntrance(
                trip: trip, listener: listener, tokens: tokens, shown: token, closes: closes,
                closing: closing(at: closes))
        } else {
            entrance?.closing.cancel()
            entrance?.closing = closing(at: closes)
            entrance?.closes = closes
            showNextToken()
        }
        guard let door = door(of: trip) else {
            throw ServiceError("the page for guests closed again: open it once more")
        }
        await feed.set(door: door)
        return door
    }

    /// Lets nobody in any more, and ends what guests have open.
    package func closeToGuests() async {
        guard let closed = entrance else { return }
        entrance = nil
        closed.closing.cancel()
        let feed = await openFeed(of: closed.trip)
        if let feed { await feed.dismissGuests(saying: TripPage.doorClosed(host: await feed.host)) }
        await closed.listener.stop()
        await feed?.set(door: nil)
    }

    private func closing(at moment: Int64) -> Task<Void, Never> {
        Task { [weak self] in
            let left = max(moment - Moment.now.milliseconds, 0)
            guard (try? await Task.sleep(for: .milliseconds(left))) != nil else { return }
            await self?.closeToGuests()
        }
    }

    /// The door of a trip; nil where it is closed.
    func door(of trip: String) -> GuestDoor? {
        guard let entrance, entrance.trip == trip, let address = options.addresses().first else { return nil }
        let host = address.contains(":") ? "[\(address)]" : address
        let link = "http://\(host):\(entrance.listener.port)/enter/\(entrance.shown.text)"
        return GuestDoor(
            link: link, code: options.qrCode(link), closes: entrance.closes, arrived: entrance.arrived)
    }

    /// Makes a fresh token. The one that was shown lets nobody in any more, used or not.
    func showNextToken() {
        guard var entrance else { return }
        let now = Moment.now.milliseconds
        entrance.tokens.end(entrance.shown)
        entrance.shown = entrance.tokens.issue(at: now, lifetime: entrance.closes - now)
        self.entrance = entrance
    }
}
