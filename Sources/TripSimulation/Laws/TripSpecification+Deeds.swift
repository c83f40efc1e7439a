import Convergence
import DeltaCRDT
import TripModel

// What an act does, where its author saw what they saw.
extension TripSpecification {
    func kinds(of act: Act, _ shown: EventSet, _ upheld: EventSet, _ version: Version) -> [Deed.Kind] {
        switch act.meaning {
        case .add(let drafts, nil): drafts.enumerated().flatMap { add($1, Name(change: act.change, index: $0), nil) }
        case .add(let drafts, let list?):
            add(
                drafts, to: list, behind: SpecifiedOrder(self, shown).sequence(of: list).last?.deed.id, of: act,
                after: [])
        case .addList(let fields, let drafts):
            add(
                drafts, to: Name(change: act.change), behind: nil, of: act,
                after: [.makeList(Name(change: act.change))] + write(fields, to: Name(change: act.change)))
        case .edit(let item, let fields, let forms): edit(item, fields, forms, shown, version)
        case .plan(let item, let day): plan(item, day, shown, version)
        case .editNote(let name, let text):
            [.note(name, SpecifiedNote(self, name, shown, upheld: upheld).edit(to: text))]
        case .editList(let list, let fields): edit(list, fields, [:], shown, version)
        case .remove(let name), .removeList(let name), .removeComment(let name): [.remove(name)]
        case .restore(let name), .restoreList(let name): [.restore(name)]
        case .vote(let item, let vote): [.vote(item, vote)]
        case .quantity(let item, let step): [.step(item, step)]
        case .claim(let item, let count): [.claim(item, count)]
        case .attend(let item, let attendance): [.attend(item, attendance)]
        case .answer(let item, let answer): [.answer(item, answer)]
        case .seal(let item, let commitment, let answer): [.seal(item, commitment, answer)]
        case .close(let item): [.close(item, latestSeals(to: item, shown))]
        case .reveal(let item, let commitment):
            [.reveal(item, commitment, closing: standing(.done, of: item, shown).first?.deed.act.change)]
        case .options(let item, let added, let removed): [.options(item, added: added, removed: removed)]
        case .comment(let item, let text): [.makeComment(Name(change: act.change), of: item, text)]
        case .amenities(let item, let added, let removed): [.amenities(item, added: added, removed: removed)]
        case .move(let item, let destination):
            [.place(item, position(destination, SpecifiedOrder(self, shown, upheld: upheld)))]
        case .attach(let item, let photo): [.attach(item, photo: photo)]
        case .detach(let item, let photo):
            [.detach(item, Set(photos(of: item, shown).filter { $0.photo == photo }.map(\.deed.id)))]
        case .undo(let change): undo(change, by: act, SpecifiedOrder(self, shown, upheld: upheld))
        case .wish, .unwish: []
        case .setTitle(let title): [.write(nil, .title, title, siblings: hidden(.title, of: nil, shown, version))]
        case .setName(let name): [.name(name)]
        }
    }

    private func write(_ fields: [Field: String], to name: Name) -> [Deed.Kind] {
        fields.keys.sorted().map { .write(name, $0, fields[$0], siblings: []) }
    }

    private func add(_ draft: Draft, _ name: Name, _ position: Position?) -> [Deed.Kind] {
        [.makeItem(name, position)] + write(draft.fields, to: name)
            + (draft.quantity == 0 ? [] : [.step(name, draft.quantity)])
    }

    /// Items at the end of a list, one behind the other.
    private func add(
        _ drafts: [Draft], to list: Name, behind anchor: Deed.ID?, of act: Act, after first: [Deed.Kind]
    ) -> [Deed.Kind] {
        var (kinds, anchor) = (first, anchor)
        let before = first.isEmpty ? 0 : 1
        for (index, draft) in drafts.enumerated() {
            let own = Deed.ID(change: act.change, index: kinds.count)
            kinds += add(
                draft, Name(change: act.change, index: before + index), Position(list: list, anchor: anchor))
            anchor = own
        }
        return kinds
    }

    /// Who writes what is shown already writes nothing, and who clears what somebody else has replaced by now clears
    /// nothing. What stands at a field and was not shown stays: their form was opened before, or their version cannot show it.
    private func edit(
        _ name: Name, _ fields: [Field: String?], _ forms: [Field: [String]], _ shown: EventSet, _ version: Version
    ) -> [Deed.Kind] {
        fields.keys.sorted().compactMap { field in
            let value = fields[field] ?? nil
            guard values(field, of: name, shown, as: version) != (value.map { [$0] } ?? []) else { return nil }
            let hidden = hidden(field, of: name, shown, version)
            guard let form = forms[field] else { return .write(name, field, value, siblings: hidden) }
            let standing = standing(field, of: name, shown, as: version).filter(\.isShown)
            if value == nil, !standing.contains(where: { form.contains($0.value) }) { return nil }
            let unseen = standing.filter { !form.contains($0.value) }
            return .write(name, field, value, siblings: hidden.union(unseen.map(\.deed.id)))
        }
    }

    /// Who plans an item writes that it is chosen, even where it is. Who takes its day away leaves it chosen.
    private func plan(_ item: Name, _ day: String?, _ shown: EventSet, _ version: Version) -> [Deed.Kind] {
        let days = edit(item, [.dates: day], [:], shown, version)
        guard day != nil else { return days }
        return days + [.write(item, .chosen, Field.setValue, siblings: hidden(.chosen, of: item, shown, version))]
    }

    /// What stands at a field and a version cannot show.
    private func hidden(_ field: Field, of name: Name?, _ shown: EventSet, _ version: Version) -> Set<Deed.ID> {
        Set(standing(field, of: name, shown, as: version).filter { !$0.isShown }.map(\.deed.id))
    }

    /// As *The Art of the Fugue* (Weidner and Kleppmann, 2023) has it: behind what has nothing behind it, something hangs
    /// there, else before what comes next; and the other way round.
    private func position(_ destination: Destination, _ order: SpecifiedOrder) -> Position {
        func end(of list: Name?) -> Position { Position(list: list, anchor: order.sequence(of: list).last?.deed.id) }
        switch destination {
        case .end(let list): return end(of: list)
        case .before(let other), .behind(let other):
            let isBefore = if case .before = destination { true } else { false }
            let list = order.last(of: other)?.position.list.flatMap { exists($0, order) ? $0 : nil }
            let sequence = order.sequence(of: list)
            guard let place = sequence.firstIndex(where: { $0.item == other && order.isLast($0) }) else {
                return end(of: nil)
            }
            let node = sequence[place].deed.id
            let isTaken = sequence.contains { $0.position.anchor == node && $0.position.isBefore == isBefore }
            let next = isBefore ? place - 1 : place + 1
            guard isTaken, sequence.indices.contains(next) else {
                return Position(list: list, anchor: node, isBefore: isBefore)
            }
            return Position(list: list, anchor: sequence[next].deed.id, isBefore: !isBefore)
        }
    }
}
