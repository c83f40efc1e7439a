extension SequenceIndex {
    /// Puts a run of a column, whose origin is known, into the tree: among the children of its origin's side, in the order of their dots.
    ///
    /// O(log n) where nobody else inserted at that place; else, beyond, O(log n) for each run that stands there. Takes that from
    /// `budget`, and does nothing where it runs out.
    ///
    /// - Returns: the place; nil where the origin is not placed or the budget ran out.
    mutating func place(
        _ start: UInt64, by writer: UInt32, budget: inout Int, _ measure: Measure
    ) -> RunTree.Place? {
        guard let index = writers[Int(writer)].runs.index(of: start) else { return nil }
        let run = writers[Int(writer)].runs[index]
        let (counter, parent) = (run.origin.counter, run.origin.writer)
        var target: RunTree.Place?
        if run.origin.isBeginning {
            guard let first = tree.first else { return settle(run, writer, at: .init(leaf: 0, slot: 0)) }
            target = placeAmongRightChildren(of: nil, from: first, run, writer, &budget)
        } else {
            guard let origin = place(of: counter, by: parent) else { return nil }
            let entry = tree[origin]
            if run.origin.isLeft {
                if counter > entry.start {
                    target = cut(origin, after: counter - entry.start, measure)
                } else {
                    target = entry.hasLeft ? placeAmongLeftChildren(of: origin, run, writer, &budget) : origin
                }
                // The origin stands right of where its new child goes, or of children that are greater.
                guard target != nil, let origin = place(of: counter, by: parent) else { return nil }
                tree.update(origin) { $0.hasLeft = true }
            } else {
                let after = RunTree.Place(leaf: origin.leaf, slot: origin.slot + 1)
                if counter < entry.last {
                    let second = cut(origin, after: counter - entry.start + 1, measure)
                    target = placeAmongRightChildren(of: (counter, parent), from: second, run, writer, &budget)
                } else if entry.hasRight, let next = tree.place(after: origin) {
                    target = placeAmongRightChildren(of: (counter, parent), from: next, run, writer, &budget)
                } else {
                    tree.update(origin) { $0.hasRight = true }
                    target = after
                }
            }
        }
        return target.map { settle(run, writer, at: $0) }
    }

    private mutating func settle(_ run: SequenceRun, _ writer: UInt32, at place: RunTree.Place) -> RunTree.Place {
        let entry = RunTree.Entry(start: run.start, length: run.length, writer: writer, weight: run.weight)
        let settled = insertEntry(entry, at: place)
        setLeaf(settled.leaf, of: run.start, by: writer)
        return settled
    }

    /// Where a run goes among the right children of an element, or of the beginning: before the first run that belongs to a greater child
    /// or to none. A run belongs to a child if the leftmost chain from it ends there, or at something that stands after the element.
    private mutating func placeAmongRightChildren(
        of parent: (counter: UInt64, writer: UInt32)?, from first: RunTree.Place, _ run: SequenceRun, _ writer: UInt32,
        _ budget: inout Int
    ) -> RunTree.Place? {
        var next: RunTree.Place? = first
        var last = first
        while let current = next {
            let entry = tree[current]
            guard let top = topOfLeftChain(entry.start, entry.writer, &budget) else { return nil }
            if let parent {
                if top.origin.counter == parent.counter, top.origin.writer == parent.writer {
                    if isOrdered(run.start, by: writer, before: top.start, by: top.writer) { return current }
                } else if top.origin.isBeginning {
                    return current
                } else {
                    guard let origin = place(of: top.origin.counter, by: top.origin.writer),
                        let bound = place(of: parent.counter, by: parent.writer)
                    else { return nil }
                    // The parent is the last element of its run here.
                    if !tree.isOrdered(bound, before: origin) { return current }
                }
            } else if top.origin.isBeginning, isOrdered(run.start, by: writer, before: top.start, by: top.writer) {
                return current
            }
            // What stands between a run and the end of its chain is in that child too.
            guard let end = place(of: top.start, by: top.writer) else { return nil }
            last = end
            next = tree.place(after: end)
        }
        return .init(leaf: last.leaf, slot: last.slot + 1)
    }

    /// Where a run goes among the left children of an element that has some: the same, the other way round. Before them all stands what
    /// the end of the element's own chain is a right child of.
    private mutating func placeAmongLeftChildren(
        of origin: RunTree.Place, _ run: SequenceRun, _ writer: UInt32, _ budget: inout Int
    ) -> RunTree.Place? {
        let (counter, parent) = (run.origin.counter, run.origin.writer)
        guard let bound = topOfLeftChain(counter, parent, &budget)?.origin else { return nil }
        var target = origin
        while let current = tree.place(before: target) {
            let entry = tree[current]
            if entry.contains(bound.counter, by: bound.writer) { return target }
            guard let top = topOfRightChain(entry.start, entry.writer, &budget) else { return nil }
            if top.origin.isBeginning { return target }
            if top.origin.counter == counter, top.origin.writer == parent {
                if isOrdered(top.start, by: top.writer, before: run.start, by: writer) { return target }
            } else {
                guard let above = place(of: top.origin.counter, by: top.origin.writer) else { return nil }
                if !tree.isOrdered(above, before: origin) { return target }
            }
            guard let end = place(of: top.start, by: top.writer) else { return nil }
            target = end
        }
        return target
    }

    private typealias Node = (start: UInt64, writer: UInt32, origin: SequenceOrigin)

    /// The end of the chain of left children that an element is in: itself, where it is a right child.
    private func topOfLeftChain(_ start: UInt64, _ writer: UInt32, _ budget: inout Int) -> Node? {
        chain(start, writer, &budget) { $0.isLeft }
    }

    /// The end of the chain of right children.
    private func topOfRightChain(_ start: UInt64, _ writer: UInt32, _ budget: inout Int) -> Node? {
        chain(start, writer, &budget) { !$0.isLeft && !$0.isBeginning }
    }

    private func chain(
        _ start: UInt64, _ writer: UInt32, _ budget: inout Int, while goesOn: (SequenceOrigin) -> Bool
    ) -> Node? {
        var (counter, writer) = (start, writer)
        while budget > 0, let index = writers[Int(writer)].runs.index(of: counter) {
            budget -= 1
            let run = writers[Int(writer)].runs[index]
            guard goesOn(run.origin) else { return (run.start, writer, run.origin) }
            (counter, writer) = (run.origin.counter, run.origin.writer)
        }
        return nil
    }
}
