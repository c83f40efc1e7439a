import LibC
import Sodium
import TripService
import TripStore

/// Whether every trip of a home is whole, and nobody else's to write.
struct TripsCheck {
    let home: Home
    /// Whether a node holds the home and does not answer: then nothing is asked of it a second time.
    let isNodeSilent: Bool
    let passphrases: PassphraseSource

    /// How far ahead of this machine's clock others may be before it is said: nobody's is right to the second.
    static let behindMin: Int64 = 300
    /// A command holds a trip for a moment; who holds it longer is said.
    private static let patience = Duration.milliseconds(500)

    func examine() async -> [Finding] {
        var findings: [Finding] = []
        let node = OwnerLock.owner(of: home.folder)
        var ahead: [String: Int64] = [:]
        var isCrowded = false
        for id in (try? home.tripIDs()) ?? [] {
            let folder = home.folder(ofTrip: id)
            let damage = await onAnotherThread { Self.damage(of: id, in: folder) }
            findings += damage
            if let process = await holder(of: folder), process != node {
                findings.append(.home(.heldByAnother(path: folder, process: process)))
            } else if damage.isEmpty, !isNodeSilent {
                switch await status(of: id) {
                case .success(let status):
                    if status.lostChanges > 0 {
                        findings.append(.home(.changesLost(trip: id, count: status.lostChanges)))
                    }
                    findings += await mailboxes(of: id, status)
                    isCrowded = isCrowded || status.discoveryProblem == StatusView.crowdedNetwork
                    ahead.merge(Self.ahead(in: status)) { max($0, $1) }
                case .failure(let finding): findings += finding.findings
                }
            }
        }
        if isCrowded { findings.append(.network(.crowded)) }
        if let least = ahead.values.min() {
            // By the least of them: that much all agree on.
            let names = ahead.keys.sorted()
            findings.append(.clock(ClockFinding(secondsBehind: least, witness: .people(names))))
        }
        return findings
    }

    /// Reads all of a store, from a copy: what its checksums and SQLite's own find.
    private static func damage(of id: String, in folder: String) -> [Finding] {
        guard let cryptography = try? SodiumCryptography() else { return [] }
        do throws(StoreError) {
            try TripStore.check(folder, using: cryptography)
            return []
        } catch {
            switch error.code {
            case .damaged, .newerVersion, .notATrip:
                return [.home(.storeDamaged(trip: id, reason: error.message))]
            // What is busy or may not be read is told elsewhere.
            default: return []
            }
        }
    }

    /// Who has a trip open, and goes on to; nil where nobody does.
    private func holder(of folder: String) async -> Int32? {
        let deadline = ContinuousClock.now + Self.patience
        while let process = OwnerLock.owner(of: folder) {
            if ContinuousClock.now >= deadline { return process }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }

    private struct Obstacle: Error {
        let findings: [Finding]
    }

    private func status(of id: String) async -> Result<StatusView, Obstacle> {
        do {
            let answer = try await TripAccess(home: home, id: id, passphrases: passphrases).answer(.status)
            guard case .status(let status) = answer else { return .failure(Obstacle(findings: [])) }
            return .success(status)
        } catch {
            var finding = HomeFinding.storeDamaged(trip: id, reason: error.message)
            if case .sealed? = try? KeyFile.stored(in: home.folder(ofTrip: id)) { finding = .storeSealed(trip: id) }
            return .failure(Obstacle(findings: error.code == .refused ? [.home(finding)] : []))
        }
    }

    /// The mailboxes that don't work now, and what is to be known of the others.
    private func mailboxes(of id: String, _ status: StatusView) async -> [Finding] {
        guard !status.mailboxes.isEmpty,
            case .mailboxes(let mailboxes)? = try? await TripAccess(home: home, id: id, passphrases: passphrases)
                .answer(.mailboxes(.test))
        else { return [] }
        return mailboxes.flatMap { Self.findings(of: $0, in: id) }
    }

    static func findings(of mailbox: MailboxView, in id: String) -> [Finding] {
        if let problem = mailbox.problem {
            return [.home(.mailboxUnusable(trip: id, address: mailbox.address, reason: problem))]
        }
        var findings: [Finding] = []
        if let free = mailbox.trial?.freeBytes, free < MailboxView.Trial.freeBytesLeast {
            findings.append(.home(.mailboxNearlyFull(trip: id, address: mailbox.address, freeBytes: free)))
        }
        if mailbox.trial?.isOpen == true {
            findings.append(.home(.mailboxOpen(trip: id, address: mailbox.address)))
        }
        if let clutter = mailbox.clutter {
            findings.append(.home(.mailboxCluttered(trip: id, address: mailbox.address, clutter)))
        }
        return findings
    }

    /// Whose newest change was written at a time that this clock has yet to reach, and by how many seconds. What a device wrote
    /// before that says nothing of its clock as it is now.
    private static func ahead(in status: StatusView) -> [String: Int64] {
        let now = Int64(time(nil))
        var ahead: [String: Int64] = [:]
        for device in status.devices {
            guard let written = device.lastWritten, written / 1_000 - now > behindMin else { continue }
            ahead[device.label] = written / 1_000 - now
        }
        return ahead
    }
}
