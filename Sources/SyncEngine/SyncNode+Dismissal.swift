import ChangeLog

/// The last that a removed device hears: its removal, sealed for a session that is over, to be sent once that is durable here.
struct Dismissal: Sendable {
    let connection: ConnectionID
    /// The place of the removal.
    let removal: Int
    let frames: [UInt8]
}

// A removed device is told so in the session that ends by it; else it would go on adding and inviting in vain.
extension SyncNode {
    /// Ends the session with a removed device, which hears of its removal where that tells it nothing else.
    ///
    /// Nothing is said or heard in the session from now on, whenever the connection is closed.
    mutating func dismiss(_ device: Device, on id: ConnectionID, arrivedFrom start: Int) {
        // Of several removals the first has no other in its past, and so nothing that was written after one.
        guard let removal = log.membership.person(device.participant)?.removals.first,
            let frames = frames(telling: removal, on: id, arrivedFrom: start)
        else {
            end(id)
            return
        }
        dismissals.append(Dismissal(connection: id, removal: removal, frames: frames))
        closed(id)
        sendDismissals()
    }

    /// Sends what has become durable.
    mutating func sendDismissals() {
        guard !dismissals.isEmpty else { return }
        for dismissal in dismissals where dismissal.removal < durableCount {
            effects += [.send(dismissal.connection, dismissal.frames), .close(dismissal.connection)]
        }
        dismissals.removeAll { $0.removal < durableCount }
    }

    /// A removal with what the peer lacks of its past, and the session's end. Nil where the peer knows of it already; where
    /// more is lacking than one message holds; and where some of that has only come here with the removal, for the removed
    /// device is shown nothing that it had not been due before.
    private mutating func frames(telling removal: Int, on id: ConnectionID, arrivedFrom start: Int) -> [UInt8]? {
        guard let index = connections.sessionIndex(of: id), connections[session: index].hasCompared else { return nil }
        let knowledge = connections[session: index].knowledge
        let batch = log.nextBatch(
            from: knowledge.prefix, to: removal + 1, lackedBy: knowledge, witness: removal,
            countMax: limits.batchChangesMax, bytesMax: limits.batchBytesMax)
        guard batch.places.last == removal, batch.places.dropLast().allSatisfy({ $0 < start }) else { return nil }
        let changes = Message.changes(batch.places.map { log.change(at: $0).sealed })
        guard let told = connections[session: index].channel.seal(changes.encoding),
            let end = connections[session: index].channel.seal(Message.end.encoding)
        else { return nil }
        return told + end
    }
}
