import ChangeLog

// Who is in is given the secret of the newest epoch.
extension SyncNode {
    /// Begins an epoch where none answers all removals, and hands the newest on to those who lack it: unless another
    /// member does so first.
    mutating func keepEpochs(using generator: inout some RandomNumberGenerator) {
        if epochs.look(at: log) {
            turn.mustLook = true
            dialer.keysChanged(at: now.monotonic)
            for id in table.keys where table[id]?.isWithMember ?? false { requestEpoch(on: id) }
        }
        recogniseDue()
        guard isMember, publication.port != nil, !local.lacksOwnActs else { return }
        let before = epochs.deadline
        let debt = epochs.due(
            of: secrets.device.replica, in: log, at: now.monotonic, limits: limits, using: &generator)
        if let deadline = epochs.deadline, deadline != before { turn.expect(deadline) }
        guard let debt else { return }
        let grant: EpochGrant
        let statement: Statement
        switch debt {
        case .beginning:
            let epoch = Epoch(secret: .random(using: &generator), using: cryptography)
            grant = EpochGrant(epoch, to: log.membersWithNode, using: &generator, cryptography)
            statement = .beginEpoch(grant)
        case .grant(let epoch, let devices):
            grant = EpochGrant(epoch, to: devices, using: &generator, cryptography)
            // Their keys are weak.
            if grant.boxes.isEmpty { return epochs.paid(debt, wasWritten: true) }
            statement = .grant(grant)
        }
        epochs.paid(debt, wasWritten: write(statement, ticket: nil))
    }

    /// Asks a member for the newest epoch's secret, where that is not here.
    mutating func requestEpoch(on id: ConnectionID) {
        if let epoch = epochs.lacking(in: log) { send(.epochWanted(epoch), on: id) }
    }
}
