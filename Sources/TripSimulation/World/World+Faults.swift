package import Convergence
package import SyncEngine

// What goes wrong between nodes, and how it ends.
extension World {
    /// Pulls a machine's cable: what is sent waits, and connections notice nothing but silence.
    package mutating func cut(_ id: NodeID) {
        machines[id].isCutOff = true
        blocks.cutOff.insert(id)
        for name in machines[id].sees.sorted() { later(.disappeared(name), on: id, at: time) }
    }

    /// Puts the cable back.
    package mutating func join(_ id: NodeID) {
        machines[id].isCutOff = false
        blocks.cutOff.remove(id)
        flush()
        handle(.networkChanged(), on: id)
        showNeighbours(to: id)
    }

    /// Cuts some nodes off from the others: both ways, or so that they are heard by nobody. Returns the block's number.
    package mutating func partition(_ side: EventSet, isOneWay: Bool) -> Int {
        nextBlock += 1
        blocks.partitions[nextBlock] = Blocks.Partition(side: side, isOneWay: isOneWay)
        return nextBlock
    }

    /// Lets nothing pass from one node to another. Returns the block's number.
    package mutating func clog(from left: NodeID, to right: NodeID) -> Int {
        nextBlock += 1
        blocks.clogs[nextBlock] = (left, right)
        return nextBlock
    }

    /// Ends a partition or a clog: what waited is sent, and names that were not seen are.
    package mutating func unblock(_ number: Int) {
        let partition = blocks.partitions.removeValue(forKey: number)
        blocks.clogs[number] = nil
        flush()
        guard partition != nil else { return }
        for id in machines.indices { showNeighbours(to: id) }
    }

    /// Sends what waited at ends that nothing blocks any more.
    mutating func flush() {
        let waiting = holdingEnds
        holdingEnds = []
        for end in waiting {
            guard !ends[end].held.isEmpty else { continue }
            guard !ends[end].isBroken, passes(from: ends[end].machine, to: ends[end ^ 1].machine) else {
                holdingEnds.append(end)
                continue
            }
            let pieces = ends[end].held
            ends[end].held = []
            ends[end].heldBytes = 0
            for piece in pieces {
                if piece.bytes.isEmpty { sayClosed(end) } else { transmit(piece.bytes, from: end, piece.sender) }
            }
        }
    }

    /// A segment from one node to another is lost, and all behind it waits for so long. False where none is under way.
    package mutating func stall(from left: NodeID, to right: NodeID, for duration: UInt64) -> Bool {
        let between = connections(from: left, to: right)
        for end in between { ends[end].lastArrival = max(ends[end].lastArrival, time + duration) }
        return !between.isEmpty
    }

    /// Breaks every connection between two nodes, with what is under way. False where there is none.
    package mutating func reset(_ left: NodeID, _ right: NodeID) -> Bool {
        let between = connections(from: left, to: right)
        for end in between {
            for side in [end, end ^ 1] where ends[side].isOpen {
                let (id, connection) = (ends[side].machine, ends[side].connection)
                ends[side].isOpen = false
                machines[id].ends[connection] = nil
                tell(id, .closed(connection), after: 1)
            }
            release(end)
        }
        return !between.isEmpty
    }

    /// Alters a bit of what is sent next from one node to another. False where they are not connected.
    package mutating func alterNext(from left: NodeID, to right: NodeID) -> Bool {
        let between = connections(from: left, to: right)
        for end in between.prefix(1) { ends[end].alters = true }
        return !between.isEmpty
    }

    mutating func alter(_ bytes: [UInt8], at end: Int) -> [UInt8] {
        ends[end].alters = false
        let id = ends[end].machine
        guard id >= 0 else { return bytes }
        var altered = bytes
        let bit = machines[id].chance.below(UInt64(bytes.count * 8))
        altered[Int(bit / 8)] ^= 1 << UInt8(bit % 8)
        return altered
    }

    /// A node's own ends of open connections to another, ascending.
    private func connections(from left: NodeID, to right: NodeID) -> [Int] {
        machines[left].ends.values.filter { ends[$0].isOpen && ends[$0 ^ 1].isOpen && ends[$0 ^ 1].machine == right }
            .sorted()
    }

    /// Lets so many bytes a millisecond leave a node; nil for as many as the conditions say.
    package mutating func throttle(_ id: NodeID, to bandwidth: Int?) {
        machines[id].bandwidth = bandwidth
        // What waits for the link is under way already; it does not hold up what comes.
        if bandwidth == nil { machines[id].uplinkFree = min(machines[id].uplinkFree, time * 1_000) }
    }

    /// Gives a machine another address: an unused one, or one that it takes over. Its connections break without a word.
    package mutating func move(_ id: NodeID, to taken: PeerAddress? = nil) {
        let old = machines[id].address
        if machineAt[old] == id { machineAt[old] = nil }
        let isFree = taken.map { machineAt[$0] == nil } ?? false
        let address = isFree ? taken ?? freshAddress() : freshAddress()
        machines[id].address = address
        machineAt[address] = id
        for end in machines[id].ends.values.sorted() {
            ends[end].isBroken = true
            ends[end ^ 1].isBroken = true
        }
        handle(.ownAddresses([address.host]), on: id)
        handle(.networkChanged(), on: id)
    }
}
