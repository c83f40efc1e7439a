/// The page that a node serves: links for its owner, and when it admits guests.
package protocol PageService: Sendable {
    /// An address that opens the page once, in any browser of this machine, within 10 minutes.
    func link() async throws(ServiceError) -> String

    /// Admits phones on this network to one trip, for some minutes or until `closeToGuests`. Another call starts the time again.
    ///
    /// - Parameter minutes: nil for always on this network, also after the node starts again.
    func openToGuests(trip: String, minutes: Int?) async throws(ServiceError) -> GuestPass

    /// Stops admitting guests, and closes their open pages. Does nothing if guests are not admitted.
    ///
    /// - Throws: if it is not known whether guests are still admitted.
    func closeToGuests() async throws(ServiceError)
}

/// What guests need to join.
package struct GuestPass: Codable, Hashable, Sendable {
    /// What phones open; its code admits all of them.
    package let link: String
    /// Milliseconds since 1970; nil for never.
    package let closes: Int64?

    /// How long one call may admit guests, in minutes.
    package static let minutesRange = 1...720
    package static let minutesByDefault = 30

    package init(link: String, closes: Int64?) {
        self.link = link
        self.closes = closes
    }
}
