import DeltaCRDT
import TestTiers
import Testing

/// What turns one version of a movable list or of a tree into another.
@Suite struct MoveVersionTests {
    private let jie = ReplicaID(high: 1, low: 1)
    private let noah = ReplicaID(high: 2, low: 2)

    // MARK: Oracles

    /// Applies a change to an array. Returns the element that moved, nil for other changes.
    @discardableResult
    private func apply<Element: Equatable & Sendable>(
        _ change: MovableListChange<Element>, to elements: inout [Element]
    ) -> Element? {
        switch change {
        case .removed(let range):
            #expect(!range.isEmpty)
            elements.removeSubrange(range)
        case .replaced(let others, let position):
            #expect(!others.isEmpty)
            elements.replaceSubrange(position..<position + others.count, with: others)
        case .moved(let from, let to):
            #expect(from != to)
            let element = elements.remove(at: from)
            elements.insert(element, at: to)
            return element
        case .inserted(let others, let position):
            #expect(!others.isEmpty)
            elements.insert(contentsOf: others, at: position)
        }
        return nil
    }

    /// Applies a change to the parents of nodes, where each step leaves a tree.
    private func apply(_ change: TreeChange, to parents: inout [Dot: Dot?]) {
        switch change {
        case .added(let node, let parent):
            #expect(parents[node] == nil && parent.map { parents[$0] != nil } ?? true)
            parents.updateValue(parent, forKey: node)
        case .moved(let node, let from, let to):
            #expect(parents[node] == .some(from) && from != to)
            #expect(!TreeSpecimen.path(of: to, in: parents).contains(node))
            #expect(TreeSpecimen.path(of: to, in: parents).last == .some(nil))
            parents.updateValue(to, forKey: node)
        case .removed(let node):
            #expect(parents[node] != nil && !parents.values.contains(node))
            parents.removeValue(forKey: node)
        }
    }

    // MARK: Any versions

    private func checkLists(_ seed: UInt64) {
        let versions = VersionTests.versions(MovableListSpecimen.self, seed)
        for one in versions {
            #expect(one.changes(to: one).isEmpty)
            for other in versions {
                var elements = one.elements
                for change in one.changes(to: other) { apply(change, to: &elements) }
                #expect(elements == other.elements, "seed \(seed)")
            }
        }
    }

    private func checkTrees(_ seed: UInt64) {
        let versions = VersionTests.versions(TreeSpecimen.self, seed)
        for one in versions {
            #expect(one.changes(to: one).isEmpty)
            for other in versions {
                let (before, after) = (TreeSpecimen.view(one), TreeSpecimen.view(other))
                var parents = before
                let changes = one.changes(to: other)
                for change in changes { apply(change, to: &parents) }
                #expect(parents == after, "seed \(seed)")
                // Each node that differs is told once.
                let differing = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
                #expect(changes.count == differing.count, "seed \(seed)")
            }
        }
    }

    @Test("changes turn any version of a movable list into any other, also on two branches", arguments: 0..<3)
    func listsAreLed(seed: UInt64) { checkLists(seed) }

    @Test("changes turn any version of a tree into any other, and no node is in itself meanwhile", arguments: 0..<3)
    func treesAreLed(seed: UInt64) { checkTrees(seed) }

    @Test("so they do in many histories", .tags(.slow), arguments: 3..<60)
    func manyAreLed(seed: UInt64) {
        checkLists(seed)
        checkTrees(seed)
    }

    // MARK: What is told

    @Test("only elements that somebody moved are told as moved, and each that came or went once", arguments: 0..<20)
    func listChangesAreFew(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var list = MovableList<Int>()
        list.insert(contentsOf: 0..<12, at: 0, by: noah)
        let before = list
        var moved: Set<Int> = []
        for number in 12..<24 {
            switch random.below(3) {
            case 0: list.insert(contentsOf: [number], at: random.below(list.count + 1), by: jie)
            case 1: list.remove(at: random.below(list.count))
            default:
                let from = random.below(list.count)
                moved.insert(list.elements[from])
                list.move(from: from, to: random.below(list.count), by: jie)
            }
            for (one, other) in [(before, list), (list, before)] {
                var (elements, gone, come) = (one.elements, 0, 0)
                for change in one.changes(to: other) {
                    if let element = apply(change, to: &elements) { #expect(moved.contains(element)) }
                    switch change {
                    case .removed(let range): gone += range.count
                    case .replaced(let others, _): (gone, come) = (gone + others.count, come + others.count)
                    case .inserted(let others, _): come += others.count
                    case .moved: break
                    }
                }
                #expect(elements == other.elements)
                #expect(gone == Set(one.elements).subtracting(other.elements).count)
                #expect(come == Set(other.elements).subtracting(one.elements).count)
            }
        }
    }

    @Test("a move is told as it was made, and not at all if the element was moved back") func movesAreTold() {
        var list = MovableList<Int>()
        list.insert(contentsOf: 0..<6, at: 0, by: jie)
        for from in 0..<6 {
            for to in 0..<6 where from != to {
                var other = list
                other.move(from: from, to: to, by: noah)
                #expect(list.changes(to: other) == [.moved(from: from, to: to)])
                other.move(from: to, to: from, by: jie)
                #expect(list.changes(to: other) == [])
            }
        }
    }

    @Test("an element at the place of a removed one replaces it, beside moves too") func replacementsAreTold() {
        var list = MovableList<String>()
        list.insert(contentsOf: ["a", "b", "c", "d", "e"], at: 0, by: jie)
        var other = list
        other.remove(at: 2)
        other.insert(contentsOf: ["C", "X"], at: 2, by: noah)
        other.move(from: 0, to: 5, by: noah)
        #expect(other.elements == ["b", "C", "X", "d", "e", "a"])
        #expect(list.changes(to: other) == [.replaced(["C"], at: 2), .moved(from: 0, to: 4), .inserted(["X"], at: 2)])
        #expect(other.changes(to: list) == [.replaced(["c"], at: 1), .removed(2..<3), .moved(from: 4, to: 0)])
    }

    @Test("nodes that change places, and a subtree that is removed and comes back, are told from the top down")
    func subtreesAreTold() {
        var tree = Tree()
        let (trips, _) = tree.insert(under: nil, by: jie)
        let (plans, _) = tree.insert(under: trips, by: jie)
        let (maps, _) = tree.insert(under: plans, by: jie)
        let whole = tree
        tree.move(plans, under: nil, by: noah)
        tree.move(trips, under: plans, by: noah)
        #expect(whole.changes(to: tree) == [.moved(plans, from: trips, to: nil), .moved(trips, from: nil, to: plans)])
        let turned = tree
        tree.remove(plans, by: jie)
        #expect(Set(turned.changes(to: tree)) == [.removed(maps), .removed(trips), .removed(plans)])
        #expect(turned.changes(to: tree).last == .removed(plans))
        #expect(tree.changes(to: turned).first == .added(plans, under: nil))
        // What moves within the trash is not seen.
        let empty = tree
        tree.move(maps, under: trips, by: jie)
        #expect(empty.changes(to: tree) == [])
    }

    @Test("long lists and deep trees take a moment") func longVersions() {
        var (list, turned) = (MovableList<Int>(), MovableList<Int>())
        list.insert(contentsOf: 0..<20_000, at: 0, by: jie)
        turned.insert(contentsOf: (0..<20_000).reversed(), at: 0, by: noah)
        #expect(list.changes(to: turned) == [.replaced((0..<20_000).reversed(), at: 0)])
        var (tree, above) = (Tree(), Tree.Node?.none)
        for _ in 0..<300 { above = tree.insert(under: above, by: jie).node }
        #expect(Tree().changes(to: tree).count == 300 && tree.changes(to: Tree()).count == 300)
    }
}
