import Convergence
import DeltaCRDT
import TripModel

// What people do with lists, and what they say of items besides votes.
extension TripRun {
    /// Nil where there is nothing to do it with. Draws nothing from the run's own chances.
    func plan(on id: World.NodeID, _ number: Int, draw: UInt64) -> (TripAction, TripSpecification.Meaning)? {
        var generator = SeededGenerator(seed: ~draw)
        let kind = generator.below(12)
        let lists = LiveTrip(people[id].shown.replica).lists
        let list = lists.isEmpty ? nil : lists[Int(generator.below(UInt64(lists.count)))]
        if kind < 2 {
            let title = "List \(number)"
            return (.addList(title: title, kind: nil, []), .addList(title))
        }
        if kind == 2 { return list.map { (.removeLists([$0.id]), .removeList($0.title)) } }
        let items = people[id].items.suffix(6)
        guard !items.isEmpty else { return nil }
        let (change, item) = items[items.startIndex + Int(generator.below(UInt64(items.count)))]
        switch kind {
        case ..<6:
            let isOut = generator.oneIn(5)
            return (
                .move([item], .end(of: isOut ? nil : list?.id)), .move(item: change, list: isOut ? nil : list?.title)
            )
        case ..<8:
            let count: Int64? = generator.oneIn(3) ? nil : Int64(generator.number(in: 1...4))
            return (.claim([item], count), .claim(item: change, count))
        case ..<10: return (.comment(item, "Said \(number)"), .comment(item: change, "Said \(number)"))
        default:
            // What is there already is not added, and what is not there not taken away.
            let word = ["sauna", "wifi"][Int(generator.below(2))]
            var trip = LiveTrip(people[id].shown.replica)
            let isThere = trip.item(item)?.sayings.amenities.contains(word) ?? false
            let (added, removed) = isThere ? ([], [word]) : ([word], [])
            return (
                .changeAmenities(item, added: added, removed: removed),
                .amenities(item: change, added: added, removed: removed)
            )
        }
    }
}
