/// The dots that fell last, oldest first: what a peer that is a few removals behind may lack.
///
/// No part of the state: two replicas with the same state may remember different removals.
@usableFromInline
struct RecentRemovals: Sendable {
    @usableFromInline private(set) var dots: [Dot] = []
    /// How many fell before those and are forgotten. It wraps, for forged ranges are wider together than any number.
    @usableFromInline private(set) var forgotten: UInt64 = 0

    /// How many fell, ever.
    var count: UInt64 { forgotten &+ UInt64(dots.count) }

    /// The most that are remembered, when there is enough alive to make it worth while.
    static var most: Int { 1024 }

    @usableFromInline
    init() {}

    @usableFromInline
    mutating func forget(_ replica: ReplicaID) {
        let before = count
        dots.removeAll { $0.replica == replica }
        forgotten = before &- UInt64(dots.count)
    }

    /// Remembers what fell, among as many as `alive` and at most 1024: telling a peer which dots are alive, when too much is
    /// forgotten, costs no more than that.
    @usableFromInline
    mutating func append(_ fallen: FallenDots, alive: Int) {
        dots.append(contentsOf: fallen.dots)
        let limit = min(alive / 2 + 8, Self.most)
        let surplus = dots.count > limit * 2 ? dots.count - limit : 0
        if surplus > 0 { dots.removeFirst(surplus) }
        forgotten &+= UInt64(surplus) &+ fallen.unnamed
    }

    /// Those that fell after the first so many; nil where some of these are forgotten.
    func since(_ before: UInt64) -> ArraySlice<Dot>? {
        before >= forgotten && before <= count ? dots[Int(before - forgotten)...] : nil
    }
}
