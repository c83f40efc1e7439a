import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripModel
import TripRules

// What people do: something that may be done in what they see.
extension TripRun {
    /// To look through more items for each change of a cost would be most of the work of a long run.
    private static var costItemsMax: Int { 400 }

    mutating func carryOut(_ step: TripPlan.Step) throws(Violation) {
        switch step.event {
        case .act(let node, let draw):
            if let id = machineOf[node] { try act(on: id, draw, number: step.number) }
        case .fault(let fault, let node, let other, let duration, let draw):
            try goWrong(fault, node, other, duration, draw)
        }
        try drain()
    }

    /// Whether somebody at a machine may act now: it runs, it is let in, and nothing else is being done there.
    func mayAct(_ id: World.NodeID) -> Bool {
        guard world.machines[id].isRunning, people[id].ticket == nil, people[id].pausedUntil <= world.time else {
            return false
        }
        let (log, replica) = (world.machines[id].node.log, ledger.holders[id].replica)
        return log.isIn(replica) || log.isWaiting(replica)
    }

    private mutating func act(on id: World.NodeID, _ draw: UInt64, number: Int) throws(Violation) {
        guard mayAct(id) else { return }
        var generator = SeededGenerator(seed: draw)
        if conditions.hasGuests, generator.oneIn(4) { return actAsGuest(on: id, number, &generator) }
        let me = ParticipantID(people[id].participant)
        var (action, meaning) = choose(from: people[id].items, number, &generator)
        // Beside what is done with items alone, and drawn apart from it.
        let chance = SplitMix64.mixed(draw)
        if chance % 5 == 4, chance % 3 == 0, people[id].version == .newer, wish(on: id, draw: draw) { return }
        if chance % 5 < 2 {
            // What an older version makes of an undo depends on all that it takes back.
            if chance % 6 == 0, !conditions.isMixed, undo(on: id) { return }
            if let planned = plan(on: id, number, draw: draw) { (action, meaning) = planned }
        } else if !conditions.isMixed, conditions.mutation?.isOfNotes ?? true, chance % 5 == 2, chance % 2 == 0,
            let planned = planNote(on: id, number)
        {
            // A planted fault is of something else, and is found where that is done often.
            (action, meaning) = planned
        } else if conditions.hasCosts, chance % 5 == 3, people[id].items.count <= Self.costItemsMax,
            let planned = planCosts(on: id, number, draw: draw)
        {
            (action, meaning) = planned
        }
        if conditions.isMixed {
            guard people[id].version.says(meaning) else { return }
            if people[id].version == .newer { (action, meaning) = lengthened(action, meaning, draw) }
        }
        if case .edit(let item, let fields, _) = meaning, case .act(.edit(let values, _), let items) = action {
            let shown = shown(of: item, fields.keys, on: id, draw: draw)
            if conditions.mutation != .buriedEdit { action = .act(.edit(values, shown: shown), on: items) }
            meaning = .edit(item: item, fields: fields, shown: shown)
        }
        try checkNumbers(id, meaning: meaning, draw: draw)
        if let content = try? people[id].shown.replica.perform(action, by: voice(of: meaning) ?? me) {
            note("machine \(id): \(meaning)")
            write(content, meaning, on: id)
            return
        }
        // It was removed, most likely.
        guard let item = meaning.item, let found = people[id].items.last(where: { $0.name == item }),
            let content = try? people[id].shown.replica.perform(.restore([found.id]), by: me)
        else { return }
        note("machine \(id): restore \(item)")
        write(content, .restore(item: item), on: id)
    }

    /// A guest of a machine's person adds something, or votes.
    private mutating func actAsGuest(on id: World.NodeID, _ number: Int, _ generator: inout SeededGenerator) {
        guard let guest = world.machines[id].disk.guests.first?.device,
            world.machines[id].node.log.isIn(guest.replica)
        else { return }
        let pool = people[id].items.suffix(6)
        var (action, meaning) = add(number, &generator)
        if !pool.isEmpty, !generator.oneIn(4) {
            let (name, item) = pool[pool.startIndex + Int(generator.below(UInt64(pool.count)))]
            let vote: Vote? =
                generator.oneIn(5) ? nil : generator.oneIn(3) ? .against : generator.oneIn(4) ? .ifNeedBe : .for
            (action, meaning) = (.vote([item], vote), .vote(item: name, vote))
        }
        guard people[id].version.says(meaning) else { return }
        let participant = ParticipantID(guest.participant)
        guard let content = try? people[id].shown.replica.perform(action, by: participant) else { return }
        note("machine \(id), a guest: \(meaning)")
        write(content, meaning, as: guest, on: id)
    }

    private func choose(
        from items: [(name: TripSpecification.Name, id: ItemID)], _ number: Int, _ generator: inout SeededGenerator
    ) -> (TripAction, TripSpecification.Meaning) {
        let kind = generator.below(100)
        // People speak of what is new more than of what is old.
        let pool = generator.oneIn(3) ? items[...] : items.suffix(6)
        guard kind >= 12, !pool.isEmpty else { return add(number, &generator) }
        let (name, id) = pool[pool.startIndex + Int(generator.below(UInt64(pool.count)))]
        switch kind {
        case ..<14: return (.setTitle("Trip \(number)"), .setTitle("Trip \(number)"))
        case ..<16: return (.setName("Name \(number)"), .setName("Name \(number)"))
        case ..<40: return edit(name, id, number, &generator)
        case ..<62:
            let vote: Vote? =
                generator.oneIn(5) ? nil : generator.oneIn(3) ? .against : generator.oneIn(4) ? .ifNeedBe : .for
            return (.vote([id], vote), .vote(item: name, vote))
        case ..<74:
            let step = Int64(generator.number(in: 1...9))
            return (.changeQuantity(id, by: step), .quantity(item: name, by: step))
        case ..<90: return (.remove([id]), .remove(item: name))
        default: return (.restore([id]), .restore(item: name))
        }
    }

    private func add(
        _ number: Int, _ generator: inout SeededGenerator
    ) -> (TripAction, TripSpecification.Meaning) {
        var fields: [Field: String] = [:]
        if generator.oneIn(2) { (fields[.note], fields[.host]) = ("Note\(number)", "Host \(number)") }
        if generator.oneIn(4) { fields[.price] = "\(number) EUR" }
        let quantity = generator.oneIn(3) ? Int64(generator.number(in: 1...5)) : nil
        let draft = ItemDraft(title: "Stay \(number)", fields: fields, quantity: quantity)
        return (.add([draft]), .add(fields: draft.fields, quantity: quantity ?? 0))
    }

    private func edit(
        _ name: TripSpecification.Name, _ id: ItemID, _ number: Int, _ generator: inout SeededGenerator
    ) -> (TripAction, TripSpecification.Meaning) {
        var fields: [Field: String?] = [:]
        switch generator.below(4) {
        case 0: fields = [.title: "Title \(number)"]
        case 1: fields = [.host: "Host \(number)", .price: "\(number) EUR"]
        case 2: fields = [.host: "Host \(number)"]
        default: fields = [.title: "Title \(number)", .details: "Details \(number)"]
        }
        return (.edit(id, fields), .edit(item: name, fields: fields))
    }
}
