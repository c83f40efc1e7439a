import LogFixtures
import Testing
import TripSimulation

@testable import ChangeLog
@testable import DeltaCRDT

/// What a hostile member's forks cost in memory.
struct SharedPastTests {
    /// Changes of one device, as it signs them if it keeps to no order.
    private struct Forker {
        let secrets = Member.secrets(1)
        private(set) var graph = ChangeGraph()

        @discardableResult
        mutating func add(after previous: SignedChange?, on heads: [SignedChange] = []) throws -> SignedChange {
            let lamport = ([previous].compactMap { $0 } + heads).map { $0.change.lamport }.max() ?? 0
            let change = Change(
                trip: Bytes32(words: (0, 0, 0, 0)), replica: secrets.device.replica,
                number: (previous?.change.number ?? 0) + 1, previous: previous?.hash,
                heads: heads.map { $0.hash }.sorted(), lamport: lamport + 1, wallTime: Int64(graph.count),
                statement: nil, content: [])
            let signed = SignedChange(change, signingSeed: secrets.signingSeed, using: Member.cryptography)
            let links = try graph.links(of: signed)
            graph.append(signed, links)
            return signed
        }
    }

    @Test("pasts share what they have in common, where each change adds a fork above a change that nobody had seen")
    func forks() throws {
        let count = 2_000
        var forker = Forker()
        let first = try forker.add(after: nil)
        // Nobody has it in the past: so no past is a prefix of what is here.
        try forker.add(after: first)
        var last = try forker.add(after: first)
        var (forks, followers): ([Int], [Int]) = ([], [])
        for _ in 0..<count {
            forks.append(forker.graph.count)
            let fork = try forker.add(after: first)
            followers.append(forker.graph.count)
            last = try forker.add(after: last, on: [fork])
        }
        let graph = forker.graph
        for (index, follower) in followers.enumerated().filter({ $0.offset % 97 == 0 }) {
            let past = graph.past(of: follower)
            #expect(past.prefix == 1 && past.beyond.count == index + 1)
            #expect(forks.enumerated().allSatisfy { graph.isPast($0.element, of: follower) == ($0.offset <= index) })
        }
        var storage = Storage()
        for index in graph.changes.indices { storage.add(graph.past(of: index).beyond.root) }
        // The height is 3.
        #expect(storage.nodes.count + storage.leaves.count <= 4 * count)
        #expect(storage.entryCount <= 4 * 32 * count)
    }
}

/// The storage of some maps, each part once.
private struct Storage {
    private(set) var nodes: Set<ObjectIdentifier> = []
    /// By where their arrays are.
    private(set) var leaves: Set<UInt> = []
    /// Entries and children in all.
    private(set) var entryCount = 0

    mutating func add(_ tree: ReachMap.Subtree) {
        switch tree {
        case .leaf(let entries):
            let address = entries.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
            if leaves.insert(address).inserted { entryCount += entries.count }
        case .inner(let node):
            guard nodes.insert(ObjectIdentifier(node)).inserted else { return }
            entryCount += node.children.count
            for child in node.children { add(child.tree) }
        }
    }
}
