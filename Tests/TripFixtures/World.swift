package import DeltaCRDT
package import TripModel

/// SplitMix64: the tests' own generator, the same in every run.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A number below `bound`.
    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

/// Replicas of one trip and the log between them: what ChangeLog is to a node, without signatures and seals.
package struct World {
    package struct Node {
        package let participant: ParticipantID
        package let branch: ReplicaID
        package var replica = TripReplica()
        /// The changes held here, by their place in the log.
        package var held: Set<Int> = []
    }

    /// A change, what its author had seen of each branch, and its heads' greatest Lamport time plus one.
    package struct Entry {
        package let change: TripChange
        package let past: Set<Int>
    }

    package var nodes: [Node] = []
    package var log: [Entry] = []
    private var clock: Int64 = 1_700_000_000_000

    /// One device for each number: the number names its participant.
    package init(participants: [Int]) {
        for (index, participant) in participants.enumerated() {
            nodes.append(
                Node(
                    participant: ParticipantID(high: 7, low: UInt64(participant + 1)),
                    branch: ReplicaID(high: 1000 + UInt64(index), low: UInt64(index))))
        }
    }

    /// Performs an action on a device and applies it there; gives the change's place in the log.
    @discardableResult
    package mutating func perform(_ action: TripAction, on device: Int) throws -> Int {
        let node = nodes[device]
        let payload = try node.replica.perform(action, by: node.participant)
        return try write(payload.bytes, operationCount: payload.operationCount, on: device)
    }

    /// Writes a payload, whatever it says, as a change of a device.
    @discardableResult
    package mutating func write(_ payload: [UInt8], operationCount: Int, on device: Int) throws -> Int {
        let node = nodes[device]
        var seen = CausalContext()
        for index in node.held {
            let change = log[index].change
            let first = change.first.counter
            seen.insert(
                replica: change.first.replica, counters: first...first + UInt64(change.operationCount) - 1)
        }
        let lamport = 1 + (node.held.map { log[$0].change.stamp.lamport }.max() ?? 0)
        var generator = SeededGenerator(seed: UInt64(log.count) &* 31 &+ UInt64(device))
        clock += 1000
        let past = seen
        let change = TripChange(
            participant: node.participant,
            first: Dot(replica: node.branch, counter: seen.versionVector[node.branch] + 1),
            stamp: Stamp(lamport: lamport, hash: ReplicaID(high: generator.next(), low: generator.next())),
            wallTime: clock, payload: payload, operationCount: operationCount,
            resolve: { past.contains($0) ? $0 : nil })
        try TripReplica.validate(payload: payload, operationCount: operationCount, resolve: change.resolve)
        log.append(Entry(change: change, past: node.held))
        try nodes[device].replica.apply(change)
        nodes[device].held.insert(log.count - 1)
        return log.count - 1
    }

    /// Brings to a device what another one has, in the order of the log, which respects causality.
    package mutating func sync(from source: Int, to target: Int) throws {
        for index in nodes[source].held.subtracting(nodes[target].held).sorted() {
            try nodes[target].replica.apply(log[index].change)
            nodes[target].held.insert(index)
        }
    }

    /// Brings everything to everyone.
    package mutating func syncAll() throws {
        for target in nodes.indices {
            for source in nodes.indices where source != target { try sync(from: source, to: target) }
        }
    }

    /// The item made by the first operation of a change.
    package func item(_ entry: Int) -> ItemID { ItemID(dot: log[entry].change.first) }

    /// Adds an item on a device.
    package mutating func add(_ draft: ItemDraft, on device: Int) throws -> ItemID {
        let entry = try perform(.add([draft]), on: device)
        return item(entry)
    }

    package func view(_ device: Int) -> TripView { nodes[device].replica.view }
}
