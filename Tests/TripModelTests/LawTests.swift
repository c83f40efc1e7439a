import DeltaCRDT
import Testing
import TripFixtures

@testable import TripModel

/// The laws of DESIGN §1 that a trip's state must keep, over seeded random histories with real concurrency.
@Suite struct LawTests {
    private static let seeds: ClosedRange<UInt64> = 1...60

    /// Five devices of four people act alone and meet in twos, now and then only in part.
    private func history(seed: UInt64, steps: Int = 60) throws -> World {
        var generator = SeededGenerator(seed: seed)
        var world = World(participants: [0, 1, 2, 2, 3])
        try world.perform(.add([ItemDraft(title: "first"), ItemDraft(title: "second", quantity: 3)]), on: 0)
        try world.syncAll()
        for _ in 0..<steps {
            let device = generator.below(world.nodes.count)
            if generator.below(3) == 0 {
                try world.meet(device, generator.below(world.nodes.count), using: &generator)
            } else {
                try world.act(on: device, using: &generator)
            }
        }
        return world
    }

    @Test func everyReplicaShowsWhatHappenedBeforeSays() throws {
        for seed in Self.seeds {
            var world = try history(seed: seed)
            for device in world.nodes.indices {
                let node = world.nodes[device]
                let known = try Specification(log: world.log, held: node.held)
                #expect(Specification.describe(node.replica.view) == known.description, "seed \(seed)")
            }
            try world.syncAll()
            let all = try Specification(log: world.log).description
            for device in world.nodes.indices { #expect(Specification.describe(world.view(device)) == all, "\(seed)") }
        }
    }

    @Test func everyCausalOrderOfDeliveryConvergesByteForByte() throws {
        for seed in Self.seeds {
            var world = try history(seed: seed)
            try world.syncAll()
            let expected = world.nodes[0].replica.encodedState
            var generator = SeededGenerator(seed: seed &* 7919)
            for _ in 0..<4 {
                var replica = TripReplica()
                var held: Set<Int> = []
                while held.count < world.log.count {
                    let index = generator.below(world.log.count)
                    guard world.log[index].past.isSubset(of: held) else { continue }
                    let isNew = try replica.apply(world.log[index].change)
                    #expect(isNew == held.insert(index).inserted, "a repetition changes nothing")
                }
                #expect(replica.encodedState == expected, "seed \(seed)")
                #expect(replica == world.nodes[0].replica, "seed \(seed)")
                #expect(replica.view == world.view(0), "seed \(seed)")
            }
        }
    }

    @Test func liarsConvergeToo() throws {
        for seed in Self.seeds {
            var generator = SeededGenerator(seed: seed)
            var world = try history(seed: seed, steps: 30)
            for _ in 0..<15 {
                try world.lie(on: generator.below(world.nodes.count), using: &generator)
                try world.meet(
                    generator.below(world.nodes.count), generator.below(world.nodes.count), using: &generator)
            }
            try world.syncAll()
            #expect(Set(world.nodes.map(\.replica.encodedState)).count == 1, "seed \(seed)")
            for item in world.view(0).items { #expect(!item.title.isEmpty) }
            var replica = TripReplica()
            var held: Set<Int> = []
            while held.count < world.log.count {
                let index = generator.below(world.log.count)
                guard world.log[index].past.isSubset(of: held), held.insert(index).inserted else { continue }
                try replica.apply(world.log[index].change)
            }
            #expect(replica == world.nodes[0].replica, "seed \(seed)")
        }
    }
}

extension World {
    /// Brings a random change of one device, with its past, to another one.
    mutating func meet(_ source: Int, _ target: Int, using generator: inout SeededGenerator) throws {
        guard source != target, generator.below(2) == 0, !nodes[source].held.isEmpty else {
            return try sync(from: source, to: target)
        }
        let head = generator.pick(nodes[source].held.sorted())
        for index in (log[head].past.union([head])).subtracting(nodes[target].held).sorted() {
            try nodes[target].replica.apply(log[index].change)
            nodes[target].held.insert(index)
        }
    }

    /// Performs a random action; one that the rules refuse is passed over.
    mutating func act(on device: Int, using generator: inout SeededGenerator) throws {
        let view = view(device)
        let present = view.items.map(\.id)
        let removed = view.removedItems.map(\.id)
        let word = generator.pick(["red", "green", "blue", "white"])
        let action: TripAction
        switch generator.below(12) {
        case 0: action = .add([ItemDraft(title: word, fields: [.note: word])])
        case 1: action = .setTitle(word)
        case 2: action = .setName(word)
        case 3 where !removed.isEmpty: action = .restore([generator.pick(removed)])
        case _ where present.isEmpty: action = .add([ItemDraft(title: word, quantity: 2)])
        case 3, 4: action = .remove([generator.pick(present)])
        case 5, 6: action = .vote([generator.pick(present)], generator.pick([.for, .against, nil]))
        case 7: action = .vote(present, .for)
        case 8: action = .changeQuantity(generator.pick(present), by: generator.pick([1, 2, -1]))
        case 9: action = .edit(generator.pick(present), [.title: word, .price: generator.pick([nil, word])])
        case 10: action = .edit(generator.pick(present), [.note: generator.pick([nil, word])])
        default: action = .edit(generator.pick(present), [.done: generator.pick([nil, "true"])])
        }
        do {
            try perform(action, on: device)
        } catch let error as TripError where error.code == .nothingChanged || error.code == .outOfRange {}
    }

    /// Writes a valid payload that no honest node makes: its lists name any dots of its past, and its items need be none.
    mutating func lie(on device: Int, using generator: inout SeededGenerator) throws {
        var dots: [Dot] = []
        nodes[device].replica.state.context.forEachRange { replica, range in
            for counter in range { dots.append(Dot(replica: replica, counter: counter)) }
        }
        let any = { (generator: inout SeededGenerator) in
            Set((0..<generator.below(12)).map { _ in generator.pick(dots) }).sorted()
        }
        let item = ItemID(dot: generator.pick(dots))
        let act: Act
        switch generator.below(5) {
        case 0: act = .setTitle("lie", superseding: any(&generator))
        case 1: act = .item(item, superseding: any(&generator), .remove)
        case 2: act = .item(item, superseding: any(&generator), .vote(.against))
        case 3: act = .item(item, superseding: any(&generator), .changeQuantity(by: -5))
        default:
            let write = FieldWrite(
                field: generator.pick([.title, .note]), value: "lie", superseding: any(&generator))
            act = .item(item, superseding: any(&generator), .edit([write]))
        }
        let payload = TripPayload([act])
        try write(payload.bytes, operationCount: payload.operationCount, on: device)
    }
}
