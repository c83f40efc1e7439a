import ChangeLog
import DeltaCRDT

// Coming in: a joiner proves that it holds an invite and its own keys; a member writes the admission.
extension SyncNode {
    mutating func askToJoin(on id: ConnectionID) {
        guard let (link, name) = invitation else { return }
        let invite = Invite.id(ofSecret: link.secret, using: cryptography)
        let message = JoinRequest.signedMessage(
            trip: log.trip, invite: invite, device: secrets.device, name: name)
        let signature = cryptography.sign(message, seed: secrets.signingSeed)
        send(.joinRequest(JoinRequest(device: secrets.device, name: name, signature: signature)), on: id)
    }

    /// Asks again, where others are met under the trip's secret, and the log does not say that this device was let in:
    /// whoever let it in forgot, or was somebody who could not. One of those who are met is asked, each in turn, by the
    /// invite; what was begun with them goes on.
    mutating func keepAsking() {
        guard invitation != nil, case .member = role else { return }
        let met = connections.met.incarnations
        guard !met.isEmpty else {
            askDeadline = nil
            return
        }
        guard let due = askDeadline else {
            askDeadline = now.monotonic + limits.askDelay
            return
        }
        guard due <= now.monotonic else { return }
        askDeadline = now.monotonic + limits.askDelay
        let dialled = connections.values.filter(\.hasSession).compactMap(\.address)
        let known = addresses.entries.filter { $0.value.incarnation.map { met.contains($0) } ?? false }.keys
        let places = Set(dialled).union(known).sorted()
        guard !places.isEmpty else { return }
        let address = places[askCount % places.count]
        askCount += 1
        let id = nextConnectionID()
        // Beside the session there, which the address book knows of.
        connections[id] = Connection(address: address, begun: now.monotonic, phase: .dialling, isAsking: true)
        effects.append(.dial(id, address))
    }

    mutating func letIn(
        _ request: JoinRequest, by id: Bytes32, on connection: ConnectionID,
        using generator: inout some RandomNumberGenerator
    ) {
        guard let session = connections[connection]?.session else { return }
        let message = JoinRequest.signedMessage(
            trip: log.trip, invite: id, device: request.device, name: request.name)
        let opened = log.membership.invite(id)
        let isMeant =
            opened?.invite.participant.map { $0 == request.device.participant && isOwn($0) }
            ?? request.device.isFirst(using: cryptography)
        guard request.device.agreementKey == session.peerKey, isMeant, !log.membership.isOut(request.device.replica),
            cryptography.isValid(request.signature, of: message, by: request.device.signingKey),
            let sealed = SealedBox.seal(
                log.explainedSecrets, to: request.device.agreementKey,
                ephemeralSecret: .random(using: &generator), using: cryptography)
        else {
            refuseJoin(.invalidRequest, on: connection)
            return
        }
        // Somebody who was let in and did not hear of it asks again, and is answered again.
        if log.membership.isIn(request.device.replica) {
            let admissions = log.membership.device(request.device.replica)?.admissions ?? []
            guard admissions.contains(where: { $0 < durableCount }) else {
                // The answer is on its way to the disk, for where they asked first.
                end(connection)
                return
            }
            send(.joinAnswer(.admitted(sealedSecrets: sealed)), on: connection)
            return
        }
        guard let opened, opened.isOpen(at: now.wall) else {
            refuseJoin(.inviteClosed, on: connection)
            return
        }
        let admission = Admission(device: request.device, name: request.name, invite: id, sealedSecrets: sealed)
        do {
            _ = try log.author(.membership(.admit(admission)), wallTime: now.wall, as: secrets)
            let place = log.changes.count - 1
            persist(place..<place + 1, then: .admitted(connection, sealedSecrets: sealed))
            recount()
        } catch {
            refuseJoin(.invalidRequest, on: connection)
        }
    }

    func isOwn(_ participant: Bytes16) -> Bool { participant == secrets.device.participant }

    private mutating func refuseJoin(_ refusal: JoinRefusal, on id: ConnectionID) {
        send(.joinAnswer(.refused(refusal)), on: id)
        end(id)
    }

    private func opened(_ sealed: [UInt8]) -> [Bytes32]? {
        guard let bytes = SealedBox.open(sealed, with: secrets.agreementSecret, using: cryptography), !bytes.isEmpty,
            bytes.count.isMultiple(of: 32)
        else { return nil }
        return stride(from: 0, to: bytes.count, by: 32).compactMap { Bytes32(bytes[$0..<$0 + 32]) }
    }

    /// Hands all epochs' secrets to a member who is met, where there is more than one.
    ///
    /// Somebody who was let in by a member who had not heard of a removal cannot open the change that would grant them
    /// the new epoch's secret: it stands on changes that are sealed for that epoch. Whoever has the newest may still lack
    /// one before it: a member may have begun it, and given it to a few alone, who have written under it.
    mutating func handSecrets(
        to device: Device, on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        guard log.explainedEpochs.count > 1,
            log.membership.isIn(device.replica), log.membership.isIn(secrets.device.replica),
            let sealed = SealedBox.seal(
                log.explainedSecrets, to: device.agreementKey,
                ephemeralSecret: .random(using: &generator), using: cryptography)
        else { return }
        send(.joinAnswer(.admitted(sealedSecrets: sealed)), on: id)
    }

    /// Takes the secrets of epochs that a member hands on. They are kept once the log speaks of them.
    mutating func takeSecrets(_ sealed: [UInt8], on id: ConnectionID) {
        guard let found = opened(sealed) else {
            end(id)
            return
        }
        for secret in found.suffix(ChangeLimits.epochsMax) { log.offerEpoch(secret: secret) }
        adoptEpochs()
    }

    /// Keeps secrets that were handed on, before any change that is sealed with them is written.
    mutating func adoptEpochs() {
        let adopted = log.adoptEpochs()
        guard !adopted.isEmpty else { return }
        effects.append(.storeEpochs(adopted))
        recogniseAnew()
    }

    mutating func joinAnswered(_ answer: JoinAnswer, on id: ConnectionID) {
        let isAsking = connections[id]?.isAsking ?? false
        guard role.isJoining || isAsking else { return }
        switch answer {
        case .refused where isAsking, .admitted where isAsking && !role.isJoining:
            // Another may know better. Secrets are not needed again, but may be newer; who answers may be anybody who holds
            // the invite, so that they are kept once the log speaks of them.
            if case .admitted(let sealed) = answer { takeSecrets(sealed, on: id) }
            end(id)
        case .refused(let refusal):
            effects.append(.notice(.joinRefused(refusal)))
            end(id)
        case .admitted(let sealed):
            guard let epochs = opened(sealed) else {
                end(id)
                return
            }
            effects.append(.storeEpochs(epochs))
            for secret in epochs { log.addEpoch(secret: secret) }
            role = .member
            // The same address again, now with the epoch's key.
            end(id)
            addresses.hurry(at: now.monotonic)
            recogniseAnew()
        }
    }
}
