import Attachments
import ChangeLog
import DeltaCRDT

// Messages are handled in turns.
extension SyncNode {
    /// When the next turn is.
    var nextTurn: UInt64? { turns.next(at: now.monotonic, unwritten: replication.writes.waitingBytes) }

    private var turnLoad: Turns.Load {
        Turns.Load(now: now.monotonic, unwritten: replication.writes.waitingBytes)
    }

    /// Takes bytes of a session: handles the messages in them, unless others wait.
    mutating func receivedInSession(
        _ bytes: [UInt8], on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        guard let index = table.index(of: id) else { return }
        table[at: index].channel.append(bytes)
        while turns.isFree(for: id, turnLoad, table, log), handleNext(on: id, using: &generator) {}
        noteWaiting(id)
        turns.lookAgain()
    }

    /// Begins a turn: handles messages that wait, as many as it has room for, each time one of the session whose branch cost least.
    mutating func takeTurn(using generator: inout some RandomNumberGenerator) {
        turns.begin()
        while let id = turns.nextSession(turnLoad, table, log) {
            _ = handleNext(on: id, using: &generator)
            noteWaiting(id)
        }
    }

    /// Handles what a connection that is over has left, as far as one turn has room for it.
    mutating func takeLastTurn(of id: ConnectionID, using generator: inout some RandomNumberGenerator) {
        guard let end = turns.last(of: id, turnLoad, table, log) else { return }
        while turns.spent < end, handleNext(on: id, using: &generator) {}
        turns.forget(id)
    }

    /// Notes whether messages of a session wait, and has no more read than may.
    private mutating func noteWaiting(_ id: ConnectionID) {
        guard let index = table.index(of: id) else { return turns.forget(id) }
        let isWaiting = table[at: index].hasUnhandled
        turns.note(id, waits: isWaiting)
        let bytes = table[at: index].channel.waitingBytes
        let isRead = table[at: index].isRead
        if isRead, isWaiting, bytes > limits.unreadBytesMax {
            table[at: index].isRead = false
            turn.effects.append(.read(id, false))
        } else if !isRead, !isWaiting || bytes < limits.unreadBytesMax / 4 {
            table[at: index].isRead = true
            turn.effects.append(.read(id, true))
        }
    }

    /// Handles the next message of a session. False where none is whole.
    private mutating func handleNext(on id: ConnectionID, using generator: inout some RandomNumberGenerator) -> Bool {
        guard let index = table.index(of: id) else { return false }
        let payer = turns.payer(of: id, turnLoad, table, log)
        do {
            guard let (message, bytes) = try nextMessage(at: index, costMax: payer.costMax) else { return false }
            table[at: index].times.lastHeard = now.monotonic
            turns.charge(for: message, bytes: bytes, to: payer, at: now.monotonic, in: log)
            let version = log.membershipVersion
            handle(message, on: id, using: &generator)
            guard log.membershipVersion != version else { return true }
            turns.charge(log.facts.devices.count / 32, to: payer, at: now.monotonic)
            return true
        } catch {
            turn.effects.append(.notice(.misbehaved(.malformedMessage, table[at: index].device)))
            drop(id)
            return false
        }
    }

    /// The next message of the session at an index of the table, and its bytes; of many changes, those that together cost no more.
    private mutating func nextMessage(at index: Int, costMax: Int) throws -> (message: Message, bytes: Int)? {
        var records = table[at: index].unhandled
        if records.isEmpty {
            guard let part = try table[at: index].channel.next() else { return nil }
            let message = try Message(part.bytes, in: part.range, limits: limits, using: cryptography)
            guard case .changes(let all) = message else { return (message, part.range.count) }
            records = all
        }
        var (count, cost, bytes) = (0, 0, 0)
        while count < records.count {
            cost += Turns.cost(bytes: records[count].count)
            guard count == 0 || cost <= costMax else { break }
            bytes += records[count].count
            count += 1
        }
        table[at: index].unhandled = Array(records[count...])
        return (.changes(Array(records[..<count])), bytes)
    }
}
