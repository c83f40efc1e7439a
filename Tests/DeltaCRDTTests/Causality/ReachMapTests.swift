import Testing

@testable import DeltaCRDT

/// The map against a dictionary, while older copies of it are kept.
@Suite struct ReachMapTests {
    private struct Held {
        var map = ReachMap()
        var indices: [UInt32: UInt32] = [:]

        mutating func insert(_ branch: UInt32, _ index: UInt32) {
            map.insert(ReachMap.Reach(branch: branch, index: index))
            indices[branch] = max(index, indices[branch] ?? 0)
        }

        mutating func remove(_ branch: UInt32) {
            map.remove(branch)
            indices[branch] = nil
        }

        mutating func removeAll(below index: UInt32) {
            map.removeAll(below: index)
            indices = indices.filter { $0.value >= index }
        }

        mutating func formUnion(_ other: Held) {
            map.formUnion(other.map)
            indices.merge(other.indices) { max($0, $1) }
        }

        /// The entries in an order that a number decides.
        func shuffled(_ random: inout SplitMix64) -> [ReachMap.Reach] {
            var entries = indices.sorted { $0.key < $1.key }.map { ReachMap.Reach(branch: $0.key, index: $0.value) }
            for index in entries.indices { entries.swapAt(index, random.below(entries.count)) }
            return entries
        }

        func check(_ context: String) {
            let expected = indices.sorted { $0.key < $1.key }
            let entries = Array(map)
            #expect(entries.map { $0.branch } == expected.map { $0.key }, "\(context): branches")
            #expect(entries.map { $0.index } == expected.map { $0.value }, "\(context): indices")
            #expect(map.count == indices.count && map.isEmpty == indices.isEmpty, "\(context): count")
            let isFound = indices.allSatisfy { map[$0.key] == $0.value && map[$0.key + 1] == indices[$0.key + 1] }
            #expect(isFound, "\(context): one by one")
        }
    }

    @Test("a map holds what a dictionary holds, and no copy changes with another", arguments: UInt64(1)...4)
    func oracle(seed: UInt64) {
        for branches in [40, 300, 5_000, 1 << 31] {
            var random = SplitMix64(seed: seed)
            var copies = [Held](repeating: Held(), count: 8)
            for _ in 0..<(branches < 5_000 ? 0 : 2_000) {
                copies[0].insert(UInt32(random.below(branches)), UInt32(random.below(10_000)))
            }
            for step in 0..<120 {
                var held = copies[random.below(copies.count)]
                switch random.below(8) {
                case 0: held.removeAll(below: UInt32(random.below(step == 60 ? 10_000 : 1_000)))
                case 1, 2: held.formUnion(copies[random.below(copies.count)])
                case 3:
                    let known = held.indices.keys.sorted()
                    for _ in 0..<random.below(40) {
                        let index = random.below(known.count + 1)
                        held.remove(index < known.count ? known[index] : UInt32(random.below(branches)))
                    }
                default:
                    for _ in 0..<random.below(40) {
                        held.insert(UInt32(random.below(branches)), UInt32(random.below(10_000)))
                    }
                }
                copies[random.below(copies.count)] = held
                // Of large ones now and then.
                guard held.indices.count < 200 || step % 8 == 0 else { continue }
                held.check("seed \(seed), \(branches) branches, step \(step)")
            }
            for held in copies { held.check("seed \(seed), \(branches) branches, a copy in the end") }
        }
    }

    @Test("maps with the same entries are equal and hash alike, in whatever way they came to them")
    func equality() {
        for (seed, count) in zip(UInt64(1)..., [0, 1, 31, 32, 33, 200, 1_500]) {
            var random = SplitMix64(seed: seed)
            var held = Held()
            while held.indices.count < count {
                held.insert(UInt32(random.below(4 * count)), UInt32(100 + random.below(1_000)))
            }
            var (inOrder, halves) = (ReachMap(), [ReachMap(), ReachMap()])
            for reach in held.shuffled(&random) { inOrder.insert(reach) }
            for reach in held.shuffled(&random) { halves[random.below(2)].insert(reach) }
            let half = halves[1]
            halves[0].formUnion(half)
            // With more that goes again: by its branch, or by its index.
            var shrunk = half
            for branch in UInt32(100_000)..<100_100 { shrunk.insert(ReachMap.Reach(branch: branch, index: 2_000)) }
            for branch in 0..<UInt32(4 * count) where held.indices[branch] == nil {
                shrunk.insert(ReachMap.Reach(branch: branch, index: branch % 100))
            }
            shrunk.formUnion(inOrder)
            for branch in UInt32(100_000)..<100_100 { shrunk.remove(branch) }
            shrunk.removeAll(below: 100)
            for map in [inOrder, halves[0], shrunk] {
                #expect(map == held.map && map.hashValue == held.map.hashValue, "\(count) entries")
            }
            guard let reach = held.shuffled(&random).first else { continue }
            inOrder.insert(ReachMap.Reach(branch: reach.branch, index: reach.index + 1))
            halves[0].remove(reach.branch)
            #expect(inOrder != held.map && halves[0] != held.map, "\(count) entries, of which one differs")
        }
    }

    @Test("a union with a part of a map, or with an equal map, makes no new storage, nor does removing nothing")
    func nothingNew() {
        var (whole, part) = (ReachMap(), ReachMap())
        for branch in UInt32(0)..<3_000 {
            whole.insert(ReachMap.Reach(branch: branch, index: 7))
            if branch % 3 == 0 { part.insert(ReachMap.Reach(branch: branch, index: 5)) }
        }
        var equal = ReachMap()
        for branch in (UInt32(0)..<3_000).reversed() { equal.insert(ReachMap.Reach(branch: branch, index: 7)) }
        for other in [part, equal, ReachMap(), whole] {
            var union = whole
            union.formUnion(other)
            #expect(union.root.isIdentical(to: whole.root))
        }
        part.formUnion(whole)
        #expect(part.root.isIdentical(to: whole.root))
        var same = whole
        same.removeAll(below: 7)
        same.remove(3_000)
        same.insert(ReachMap.Reach(branch: 5, index: 7))
        #expect(same.root.isIdentical(to: whole.root))
    }
}

/// The cut that is made of a prefix and a map.
@Suite struct CausalCutTests {
    @Test("a cut that is raised, extended, joined and advanced holds what a set holds", arguments: UInt64(1)...4)
    func oracle(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let branches = (0..<2_000).map { _ in Int32(random.below(seed % 2 == 0 ? 6 : 400)) }
        func held(_ cut: CausalCut) -> Set<Int> {
            Set(branches.indices.filter { cut.contains($0, branch: branches[$0]) })
        }
        var cuts: [(cut: CausalCut, indices: Set<Int>)] = Array(repeating: (CausalCut(), []), count: 6)
        for step in 0..<200 {
            var (cut, indices) = cuts[random.below(cuts.count)]
            let index = random.below(branches.count)
            switch random.below(10) {
            case 0:
                cut.raise(to: UInt32(index / 8))
                indices.formUnion(0..<index / 8)
            case 1, 2:
                let other = cuts[random.below(cuts.count)]
                cut.formUnion(other.cut)
                indices.formUnion(other.indices)
            default:
                cut.extend(to: index, ofBranch: branches[index])
                indices.formUnion((0...index).filter { branches[$0] == branches[index] })
            }
            if step % 3 == 0 {
                cut.advancePrefix(before: branches.count) { branches[$0] }
                let gap = branches.indices.first { !indices.contains($0) } ?? branches.count
                #expect(Int(cut.prefix) == gap, "seed \(seed), step \(step)")
            }
            #expect(held(cut) == indices, "seed \(seed), step \(step)")
            #expect(cut.beyond.allSatisfy { $0.index >= cut.prefix }, "seed \(seed), step \(step)")
            cuts[random.below(cuts.count)] = (cut, indices)
        }
        for (cut, indices) in cuts { #expect(held(cut) == indices, "seed \(seed), a copy in the end") }
    }
}
