import ChangeLog
import Convergence
import DeltaCRDT
import TripModel

/// What an omniscient observer says a trip shows, from what people did and what they had seen when they did it: no dots,
/// no contexts, no merging, and no belief in anything that a change says.
struct TripSpecification {
    /// What somebody did. Items are named by the number of the change that made them.
    enum Meaning {
        case add(fields: [Field: String], quantity: Int64)
        /// - Parameter shown: what its writer was shown of some of the fields: what else stood there stays.
        case edit(item: Int, fields: [Field: String?], shown: [Field: [String]] = [:])
        case remove(item: Int)
        case restore(item: Int)
        case vote(item: Int, Vote?)
        case quantity(item: Int, by: Int64)
        case claim(item: Int, Int64?)
        case comment(item: Int, String)
        case amenities(item: Int, added: [String], removed: [String])
        /// Lists are named by their titles, of which each is made once.
        case addList(String)
        case removeList(String)
        case move(item: Int, list: String?)
        case setTitle(String)
        case setName(String)
    }

    struct Act {
        let change: Int
        let participant: Bytes16
        let meaning: Meaning
        /// The changes that its author held.
        let past: EventSet
        /// What orders it among those that did not know of each other.
        let lamport: UInt64
        let hash: Bytes32
        /// Whether it says something beside its meaning that no version knows.
        var isBeyondAll = false

        func follows(_ other: Act) -> Bool { past.contains(other.change) }

        /// The edits and additions whose values stood at a field where its author looked, and were not shown to them: these
        /// it leaves alone.
        fileprivate(set) var beside: [Field: Set<Int>] = [:]

        func isHigher(than other: Act) -> Bool { (other.lamport, other.hash) < (lamport, hash) }
    }

    private(set) var acts: [Act] = []
    /// The places in `acts` of what concerns an item, by the number of the change that made it.
    private var actsOfItem: [Int: [Int]] = [:]
    private var titles: [Int] = []
    private var names: [Bytes16: [Int]] = [:]
    /// The places in `acts` of what makes and removes a list, and puts something into it.
    private var actsOfList: [String: [Int]] = [:]
    private var itemOrder: [Int] = []
    /// The changes that make an item.
    private(set) var makers = EventSet()
    private(set) var removers = EventSet()
    /// What has no effect at the older version: what that does not know, and all that is done to such an item.
    private var ineffective = EventSet()

    /// - Parameters:
    ///   - shown: the changes that its author's people were shown.
    ///   - version: what those run.
    mutating func add(_ act: Act, shown: EventSet, as version: Version = .newer) {
        let place = acts.count
        var act = act
        act.beside = beside(act.meaning, shown, version)
        let isOnKnown = act.meaning.item.map { !ineffective.contains($0) } ?? true
        if !isOnKnown || !Version.older.knows(act.meaning) { ineffective.insert(act.change) }
        acts.append(act)
        switch act.meaning {
        case .add:
            makers.insert(act.change)
            itemOrder.append(act.change)
            actsOfItem[act.change, default: []].append(place)
        case .addList(let list), .removeList(let list): actsOfList[list, default: []].append(place)
        case .edit(let item, _, _), .remove(let item), .restore(let item), .vote(let item, _), .quantity(let item, _),
            .claim(let item, _), .comment(let item, _), .amenities(let item, _, _), .move(let item, _):
            if case .move(_, let list?) = act.meaning { actsOfList[list, default: []].append(place) }
            if case .remove = act.meaning { removers.insert(act.change) }
            actsOfItem[item, default: []].append(place)
        case .setTitle: titles.append(place)
        case .setName: names[act.participant, default: []].append(place)
        }
    }

    /// What a write leaves alone, at the fields that it writes: what its author was not shown, for their form was opened
    /// before, or for their version cannot show it.
    private func beside(_ meaning: Meaning, _ shown: EventSet, _ version: Version) -> [Field: Set<Int>] {
        var beside: [Field: Set<Int>] = [:]
        func leave(_ field: Field, _ standing: [Standing], _ values: [String]?) {
            let unseen = standing.filter { write in
                !write.isShown || values.map { !$0.contains(write.value ?? "") } ?? false
            }
            if !unseen.isEmpty { beside[field] = Set(unseen.map(\.act.change)) }
        }
        switch meaning {
        case .edit(let item, let fields, let forms):
            for field in fields.keys where version == .older || forms[field] != nil {
                leave(field, standing(at: field, of: item, known(shown, to: version), version), forms[field])
            }
        case .setTitle where version == .older:
            leave(.title, standing(titles, shown, .title, version, write: Self.title), nil)
        default: break
        }
        return beside
    }

    // MARK: - What is shown

    /// Of some changes those that have an effect at a version.
    private func known(_ held: EventSet, to version: Version) -> EventSet {
        version == .older ? held.subtracting(ineffective) : held
    }

    /// Whether the item that a change makes is one to a version.
    func makes(_ change: Int, to version: Version) -> Bool {
        makers.contains(change) && !(version == .older && ineffective.contains(change))
    }

    /// How many changes of each participant say something that is not known to a version.
    func unknownCounts(held: EventSet, as version: Version) -> [Bytes16: Int] {
        var counts: [Bytes16: Int] = [:]
        for act in acts where held.contains(act.change) && (act.isBeyondAll || version.misses(act.meaning)) {
            counts[act.participant, default: 0] += 1
        }
        return counts
    }

    private static func title(_ meaning: Meaning) -> String?? {
        if case .setTitle(let title) = meaning { .some(title) } else { nil }
    }

    /// One line for the trip, one for each name, one for each item: to those who hold some changes.
    func lines(held: EventSet, as version: Version = .newer) -> [String] {
        let held = known(held, to: version)
        var lines = ["title \(shown(titles, held, version, write: Self.title))"]
        for participant in names.keys.sorted() {
            let last = (names[participant] ?? []).map { acts[$0] }.filter { held.contains($0.change) }
                .max { $1.isHigher(than: $0) }
            if let last, case .setName(let name) = last.meaning { lines.append("name \(participant.low) \(name)") }
        }
        for item in itemOrder where held.contains(item) { lines.append(line(of: item, held, version)) }
        let lists = actsOfList.keys.filter { list in made(list, held) }
        for list in lists.sorted() { lines.append("\(exists(list, held) ? "list" : "removed list") \(list)") }
        return lines
    }

    private func line(of item: Int, _ held: EventSet, _ version: Version) -> String {
        let places = (actsOfItem[item] ?? []).filter { held.contains(acts[$0].change) }
        let removes = places.map { acts[$0] }.filter { if case .remove = $0.meaning { true } else { false } }
        let exists = places.map { acts[$0] }.contains { touch in
            if case .remove = touch.meaning { return false }
            return !removes.contains { $0.follows(touch) }
        }
        var line = "\(exists ? "item" : "removed") \(item)"
        for field in Field.allCases where version.knows(field) {
            var seen: Set<String> = []
            let values = standing(at: field, of: item, held, version).filter(\.isShown).compactMap(\.value)
                .filter { seen.insert($0).inserted }
            if !values.isEmpty { line += " \(field.name)=\(values)" }
        }
        line += votes(places)
        let quantities = places.compactMap { place -> Int64? in
            switch acts[place].meaning {
            case .add(_, let quantity): quantity == 0 ? nil : quantity
            case .quantity(_, let step): step
            default: nil
            }
        }
        return line + (quantities.isEmpty ? "" : " ×\(quantities.reduce(0, +))") + sayings(places, held)
    }

    private func made(_ list: String, _ held: EventSet) -> Bool {
        (actsOfList[list] ?? []).contains { place in
            guard held.contains(acts[place].change), case .addList = acts[place].meaning else { return false }
            return true
        }
    }

    private func exists(_ list: String, _ held: EventSet) -> Bool {
        let known = (actsOfList[list] ?? []).map { acts[$0] }.filter { held.contains($0.change) }
        let removes = known.filter { if case .removeList = $0.meaning { true } else { false } }
        return known.contains { touch in
            switch touch.meaning {
            case .removeList: return false
            case .move(let item, _) where !held.contains(item): return false
            default: break
            }
            return !removes.contains { $0.follows(touch) }
        }
    }

    /// In which list an item is, who brings it, what is there, and what people say of it.
    private func sayings(_ places: [Int], _ held: EventSet) -> String {
        let acts = places.map { self.acts[$0] }.sorted { $1.isHigher(than: $0) }
        var list: String?
        var claims: [Bytes16: Int64] = [:]
        var comments = ""
        var words: [String: Bool] = [:]
        for act in acts {
            switch act.meaning {
            case .move(_, let to): list = to
            case .claim(_, let count): claims[act.participant] = count
            case .comment(_, let text): comments += " said \(text)"
            case .amenities(_, let added, _):
                for word in added {
                    let isGone = acts.contains { other in
                        guard case .amenities(_, _, let removed) = other.meaning else { return false }
                        return removed.contains(word) && other.follows(act)
                    }
                    words[word] = words[word] ?? false || !isGone
                }
            default: continue
            }
        }
        return (list.map { made($0, held) && exists($0, held) ? " in \($0)" : "" } ?? "")
            + claims.sorted { $0.key < $1.key }.map { " \($0.key.low) brings \($0.value)" }.joined()
            + words.filter(\.value).keys.sorted().map { " has \($0)" }.joined() + comments
    }

    private func votes(_ places: [Int]) -> String {
        var last: [Bytes16: (act: Act, vote: Vote?)] = [:]
        for place in places {
            guard case .vote(_, let vote) = acts[place].meaning else { continue }
            let act = acts[place]
            if let other = last[act.participant], other.act.isHigher(than: act) { continue }
            last[act.participant] = (act, vote)
        }
        return last.keys.sorted().compactMap { participant in
            last[participant]?.vote.map { " \(participant.low):\($0.name)" }
        }.joined()
    }

    /// The values that stand, highest first, each once.
    private func shown(
        _ places: [Int], _ held: EventSet, _ version: Version, write: (Meaning) -> String??
    ) -> [String] {
        var seen: Set<String> = []
        return standing(places, held, .title, version, write: write).filter(\.isShown).compactMap(\.value)
            .filter { seen.insert($0).inserted }
    }

    /// A write that stands, and whether a version can show it.
    private typealias Standing = (act: Act, value: String?, isShown: Bool)

    /// The writes that no write that knew of them has replaced, highest first. A write is `.some`; one that clears is
    /// `.some(nil)`. What cannot be shown replaces nothing that can.
    private func standing(
        _ places: [Int], _ held: EventSet, _ field: Field, _ version: Version, write: (Meaning) -> String??
    ) -> [Standing] {
        let writes = places.compactMap { place -> Standing? in
            let act = acts[place]
            guard held.contains(act.change), let value = write(act.meaning) else { return nil }
            return (act, value, version.shows(value, at: field))
        }
        let alive = writes.filter { one in
            !writes.contains { other in
                other.act.follows(one.act) && (other.isShown || !one.isShown)
                    && !(other.act.beside[field]?.contains(one.act.change) ?? false)
            }
        }
        return alive.sorted { $0.act.isHigher(than: $1.act) }.filter { $0.value != nil }
    }

    /// The writes that stand at a field of an item.
    private func standing(at field: Field, of item: Int, _ held: EventSet, _ version: Version) -> [Standing] {
        standing(actsOfItem[item] ?? [], held, field, version) { meaning in
            switch meaning {
            case .add(let fields, _): fields[field].map { .some($0) }
            case .edit(_, let fields, _): fields[field]
            default: nil
            }
        }
    }

    /// A view in the same form; items that nobody is known to have made are named by their own id.
    static func lines(of view: TripView, itemNumbers: [ItemID: Int]) -> [String] {
        func values(_ field: FieldView?) -> [String] {
            field.map { [$0.value] + $0.alternatives.map(\.value) } ?? []
        }
        var lines = ["title \(values(view.title))"]
        for person in view.participants.sorted(by: { $0.id < $1.id }) {
            if let name = person.name { lines.append("name \(person.id.low) \(name)") }
        }
        let items = (view.items + view.removedItems).map { (number: itemNumbers[$0.id] ?? -1, item: $0) }
        for (number, item) in items.sorted(by: { $0.number < $1.number }) {
            var line = "\(item.isRemoved ? "removed" : "item") \(number)"
            for field in Field.allCases {
                let values = values(item.fields[field])
                if !values.isEmpty { line += " \(field.name)=\(values)" }
            }
            for vote in item.votes.sorted(by: { $0.participant < $1.participant }) {
                line += " \(vote.participant.low):\(vote.vote.name)"
            }
            let sayings = item.sayings
            let claims = sayings.claims.sorted { $0.participant < $1.participant }
            lines.append(
                line + (item.quantity.map { " ×\($0)" } ?? "") + (sayings.list.map { " in \($0.title)" } ?? "")
                    + claims.map { " \($0.participant.low) brings \($0.count)" }.joined()
                    + sayings.amenities.map { " has \($0)" }.joined()
                    + sayings.comments.map { " said \($0.text)" }.joined())
        }
        for list in (view.lists + view.removedLists).sorted(by: { $0.title < $1.title }) {
            lines.append("\(list.isRemoved ? "removed list" : "list") \(list.title)")
        }
        return lines
    }
}
