/// What may be fetched in a minute.
struct FetchBudget: Sendable {
    private var begun: UInt64 = 0
    private var fetches = 0
    private var bytes = 0

    private static let minute: UInt64 = 60_000

    mutating func pass(to now: UInt64) {
        if now >= begun + Self.minute { (begun, fetches, bytes) = (now, 0, 0) }
    }

    func hasRoom(under limits: MailboxLimits) -> Bool {
        fetches < limits.fetchesPerMinute && bytes < limits.fetchedBytesPerMinute
    }

    mutating func fetched() { fetches += 1 }

    mutating func charge(bytes: Int) { self.bytes += bytes }

    func nextFetch(at now: UInt64, under limits: MailboxLimits) -> UInt64 {
        hasRoom(under: limits) ? now : begun + Self.minute
    }
}
