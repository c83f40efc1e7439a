package import Sodium
package import TripService
import TripStore

// The passphrase of a trip's secrets, put on, changed and taken off while no node runs.
extension TripAccess {
    /// Whether the trip's secrets are under a passphrase.
    package var isUnderPassphrase: Bool {
        get throws(ServiceError) {
            do {
                if case .sealed = try KeyFile.stored(in: folder) { return true }
                return false
            } catch {
                throw ServiceError(error)
            }
        }
    }

    /// Puts the trip's secrets under a passphrase, or in the clear for nil. Those that are under one are opened first.
    ///
    /// - Parameters:
    ///   - cost: of the key made of the passphrase. Tests alone ask for less.
    ///   - new: asked once the old passphrase was right, and before the trip is owned.
    package func setPassphrase(
        cost: PassphraseCost = .keyFile, _ new: () throws(ServiceError) -> Passphrase?
    ) async throws(ServiceError) {
        // Nobody types passphrases only to be told that a node runs.
        _ = try await own()
        try lock.prepare(for: folder)
        let next =
            try new().map { (passphrase) throws(ServiceError) in try KeyLock(protecting: passphrase, cost: cost) }
            ?? KeyLock()
        // A node would go on writing as it was opened.
        let owner = try await own()
        defer { withExtendedLifetime(owner) {} }
        try next.write(try lock.readKeys(in: folder), to: folder)
    }

    /// Becomes the owner of the trip. Waits for a command that holds it for a moment, but not for a node.
    func own() async throws(ServiceError) -> OwnerLock {
        let deadline = ContinuousClock.now + TripAccess.patience
        while true {
            do { return try OwnerLock(folder: folder) } catch {
                if try client.isAnswered() {
                    throw ServiceError("the node is running; stop it with `caravan down`, then try again")
                }
                guard error.code == .owned, ContinuousClock.now < deadline else { throw ServiceError(error) }
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
    }
}
