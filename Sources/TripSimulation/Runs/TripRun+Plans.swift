import Attachments
import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripModel
import TripRules

// What people do with lists and fields, what they say of items besides votes, and what they take back.
extension TripRun {
    /// To read a trip of more items each time would be most of the work of a long run.
    private static var itemsMax: Int { 400 }
    /// As many photos as people have: few, so that two attach the same.
    private static var photoCount: UInt64 { 12 }

    /// Each machine came to know the trip's items in another order, and the first one among its first few.
    private static var firstItems: Int { 6 }
    /// Beyond so many characters a note is cut.
    private static var noteMax: Int { 40 }

    typealias Planned = (TripAction, TripSpecification.Meaning)

    /// An item that somebody knows.
    private struct Known {
        let name: TripSpecification.Name
        let id: ItemID
    }

    /// Nil where there is nothing to do it with. Draws nothing from the run's own chances.
    func plan(on id: World.NodeID, _ number: Int, draw: UInt64) -> (TripAction, TripSpecification.Meaning)? {
        if let interval = conditions.questionInterval, number % interval == 1 {
            return question(number / interval, on: id)
        }
        var generator = SeededGenerator(seed: ~draw)
        let kind = generator.below(42)
        // Most of what people do at the same time is about the same: the first list, the first item, the newest.
        let lists = LiveTrip(people[id].shown.replica).lists
        let list = generator.oneIn(2) || lists.isEmpty ? lists.first?.id : generator.pick(from: lists).id
        if kind < 9 { return planList(kind, list, on: id, number, &generator) }
        if kind < 12 { return addSeveral(to: generator.oneIn(3) ? nil : list, number, &generator) }
        let items = Array(people[id].items.suffix(6))
        guard let first = people[id].items.first else { return nil }
        let chosen = kind >= 29 && generator.oneIn(2) ? first : generator.pick(from: items)
        let item = Known(name: chosen.name, id: chosen.id)
        switch kind {
        case ..<16:
            let isOut = generator.oneIn(5)
            return (
                .move([item.id], .end(of: isOut ? nil : list)),
                .move(item: item.name, .end(of: isOut ? nil : list.flatMap { name(of: $0) }))
            )
        case ..<19:
            let other = generator.pick(from: items)
            return generator.oneIn(2)
                ? (.move([item.id], .before(other.id)), .move(item: item.name, .before(other.name)))
                : (.move([item.id], .behind(other.id)), .move(item: item.name, .behind(other.name)))
        case ..<22:
            if number.isMultiple(of: 2) { return answer(number, on: id) }
            let count: Int64? = generator.oneIn(3) ? nil : Int64(generator.number(in: 1...4))
            return (.claim([item.id], count), .claim(item: item.name, count))
        case ..<24: return (.comment(item.id, "Said \(number)"), .comment(item: item.name, "Said \(number)"))
        case ..<29: return edit(item, number, &generator)
        case ..<33:
            let flag: Field = generator.oneIn(3) ? .done : .chosen
            if flag == .chosen, !number.isMultiple(of: 4) { return planDay(number, on: id) }
            let isSet = specification.values(flag, of: item.name, people[id].seen).isEmpty
            let closes = flag == .done && specification.hiddenQuestions.contains(item.name)
            return (
                .mark([item.id], flag, isSet),
                closes ? .close(item: item.name) : .edit(item: item.name, fields: [flag: isSet ? Field.setValue : nil])
            )
        default:
            guard people[id].items.count <= Self.itemsMax else { return nil }
            return planSayings(kind, item, on: id, &generator)
        }
    }

    /// The person whose device must write this for it to have an effect: the author of the comment or of the payment; nil for everything
    /// else.
    func voice(of meaning: TripSpecification.Meaning) -> ParticipantID? {
        if case .remove(let item) = meaning, specification.isPayment(item) {
            return specification.author(of: item).map { ParticipantID($0) }
        }
        guard case .removeComment(let comment) = meaning else { return nil }
        return specification.author(of: comment).map { ParticipantID($0) }
    }

    /// What an item, a list or a comment is called here; nil for what nobody is known to have made.
    func name(of id: ItemID) -> TripSpecification.Name? {
        ledger.indexOf[Bytes32(words: id.operation.change.words)].map {
            TripSpecification.Name(change: $0, index: Int(id.operation.index))
        }
    }

    private func id(of name: TripSpecification.Name) -> ItemID {
        ItemID(change: ChangeHash(ledger.entries[name.change].hash), index: OperationIndex(name.index))
    }

    private func planList(
        _ kind: UInt64, _ list: ListID?, on id: World.NodeID, _ number: Int, _ generator: inout SeededGenerator
    ) -> Planned? {
        switch kind {
        case ..<2:
            let kind = generator.oneIn(2) ? ItemKind.bring : nil
            let drafts = generator.oneIn(2) ? drafts(number, &generator) : []
            let fields = [Field.title: "List \(number)", .itemKind: kind?.rawValue].compactMapValues(\.self)
            return (
                .addList(title: "List \(number)", kind: kind, drafts.map(\.item)),
                .addList(fields, drafts.map(\.meaning))
            )
        case ..<5:
            guard let list, let name = name(of: list) else { return nil }
            return (.removeLists([list]), .removeList(name))
        case ..<7:
            let known = specification.lists.filter { people[id].seen.contains($0.change) }
            guard !known.isEmpty else { return nil }
            let name = generator.pick(from: known)
            return (.restoreLists([self.id(of: name)]), .restoreList(name))
        default:
            guard let list, let name = name(of: list) else { return nil }
            let fields: [Field: String?] =
                switch generator.below(4) {
                case 0: [.note: "Note \(number)"]
                case 1: [.note: nil]
                case 2: [.itemKind: ItemKind.allCases[number % ItemKind.allCases.count].rawValue]
                default: [.title: "Renamed \(number)"]
                }
            return (.editList(list, fields), .editList(name, fields))
        }
    }

    private func drafts(
        _ number: Int, _ generator: inout SeededGenerator
    ) -> [(item: ItemDraft, meaning: TripSpecification.Draft)] {
        (0..<generator.number(in: 2...4)).map { place in
            let quantity = generator.oneIn(3) ? Int64(generator.number(in: 1...5)) : nil
            let draft = ItemDraft(title: "Thing \(number).\(place)", quantity: quantity)
            return (draft, TripSpecification.Draft(fields: draft.fields, quantity: quantity ?? 0))
        }
    }

    /// As an import does.
    private func addSeveral(to list: ListID?, _ number: Int, _ generator: inout SeededGenerator) -> Planned {
        let drafts = drafts(number, &generator)
        return (.add(drafts.map(\.item), to: list), .add(drafts.map(\.meaning), to: list.flatMap { name(of: $0) }))
    }

    /// Puts an item on a day, sometimes at a time, or takes its day away. All plan the trip's first item: two plans of different
    /// items are no conflict.
    private func planDay(_ number: Int, on id: World.NodeID) -> Planned? {
        guard let item = people[id].items.prefix(Self.firstItems).min(by: { $0.name < $1.name }) else { return nil }
        let isPlanned = !specification.values(.dates, of: item.name, people[id].seen).isEmpty
        let day = "2026-06-\(10 + number % 15)"
        let text: String? =
            switch number % 4 {
            case 1 where isPlanned: nil
            case 2: day
            default: day + "T1\(number % 10):30+01:00[Europe/Lisbon]/PT2H"
            }
        return (.act(.plan(text), on: [item.id]), .plan(item: item.name, text))
    }

    /// Says whether they are going to the trip's first item, or takes that back: all answer for the same one, and often again.
    private func answer(_ number: Int, on id: World.NodeID) -> Planned? {
        guard let item = people[id].items.prefix(Self.firstItems).min(by: { $0.name < $1.name }) else { return nil }
        let last = specification.attendance(of: item.name, people[id].seen)[people[id].participant]?.word
        let answers: [Attendance?] = [.going, .maybe, .notGoing, nil]
        let answer = answers.filter { $0 != last }[number / 2 % 3]
        return (.attend([item.id], answer), .attend(item: item.name, answer))
    }

    /// Of fields that have forms of their own; some of them are cleared.
    private func edit(_ item: Known, _ number: Int, _ generator: inout SeededGenerator) -> Planned {
        let day = 10 + number % 15
        let values: [Field: String] = [
            .link: "https://example.org/\(number)", .address: "Street \(number)", .rooms: "\(number) rooms",
            .place: "\(number % 90).5,-\(1 + number % 170).25", .dates: "2026-06-\(day)/2026-06-\(day + 3)",
            .beds: "\(1 + number % 12)", .itemKind: ItemKind.allCases[number % ItemKind.allCases.count].rawValue,
        ]
        var fields: [Field: String?] = [:]
        for field in values.keys.sorted() where generator.oneIn(4) { fields[field] = values[field] }
        // Without a draw: the rest of a run stays as it was. Who assigns an item to the same person again writes nothing, so an
        // older version counts nothing that it does not know.
        if !conditions.isMixed {
            let others = people.map { ParticipantID($0.participant) }
            if number % 3 == 0 { fields[.assignee] = others[number / 3 % others.count].description }
            if number % 4 == 0 { fields[.due] = "2026-06-\(day)" + (number % 8 == 0 ? "T18:00" : "") }
            if number % 7 == 0 { fields.updateValue(nil, forKey: number % 2 == 0 ? .due : .assignee) }
        }
        for field in [Field.host, .price, .host, .link] where generator.oneIn(6) { fields[field] = .some(nil) }
        return (.edit(item.id, fields), .edit(item: item.name, fields: fields))
    }

    /// Writes in the note of the trip, or of one of the items that all write in, or removes something there. Without a draw: the rest of a
    /// run stays as it was.
    func planNote(on id: World.NodeID, _ number: Int) -> Planned? {
        var trip = LiveTrip(people[id].shown.replica)
        let pool = people[id].items.suffix(4)
        let item = number % 3 == 0 || pool.isEmpty ? nil : pool[pool.startIndex + number % pool.count]
        let note = item.map { trip.item($0.id)?.fields[.note] } ?? trip.note
        let old = Array((note?.value ?? "").unicodeScalars)
        let place = number * 7 % (old.count + 1)
        let isFull = old.count > Self.noteMax
        let rest = old[place...].dropFirst(isFull || number % 5 == 0 ? Self.noteMax : number % 3)
        let new = String(String.UnicodeScalarView(old[..<place] + "w\(number)語".unicodeScalars + rest))
        let shown = note?.value ?? ""
        guard let item else { return (.editNote(new, shown: shown), .editNote(nil, new)) }
        return (.edit(item.id, [.note: new], shown: [.note: [shown]]), .editNote(item.name, new))
    }

    /// What needs a look at the item first.
    private func planSayings(
        _ kind: UInt64, _ item: Known, on id: World.NodeID, _ generator: inout SeededGenerator
    ) -> Planned? {
        var trip = LiveTrip(people[id].shown.replica)
        guard let view = trip.item(item.id) else { return nil }
        switch kind {
        case ..<37:
            // What is there already is not added, and what is not there not taken away.
            let word = generator.oneIn(4) ? "sauna" : "wifi"
            let isThere = view.sayings.amenities.contains(word)
            let (added, removed) = isThere ? ([], [word]) : ([word], [])
            return (
                .changeAmenities(item.id, added: added, removed: removed),
                .amenities(item: item.name, added: added, removed: removed)
            )
        case ..<39:
            if !view.photos.isEmpty, generator.oneIn(3) {
                let photo = generator.pick(from: view.photos)
                return (
                    .detach(item.id, [photo.id]), .detach(item: item.name, photo: photo.manifest.sharp.width)
                )
            }
            let width = 1 + Int(generator.below(Self.photoCount))
            guard let photo = Self.photo(ofWidth: width) else { return nil }
            return (.attach(item.id, [photo]), .attach(item: item.name, photo: width))
        default:
            let comments = specification.comments.filter { people[id].seen.contains($0.change) }
            guard !comments.isEmpty else { return nil }
            let comment = generator.pick(from: comments)
            return (.removeComments([self.id(of: comment)]), .removeComment(comment))
        }
    }

    /// What a photo is made of: the operations alone are of interest, and nobody asks for its bytes.
    private static func photo(ofWidth width: Int) -> PhotoManifest? {
        let hash = BlobHash(bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: width), count: 32))
        guard let hash, let blob = Blob([0], hash: { _ in hash }),
            let rendition = Rendition(type: .jpeg, width: width, height: 1, blob: blob)
        else { return nil }
        return PhotoManifest(sharp: rendition, card: rendition, thumbnail: rendition)
    }

    /// Somebody takes back what they did last, unless others changed it since; false where there is nothing of the kind.
    mutating func undo(on id: World.NodeID) -> Bool {
        guard people[id].items.count <= Self.itemsMax else { return false }
        let node = world.machines[id].node
        let changes = node.log.graph.changes.indices.filter { node.isShown($0) }
            .compactMap { node.applied($0).tripChange() }
        let me = ParticipantID(people[id].participant)
        guard let undoing = people[id].shown.replica.undoing(lastOf: me, among: changes), undoing.obstacles.isEmpty,
            let change = ledger.indexOf[Bytes32(words: undoing.stamp.hash.words)],
            let content = overwriting(change, on: id) ?? (try? undoing.content())
        else { return false }
        let meaning = TripSpecification.Meaning.undo(change: change)
        note("machine \(id): \(meaning)")
        write(content, meaning, on: id)
        return true
    }
}

extension SeededGenerator {
    /// - Parameter elements: not empty.
    fileprivate mutating func pick<Element>(from elements: [Element]) -> Element {
        elements[Int(below(UInt64(elements.count)))]
    }
}
