import Convergence
import DeltaCRDT
import SyncEngine

/// One end of a connection. The other is its neighbour in the world's list: their numbers differ in the last bit.
struct End {
    /// The machine, or −1 for somebody outside.
    var machine: Int
    /// The machine's start when the connection was made.
    var start: Int
    var connection: ConnectionID
    /// Counts the uses of this place in the list.
    var generation: Int32 = 0
    var isOpen = true
    /// Nothing passes any more, and nobody is told: an address changed, or a machine lost power.
    var isBroken = false
    /// When the last piece sent from here arrives, so that pieces keep their order.
    var lastArrival: UInt64 = 0
    /// What waits behind a block, in order; an empty piece is the connection's end.
    var held: [Held] = []
    var heldBytes = 0
    var alters = false
    var hasHeard = false
    /// Bytes that arrived here since some of them brought changes.
    var bytesSinceChanges = 0
}

/// What was sent and cannot pass.
struct Held {
    let bytes: [UInt8]
    let sender: Sender
}

/// The sender's start, and how many changes were durable there, when it sent.
struct Sender {
    let start: Int32
    let durableCount: Int32
}

/// What stands between nodes, by a number each.
struct Blocks {
    struct Partition {
        let side: EventSet
        let isOneWay: Bool
    }

    var partitions: [Int: Partition] = [:]
    var clogs: [Int: (from: Int, to: Int)] = [:]
    var cutOff: Set<Int> = []

    func stops(from left: Int, to right: Int) -> Bool {
        if partitions.isEmpty, clogs.isEmpty, cutOff.isEmpty { return false }
        if cutOff.contains(left) || cutOff.contains(right) { return true }
        for partition in partitions.values {
            let isLeft = left >= 0 && partition.side.contains(left)
            let isRight = right >= 0 && partition.side.contains(right)
            if isLeft, !isRight { return true }
            if isRight, !isLeft, !partition.isOneWay { return true }
        }
        return clogs.values.contains { $0.from == left && $0.to == right }
    }
}

// Connections: dialled, filled, held up, broken and closed.
extension World {
    func passes(from left: NodeID, to right: NodeID) -> Bool {
        !blocks.stops(from: left, to: right) && (!conditions.isApart || left == right)
    }

    private mutating func latency(from left: NodeID, to right: NodeID) -> UInt64 {
        var delay = conditions.distance.lowerBound
        if conditions.distance.count > 1 {
            let draw = SplitMix64.mixed(
                seed ^ UInt64(truncatingIfNeeded: left) << 32 ^ UInt64(truncatingIfNeeded: right))
            delay += Int(draw % UInt64(conditions.distance.count))
        }
        let jitter = left >= 0 ? machines[left].chance.number(in: conditions.latency) : conditions.latency.lowerBound
        return UInt64(delay + jitter)
    }

    private mutating func openPair(_ first: End, _ second: End) -> Int {
        if let pair = freePairs.popLast() {
            let generation = ends[pair].generation + 1
            ends[pair] = first
            ends[pair + 1] = second
            ends[pair].generation = generation
            ends[pair + 1].generation = generation
            return pair
        }
        ends.append(first)
        ends.append(second)
        return ends.count - 2
    }

    mutating func dial(_ address: PeerAddress, from id: NodeID, as connection: ConnectionID) {
        machines[id].traffic.connectionsDialled += 1
        guard let target = machineAt[address], passes(from: id, to: target), passes(from: target, to: id) else {
            // Nobody answers, not even with a refusal.
            return
        }
        guard machines[target].isRunning else {
            tell(id, .closed(connection), after: 1)
            return
        }
        let pair = open(to: target, from: id, as: connection)
        let delay = 2 * latency(from: id, to: target)
        tell(id, .connected(connection), after: delay)
        // The accepting side speaks first, and its bytes arrive once the connection is open.
        ends[pair + 1].lastArrival = time + delay
        machines[id].ends[connection] = pair
    }

    /// The caller's end of a new connection to a machine, which hears of it.
    private mutating func open(to target: NodeID, from id: NodeID, as connection: ConnectionID) -> Int {
        machines[target].acceptedCount += 2
        let accepted = ConnectionID(rawValue: machines[target].acceptedCount - 1)
        let start = id >= 0 ? machines[id].start : 0
        let pair = openPair(
            End(machine: id, start: start, connection: connection),
            End(machine: target, start: machines[target].start, connection: accepted))
        machines[target].ends[accepted] = pair + 1
        let arrival = time + latency(from: id, to: target)
        let caller = id >= 0 ? machines[id].address.host : "10.255.0.1"
        later(.event(.accepted(accepted, at: machines[target].address, from: caller)), on: target, at: arrival)
        ends[pair].lastArrival = arrival
        return pair
    }

    // MARK: - Sending

    mutating func send(_ bytes: [UInt8], from end: Int) {
        guard ends[end].isOpen, !bytes.isEmpty else { return }
        let (left, right) = (ends[end].machine, ends[end ^ 1].machine)
        if left >= 0 {
            machines[left].traffic.bytesSent += bytes.count
            machines[left].traffic.messagesSent += 1
            if secrets.finds(in: bytes) { see(.secretSeen(left)) }
        }
        guard !ends[end].isBroken, passes(from: left, to: right), ends[end].held.isEmpty else {
            hold(bytes, at: end)
            return
        }
        let altered = ends[end].alters ? alter(bytes, at: end) : bytes
        transmit(altered, from: end, sender(at: end))
    }

    private func sender(at end: Int) -> Sender {
        let id = ends[end].machine
        guard id >= 0 else { return Sender(start: 0, durableCount: .max) }
        return Sender(
            start: Int32(truncatingIfNeeded: machines[id].start),
            durableCount: Int32(clamping: machines[id].disk.changes.count))
    }

    /// The sender's system goes on trying for as long as the connection is open.
    private mutating func hold(_ bytes: [UInt8], at end: Int) {
        if ends[end].held.isEmpty { holdingEnds.append(end) }
        ends[end].held.append(Held(bytes: bytes, sender: sender(at: end)))
        ends[end].heldBytes += bytes.count
        guard ends[end].heldBytes > conditions.unsentBytesMax, ends[end].machine >= 0 else { return }
        tell(ends[end].machine, .closed(ends[end].connection), after: 0)
        close(end)
    }

    mutating func transmit(_ bytes: [UInt8], from end: Int, _ sender: Sender) {
        let other = end ^ 1
        let (left, right) = (ends[end].machine, ends[other].machine)
        var rest = bytes[...]
        while !rest.isEmpty {
            let size: Int
            if left >= 0, conditions.chunk.lowerBound < rest.count {
                size = min(rest.count, machines[left].chance.number(in: conditions.chunk))
            } else {
                size = rest.count
            }
            let piece = size == bytes.count ? bytes : Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            let arrival = max(departure(of: size, from: left) + latency(from: left, to: right), ends[end].lastArrival)
            ends[end].lastArrival = arrival
            bytesUnderWay += size
            bytesUnderWayMax = max(bytesUnderWayMax, bytesUnderWay)
            let what = What.arrived(
                end: Int32(other), generation: ends[other].generation, senderStart: sender.start,
                durable: sender.durableCount, piece)
            queue.add(Occurrence(machine: Int32(right), start: 0, what: what), at: arrival)
        }
        queueMax = max(queueMax, queue.count)
    }

    /// When so many bytes have left a machine, after all that it sent before.
    private mutating func departure(of size: Int, from id: NodeID) -> UInt64 {
        guard id >= 0, let bandwidth = machines[id].bandwidth ?? conditions.bandwidth else { return time }
        let free = max(time * 1_000, machines[id].uplinkFree) + UInt64(size * 1_000 / max(1, bandwidth))
        machines[id].uplinkFree = free
        return free / 1_000
    }

    mutating func arrive(_ bytes: [UInt8], at end: Int, _ generation: Int32, _ senderStart: Int, _ durable: Int) {
        bytesUnderWay -= bytes.count
        guard ends[end].generation == generation, ends[end].isOpen, !ends[end].isBroken else { return }
        let id = ends[end].machine
        guard id >= 0 else {
            see(.outsiderHeard(connection: end, bytes))
            return
        }
        guard machines[id].isRunning, machines[id].start == ends[end].start else { return }
        deliveredMessages += 1
        deliveredBytes += bytes.count
        machines[id].traffic.bytesReceived += bytes.count
        machines[id].traffic.messagesReceived += 1
        if !ends[end].hasHeard {
            ends[end].hasHeard = true
            recordFirst(bytes, at: end)
        }
        ends[end].bytesSinceChanges += bytes.count
        source = Sight.Source(
            machine: ends[end ^ 1].machine, start: senderStart, durableCount: durable,
            bytes: ends[end].bytesSinceChanges)
        hasTaken = false
        handle(.received(ends[end].connection, bytes), on: id)
        source = nil
        if hasTaken { ends[end].bytesSinceChanges = 0 }
    }

    // MARK: - Ends

    /// One side closes: what it sent still arrives, and then the other hears of it.
    mutating func close(_ end: Int) {
        guard ends[end].isOpen else { return }
        ends[end].isOpen = false
        let id = ends[end].machine
        if id >= 0 { machines[id].ends[ends[end].connection] = nil }
        let other = end ^ 1
        guard ends[other].isOpen else {
            release(end)
            return
        }
        if ends[end].isBroken { return }
        guard passes(from: id, to: ends[other].machine), ends[end].held.isEmpty else {
            if ends[end].held.isEmpty { holdingEnds.append(end) }
            ends[end].held.append(Held(bytes: [], sender: sender(at: end)))
            return
        }
        sayClosed(end)
    }

    mutating func sayClosed(_ end: Int) {
        let other = end ^ 1
        let (left, right) = (ends[end].machine, ends[other].machine)
        let arrival = max(time + latency(from: left, to: right), ends[end].lastArrival)
        let what = What.closed(end: Int32(other), generation: ends[other].generation)
        queue.add(Occurrence(machine: Int32(right), start: 0, what: what), at: arrival)
    }

    mutating func hearClosed(_ end: Int, _ generation: Int32) {
        guard ends[end].generation == generation, ends[end].isOpen else { return }
        let id = ends[end].machine
        ends[end].isOpen = false
        if id < 0 {
            see(.outsiderCut(connection: end))
        } else if machines[id].start == ends[end].start {
            machines[id].ends[ends[end].connection] = nil
            if machines[id].isRunning { handle(.closed(ends[end].connection), on: id) }
        }
        if !ends[end ^ 1].isOpen { release(end) }
    }

    /// Both sides are gone: the place may be used again.
    mutating func release(_ end: Int) {
        let pair = end & ~1
        for side in [pair, pair + 1] {
            ends[side].held = []
            ends[side].heldBytes = 0
        }
        freePairs.append(pair)
    }

    mutating func closeAll(of id: NodeID, isHeard: Bool) {
        let mine = machines[id].ends.values.sorted()
        machines[id].ends = [:]
        for end in mine {
            if !isHeard { breakPath(of: end) }
            close(end)
        }
    }

    private mutating func breakPath(of end: Int) {
        ends[end].isBroken = true
        ends[end ^ 1].isBroken = true
    }

    // MARK: - Outsiders

    /// A first message as somebody on the same network hears it.
    package struct FirstMessage: Sendable {
        package let machine: NodeID
        package let start: Int
        package let bytes: [UInt8]
    }

    private mutating func recordFirst(_ bytes: [UInt8], at end: Int) {
        // Only what a machine of the run sent, and all of it in one piece.
        guard end % 2 == 1, ends[end ^ 1].machine >= 0, bytes.count == 85 else { return }
        let heard = FirstMessage(machine: ends[end].machine, start: ends[end].start, bytes: bytes)
        if firstMessages.count < 64 {
            firstMessages.append(heard)
        } else {
            firstMessages[firstMessageCount % 64] = heard
        }
        firstMessageCount += 1
    }

    /// Connects somebody who is no member to a machine, and returns their end; nil where nobody listens.
    package mutating func dialFromOutside(to id: NodeID) -> Int? {
        guard machines[id].isRunning, passes(from: -1, to: id) else { return nil }
        return open(to: id, from: -1, as: ConnectionID(rawValue: 0))
    }

    package mutating func sendFromOutside(_ bytes: [UInt8], on connection: Int) { send(bytes, from: connection) }

    package mutating func closeFromOutside(_ connection: Int) { close(connection) }
}
