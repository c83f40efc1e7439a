/// The dots that fell last, oldest first: what a peer that is a few removals behind may lack.
///
/// No part of the state: two replicas with the same state may remember different removals.
@usableFromInline
struct RecentRemovals: Sendable {
    @usableFromInline private(set) var dots: [Dot] = []

    /// The most that are remembered, when there is enough alive to make it worth while.
    static var most: Int { 1024 }

    @usableFromInline
    init() {}

    @usableFromInline
    mutating func forget(_ replica: ReplicaID) { dots.removeAll { $0.replica == replica } }

    /// Remembers what fell, among as many as `alive` and at most 1024: telling a peer which dots are alive, when too much is
    /// forgotten, costs no more than that.
    @usableFromInline
    mutating func append(_ fallen: [Dot], alive: Int) {
        guard !fallen.isEmpty else { return }
        dots.append(contentsOf: fallen)
        let limit = min(alive / 2 + 8, Self.most)
        if dots.count > limit * 2 { dots.removeFirst(dots.count - limit) }
    }
}
