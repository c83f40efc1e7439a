import ChangeLog
import Foundation
import Sodium
import SyncEngine
import TripModel
import TripStore

// Coming into a trip with an invite.
extension TripNode {
    /// Joins the trip of an invite, or goes on with a join of the same trip that was not finished.
    ///
    /// - Parameters:
    ///   - peers: addresses to try besides those of the invite, as `host:port`.
    ///   - discovers: whether to look for members by mDNS.
    ///   - patience: how long to wait for somebody to let this device in, in seconds.
    package static func join(
        link text: String, name: String, in home: Home, peers: [String] = [], discovers: Bool = true,
        patience: Int = 60,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(NodeError) {
        let cryptography = try readyCryptography()
        let link: InviteLink
        do { link = try InviteLink(text: text, using: cryptography) } catch { throw NodeError(describing: error) }
        let name = try checked(name: name)
        let folder = home.folder(ofTrip: link.trip.description)
        let files = FileManager.default
        guard !files.fileExists(atPath: folder) else {
            throw NodeError("you are in this trip already: `caravan list` shows it")
        }
        let waiting = folder + ".joining"
        let isNew = !files.fileExists(atPath: waiting)
        if isNew {
            var entropy = SystemRandomNumberGenerator()
            let keys = KeyFile(
                trip: link.trip, signingSeed: .random(using: &entropy), agreementSecret: .random(using: &entropy),
                participant: link.participant, epochSecrets: [],
                pendingJoin: PendingJoin(link: link, name: name).encoded(using: cryptography))
            try makeFolder(waiting, keys: keys, changes: [])
        } else {
            try renew(PendingJoin(link: link, name: name), for: link.participant, in: waiting, using: cryptography)
        }
        let trip = try await open(folder: waiting)
        do {
            let hints = link.hints.filter { (try? PeerAddress(parsing: $0)) != nil }
            try await trip.up(NetworkOptions(peers: hints + peers, discovers: discovers))
        } catch {
            await trip.close()
            // Nobody was asked under these keys: nobody can have let them in.
            if isNew { try? files.removeItem(atPath: waiting) }
            throw error
        }
        do {
            report("looking for somebody of the trip …")
            try await trip.waitForAdmission(seconds: patience)
            try await trip.introduce(as: name)
            await trip.waitForEcho(seconds: 5)
            await trip.close()
        } catch {
            await trip.close()
            throw error
        }
        do { try files.moveItem(atPath: waiting, toPath: folder) } catch {
            throw NodeError("\(waiting) cannot be renamed to \(folder): do that, then go on")
        }
    }

    /// A join that was begun goes on with the newest invite, under the same keys, unless somebody let it in already.
    ///
    /// That is so once the log says it. Whoever holds the link can answer in a member's place, with secrets of nothing:
    /// what led nowhere is forgotten, and asked for anew.
    private static func renew(
        _ pending: PendingJoin, for participant: Bytes16?, in folder: String, using cryptography: SodiumCryptography
    ) throws(NodeError) {
        do {
            let store = try TripStore(opening: folder)
            defer { store.close() }
            var keys = try KeyFile(readingFrom: folder)
            guard keys.participant == participant else {
                throw NodeError(
                    "another kind of invite to this trip is under way here: remove \(folder), then try again")
            }
            guard try !load(store: store, keys: keys, cryptography: cryptography).isLetIn else { return }
            // The changes first, for they open with these secrets alone.
            try store.removeChanges()
            keys.epochSecrets = []
            keys.pendingJoin = pending.encoded(using: cryptography)
            try keys.write(to: folder)
        } catch let error as StoreError {
            throw NodeError(error.message, isOwned: error.code == .owned)
        } catch let error as NodeError {
            throw error
        } catch {
            throw NodeError("\(error)")
        }
    }

    private func waitForAdmission(seconds: Int) async throws(NodeError) {
        if node.isLetIn { return }
        let deadline = Task { [weak self] in
            try await Task.sleep(for: .seconds(seconds))
            await self?.nobodyWasFound(in: seconds)
        }
        // The answer may have come while discovery was still starting.
        let result = await withCheckedContinuation { continuation in
            if let joinResult { continuation.resume(returning: joinResult) } else { admission = continuation }
        }
        deadline.cancel()
        _ = try result.get()
    }

    private func nobodyWasFound(in seconds: Int) {
        let reason =
            keys.epochSecrets.isEmpty
            ? "nobody of the trip was found in \(seconds) s: ask one of them to run `caravan up` on this network, then try again"
            : "who answered this invite led to nobody of the trip in \(seconds) s: try again near one of them, or ask for a new invite and have this one closed"
        joinEnded(.failure(NodeError(reason)))
    }

    /// The log says that this device is in. Until then the invite is kept: whoever let it in may come back from a backup of
    /// before that, and is asked again.
    func wasAdmitted() {
        if keys.pendingJoin != nil {
            keys.pendingJoin = nil
            do { try lock.write(keys, to: folder) } catch { joinEnded(.failure(error)) }
        }
        joinEnded(.success(()))
    }

    func joinEnded(_ result: Result<Void, NodeError>) {
        joinResult = joinResult ?? result
        admission?.resume(returning: result)
        admission = nil
    }

    /// Says the name in the trip itself, unless that was done.
    private func introduce(as name: String) async throws(NodeError) {
        // A further device is its person's, who has a name.
        guard keys.participant == nil, replica.view.participant(me)?.name != name else { return }
        try await takingTurns { node throws(NodeError) in try await node.perform(.setName(name)) }
    }

    /// Waits until somebody has what was written here, so that others see it when this process is gone.
    private func waitForEcho(seconds: Int) async {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            // What a copy of this device holds is not known from what was written here.
            let others = node.sessions.map(\.device.replica).filter { $0 != node.secrets.device.replica }
            if others.contains(where: { node.changesNotKnown(at: $0) == 0 }) { return }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }
}

extension TripNode {
    /// Whether a link is for a further device of somebody's; false for one that is no invite.
    package static func isForDevice(_ link: String) -> Bool {
        guard let cryptography = try? readyCryptography() else { return false }
        return (try? InviteLink(text: link, using: cryptography))?.participant != nil
    }

    /// The same invite without addresses, so that its holder depends on discovery alone.
    package static func linkWithoutHints(_ text: String) throws(NodeError) -> String {
        let cryptography = try readyCryptography()
        do {
            let link = try InviteLink(text: text, using: cryptography)
            return InviteLink(trip: link.trip, secret: link.secret, hints: []).text(using: cryptography)
        } catch {
            throw NodeError(describing: error)
        }
    }
}
