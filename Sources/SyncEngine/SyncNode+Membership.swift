import ChangeLog
import DeltaCRDT

// Who is out is out at once; who is in is given the secret of the newest epoch.
extension SyncNode {
    /// Takes a participant out, with a new epoch for all who remain; or leaves, which others answer with one.
    mutating func remove(
        _ participant: Bytes16, ticket: UInt64, using generator: inout some RandomNumberGenerator
    ) {
        let membership = log.membership
        guard ownRemoval == nil else {
            effects.append(.authored(ticket: ticket, .failure(.removed)))
            return
        }
        let isLeaving = isOwn(participant)
        guard let person = membership.person(participant), person.isIn,
            isLeaving || membership.isAncestor(secrets.device.participant, of: participant)
        else {
            effects.append(.authored(ticket: ticket, .failure(.membership)))
            return
        }
        let remaining = membership.membersWithNode.map(\.device).filter { $0.participant != participant }
        let grant =
            isLeaving
            ? nil
            : EpochGrant(
                Epoch(secret: .random(using: &generator), using: cryptography), to: remaining, using: &generator,
                cryptography)
        author(.membership(.remove(participant: participant, epoch: grant)), ticket: ticket)
    }

    /// Derives anew what counts after a change of one's own.
    mutating func recount() {
        if log.recount() {
            learnBranchesAnew()
            effects.append(.rebuild)
        }
        promoteProven()
        noteMembership(arrivedFrom: log.changes.count)
    }

    /// Sessions whose peer's admission has come are a member's from now on.
    mutating func promoteProven() {
        guard log.membership.version != provenVersion else { return }
        provenVersion = log.membership.version
        for id in connections.keys.sorted() {
            guard let session = connections[id]?.session, session.standing == .unproven,
                let member = log.membership.member(agreementKey: session.peerKey), member.isIn
            else { continue }
            let device = member.device
            update(id) { session, _ in
                session.standing = .member(device)
                session.cursor = 0
            }
            met(device, on: id)
            pump(id)
        }
    }

    /// Cuts those off who are out.
    /// - Parameter start: the first place that a peer had not been due before what this follows from.
    mutating func noteMembership(arrivedFrom start: Int) {
        guard log.membership.hasRemovals, membershipSeen != log.membership.version else { return }
        membershipSeen = log.membership.version
        let removed = log.membership.allPeople.filter { !$0.isIn }.map(\.id)
        for participant in removed where !outside.contains(participant) {
            effects.append(.notice(.removed(participant)))
        }
        outside = Set(removed)
        for id in connections.keys.sorted() {
            guard let session = connections[id]?.session else { continue }
            let isOut = log.membership.member(agreementKey: session.peerKey).map { !$0.isIn } ?? false
            switch session.standing {
            case .member(let device):
                if !log.membership.isIn(device.replica) { dismiss(device, on: id, arrivedFrom: start) }
            case .unproven, .joiner, .host: if isOut { end(id) }
            }
        }
        let log = log
        addresses.forget { log.membership.isOut($0) }
    }

    /// Begins an epoch where none answers all removals, and hands the newest on to those who lack it: unless another
    /// member does so first, for which everybody waits a while of their own.
    mutating func keepEpochs(using generator: inout some RandomNumberGenerator) {
        guard log.membership.hasRemovals, case .member = role, port != nil else { return }
        if let due = epochDeadline, due <= now.monotonic {
            epochDeadline = nil
            if let operation = owedEpoch(using: &generator) {
                author(.membership(operation), ticket: 0)
            }
        }
        guard epochsSeen != log.membership.version else { return }
        epochsSeen = log.membership.version
        recogniseAnew()
        guard epochDeadline == nil, owesEpoch else { return }
        epochDeadline = now.monotonic + generator.next() % max(1, limits.epochDelayMax)
    }

    private var owesEpoch: Bool {
        guard log.membership.isIn(secrets.device.replica) else { return false }
        if log.membership.needsEpoch { return true }
        guard let ranked = log.membership.epochRanking.first, log.epoch(id: ranked.id) != nil else { return false }
        return !log.devicesLacking(ranked).isEmpty
    }

    private func owedEpoch(using generator: inout some RandomNumberGenerator) -> MembershipOperation? {
        guard owesEpoch else { return nil }
        if log.membership.needsEpoch {
            let epoch = Epoch(secret: .random(using: &generator), using: cryptography)
            let devices = log.membership.membersWithNode.map(\.device)
            return .beginEpoch(EpochGrant(epoch, to: devices, using: &generator, cryptography))
        }
        guard let ranked = log.membership.epochRanking.first, let epoch = log.epoch(id: ranked.id) else { return nil }
        return .grant(EpochGrant(epoch, to: log.devicesLacking(ranked), using: &generator, cryptography))
    }
}
