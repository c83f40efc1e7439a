/// A browser that was let in.
struct BrowserSession: Hashable, Sendable, Codable {
    let token: Token
    /// Milliseconds since 1970.
    let created: Int64
    /// Of a guest: the trip where they are one.
    var trip: String?
    /// Of a guest who said who they are: their id, in hexadecimal digits.
    var guest: String?
    /// Whether that guest is known to be out. Nil in files of before that was noted.
    var isOut: Bool?

    static let lifetime: Int64 = 30 * 24 * 3_600_000
}

/// What a home remembers of its page: its port, and the browsers that were let in. Kept in the file `page` of its folder.
struct PageMemory: Hashable, Sendable, Codable {
    /// In the name of the cookie, for cookies know no ports: two homes of one machine must not take each other's.
    var mark: String
    /// At another port all addresses of calendars are dead, and another program may be told them that took the old one.
    var port: UInt16? { didSet { if let oldValue, oldValue != port { calendars = nil } } }
    var guestPort: UInt16?
    /// The door that is always open on its network; nil where none is.
    var standing: StandingDoor?
    private(set) var sessions: [BrowserSession] = []
    /// By trip, the secret in the address of its calendar. Nil in files of before there were calendars.
    private var calendars: [String: Token]?

    /// Trips with a calendar: more than people have.
    static let calendarsMax = 256
    /// Of the owner, and of guests, each; the oldest go, those of phones that never said whose they are first.
    static let sessionsMax = 64

    init() { mark = String(Token().text.prefix(8)) }

    /// The session of a token; nil for none, or one that ended.
    func session(_ token: Token, at now: Int64) -> BrowserSession? {
        var found: BrowserSession?
        for session in sessions where session.token == token { found = session }
        return found.flatMap { now < $0.created + BrowserSession.lifetime ? $0 : nil }
    }

    /// The first session among what cookies of one name say.
    func session(among cookies: [String], at now: Int64) -> BrowserSession? {
        for cookie in cookies {
            if let token = Token(cookie), let session = session(token, at: now) { return session }
        }
        return nil
    }

    mutating func begin(trip: String?, at now: Int64) -> BrowserSession {
        let session = BrowserSession(token: Token(), created: now, trip: trip, guest: nil)
        sessions.removeAll { $0.created + BrowserSession.lifetime <= now }
        let alike = sessions.filter { ($0.trip == nil) == (trip == nil) }
        if alike.count >= Self.sessionsMax,
            let oldest = alike.first(where: { $0.trip != nil && $0.guest == nil }) ?? alike.first
        {
            sessions.removeAll { $0.token == oldest.token }
        }
        sessions.append(session)
        return session
    }

    /// Notes who the guest of a session is.
    mutating func note(guest: String, of token: Token) {
        for place in sessions.indices where sessions[place].token == token { sessions[place].guest = guest }
    }

    /// Notes that guests of a trip are out. Whether that is news.
    mutating func note(out guests: Set<String>, ofTrip trip: String) -> Bool {
        let places = sessions.indices.filter { place in
            let session = sessions[place]
            return session.trip == trip && session.isOut != true && session.guest.map { guests.contains($0) } ?? false
        }
        for place in places { sessions[place].isOut = true }
        return !places.isEmpty
    }

    /// The secret of a trip's calendar, which is made when it is first asked for; nil where too many trips have one.
    mutating func calendar(ofTrip trip: String) -> Token? {
        if let known = calendars?[trip] { return known }
        guard (calendars?.count ?? 0) < Self.calendarsMax else { return nil }
        let token = Token()
        calendars = (calendars ?? [:]).merging([trip: token]) { $1 }
        return token
    }

    /// The trip whose calendar has a secret. All are compared, whichever it is.
    func trip(ofCalendar token: Token) -> String? {
        var found: String?
        for (trip, known) in calendars ?? [:] where known == token { found = trip }
        return found
    }
}
