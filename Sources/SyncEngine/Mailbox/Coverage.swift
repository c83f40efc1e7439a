/// Which changes lie in a mailbox.
struct Coverage: Sendable {
    private var heads: [Bool]
    private var bodies: [Bool]

    init(changes: Int) {
        heads = Array(repeating: false, count: changes)
        bodies = heads
    }

    mutating func add(_ contents: BlockCatalogue.Contents) {
        for index in contents.indices where index < heads.count {
            heads[index] = true
            if !contents.bodiless.contains(index) { bodies[index] = true }
        }
    }

    func contains(_ index: Int, withBody: Bool) -> Bool {
        index < heads.count && (withBody ? bodies[index] : heads[index])
    }
}

extension BlockCatalogue {
    /// The changes that lie in some slots, in blocks that are meant: with their bodies, or without.
    func coverage(of slots: Set<MailboxSlot>, changes: Int, where isMeant: (Contents) -> Bool) -> Coverage {
        var coverage = Coverage(changes: changes)
        for key in readKeys where slots.contains(key.slot) {
            if case .read(let contents) = states[key], isMeant(contents) { coverage.add(contents) }
        }
        return coverage
    }
}
