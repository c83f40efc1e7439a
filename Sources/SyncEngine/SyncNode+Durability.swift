import ChangeLog

// What is durable where: who holds what they were sent, and may forget.
extension SyncNode {
    /// Tells everybody what has become durable here, where that is due.
    mutating func announceDue() {
        guard let deadline = announcementDeadline, deadline <= now.monotonic else { return }
        announcementDeadline = nil
        for id in connections.keys { sendHave(on: id) }
    }

    /// Tells a peer that what it has sent is durable here, and what else it may lack is here.
    mutating func sendHave(on id: ConnectionID) {
        guard let index = connections.sessionIndex(of: id) else { return }
        let end = durableCount
        let announced = connections[session: index].announced
        let owed = connections[session: index].owed.filter { $0 < end }
        guard announced < end || !owed.isEmpty else { return }
        var places = log.heads(from: announced, before: end)
        if owed.isEmpty {
            guard connections[session: index].hasCompared else { return }
            var lacked: [Int] = []
            for place in places where !log.isHeld(place, by: connections[session: index].knowledge) {
                lacked.append(place)
            }
            places = lacked
        } else if connections[at: index].isWithMember {
            places.append(
                contentsOf: log.heads(
                    of: owed.filter { $0 < announced }, beside: places, limit: SessionLimits.missingMax))
        } else {
            // It knows nothing of what it may not be sent: what came from it is told by itself.
            for place in log.heads(of: owed, limit: SessionLimits.missingMax) where !places.contains(place) {
                places.append(place)
            }
        }
        connections[session: index].announced = max(announced, end)
        connections[session: index].owed.removeAll { $0 < end }
        connections[session: index].owedBytes = 0
        guard !places.isEmpty else { return }
        var hashes: [Bytes32] = []
        for place in places { hashes.append(log.change(at: place).hash) }
        send(.have(hashes), on: id)
    }

    mutating func acknowledged(_ hashes: [Bytes32], on id: ConnectionID) {
        guard let index = connections.sessionIndex(of: id) else { return }
        var places: [Int] = []
        var unknown: [Bytes32] = []
        for hash in hashes {
            if let place = log.place(of: hash) { places.append(place) } else { unknown.append(hash) }
        }
        places.sort()
        noteDurable(places, at: index)
        if !places.isEmpty { effects.append(.notice(.acknowledged)) }
        if !unknown.isEmpty {
            let due = connections[session: index].wantDeadline ?? now.monotonic + limits.wantDelay
            connections[session: index].missing.append(contentsOf: unknown.prefix(SessionLimits.missingMax))
            let excess = connections[session: index].missing.count - SessionLimits.missingMax
            if excess > 0 { connections[session: index].missing.removeFirst(excess) }
            connections[session: index].wantDeadline = due
            expect(due)
        }
        pump(id)
    }

    /// Notes that changes, whose places ascend, are durable at the peer at an index of the table, and that what it was sent
    /// is acknowledged by that.
    mutating func noteDurable(_ places: [Int], at index: Int) {
        if !isCrowded {
            // It may not know yet that they are here too, and would not be told, for it lacks nothing.
            let announced = connections[session: index].announced
            for place in places where place >= announced {
                guard !log.isHeld(place, by: connections[session: index].knowledge) else { continue }
                connections[session: index].owed.append(place)
            }
        }
        log.note(places, heldBy: &connections[session: index].knowledge)
        log.note(places, heldBy: &connections[session: index].durable)
        var freed = 0
        var waiting: [(place: Int, bytes: Int)] = []
        for message in connections[session: index].unacknowledged {
            if log.isHeld(message.place, by: connections[session: index].durable) {
                freed += message.bytes
            } else {
                waiting.append(message)
            }
        }
        if freed > 0 {
            connections[session: index].unacknowledged = waiting
            connections[session: index].unacknowledgedBytes -= freed
        }
    }
}
