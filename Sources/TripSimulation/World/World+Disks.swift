package import ChangeLog
import Convergence
package import DeltaCRDT
package import SyncEngine
import TripModel
import TripRules

// Machines: how they come, stop and start, and what their disks do meanwhile.
extension World {
    /// Why a machine does not start.
    package enum StartFailure: Error, Hashable, Sendable {
        /// A record on its disk is not what was written.
        case damaged(record: Int)
        /// The log does not take what is on the disk.
        case refused(Refusal)
    }

    /// Tells a node where it is reached.
    private mutating func listen(on id: NodeID) {
        handle(.ownAddresses([machines[id].address.host]), on: id)
        handle(.listening(port: machines[id].address.port), on: id)
        attachMailbox(to: id)
    }

    /// Adds a machine, which listens at once.
    package mutating func add(_ node: SyncNode, invitation: Invitation? = nil, disk: Disk = Disk()) -> NodeID {
        let id = machines.count
        let address = freshAddress()
        machines.append(
            Machine(node: node, invitation: invitation, disk: disk, number: id, address: address, seed: seed))
        machines[id].traffic.starts = 1
        machineAt[address] = id
        see(.started(id))
        listen(on: id)
        showNeighbours(to: id)
        return id
    }

    mutating func freshAddress() -> PeerAddress {
        let number = nextAddress
        nextAddress += 1
        return PeerAddress(host: "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)", port: 4_000)
    }

    /// Lets a machine's person take a participant out, or leave.
    package mutating func remove(_ participant: Bytes32, ticket: UInt64 = 0, on id: NodeID) {
        handle(.remove(participant: participant, ticket: ticket), on: id)
    }

    /// Lets a machine do something, as its person would.
    ///
    /// - Parameter replica: the log of the guest who does it; nil for the machine's own person.
    package mutating func write(
        _ statement: Statement? = nil, content: [UInt8] = [], as replica: ReplicaID? = nil, ticket: UInt64 = 0,
        on id: NodeID
    ) {
        let replica = mutation == .guestAsHost ? nil : replica
        let subjects = TripContent(content).subjectHashes
        handle(.write(statement, content: content, about: subjects, as: replica, ticket: ticket), on: id)
    }

    /// Lets a machine's person let somebody in as a guest, whose secrets its disk keeps from then on.
    package mutating func admitGuest(_ guest: DeviceSecrets, name: String, ticket: UInt64 = 0, on id: NodeID) {
        machines[id].disk.guests.append(guest)
        handle(.admitGuest(guest, name: name, ticket: ticket), on: id)
    }

    /// Shows a machine's people all that its log holds, as a start does.
    package mutating func show(on id: NodeID) {
        guard conditions.keepsApplied else { return }
        let log = machines[id].node.log
        let node = machines[id].node
        machines[id].applied = log.graph.changes.indices.filter { node.isShown($0) }.map { node.applied($0) }
    }

    // MARK: - Writes

    mutating func write(_ changes: [SignedChange], _ token: UInt64, of id: NodeID) {
        // Power may have failed at a write before it, of the same turn.
        guard machines[id].isRunning else { return }
        see(.took(id, changes, source))
        hasTaken = true
        let log = machines[id].node.log
        for index in changes.compactMap({ log.graph.index(of: $0.hash) }) where log.isRetained(index) {
            machines[id].holding &+= Machine.weight(of: index, in: log)
        }
        let changes = mutation == .reversedBatch ? changes.reversed() : changes
        let records = changes.map { Disk.Record($0.record) }
        machines[id].disk.waiting.append(Disk.Write(token: token, records: records, changes: changes))
        if isEarly(source) { later(.event(.persisted(token: token)), on: id, at: time) }
        writeCount += 1
        if let powerCut, powerCut.write == writeCount { machines[id].nextInterruption = powerCut.interruption }
        if let interruption = machines[id].nextInterruption {
            machines[id].nextInterruption = nil
            if machines[id].disk.underWay == 0 { machines[id].disk.underWay = machines[id].disk.waiting.count }
            stop(id, interruption)
            return
        }
        beginWrite(of: id)
    }

    private mutating func beginWrite(of id: NodeID) {
        guard machines[id].disk.underWay == 0, !machines[id].disk.waiting.isEmpty else { return }
        machines[id].disk.underWay = machines[id].disk.waiting.count
        let duration = UInt64(machines[id].chance.number(in: conditions.writeDuration))
        later(.writeEnds, on: id, at: time + duration)
    }

    mutating func writeEnds(on id: NodeID) {
        guard !machines[id].disk.isFull else {
            if mutation == .unreportedFailure { return }
            fail(id)
            return
        }
        let done = machines[id].disk.finishWrite()
        see(.durable(id, done.flatMap(\.changes)))
        beginWrite(of: id)
        guard let last = done.last else { return }
        if mutation == .lateSending { return later(.event(.persisted(token: last.token)), on: id, at: time + 3_000) }
        handle(.persisted(token: last.token), on: id)
    }

    /// The fault: it is said to be durable, and is not.
    private func isEarly(_ source: Sight.Source?) -> Bool {
        mutation == .earlyAcknowledgement && source == nil || mutation == .earlyForwarding && source != nil
    }

    /// What could not be written is not here: the node is what the disk holds, and is told again of the names that
    /// are present, as in `TripNode`.
    mutating func fail(_ id: NodeID) {
        see(.writeFailed(id))
        machines[id].disk.waiting = []
        machines[id].disk.underWay = 0
        closeAll(of: id, isHeard: true)
        machines[id].start += 1
        do throws(StartFailure) { try load(id) } catch { see(.startFailed(id, error)) }
        see(.started(id))
        show(on: id)
        listen(on: id)
        showNeighbours(to: id)
    }

    // MARK: - Stops and starts

    /// Stops a machine as a power cut does: what was not durable is gone.
    package mutating func crash(_ id: NodeID) { stop(id, .lost) }

    /// Lets power fail at the machine's next write.
    package mutating func interruptNextWrite(of id: NodeID, _ interruption: Disk.Interruption) {
        machines[id].nextInterruption = interruption
    }

    /// Lets all next writes end well.
    package mutating func endInterruptions() {
        for id in machines.indices { machines[id].nextInterruption = nil }
    }

    /// Stops a machine.
    /// - Parameter isHeard: whether its peers hear that their connections are closed, as when a process is killed; of a
    ///   machine without power they hear nothing.
    package mutating func stop(_ id: NodeID, _ interruption: Disk.Interruption, isHeard: Bool = true) {
        guard machines[id].isRunning else { return }
        let survived = machines[id].disk.losePower(interruption)
        see(.durable(id, survived.flatMap(\.changes)))
        forget(id)
        machines[id].isRunning = false
        machines[id].start += 1
        machines[id].nextInterruption = nil
        withdraw(id, isHeard: isHeard)
        closeAll(of: id, isHeard: isHeard)
        see(.stopped(id))
    }

    /// The fault: what was durable is not.
    private mutating func forget(_ id: NodeID) {
        guard mutation == .forgottenWrite || mutation == .forgottenGift, let last = machines[id].disk.changes.last
        else {
            return
        }
        let author = try? SignedChange(record: last.bytes, using: cryptography).change.replica
        let isOwn = author == machines[id].node.secrets.device.replica
        if isOwn == (mutation == .forgottenWrite) { machines[id].disk.changes.removeLast() }
    }

    /// Lets a machine say goodbye and switch off.
    package mutating func leave(_ id: NodeID) {
        handle(.stop, on: id)
        stop(id, .unacknowledged)
    }

    /// Starts a machine from what its disk holds.
    package mutating func restart(_ id: NodeID) throws(StartFailure) {
        guard !machines[id].isRunning else { return }
        try load(id)
        machines[id].traffic.starts += 1
        machines[id].isRunning = true
        see(.started(id))
        show(on: id)
        listen(on: id)
        showNeighbours(to: id)
    }

    private mutating func load(_ id: NodeID) throws(StartFailure) {
        let old = machines[id].node
        if mutation == .believedTornWrite, let tail = machines[id].disk.tornTail {
            machines[id].disk.changes.append(Disk.Record(tail))
        }
        machines[id].disk.recover()
        let disk = machines[id].disk
        if let place = disk.damagedRecord, mutation != .uncheckedDisk { throw .damaged(record: place) }
        let log = try restoredLog(disk, of: id)
        machines[id].node = SyncNode(
            log: log, secrets: old.secrets, guests: disk.guests, epochSecrets: disk.epochs,
            joining: machines[id].invitation,
            cryptography: machines[id].sessionCryptography ?? cryptography, limits: old.limits)
        // As of the last moment, which is the boldest that a shell may write.
        machines[id].node.restore(old.readBlocks)
        machines[id].holding = Machine.holding(of: log)
        machines[id].wantedWake = nil
        machines[id].plannedWake = nil
        machines[id].sees = []
    }

    /// What a disk holds, as a log; of what it held at an earlier start, only what came since is read.
    private mutating func restoredLog(_ disk: Disk, of id: NodeID) throws(StartFailure) -> TripLog {
        let earlier = machines[id].restorations.last { $0.begins(disk) }
        var log: TripLog
        if let earlier {
            log = earlier.log
        } else {
            log = TripLog(trip: machines[id].node.log.trip, cryptography: cryptography)
        }
        let known = earlier?.records.count ?? 0
        do throws(Refusal) {
            try log.restore(disk.changes[known...].map(\.bytes))
        } catch {
            throw .refused(error)
        }
        machines[id].restorations.removeAll { $0.records.count == disk.changes.count }
        machines[id].restorations.append(Restoration(records: disk.changes, log: log))
        if machines[id].restorations.count > Restoration.countMax { machines[id].restorations.removeFirst() }
        return log
    }

    /// Brings a stopped machine's disk back to an earlier day: its first so many changes.
    package mutating func rewind(_ id: NodeID, to count: Int) {
        machines[id].disk.changes = Array(machines[id].disk.changes.prefix(max(0, count)))
    }

    /// Starts a copy of a machine's disk on a new machine; both live on.
    package mutating func copyHome(of id: NodeID) throws(StartFailure) -> NodeID {
        var disk = machines[id].disk
        disk.waiting = []
        disk.underWay = 0
        let copy = machines.count
        let address = freshAddress()
        machines.append(
            Machine(
                node: machines[id].node, invitation: machines[id].invitation, disk: disk, number: copy,
                address: address, seed: seed))
        machines[copy].isRunning = false
        machines[copy].sessionCryptography = machines[id].sessionCryptography
        machineAt[address] = copy
        try restart(copy)
        return copy
    }

    // MARK: - What goes wrong with disks and clocks

    package mutating func setFull(_ isFull: Bool, _ id: NodeID) { machines[id].disk.isFull = isFull }

    package mutating func flipBit(_ bit: Int, ofRecord place: Int, on id: NodeID) {
        machines[id].disk.flip(bit: bit, ofRecord: place)
    }

    package mutating func jumpClock(of id: NodeID, by milliseconds: Int64) {
        machines[id].clock.jump(by: milliseconds)
    }

    package mutating func driftClock(of id: NodeID, by millionths: Int64) {
        machines[id].clock.drift(by: millionths, from: time)
    }
}
