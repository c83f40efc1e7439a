import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripModel

// Numbers of items: people look at a list now and then, and use its numbers whatever arrives in between.
extension TripRun {
    /// A list as somebody last saw it.
    struct Look {
        var shown = ShownNumbers()
        /// The item that each number was shown with.
        var meant: [Int: TripSpecification.Name] = [:]
    }

    /// To look at a list of more items each time would be most of the work of a long run.
    private static var itemsMax: Int { 400 }

    /// Somebody acts on an item, and names it by the number that they saw: it must mean the item that they mean. Draws
    /// nothing from the run's own chances.
    mutating func checkNumbers(_ id: World.NodeID, meaning: TripSpecification.Meaning, draw: UInt64) throws(Violation) {
        // Where a replica has forked, items take other names.
        guard people[id].items.count <= Self.itemsMax, !world.machines[id].node.log.graph.hasForks else {
            people[id].look = Look()
            return
        }
        var trip = LiveTrip(people[id].shown.replica)
        if let item = meaning.item {
            for number in people[id].look.meant.filter({ $0.value == item }).keys.sorted() {
                try check(number, means: item, &trip, on: id)
            }
        }
        guard SplitMix64.mixed(draw) % 8 == 0 else { return }
        let items = trip.view.items
        let names = Dictionary(people[id].items.map { ($0.id, $0.name) }) { $1 }
        var look = Look()
        look.shown.showed(list: items)
        // As a file keeps it between commands.
        look.shown = ShownNumbers(bytes: look.shown.bytes)
        for item in items { look.meant[item.number] = names[item.id] }
        people[id].look = look
    }

    private mutating func check(
        _ number: Int, means item: TripSpecification.Name, _ trip: inout LiveTrip, on id: World.NodeID
    ) throws(Violation) {
        outcome.checks[.numbers, default: 0] += 1
        let shown = conditions.mutation == .presentNumbers ? ShownNumbers() : people[id].look.shown
        // What made it may not count any more: then nothing is meant.
        guard let found = try? trip.resolve(String(number), shown: shown) else { return }
        let meant = people[id].items.last { $0.id == found.id }?.name
        guard meant != item else { return }
        throw Violation(
            .numbers,
            "machine \(id) takes \(number), which it showed with the item of change \(item), for \(meant.map { "that of \($0)" } ?? "another")"
        )
    }
}
