import TripStore

// The passphrase of a trip's secrets, put on, changed and taken off while no node runs.
extension TripAccess {
    /// Whether the trip's secrets are under a passphrase.
    package var isUnderPassphrase: Bool {
        get throws(NodeError) {
            do {
                if case .sealed = try KeyFile.stored(in: folder) { return true }
                return false
            } catch {
                throw NodeError(error.message)
            }
        }
    }

    /// Puts the trip's secrets under a passphrase, or in the clear for nil. Those that are under one are opened first.
    ///
    /// - Parameter new: asked once the old passphrase was right, and before the trip is owned.
    package func setPassphrase(_ new: () throws(NodeError) -> Passphrase?) async throws(NodeError) {
        try lock.prepare(for: folder)
        let next = try new().map { (passphrase) throws(NodeError) in try KeyLock(protecting: passphrase) } ?? KeyLock()
        // A node would go on writing as it was opened.
        let owner = try await own()
        defer { withExtendedLifetime(owner) {} }
        try next.write(try lock.readKeys(in: folder), to: folder)
    }

    /// Becomes the owner of the trip. Waits for a command that holds it for a moment, but not for a node.
    private func own() async throws(NodeError) -> OwnerLock {
        let deadline = ContinuousClock.now + TripAccess.patience
        while true {
            do { return try OwnerLock(folder: folder) } catch {
                if isNodeRunning {
                    throw NodeError("this trip's node runs: stop it, then do this again")
                }
                guard error.code == .owned, ContinuousClock.now < deadline else { throw NodeError(error.message) }
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
    }
}
