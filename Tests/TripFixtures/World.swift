import DeltaCRDT
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
        /// The changes held here, in the order in which they came: a change's index is the position of it among them.
        package var order: [Int] = []
        package var replica = TripReplica()
        /// What its version knows.
        package var vocabulary = Vocabulary.current
        /// The changes held here, by their index in the log.
        package var held: Set<Int> = []
    }

    /// What one device wrote, and the indices in the log of all that it had seen.
    package struct Entry {
        package let device: Int
        package let participant: ParticipantID
        package let stamp: LamportTimestamp
        package let wallTime: Int64
        package let content: [UInt8]
        package let past: Set<Int>

        /// The name of one of its operations.
        package func operation(_ index: OperationIndex) -> OperationID { OperationID(change: stamp.hash, index: index) }
    }

    package var nodes: [Node] = []
    package var log: [Entry] = []
    private var clock: Int64 = 1_700_000_000_000

    /// One device for each number: the number names its participant.
    package init(participants: [Int]) {
        for participant in participants {
            nodes.append(Node(participant: ParticipantID(high: 7, low: UInt64(participant + 1))))
        }
    }

    /// Performs an action on a device and applies it there; gives the change's index in the log.
    @discardableResult
    package mutating func perform(_ action: TripAction, on device: Int) throws -> Int {
        try write(try nodes[device].replica.perform(action, by: nodes[device].participant), on: device)
    }

    /// Writes content, whatever it says, as a change of a device.
    @discardableResult
    package mutating func write(_ content: [UInt8], on device: Int) throws -> Int {
        let node = nodes[device]
        let lamport = 1 + (node.held.map { log[$0].stamp.lamport }.max() ?? 0)
        var generator = SeededGenerator(seed: UInt64(log.count) &* 31 &+ UInt64(device))
        clock += 1000
        let hash = ChangeHash(words: (generator.next(), generator.next(), generator.next(), generator.next()))
        log.append(
            Entry(
                device: device, participant: node.participant, stamp: LamportTimestamp(lamport: lamport, hash: hash),
                wallTime: clock, content: content, past: node.held))
        take(log.count - 1, on: device)
        return log.count - 1
    }

    /// Applies a change of the log to a device that holds its past.
    package mutating func take(_ entry: Int, on device: Int) {
        guard nodes[device].held.insert(entry).inserted else { return }
        nodes[device].order.append(entry)
        nodes[device].replica.apply(
            change(entry, in: nodes[device].order, vocabulary: nodes[device].vocabulary))
    }

    /// A change as somebody takes it who holds changes in some order: its device's log is its branch there.
    package func change(
        _ entry: Int, in order: [Int], vocabulary: Vocabulary = .current
    ) -> TripChange {
        let written = log[entry]
        var past = CausalCut()
        for (index, other) in order.enumerated() where written.past.contains(other) {
            past.extend(to: index, ofBranch: Int32(log[other].device))
        }
        past.advancePrefix(before: order.count) { Int32(log[order[$0]].device) }
        past.removeReach(ofBranch: Int32(written.device))
        return TripChange(
            stamp: written.stamp, participant: written.participant, wallTime: written.wallTime,
            index: order.firstIndex(of: entry) ?? order.count, branch: Int32(written.device), past: past,
            content: TripContent(written.content, vocabulary: vocabulary))
    }

    /// All changes in the order of the log, which respects causality.
    package var changes: [TripChange] { log.indices.map { change($0, in: Array(log.indices)) } }

    /// Brings to a device what another one has, in the order of the log, which respects causality.
    package mutating func sync(from source: Int, to target: Int) throws {
        for entry in nodes[source].held.subtracting(nodes[target].held).sorted() { take(entry, on: target) }
    }

    /// Brings everything to everyone.
    package mutating func syncAll() throws {
        for target in nodes.indices {
            for source in nodes.indices where source != target { try sync(from: source, to: target) }
        }
    }

    /// The item made by the first operation of a change.
    package func item(_ entry: Int) -> ItemID { ItemID(operation: log[entry].operation(0)) }

    /// Adds an item on a device.
    package mutating func add(_ draft: ItemDraft, on device: Int) throws -> ItemID {
        let entry = try perform(.add([draft]), on: device)
        return item(entry)
    }

    package func view(_ device: Int) -> TripView { nodes[device].replica.view }
}
