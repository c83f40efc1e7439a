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
