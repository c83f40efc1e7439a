/// The trips of a home, each with its service: what a page that shows several asks.
package protocol HomeService: Sendable {
    /// The trips that run here, sorted by id.
    func trips() async -> [TripEntry]
    /// A trip's service; nil for one that does not run here.
    func trip(_ id: String) async -> (any TripService)?
    /// Why a trip of this home does not run, and what to do; nil for any other.
    func problem(ofTrip id: String) async -> String?
    /// Starts a trip, which runs from then on.
    /// - Returns: its id.
    func create(title: String, name: String) async throws(ServiceError) -> String
    /// Joins a trip by an invite's link, and waits until a member lets the person in. It runs from then on.
    /// - Returns: its id.
    func join(link: String, name: String) async throws(ServiceError) -> String
    /// Whether a link is for another device of a person who is in; false for a text that is no link.
    func isForDevice(link: String) -> Bool

    // Passphrases as they were typed, in UTF-8. A new one has at least 8 characters.

    /// Whether a trip's keys are under a passphrase.
    func isUnderPassphrase(trip id: String) async throws(ServiceError) -> Bool
    /// Puts the keys of a trip that runs under a passphrase, or in the clear for nil.
    /// - Parameter old: the passphrase that they are under; nil where they are under none.
    func setPassphrase(_ new: [UInt8]?, old: [UInt8]?, trip id: String) async throws(ServiceError)
    /// A backup of a trip that runs, at most `backupBytesMax`.
    func backUp(trip id: String, under passphrase: [UInt8]) async throws(ServiceError) -> [UInt8]
    /// Restores a trip from a backup. It runs from then on.
    /// - Returns: its id.
    func restore(backup: [UInt8], under passphrase: [UInt8]) async throws(ServiceError) -> String
}

/// The greatest backup that is made or restored at once in memory.
package let backupBytesMax = 32 << 20

extension HomeService {
    /// What is meant where no trip is named: the trip in use, or else the first that runs. Nil where none runs.
    package func tripInUse() async -> TripEntry? {
        let trips = await trips()
        return trips.first(where: \.isInUse) ?? trips.first
    }
}
