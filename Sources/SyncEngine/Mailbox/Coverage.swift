/// Which changes lie in a mailbox.
struct Coverage: Sendable {
    private var heads: [Bool]
    private var bodies: [Bool]

    init(changes: Int) {
        heads = Array(repeating: false, count: changes)
        bodies = heads
    }

    mutating func add(_ contents: BlockCatalogue.Contents) {
        for place in contents.places where place < heads.count {
            heads[place] = true
            if !contents.bodiless.contains(place) { bodies[place] = true }
        }
    }

    func contains(_ place: Int, withBody: Bool) -> Bool {
        place < heads.count && (withBody ? bodies[place] : heads[place])
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
