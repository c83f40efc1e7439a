import TripService

/// What a guest may still do until the door closes; on a door that is always open, in a day. A rate alone bounds nothing here: every member keeps every change for good.
struct GuestAllowance: Sendable {
    enum Deed { case items, photos, votes, writing }

    /// How many of each one guest may add in one opening of the door, or in a day; a photo counts when it is sent, whether or not it can be
    /// read.
    static let itemsMax = 100
    static let photosMax = 50
    static let votesMax = 1_000
    /// What is typed in notes goes in pieces, two or three in a second. A long piece counts as several.
    static let writingMax = 10_000
    /// In bytes.
    static let writingUnit = 1_000

    private var done: [Deed: Int] = [:]

    /// Takes so many, or none.
    ///
    /// - Throws: where that is more than is left; the message says how many are.
    mutating func take(_ count: Int, _ deed: Deed, host: String) throws(ServiceError) {
        let most = deed.most
        let left = most - done[deed, default: 0]
        guard count <= left else {
            throw ServiceError(
                left > 0
                    ? "you can \(deed.phrase(left, more: true)): send fewer at once"
                    : "a guest can \(deed.phrase(most)) at most: ask \(host) to close this page to guests and open it again"
            )
        }
        done[deed, default: 0] += count
    }
}

extension GuestAllowance.Deed {
    fileprivate var most: Int {
        switch self {
        case .items: GuestAllowance.itemsMax
        case .photos: GuestAllowance.photosMax
        case .votes: GuestAllowance.votesMax
        case .writing: GuestAllowance.writingMax
        }
    }

    /// "add 3 more items"
    fileprivate func phrase(_ count: Int, more: Bool = false) -> String {
        let number = more ? "\(count) more" : "\(count)"
        return switch self {
        case .items: "add \(number) item\(count == 1 ? "" : "s") or comment\(count == 1 ? "" : "s")"
        case .photos: "send \(number) photo\(count == 1 ? "" : "s")"
        case .votes: "vote or answer \(number) time\(count == 1 ? "" : "s")"
        case .writing: "write in notes \(number) time\(count == 1 ? "" : "s")"
        }
    }
}

extension PageServer {
    /// Counts what a guest is about to do, before anything is waited for; of the owner nothing is counted.
    ///
    /// - Throws: where it is more than the guest may do.
    func charge(_ count: Int, to visit: Visit, _ deed: GuestAllowance.Deed) async throws(ServiceError) {
        guard let guest = visit.guest else { return }
        let host = await visit.feed.host
        guard entrance != nil else { throw ServiceError("this page is closed to guests: ask \(host) to open it again") }
        let now = WallTime.now.milliseconds
        if let counted = entrance?.counted, entrance?.closes == nil, now >= counted + Self.allowanceLifetime {
            entrance?.allowances = [:]
            entrance?.counted = now
        }
        try entrance?.allowances[guest, default: GuestAllowance()].take(count, deed, host: host)
    }
}
