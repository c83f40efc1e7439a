import TripModel

extension TripView {
    /// The items as files have them: what is in no list first, then list by list, each in its order.
    var exportedParts: [(list: ListView?, items: [ItemView])] {
        [(nil, unlistedItems)] + lists.map { ($0, items(of: $0)) }
    }

    /// The same, one after the other.
    var exportedItems: [ItemView] { exportedParts.flatMap(\.items) }
}
