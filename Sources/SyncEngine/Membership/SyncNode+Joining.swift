import ChangeLog
import DeltaCRDT

// Coming in: a joiner proves that it holds an invite and its own keys; a member writes the admission.
extension SyncNode {
    /// Asks whoever answers to the invite's key, and nobody else, to let this device in.
    mutating func requestAdmission(on id: ConnectionID) {
        guard let invitation = joining?.invitation else { return }
        let message = Admission.consentMessage(
            trip: log.trip, device: secrets.device, name: invitation.name)
        let consent = cryptography.sign(message, seed: secrets.signingSeed)
        send(.joinRequest(JoinRequest(device: secrets.device, name: invitation.name, consent: consent)), on: id)
    }

    /// Asks again, where others are met under the trip's secret, and the log does not say that this device was let in:
    /// whoever let it in forgot, or was somebody who could not. One of those who are met is asked, each in turn, by the
    /// invite; what was begun with them goes on.
    mutating func retryAdmission() {
        guard joining != nil, isMember else { return }
        let met = connections.met.incarnations
        let dialled = connections.values.filter(\.hasSession).compactMap(\.address)
        let known = discovery.addresses.entries.filter { $0.value.incarnation.map { met.contains($0) } ?? false }.keys
        let (time, pause) = (now.monotonic, limits.askDelay)
        let place = joining?.nextPlace(
            of: Set(dialled).union(known).sorted(), isAnybodyMet: !met.isEmpty, at: time, pause: pause)
        guard let address = place else { return }
        // Beside the session there, which the address book knows of.
        let id = connections.nextID()
        connections.insert(
            Connection(.dialled(address, .admission), begun: now.monotonic, phase: .dialling), as: id)
        turn.effects.append(.dial(id, address))
    }

    mutating func letIn(
        _ request: JoinRequest, by invite: Bytes32, on id: ConnectionID,
        using generator: inout some RandomNumberGenerator
    ) {
        guard let peer = connections[id]?.session?.peer, let epoch = epochs.newest else { return }
        let device = request.device
        let opened = log.invite(invite)
        let isMeant =
            opened?.invite.participant.map { $0 == device.participant && isOwn($0) }
            ?? (device.participant
                == Origin.invited(invite).participant(signingKey: device.signingKey, using: cryptography))
        let message = Admission.consentMessage(trip: log.trip, device: device, name: request.name)
        guard device.replica == peer.replica, device.agreementKey == peer.key, isMeant, !log.isOut(device.replica),
            cryptography.isValid(request.consent, of: message, by: device.signingKey),
            let grant = DeviceGrant(epoch, to: device, using: &generator, cryptography)
        else {
            refuseJoin(.invalidRequest, on: id)
            return
        }
        let answer = Message.joinAnswer(.admitted(grant))
        // Somebody who was let in and did not hear of it asks again, and is answered again.
        if log.isIn(device.replica) {
            guard let admission = log.admission(of: device.replica), admission < replication.durableCount else {
                // The answer is on its way to the disk, for where they asked first.
                end(id)
                return
            }
            send(answer, on: id)
            return
        }
        guard let opened, opened.isOpen(at: now.wall, for: device.replica) else {
            refuseJoin(.inviteClosed, on: id)
            return
        }
        guard !local.lacksOwnActs, mayAdmit(by: opened), local.question(about: opened, in: log) == nil else {
            // Another may let them in, or this one later: they ask again.
            end(id)
            return
        }
        let admission = Admission(
            device: device, name: request.name, invite: invite, consent: request.consent, grant: grant)
        do {
            let place = try append(.admit(admission), as: secrets)
            persist(place..<place + 1, then: .admitted(place, id, answer: answer))
        } catch {
            refuseJoin(.invalidRequest, on: id)
        }
    }

    /// Whether there is room in this device's chain for a newcomer: others, who send newcomers by their own invites, don't get the last.
    private func mayAdmit(by opened: TripLog.OpenedInvite) -> Bool {
        log.device(opened.author).map { isOwn($0.participant) } ?? false
            || log.chainTotals(of: secrets.device.replica).admissions < limits.othersNewcomersMax
    }

    func isOwn(_ participant: Bytes32) -> Bool { participant == secrets.device.participant }

    private mutating func refuseJoin(_ refusal: JoinRefusal, on id: ConnectionID) {
        send(.joinAnswer(.refused(refusal)), on: id)
        end(id)
    }

    mutating func joinAnswered(_ answer: JoinAnswer, on id: ConnectionID) {
        defer { end(id) }
        switch answer {
        case .admitted(let grant):
            guard let secret = grant.open(as: secrets, using: cryptography) else { return }
            turn.effects.append(.storeEpoch(secret: secret))
            let wasMember = isMember
            epochs.add(secret: secret, in: log, using: cryptography)
            recogniseAnew()
            // The same address again, now with the epoch's key.
            if !wasMember { discovery.addresses.retryNow(at: now.monotonic) }
        // Another may know better.
        case .refused where isMember: break
        case .refused(let refusal): turn.effects.append(.notice(.joinRefused(refusal)))
        }
    }
}
