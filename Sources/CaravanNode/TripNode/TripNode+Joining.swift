import AvahiDiscovery
import ChangeLog
import Foundation
import Sodium
import SyncEngine
import TripModel
package import TripService
import TripStore

// Joining a trip with an invite.
extension TripNode {
    /// Joins the trip of an invite, or continues an unfinished join of the same trip.
    ///
    /// - Parameters:
    ///   - peers: addresses to try besides those of the invite, as `host:port`.
    ///   - mailbox: how the joiner reaches a mailbox of the invite's, at the link's address if it has none; nil as the link says, or
    ///     for none.
    ///   - discovers: whether to look for members by mDNS.
    ///   - patience: how long to wait for a member to admit this device, in seconds.
    ///   - passphrases: where to ask if this home was in the trip under a passphrase. The new copy has that passphrase too.
    ///   - isAnew: whether to join as a new person although this home's copy is still in the trip, for people who were
    ///     removed and never received the removal.
    package static func join(
        link text: String, name: String, in home: Home, peers: [String] = [], mailbox: MailboxPlace? = nil,
        discovers: Bool = true, patience: Int = 60, isAnew: Bool = false, passphrases: PassphraseSource = .none,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(ServiceError) -> String {
        let cryptography = try readyCryptography()
        let link: InviteLink
        do { link = try InviteLink(text: text, using: cryptography) } catch { throw ServiceError(describing: error) }
        let name = try typed(name: name)
        let id = Home.id(ofTrip: link.trip.description)
        let folder = home.folder(ofTrip: id)
        let files = FileManager.default
        let lock = KeyLock(passphrases)
        if files.fileExists(atPath: folder) {
            if !isAnew { try await requireOut(of: id, in: home, passphrases) }
            try lock.prepare(for: folder)
        }
        let waiting = folder + ".joining"
        if files.fileExists(atPath: waiting), try isReplaced(by: link, in: waiting, using: cryptography) {
            do { try files.removeItem(atPath: waiting) } catch {
                throw ServiceError(.unwritable, "cannot delete \(waiting); check its permissions")
            }
        }
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
            // Nobody was asked under these keys, so nobody can have admitted them.
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
            let isOver = await trip.isRefused
            await trip.close()
            // Nobody admitted these keys, and no request that somebody may answer later is in a mailbox.
            if isNew, isOver { try? files.removeItem(atPath: waiting) }
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

    /// Whether an unfinished join is by another kind of invite than a link, and nobody admitted it. Throws if somebody did.
    private static func isReplaced(
        by link: InviteLink, in folder: String, using cryptography: SodiumCryptography
    ) throws(ServiceError) -> Bool {
        do {
            let store = try TripStore(opening: folder)
            defer { store.close() }
            let keys = try KeyFile(readingFrom: folder)
            guard let begun = keys.pendingJoin.flatMap({ Invitation(decoding: $0, using: cryptography) }),
                begun.link.participant != link.participant
            else { return false }
            guard try !load(store: store, keys: keys, cryptography: cryptography).isLetIn else {
                throw ServiceError(
                    "a member already admitted this device by another invite; run `caravan join` with that one again")
            }
            return true
        } catch {
            throw ServiceError(anyOf: error)
        }
    }

    /// An unfinished join continues with the newest invite, under the same keys, unless a member admitted it already.
    ///
    /// Only the log shows that. Anybody with the link can answer in a member's place, with useless secrets. The device
    /// discards such secrets, and asks again.
    private static func renew(
        _ invitation: Invitation, in folder: String, using cryptography: SodiumCryptography
    ) throws(ServiceError) {
        do {
            let store = try TripStore(opening: folder)
            defer { store.close() }
            var keys = try KeyFile(readingFrom: folder)
            guard try !load(store: store, keys: keys, cryptography: cryptography).isLetIn else { return }
            try store.removeChanges(seal(of: keys, cryptography))
            keys.epochSecrets = []
            // With another link, the same keys make another participant.
            keys.participant = participant(
                comingBy: invitation.link, signingSeed: keys.signingSeed, using: cryptography)
            keys.pendingJoin = invitation.encoded(using: cryptography)
            try keys.write(to: folder)
        } catch {
            throw ServiceError(anyOf: error)
        }
    }

    /// The person whose device joins by a link.
    private static func participant(
        comingBy link: InviteLink, signingSeed: Bytes32, using cryptography: SodiumCryptography
    ) -> Bytes32 {
        link.participant
            ?? Origin.invited(link.inviteID(using: cryptography)).participant(
                signingKey: cryptography.signingPublicKey(seed: signingSeed), using: cryptography)
    }

    /// Whether a node refused the request, nobody else answered it, and it is in no mailbox.
    private var isRefused: Bool { admission.isRefused && keys.epochSecrets.isEmpty && own.mailboxes.isEmpty }

    private func waitForAdmission(seconds: Int) async throws(ServiceError) {
        if node.hasJoined { return }
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
        } else if keys.epochSecrets.isEmpty, admission.hasReachedNode {
            // After a removal members don't answer an invite that the removed person may know, not even with a refusal.
            reason =
                "a node was reached, but it admits nobody with this invite, which may have been revoked; ask for a new one"
        } else if keys.epochSecrets.isEmpty {
            reason =
                "found no member of the trip in \(seconds) s; ask one to run `caravan up` on this network, then try again"
        } else {
            reason =
                "the node that answered this invite led to no member in \(seconds) s; try again near a member, or ask for a new invite and have this one revoked"
        }
        admission.end(.failure(ServiceError(reason)))
    }

    /// The log holds this device's admission. Until then the invite is kept, because the member who admitted it may restore
    /// an earlier backup, and is then asked again.
    func wasAdmitted() {
        if keys.pendingJoin != nil {
            keys.pendingJoin = nil
            do { try lock.write(keys, to: folder) } catch { admission.end(.failure(error)) }
        }
        admission.end(.success(()))
    }

    /// Writes the name into the trip, unless that was done.
    private func introduce(as name: String) async throws(ServiceError) {
        // A further device is its person's, who has a name.
        guard node.log.isFirst(node.secrets.device), shown.trip.givenName(of: me) != name else { return }
        _ = try await takingTurns { node throws(ServiceError) in try await node.perform(.setName(name)) }
    }

    /// Waits until another node has the changes written here, so that others see them when this process has ended.
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
    /// Whether a link is for a further device of a person; false for a text that is not an invite.
    package static func isForDevice(_ link: String) -> Bool {
        guard let cryptography = try? readyCryptography() else { return false }
        return (try? InviteLink(text: link, using: cryptography))?.participant != nil
    }

    /// A name for a device that joins by a link and is given none: the same at each try, and not that of a device with another link.
    package static func deviceName(joiningBy link: String) -> String {
        guard let cryptography = try? readyCryptography(),
            let link = try? InviteLink(text: link, using: cryptography)
        else { return "another device" }
        return "device \(link.inviteID(using: cryptography).description.prefix(4))"
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
