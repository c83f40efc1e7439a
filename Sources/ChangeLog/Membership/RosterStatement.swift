package import DeltaCRDT

/// The pasts of changes.
package protocol StatementOrder {
    /// Whether the change at `index` is the one at `later`, or lies in its past.
    func hasSeen(_ index: Int, by later: Int) -> Bool
    /// The branch of a change. Each change of a branch has all those before it there in its past.
    func branch(of index: Int) -> Int32
    /// The past of a change; of its own branch nothing is said.
    func past(of index: Int) -> CausalCut
}

extension StatementOrder {
    /// Some changes with their pasts. O(branches that these name).
    func closure(of indices: [Int]) -> CausalCut {
        var cut = CausalCut()
        for index in indices {
            cut.formUnion(past(of: index))
            cut.extend(to: index, ofBranch: branch(of: index))
        }
        return cut
    }
}

/// What the names of people, devices and invites say by themselves (Documentation/Protocol.md, section 2), as indices.
package struct RosterNames: Sendable {
    package struct Person: Sendable {
        /// The person above: the opener of the invite that the name names, or a guest's host; nil for the founder.
        package let parent: Int?
        package let isGuest: Bool
        /// The invite that the name names.
        package let invite: Int?

        package init(parent: Int?, isGuest: Bool = false, invite: Int? = nil) {
            self.parent = parent
            self.isGuest = isGuest
            self.invite = invite
        }
    }

    package struct Device: Sendable {
        package let person: Int
        /// Whether the person is named by this device.
        package let isFirst: Bool

        package init(person: Int, isFirst: Bool) {
            self.person = person
            self.isFirst = isFirst
        }
    }

    package var persons: [Person] = []
    package var devices: [Device] = []
    /// Of each invite, the person who opens it.
    package var openers: [Int] = []

    package init() {}

    /// The people above a person, the nearest first. At most `ChangeBounds.depthMax`.
    func peopleAbove(_ person: Int) -> some Sequence<Int> {
        sequence(state: persons[person].parent) { next in
            defer { next = next.flatMap { persons[$0].parent } }
            return next
        }
    }

    /// How many people are above a person. O(depth).
    func depth(of person: Int) -> Int { peopleAbove(person).reduce(0) { depth, _ in depth + 1 } }

    /// Whether one person is above another. O(depth).
    func isAbove(_ elder: Int, _ person: Int) -> Bool { peopleAbove(person).contains(elder) }

    /// The host of a guest; nil for anybody else.
    func host(of person: Int) -> Int? { persons[person].isGuest ? persons[person].parent : nil }
}

/// What a change says about membership, as far as who is in depends on it.
package struct RosterStatement: Sendable {
    package enum Kind: Sendable {
        case found(device: Int)
        case open(invite: Int, uses: Int)
        case close(invite: Int)
        case admit(device: Int)
        /// Of the author's own person: a farewell. Where some changes are kept, those and what is in their pasts count, else what is in
        /// the past of the removal.
        case remove(person: Int, kept: [Int]? = nil)
        /// Of the device's changes, `last` and what lies in its past count.
        case end(device: Int, last: Int?)
    }

    package let index: Int
    /// The device that wrote it.
    package let author: Int
    package let kind: Kind

    package init(index: Int, author: Int, kind: Kind) {
        self.index = index
        self.author = author
        self.kind = kind
    }

    /// The latest changes that a removal or an end leaves alone: all others that it concerns, but for those in the pasts of these, are
    /// cut.
    var kept: [Int] {
        switch kind {
        case .remove(_, let kept): kept ?? [index]
        case .end(_, let last): last.map { [$0] } ?? []
        case .found, .open, .close, .admit: []
        }
    }

    /// Whether a removal or an end leaves a change alone.
    func keeps(_ change: Int, _ order: some StatementOrder) -> Bool { kept.contains { order.hasSeen(change, by: $0) } }
}
