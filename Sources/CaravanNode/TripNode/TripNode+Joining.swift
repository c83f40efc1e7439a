import AvahiDiscovery
import ChangeLog
import Foundation
import Sodium
import SyncEngine
import TripModel
package import TripService
import TripStore

// Coming into a trip with an invite.
extension TripNode {
    /// Joins the trip of an invite, or goes on with a join of the same trip that was not finished.
    ///
    /// - Parameters:
    ///   - peers: addresses to try besides those of the invite, as `host:port`.
    ///   - mailbox: how the joiner reaches a mailbox of the invite's, at the link's address if it has none; nil as the link says, or
    ///     for none.
    ///   - discovers: whether to look for members by mDNS.
    ///   - patience: how long to wait for somebody to let this device in, in seconds.
    ///   - passphrases: where to ask, should this home have been in the trip under a passphrase: what comes lies under it too.
    ///   - isAnew: whether to come in as somebody new though this home is in the trip, as far as it knows: for whoever was
    ///     taken out and could not be told.
    package static func join(
        link text: String, name: String, in home: Home, peers: [String] = [], mailbox: MailboxPlace? = nil,
        discovers: Bool = true, patience: Int = 60, isAnew: Bool = false, passphrases: PassphraseSource = .none,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(ServiceError) -> String {
        let cryptography = try readyCryptography()
        let link: InviteLink
        do { link = try InviteLink(text: text, using: cryptography) } catch { throw ServiceError(describing: error) }
        let name = try checked(name: name)
        let id = Home.id(ofTrip: link.trip.description)
        let folder = home.folder(ofTrip: id)
        let files = FileManager.default
        let lock = KeyLock(passphrases)
        if files.fileExists(atPath: folder) {
            if !isAnew { try await requireOut(of: id, in: home, passphrases) }
            try lock.prepare(for: folder)
        }
        let waiting = folder + ".joining"
        let isNew = !files.fileExists(atPath: waiting)
        if isNew {
            var entropy = SystemRandomNumberGenerator()
            let seed = Bytes32.random(using: &entropy)
            let keys = KeyFile(
                trip: link.trip, signingSeed: seed, agreementSecret: .random(using: &entropy),
                participant: participant(comingBy: link, signingSeed: seed, using: cryptography),
                recordKey: .random(using: &entropy), epochSecrets: [],
                pendingJoin: Invitation(link: link, name: name).encoded(using: cryptography))
            try makeFolder(waiting, keys: keys, changes: [], using: cryptography)
        } else {
            try renew(Invitation(link: link, name: name), in: waiting, using: cryptography)
        }
        let trip = try await open(folder: waiting)
        let hints = link.hints.filter { (try? PeerAddress(parsing: $0)) != nil }
        do throws(ServiceError) {
            try await trip.takeMailboxes(of: link, at: mailbox).forEach(report)
            await trip.reportAsked(report)
            try await trip.up(NetworkOptions(peers: hints + peers, discovers: discovers))
            if let problem = await trip.discoveryProblem, hints.isEmpty, peers.isEmpty,
                await trip.own.mailboxes.isEmpty,
                !PublishedAddresses.areReachable(on: NetworkOptions.interfaces)
            {
                throw ServiceError("\(problem); start it, or give the address of a member with --peer HOST:PORT")
            }
        } catch {
            await trip.close()
            // Nobody was asked under these keys: nobody can have let them in.
            if isNew { try? files.removeItem(atPath: waiting) }
            throw error
        }
        do throws(ServiceError) {
            report("Looking for a member of the trip…")
            if let problem = await trip.discoveryProblem, hints.isEmpty, peers.isEmpty {
                report("This may take a while: \(problem). `--peer HOST:PORT` names the address of a member.")
            }
            try await trip.waitForAdmission(seconds: patience)
            try await trip.introduce(as: name)
            await trip.waitForEcho(seconds: 5)
            await trip.close()
        } catch {
            await trip.close()
            throw error
        }
        if lock.isSealing { try lock.write(try KeyLock().readKeys(in: waiting), to: waiting) }
        try await home.install(waiting, asTrip: id, report: report)
        return id
    }

    /// Throws unless this home's person is out of the trip and knows it.
    private static func requireOut(
        of id: String, in home: Home, _ passphrases: PassphraseSource
    ) async throws(ServiceError) {
        let answer = try await TripAccess(home: home, id: id, passphrases: passphrases).answer(.status)
        guard case .status(let status) = answer, status.removal == nil else { return }
        throw ServiceError(
            "you are already in this trip; see `caravan list` (if you were removed while offline, add --anew)"
        )
    }

    /// A join that was begun goes on with the newest invite, under the same keys, unless somebody let it in already.
    ///
    /// That is so once the log says it. Whoever holds the link can answer in a member's place, with secrets of nothing:
    /// what led nowhere is forgotten, and asked for anew.
    private static func renew(
        _ invitation: Invitation, in folder: String, using cryptography: SodiumCryptography
    ) throws(ServiceError) {
        do {
            let store = try TripStore(opening: folder)
            defer { store.close() }
            var keys = try KeyFile(readingFrom: folder)
            let begun = keys.pendingJoin.flatMap { Invitation(decoding: $0, using: cryptography) }
            guard begun.map({ $0.link.participant == invitation.link.participant }) ?? true else {
                throw ServiceError(
                    "joining this trip with another kind of invite is in progress; delete \(folder), then try again")
            }
            guard try !load(store: store, keys: keys, cryptography: cryptography).isLetIn else { return }
            try store.removeChanges(seal(of: keys, cryptography))
            keys.epochSecrets = []
            // Another link makes another participant of the same keys.
            keys.participant = participant(
                comingBy: invitation.link, signingSeed: keys.signingSeed, using: cryptography)
            keys.pendingJoin = invitation.encoded(using: cryptography)
            try keys.write(to: folder)
        } catch {
            throw ServiceError(anyOf: error)
        }
    }

    /// Whose device comes by a link.
    private static func participant(
        comingBy link: InviteLink, signingSeed: Bytes32, using cryptography: SodiumCryptography
    ) -> Bytes32 {
        link.participant
            ?? Origin.invited(link.inviteID(using: cryptography)).participant(
                signingKey: cryptography.signingPublicKey(seed: signingSeed), using: cryptography)
    }

    private func waitForAdmission(seconds: Int) async throws(ServiceError) {
        if node.isLetIn { return }
        let deadline = Task { [weak self] in
            try await Task.sleep(for: .seconds(seconds))
            await self?.nobodyWasFound(in: seconds)
        }
        // The answer may have come while discovery was still starting.
        let result = await withCheckedContinuation { admission.wait($0) }
        deadline.cancel()
        _ = try result.get()
    }

    private func nobodyWasFound(in seconds: Int) {
        let reason: String
        if admission.isAskedThroughMailbox {
            reason =
                "no member's node has answered yet; run the same command again later, and ask for a new link if that takes long"
        } else if let mailboxProblem {
            reason = "found no member of the trip in \(seconds) s, and the mailbox doesn't work: \(mailboxProblem)"
        } else if keys.epochSecrets.isEmpty {
            reason =
                "found no member of the trip in \(seconds) s; ask one to run `caravan up` on this network, then try again"
        } else {
            reason =
                "the node that answered this invite led to no member in \(seconds) s; try again near a member, or ask for a new invite and have this one revoked"
        }
        admission.end(.failure(ServiceError(reason)))
    }

    /// The log says that this device is in. Until then the invite is kept: whoever let it in may come back from a backup of
    /// before that, and is asked again.
    func wasAdmitted() {
        if keys.pendingJoin != nil {
            keys.pendingJoin = nil
            do { try lock.write(keys, to: folder) } catch { admission.end(.failure(error)) }
        }
        admission.end(.success(()))
    }

    /// Says the name in the trip itself, unless that was done.
    private func introduce(as name: String) async throws(ServiceError) {
        // A further device is its person's, who has a name.
        guard node.log.isFirst(node.secrets.device), trip.givenName(of: me) != name else { return }
        _ = try await takingTurns { node throws(ServiceError) in try await node.perform(.setName(name)) }
    }

    /// Waits until somebody has what was written here, so that others see it when this process is gone.
    private func waitForEcho(seconds: Int) async {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            // What a copy of this device holds is not known from what was written here.
            let others = node.sessions.map(\.device.replica).filter { $0 != node.secrets.device.replica }
            if node.changesNotKnown(at: others).contains(0) { return }
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
    package static func linkWithoutHints(_ text: String) throws(ServiceError) -> String {
        let cryptography = try readyCryptography()
        do {
            let link = try InviteLink(text: text, using: cryptography)
            return InviteLink(trip: link.trip, secret: link.secret, hints: []).text(using: cryptography)
        } catch {
            throw ServiceError(describing: error)
        }
    }
}
