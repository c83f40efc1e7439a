import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripModel

// Forms that people fill in for a while: changes that arrive meanwhile must not be overwritten.
extension TripRun {
    /// What each field of an item showed when somebody began to write, by the item's name.
    typealias Forms = [TripSpecification.Name: [Field: [String]]]

    /// An edit that says what its writer was shown, until it is shown itself.
    struct EditAsSeen {
        let hash: Bytes32
        let item: TripSpecification.Name
        let shown: [Field: [String]]
    }

    /// Forms that one person has open; the newest items have them.
    private static var formsMax: Int { 4 }
    /// To read a trip of more items each time would be most of the work of a long run.
    private static var itemsMax: Int { 400 }

    /// What somebody who edits an item was shown of the fields that they write; empty where they look as they write. Opens
    /// forms now and then. Draws nothing from the run's own chances.
    mutating func shown(
        of item: TripSpecification.Name, _ fields: some Collection<Field>, on id: World.NodeID, draw: UInt64
    ) -> [Field: [String]] {
        guard people[id].items.count <= Self.itemsMax else { return [:] }
        let form = people[id].forms.removeValue(forKey: item) ?? [:]
        if SplitMix64.mixed(draw ^ 1) % 4 == 0 { openForms(on: id, with: item) }
        return form.filter { fields.contains($0.key) }
    }

    private mutating func openForms(on id: World.NodeID, with item: TripSpecification.Name) {
        var trip = LiveTrip(people[id].shown.replica)
        for (name, itemID) in people[id].items.suffix(Self.formsMax - 1)
            + people[id].items.filter({ $0.name == item })
        {
            guard people[id].forms[name] == nil, let view = trip.item(itemID) else { continue }
            var form: [Field: [String]] = [:]
            for field in Field.allCases { form[field] = view.values(of: field) }
            people[id].forms[name] = form
        }
        while people[id].forms.count > Self.formsMax, let oldest = people[id].forms.keys.min() {
            people[id].forms[oldest] = nil
        }
    }

    /// What an edit of one's own will leave standing: of each field that it writes as seen, what stands there and was not
    /// shown. Nil for every other change.
    mutating func unseen(by change: AppliedChange, on id: World.NodeID) -> (item: ItemID, [Field: [String]])? {
        guard let edit = people[id].editAsSeen, edit.hash == change.hash else { return nil }
        people[id].editAsSeen = nil
        guard let item = people[id].items.last(where: { $0.name == edit.item })?.id else { return nil }
        var trip = LiveTrip(people[id].shown.replica)
        guard let view = trip.item(item) else { return nil }
        var unseen: [Field: [String]] = [:]
        for (field, shown) in edit.shown {
            unseen[field] = view.values(of: field).filter { !shown.contains($0) }
        }
        return (item, unseen)
    }

    /// What an edit did not show must stand after it.
    mutating func check(_ unseen: (item: ItemID, values: [Field: [String]]), on id: World.NodeID) throws(Violation) {
        outcome.checks[.nothingUnseenIsBuried, default: 0] += 1
        var trip = LiveTrip(people[id].shown.replica)
        let view = trip.item(unseen.item)
        for field in unseen.values.keys.sorted() {
            let standing = view?.values(of: field) ?? []
            guard let lost = unseen.values[field]?.first(where: { !standing.contains($0) }) else { continue }
            throw Violation(
                .nothingUnseenIsBuried,
                "machine \(id) replaces the \(field.name) \"\(lost)\", which its writer was not shown")
        }
    }
}

extension ItemView {
    /// All that stands at a field: what is shown, and what was proposed beside it.
    fileprivate func values(of field: Field) -> [String] {
        fields[field].map { [$0.value] + $0.alternatives.map(\.value) } ?? []
    }
}
