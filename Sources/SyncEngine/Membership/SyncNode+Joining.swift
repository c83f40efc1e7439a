import ChangeLog
import DeltaCRDT

// Joining: a joiner proves that it holds an invite and its own keys; a member writes the admission.
extension SyncNode {
    /// Asks a node that answers under the invite's key, and no other node, to admit this device.
    mutating func requestAdmission(on id: ConnectionID) {
        guard let invitation = joining?.invitation else { return }
        send(.joinRequest(JoinRequest(of: secrets, for: log.trip, by: invitation, using: cryptography)), on: id)
    }

    /// Asks again if this device has sessions under the trip's secret, but the log does not hold its admission: the member who
    /// admitted it lost the admission, or could not admit anybody. It asks its peers in turn, by the invite, and their other
    /// sessions continue.
    mutating func retryAdmission() {
        guard joining != nil, isMember else { return }
        let met = contacts.met.incarnations
        let dialled = table.values.compactMap(\.address)
        let known = dialer.addresses(of: met)
        let (time, pause) = (now.monotonic, limits.askDelay)
        let place = joining?.nextPlace(
            of: Set(dialled).union(known).sorted(), isAnybodyMet: !met.isEmpty, at: time, pause: pause)
        // Beside the session there, which the dialer knows of.
        if let place { dial(place, for: .admission) }
    }

    mutating func letIn(
        _ request: JoinRequest, in session: JoinerSession, using generator: inout some RandomNumberGenerator
    ) {
        let (id, invite) = (session.id, session.invite)
        guard let peer = table[id]?.peer, let epoch = epochs.newest else { return }
        let device = request.device
        guard device.replica == peer.replica, device.agreementKey == peer.key,
            membership.proves(request, by: invite, in: log, using: cryptography),
            let grant = DeviceGrant(epoch, to: device, using: &generator, cryptography)
        else {
            refuseJoin(.invalidRequest, on: id)
            return
        }
        let answer = Message.joinAnswer(.admitted(grant))
        switch membership.admissibility(
            of: request, by: invite, in: log, as: local, at: now.wall, limits: limits)
        {
        case .refused(let refusal): refuseJoin(refusal, on: id)
        case .later: end(id)
        case .isIn(let admission):
            guard let admission, admission < replication.durableCount else {
                // The answer is on its way to the disk, for where they asked first.
                end(id)
                return
            }
            send(answer, on: id)
        case .open:
            let admission = Admission(
                device: device, name: request.name, invite: invite, consent: request.consent, grant: grant)
            do {
                let index = try append(.admit(admission), as: secrets)
                persist(index..<index + 1, then: .admitted(index, id, answer: answer))
            } catch {
                refuseJoin(.invalidRequest, on: id)
            }
        }
    }

    private mutating func refuseJoin(_ refusal: JoinRefusal, on id: ConnectionID) {
        send(.joinAnswer(.refused(refusal)), on: id)
        end(id)
    }

    mutating func joinAnswered(_ answer: JoinAnswer, in session: SponsorSession) {
        defer { end(session.id) }
        switch answer {
        case .admitted(let grant): take(grant)
        // Another may know better.
        case .refused where isMember || isLetIn: break
        case .refused(let refusal): turn.effects.append(.notice(.joinRefused(refusal)))
        }
    }

    /// Takes the secret of an epoch in answer to a request.
    /// - Returns: whether it is sealed to this device.
    @discardableResult
    mutating func take(_ grant: DeviceGrant) -> Bool {
        guard let secret = grant.open(as: secrets, using: cryptography) else { return false }
        turn.effects.append(.storeEpoch(secret: secret))
        let wasMember = isMember
        epochs.add(secret: secret, in: log, using: cryptography)
        mailboxes.touch()
        recogniseAgain()
        // The same address again, now with the epoch's key.
        if !wasMember { dialer.retryNow(at: now.monotonic) }
        return true
    }
}
