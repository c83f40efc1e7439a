import ChangeLog
import DeltaCRDT

// Joining: a joiner proves that it holds an invite and its own keys; a member writes the admission.
extension SyncNode {
    /// Asks a node that answers under the invite's key, and no other node, to admit this device.
    mutating func requestAdmission(on id: ConnectionID) {
        guard let invitation = joining?.invitation else { return }
        send(.joinRequest(joinRequest(by: invitation)), on: id)
    }

    func joinRequest(by invitation: Invitation) -> JoinRequest {
        let message = Admission.consentMessage(
            trip: log.trip, device: secrets.device, name: invitation.name)
        let consent = cryptography.sign(message, seed: secrets.signingSeed)
        return JoinRequest(device: secrets.device, name: invitation.name, consent: consent)
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

    /// Whether this node may admit a device that asks.
    enum Admissibility {
        case refused(JoinRefusal)
        /// Another member may admit them, or this one later.
        case later
        /// They are in by the change at a place, if one that counts is here.
        case isIn(admission: Int?)
        case open
    }

    /// Whether a request proves what it claims: its device's name hashes its keys, and its participant's the invite.
    func proves(_ request: JoinRequest, by invite: Bytes32) -> Bool {
        let device = request.device
        let isMeant =
            log.invite(invite)?.invite.participant.map { $0 == device.participant && isOwn($0) }
            ?? (device.participant
                == Origin.invited(invite).participant(signingKey: device.signingKey, using: cryptography))
        let message = Admission.consentMessage(trip: log.trip, device: device, name: request.name)
        return isMeant && cryptography.isValid(request.consent, of: message, by: device.signingKey)
    }

    /// The answer to a request that proves what it claims.
    func admissibility(of request: JoinRequest, by invite: Bytes32) -> Admissibility {
        let replica = request.device.replica
        guard !log.isOut(replica) else { return .refused(.invalidRequest) }
        // A device that was admitted and did not receive the answer asks again, and is answered again.
        if log.isIn(replica) { return .isIn(admission: log.admission(of: replica)) }
        guard let opened = log.invite(invite), opened.isOpen(at: now.wall, for: replica) else {
            return .refused(.inviteClosed)
        }
        let mayAdmit = !local.lacksOwnActs && mayAdmit(by: opened) && local.question(about: opened, in: log) == nil
        return mayAdmit ? .open : .later
    }

    mutating func letIn(
        _ request: JoinRequest, in session: JoinerSession, using generator: inout some RandomNumberGenerator
    ) {
        let (id, invite) = (session.id, session.invite)
        guard let peer = table[id]?.peer, let epoch = epochs.newest else { return }
        let device = request.device
        guard device.replica == peer.replica, device.agreementKey == peer.key, proves(request, by: invite),
            let grant = DeviceGrant(epoch, to: device, using: &generator, cryptography)
        else {
            refuseJoin(.invalidRequest, on: id)
            return
        }
        let answer = Message.joinAnswer(.admitted(grant))
        switch admissibility(of: request, by: invite) {
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
                let place = try append(.admit(admission), as: secrets)
                persist(place..<place + 1, then: .admitted(place, id, answer: answer))
            } catch {
                refuseJoin(.invalidRequest, on: id)
            }
        }
    }

    /// Whether there is room in this device's chain for a newcomer. The last places are reserved for this person's own invites.
    private func mayAdmit(by opened: TripLog.OpenedInvite) -> Bool {
        log.device(opened.author).map { isOwn($0.participant) } ?? false
            || log.chainTotals(of: secrets.device.replica).admissions < limits.othersNewcomersMax
    }

    func isOwn(_ participant: Bytes32) -> Bool { participant == secrets.device.participant }

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
        mailboxes.isTouched = true
        recogniseAgain()
        // The same address again, now with the epoch's key.
        if !wasMember { dialer.retryNow(at: now.monotonic) }
        return true
    }
}
