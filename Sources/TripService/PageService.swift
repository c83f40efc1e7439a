/// The page that a node serves: how its owner gets there, and when guests may.
package protocol PageService: Sendable {
    /// An address that opens the page once, in any browser of this machine, within 10 minutes.
    func link() async throws(ServiceError) -> String

    /// Lets phones of this network in, to one trip, until the time is over or `closeToGuests`; asked again, from now on.
    ///
    /// - Parameter minutes: nil for always on this network, also after the node starts again.
    func openToGuests(trip: String, minutes: Int?) async throws(ServiceError) -> GuestPass

    /// Lets no guest in any more, and ends those pages that are open. Nothing where they are let in no more.
    ///
    /// - Throws: where it is not known whether they still come in.
    func closeToGuests() async throws(ServiceError)
}

/// What guests need to come in.
package struct GuestPass: Codable, Hashable, Sendable {
    /// What phones open; its code admits all of them.
    package let link: String
    /// Milliseconds since 1970; nil for never.
    package let closes: Int64?

    /// For how long guests may be let in at once, in minutes.
    package static let minutesRange = 1...720
    package static let minutesByDefault = 30

    package init(link: String, closes: Int64?) {
        self.link = link
        self.closes = closes
    }
}
