import ChangeLog
import Convergence
import DeltaCRDT
import TripModel
import TripRules

// Mutants of the rules of Documentation/Content.md: each breaks one, on the way of a change to what people see, or of what
// they see to their eyes.
extension TripRun {
    private typealias Kind = TripSpecification.Deed.Kind

    /// What people at a machine see.
    func view(on id: World.NodeID) -> TripView {
        let view = people[id].shown.replica.view
        switch conditions.mutation {
        case .lastWriterWins: return view.withoutProposals
        case .ifNeedBeAsFor: return view.countingIfNeedBe
        case .tornPlan: return view.mixingPlans
        case .removalWins:
            return view.removing(view.items.filter { item in name(of: item.id).map { isRemoved($0, on: id) } ?? false })
        case .listWithItems:
            let gone = Set(view.removedLists.flatMap(\.items))
            return view.removing(view.items.filter { gone.contains($0.id) })
        case .lateAnswerCounts:
            return view.withAnswers { GivenAnswer(counted: $0.late ?? $0.counted, late: $0.late) }
        case .lateAnswerTakesAway:
            return view.withAnswers { GivenAnswer(counted: $0.late == nil ? $0.counted : nil, late: $0.late) }
        case .loneClaim:
            return view.withClaims { item in
                let claims = name(of: item).map { specification.claims(of: $0, people[id].seen) } ?? [:]
                return claims.max { $1.value.deed.isHigher(than: $0.value.deed) }.map { ParticipantID($0.key) }
            }
        case .interleavedBlocks:
            return view.sortingLists { list in
                name(of: list).map { specification.isAppended($0, people[id].seen) } ?? false
            }
        default: return view
        }
    }

    /// Whether somebody removed an item, and nobody who knew of that touched it.
    private func isRemoved(_ item: TripSpecification.Name, on id: World.NodeID) -> Bool {
        let known = specification.deeds(of: item, people[id].seen)
        return known.contains { remove in
            if case .remove = remove.kind { !known.contains { $0.follows(remove) } } else { false }
        }
    }

    /// A change as the fold takes it, where a mutant has it so; nil where it is passed over.
    func faulty(_ change: AppliedChange, on id: World.NodeID) -> TripChange? {
        guard let sound = change.tripChange(), let index = ledger.indexOf[change.hash] else {
            return change.tripChange()
        }
        switch conditions.mutation {
        case .clearingWins:
            return contested(sound, index, on: id) { winner, loser in
                guard case (.write(_, let cleared, nil, _), .write(_, let written, .some, _)) = (winner, loser) else {
                    return false
                }
                return cleared == written
            }
        case .amenityRemovalWins:
            return contested(sound, index, on: id) { winner, loser in
                guard case (.amenities(_, _, let removed), .amenities(_, let added, _)) = (winner, loser) else {
                    return false
                }
                return removed.contains { added.contains($0) }
            }
        case .optionRemovalWins:
            return contested(sound, index, on: id) { winner, loser in
                guard case (.options(_, _, let removed), .options(_, let added, _)) = (winner, loser) else {
                    return false
                }
                return removed.contains { added.contains($0) }
            }
        case .lateByArrival:
            guard case .answer(let item, _)? = specification.deeds(ofChange: index).first?.kind,
                !specification.standing(.done, of: item, people[id].seen).isEmpty
            else { return sound }
            return sound.havingSeenAll
        case .lateSealCounts:
            guard case .close(let item, _)? = specification.deeds(ofChange: index).first?.kind,
                let author = specification.author(of: item),
                let known = people[id].items.first(where: { $0.name == item }),
                let content = try? people[id].shown.replica.perform(
                    .mark([known.id], .done, true), by: ParticipantID(author))
            else { return sound }
            return sound.saying(TripContent(content))
        case .takenReply:
            guard case .answer(let item, _)? = specification.deeds(ofChange: index).first?.kind,
                let author = specification.author(of: item)
            else { return sound }
            return sound.spoken(by: ParticipantID(author))
        case .lostStep:
            return contested(sound, index, on: id) { winner, loser in
                if case (.step, .step) = (winner, loser) { true } else { false }
            }
        case .lostNote:
            return contested(sound, index, on: id) { winner, loser in
                if case (.note, .note) = (winner, loser) { true } else { false }
            }
        case .noteRemovalWins:
            return contested(sound, index, on: id) { winner, loser in
                guard case (.note(_, let removing), .note(_, let inserting)) = (winner, loser) else { return false }
                return inserting.insertions.contains { $0.place.element.map(removing.removals.contains) ?? false }
            }
        case .firstAnswer:
            let deed = specification.deeds(ofChange: index).first
            guard let deed, case .attend(let item, _) = deed.kind else { return sound }
            let isLater = specification.deeds(of: item, people[id].seen).contains { other in
                guard case .attend = other.kind else { return false }
                return other.act.participant == deed.act.participant && deed.follows(other)
            }
            return isLater ? nil : sound
        case .takenAnswer:
            guard case .attend(let item, _)? = specification.deeds(ofChange: index).first?.kind,
                let author = specification.author(of: item)
            else { return sound }
            return sound.spoken(by: ParticipantID(author))
        case .takenPayment:
            guard case .remove(let name)? = specification.deeds(ofChange: index).first?.kind,
                specification.isPayment(name), let author = specification.author(of: name)
            else { return sound }
            return sound.spoken(by: ParticipantID(author))
        case .takenComment:
            guard case .remove(let name)? = specification.deeds(ofChange: index).first?.kind,
                case .makeComment? = specification.deeds(ofChange: name.change).first?.kind,
                let author = specification.author(of: name)
            else { return sound }
            return sound.spoken(by: ParticipantID(author))
        default: return sound
        }
    }

    /// Has one of two deeds on the same thing win that did not know of each other, whichever comes first.
    private func contested(
        _ change: TripChange, _ index: Int, on id: World.NodeID, wins: (Kind, Kind) -> Bool
    ) -> TripChange? {
        var isWinner = false
        for deed in specification.deeds(ofChange: index) {
            for other in specification.deeds(of: deed.kind.subject, people[id].seen)
            where other.act.change != index && !deed.follows(other) && !other.follows(deed) {
                if wins(other.kind, deed.kind) { return nil }
                if wins(deed.kind, other.kind) { isWinner = true }
            }
        }
        return isWinner ? change.havingSeenAll : change
    }

    /// What takes back an edit of an item by writing over all that stands; nil but for the mutant that has it so.
    func overwriting(_ change: Int, on id: World.NodeID) -> [UInt8]? {
        guard conditions.mutation == .overwritingUndo, let act = specification.deeds(ofChange: change).first?.act,
            case .edit(let item, let fields, _) = act.meaning,
            let known = people[id].items.last(where: { $0.name == item })
        else { return nil }
        let values = fields.keys.map { ($0, specification.values($0, of: item, act.past).first) }
        return try? people[id].shown.replica.perform(
            .edit(known.id, Dictionary(uniqueKeysWithValues: values)), by: ParticipantID(people[id].participant))
    }
}

extension TripSpecification.Deed.Kind {
    /// What it is done to; nil for the trip, and for a name.
    fileprivate var subject: TripSpecification.Name? {
        switch self {
        case .makeItem(let name, _), .makeList(let name), .makeComment(let name, _, _), .remove(let name),
            .restore(let name), .vote(let name, _), .step(let name, _), .claim(let name, _), .attend(let name, _),
            .amenities(let name, _, _), .answer(let name, _), .seal(let name, _, _), .close(let name, _),
            .reveal(let name, _, _),
            .options(let name, _, _), .place(let name, _),
            .attach(let name, _), .detach(let name, _):
            name
        case .write(let name, _, _, _), .note(let name, _): name
        case .name: nil
        }
    }
}

extension TripSpecification {
    /// Whether all that was ever put into a list was put to its end.
    fileprivate func isAppended(_ list: Name, _ held: EventSet) -> Bool {
        placements(held).allSatisfy { deed in
            switch deed.kind {
            case .makeItem(_, let position?), .place(_, let position): position.list != list || !position.isBefore
            default: true
            }
        }
    }
}

extension TripChange {
    /// The same by somebody else.
    fileprivate func spoken(by participant: ParticipantID) -> TripChange {
        TripChange(
            stamp: stamp, participant: participant, wallTime: wallTime, index: index, branch: branch, past: past,
            content: content)
    }

    fileprivate func saying(_ content: TripContent) -> TripChange {
        TripChange(
            stamp: stamp, participant: participant, wallTime: wallTime, index: index, branch: branch, past: past,
            content: content)
    }

    /// The same by somebody who had seen all that stands before it.
    fileprivate var havingSeenAll: TripChange {
        TripChange(
            stamp: stamp, participant: participant, wallTime: wallTime, index: index, branch: branch,
            past: CausalCut(before: index), content: content)
    }
}

extension TripView {
    fileprivate func replacing(
        title: FieldView?, items: [ItemView], removedItems: [ItemView], lists: [ListView]
    ) -> TripView {
        TripView(
            title: title, note: note, participants: participants, items: items, removedItems: removedItems,
            lists: lists, removedLists: removedLists, unlistedOrder: unlistedOrder)
    }

    /// Of each field the highest value alone.
    fileprivate var withoutProposals: TripView {
        func lone(_ field: FieldView) -> FieldView { FieldView(shown: field.shown, alternatives: []) }
        let certain = { (item: ItemView) in item.replacing(fields: item.fields.mapValues(lone)) }
        return replacing(
            title: title.map(lone), items: items.map(certain), removedItems: removedItems.map(certain), lists: lists)
    }

    /// Of two plans of an item, the day of the one with the time of the other.
    fileprivate var mixingPlans: TripView {
        let mixed = { (item: ItemView) in
            guard let dates = item.fields[.dates], let day = DateSpan(dates.value)?.arrival,
                let other = dates.alternatives.first.flatMap({ DateSpan($0.value)?.time })
            else { return item }
            let shown = Proposal(
                value: DateSpan(day, at: other).text, author: dates.shown.author, authorName: dates.shown.authorName)
            return item.replacing(
                fields: item.fields.merging([.dates: FieldView(shown: shown, alternatives: dates.alternatives)]) { $1 })
        }
        return replacing(
            title: title, items: items.map(mixed), removedItems: removedItems.map(mixed), lists: lists)
    }

    fileprivate var countingIfNeedBe: TripView {
        let counted = { (item: ItemView) in
            item.replacing(tally: item.tally + item.votes.count { $0.word == .ifNeedBe && !$0.isOut })
        }
        return replacing(
            title: title, items: items.map(counted), removedItems: removedItems.map(counted), lists: lists)
    }

    fileprivate func removing(_ removed: [ItemView]) -> TripView {
        let gone = Set(removed.map(\.id))
        return replacing(
            title: title, items: items.filter { !gone.contains($0.id) },
            removedItems: removedItems + removed.map { $0.replacing(isRemoved: true) }, lists: lists)
    }

    fileprivate func withAnswers(_ alter: (GivenAnswer) -> GivenAnswer) -> TripView {
        let altered = { (item: ItemView) in
            var sayings = item.sayings
            sayings.answers = sayings.answers.map { given in
                LastWord(
                    participant: given.participant, name: given.name, word: alter(given.word), isOut: given.isOut)
            }
            return item.replacing(sayings: sayings)
        }
        return replacing(
            title: title, items: items.map(altered), removedItems: removedItems.map(altered), lists: lists)
    }

    /// Of what people bring, what one of them brings alone.
    fileprivate func withClaims(ofOne: (ItemID) -> ParticipantID?) -> TripView {
        let alone = { (item: ItemView) in
            let one = ofOne(item.id)
            var sayings = item.sayings
            sayings.claims = sayings.claims.filter { $0.participant == one }
            return item.replacing(sayings: sayings)
        }
        return replacing(title: title, items: items.map(alone), removedItems: removedItems.map(alone), lists: lists)
    }

    /// Lists by when things were put into them.
    fileprivate func sortingLists(where isSorted: (ListID) -> Bool) -> TripView {
        let placed = Dictionary(items.map { ($0.id, $0.sayings.placed) }) { $1 }
        let sorted = lists.map { list in
            guard isSorted(list.id) else { return list }
            let items = list.items.compactMap { item in (placed[item] ?? nil).map { (item: item, placed: $0) } }
                .sorted { ($0.placed, $0.item) < ($1.placed, $1.item) }
            return ListView(
                id: list.id, fields: list.fields, items: items.map(\.item), isRemoved: list.isRemoved,
                addedBy: list.addedBy, addedByName: list.addedByName)
        }
        return replacing(title: title, items: items, removedItems: removedItems, lists: sorted)
    }
}

extension ItemView {
    fileprivate func replacing(
        fields: [Field: FieldView]? = nil, tally: Int? = nil, isRemoved: Bool? = nil, sayings: ItemSayings? = nil
    ) -> ItemView {
        ItemView(
            id: id, shortID: shortID, number: number, isRemoved: isRemoved ?? self.isRemoved,
            fields: fields ?? self.fields, votes: votes, tally: tally ?? self.tally, quantity: quantity,
            addedBy: addedBy, addedByName: addedByName, addedAt: addedAt, added: added, touched: touched,
            sayings: sayings ?? self.sayings)
    }
}
