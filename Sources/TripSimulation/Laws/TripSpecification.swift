import ChangeLog
import Convergence
import DeltaCRDT
import TripModel

/// What an omniscient observer says a trip shows, from what people did and what they had seen when they did it: no dots,
/// no contexts, no merging, and no belief in anything that a change says. The rules are those of Documentation/Content.md.
struct TripSpecification {
    /// An item, a list or a comment.
    struct Name: Hashable {
        /// The change that made it.
        let change: Int
        /// How many items and lists the change made before it.
        var index = 0
    }

    struct Draft {
        var fields: [Field: String]
        var quantity: Int64 = 0
    }

    struct Act {
        let change: Int
        let participant: Bytes32
        let meaning: Meaning
        /// The changes on which it stands.
        let past: EventSet
        /// What orders it among those that did not know of each other.
        let lamport: UInt64
        let hash: Bytes32
        /// Whether it says something beside its meaning that no version knows.
        var isBeyondAll = false
    }

    /// One thing that an act did.
    struct Deed {
        let act: Act
        /// How many deeds of the act come before it.
        let index: Int
        let kind: Kind

        /// Names the deed.
        struct ID: Hashable {
            let change: Int
            let index: Int
        }

        enum Kind {
            case makeItem(Name, Position?)
            case makeList(Name)
            case makeComment(Name, of: Name, String)
            /// Of an item or a list; of the trip where there is no name. Nil clears.
            case write(Name?, Field, String?, siblings: Set<ID>)
            case remove(Name)
            case restore(Name)
            case vote(Name, Vote?)
            case step(Name, Int64)
            case claim(Name, Int64?)
            case attend(Name, Attendance?)
            case answer(Name, Answer?)
            /// A commitment stands for what it is to: nothing but that is asked of it.
            case seal(Name, [UInt8], Answer)
            /// Closes a hidden question: the answers that count.
            case close(Name, [Bytes32: ID])
            /// - closing: the change that closed the question.
            case reveal(Name, [UInt8], closing: Int?)
            case options(Name, added: [String], removed: [String])
            case amenities(Name, added: [String], removed: [String])
            /// Of an item; of the trip where there is no name.
            case note(Name?, SpecifiedNote.Edit)
            case place(Name, Position)
            case attach(Name, photo: Int)
            case detach(Name, Set<ID>)
            case name(String)
        }

        var id: ID { ID(change: act.change, index: index) }

        var makesItem: Bool { if case .makeItem = kind { true } else { false } }

        func makes(_ name: Name) -> Bool {
            switch kind {
            case .makeItem(name, _), .makeList(name), .makeComment(name, _, _): true
            default: false
            }
        }

        func follows(_ other: Deed) -> Bool {
            act.change == other.act.change ? other.index < index : act.past.contains(other.act.change)
        }

        func isHigher(than other: Deed) -> Bool {
            (other.act.lamport, other.act.hash, other.index) < (act.lamport, act.hash, index)
        }
    }

    /// Beside what an item was put.
    struct Position {
        let list: Name?
        var anchor: Deed.ID?
        var isBefore = false
    }

    private(set) var deeds: [Deed] = []
    /// The places in `deeds` of what is done to an item, a list or a comment; to the trip where there is no name.
    private var deedsOf: [Name?: [Int]] = [:]
    private var deedsOfChange: [Int: Range<Int>] = [:]
    private var names: [Bytes32: [Int]] = [:]
    private var placements: [Int] = []
    /// In the order in which they were made.
    private(set) var items: [Name] = []
    private(set) var lists: [Name] = []
    private(set) var comments: [Name] = []
    private var commentsOf: [Name: [Name]] = [:]
    private(set) var removers = EventSet()
    private var acts: [Act] = []
    /// The items that were made with a cost, and those that were made as a payment.
    private(set) var costs: Set<Name> = []
    private(set) var payments: Set<Name> = []
    /// The items that were made as a question.
    private(set) var questions: Set<Name> = []
    private(set) var hiddenQuestions: Set<Name> = []
    /// What has no effect at the older version: what that does not know, and all that is done to such a thing.
    private var ineffective = EventSet()

    /// - Parameters:
    ///   - shown: the changes that its author's people were shown.
    ///   - upheld: of these, those that made what others act on, and do nothing else.
    ///   - version: what those run.
    mutating func add(_ act: Act, shown: EventSet, upheld: EventSet = EventSet(), as version: Version = .newer) {
        let start = deeds.count
        let kinds = kinds(of: act, known(shown, to: version), upheld, version)
        for (index, kind) in kinds.enumerated() { note(Deed(act: act, index: index, kind: kind)) }
        deedsOfChange[act.change] = start..<deeds.count
        acts.append(act)
        let isOnKnown = act.meaning.target.map { !ineffective.contains($0.change) } ?? true
        if !isOnKnown || !Version.older.knows(act.meaning) { ineffective.insert(act.change) }
    }

    /// What somebody wishes for: what they added and nobody of their devices, having seen that, took away. Sorted.
    func wishes(of participant: Bytes32, _ held: EventSet) -> [String] {
        var wishes: Set<String> = []
        var taken: [String: EventSet] = [:]
        for act in acts.reversed() where act.participant == participant && held.contains(act.change) {
            switch act.meaning {
            case .unwish(let title): taken[title, default: EventSet()].formUnion(act.past)
            case .wish(let title): if taken[title]?.contains(act.change) != true { wishes.insert(title) }
            default: break
            }
        }
        return wishes.sorted()
    }

    // MARK: - Versions

    /// Of some changes those that have an effect at a version.
    func known(_ held: EventSet, to version: Version) -> EventSet {
        version == .older ? held.subtracting(ineffective) : held
    }

    /// How many changes of each participant say something that is not known to a version.
    func unknownCounts(held: EventSet, as version: Version) -> [Bytes32: Int] {
        var counts: [Bytes32: Int] = [:]
        for act in acts where held.contains(act.change) && (act.isBeyondAll || version.misses(act.meaning)) {
            counts[act.participant, default: 0] += 1
        }
        return counts
    }

    private mutating func note(_ deed: Deed) {
        let place = deeds.count
        deeds.append(deed)
        switch deed.kind {
        case .makeItem(let item, let position):
            items.append(item)
            placements.append(place)
            deedsOf[item, default: []].append(place)
            if let list = position?.list { deedsOf[list, default: []].append(place) }
        case .makeList(let list):
            lists.append(list)
            deedsOf[list, default: []].append(place)
        case .makeComment(let comment, let item, _):
            comments.append(comment)
            commentsOf[item, default: []].append(comment)
            deedsOf[comment, default: []].append(place)
            deedsOf[item, default: []].append(place)
        case .write(let name, let field, let value, _):
            deedsOf[name, default: []].append(place)
            if let name, field == .cost { costs.insert(name) }
            if let name, field == .payment { payments.insert(name) }
            if let name, field == .question { questions.insert(name) }
            if let name, field == .question, value?.hasSuffix(" hidden") ?? false { hiddenQuestions.insert(name) }
        case .note(let name, _): deedsOf[name, default: []].append(place)
        case .place(let item, let position):
            placements.append(place)
            deedsOf[item, default: []].append(place)
            if let list = position.list { deedsOf[list, default: []].append(place) }
        case .remove(let name):
            removers.insert(deed.act.change)
            deedsOf[name, default: []].append(place)
        case .restore(let name), .vote(let name, _), .step(let name, _), .claim(let name, _), .attend(let name, _),
            .answer(let name, _), .seal(let name, _, _), .close(let name, _), .reveal(let name, _, _),
            .options(let name, _, _),
            .amenities(let name, _, _), .attach(let name, _), .detach(let name, _):
            deedsOf[name, default: []].append(place)
        case .name: names[deed.act.participant, default: []].append(place)
        }
    }

    // MARK: - What was done

    /// What a change did, as far as it is known.
    func deeds(ofChange change: Int) -> ArraySlice<Deed> { deeds[deedsOfChange[change] ?? 0..<0] }

    /// What was done to an item, a list or a comment, by those of some changes; to the trip where there is no name.
    func deeds(of name: Name?, _ held: EventSet) -> [Deed] {
        (deedsOf[name] ?? []).map { deeds[$0] }.filter { held.contains($0.act.change) }
    }

    /// Of what does not count, the changes that made an item or a list on which one that counts acts.
    func upheld(by effective: EventSet) -> EventSet {
        var upheld = EventSet()
        for (name, places) in deedsOf {
            guard let name, !effective.contains(name.change), !commentsOf.values.joined().contains(name) else {
                continue
            }
            if places.contains(where: { effective.contains(deeds[$0].act.change) }) { upheld.insert(name.change) }
        }
        // A hidden question stays closed where others revealed their answers since, and words stay where others wrote beside them.
        for deed in deeds where effective.contains(deed.act.change) {
            if case .note(_, let edit) = deed.kind {
                for neighbor in edit.neighbors where !effective.contains(neighbor.change) {
                    upheld.insert(neighbor.change)
                }
            }
            if case .reveal(_, _, let closing?) = deed.kind, !effective.contains(closing) { upheld.insert(closing) }
        }
        return upheld
    }

    /// What put an item anywhere, by those of some changes, oldest first.
    func placements(_ held: EventSet) -> [Deed] {
        placements.map { deeds[$0] }.filter { held.contains($0.act.change) }
    }

    /// The items that a change made, to a version.
    func items(madeBy change: Int, to version: Version) -> [Name] {
        guard version == .newer || !ineffective.contains(change) else { return [] }
        return deeds(ofChange: change).compactMap { if case .makeItem(let item, _) = $0.kind { item } else { nil } }
    }

    func comments(of item: Name) -> [Name] { commentsOf[item] ?? [] }

    /// Who made an item, a list or a comment.
    func author(of name: Name) -> Bytes32? { deeds(ofChange: name.change).first?.act.participant }

    /// What each participant called themselves last.
    func names(_ held: EventSet) -> [(participant: Bytes32, name: String)] {
        names.keys.sorted().compactMap { participant in
            let own = (names[participant] ?? []).map { deeds[$0] }.filter { held.contains($0.act.change) }
            guard let last = own.max(by: { $1.isHigher(than: $0) }), case .name(let name) = last.kind else {
                return nil
            }
            return (participant, name)
        }
    }

    // MARK: - What holds

    /// Whether something is there: something was done to it that no removal with that in its past took away.
    func exists(_ name: Name, _ order: SpecifiedOrder) -> Bool {
        let all = deeds(of: name, order.held)
        let recorder = isPayment(name) ? author(of: name) : nil
        let known = recorder.map { recorder in all.filter { $0.act.participant == recorder } } ?? all
        let removes = known.filter { if case .remove = $0.kind { true } else { false } }
        return known.contains { touch in
            if order.upheld.contains(touch.act.change), touch.makes(name) || !touch.makesItem { return false }
            switch touch.kind {
            case .remove, .reveal: return false
            // What could not be put anywhere holds nothing up.
            case .place where order.node(touch.id) == nil: return false
            case .makeItem(let item, _) where item != name && order.node(touch.id)?.position.list != name: return false
            default: return !removes.contains { $0.follows(touch) }
            }
        }
    }

    /// The same of a comment: nobody but its author takes it away, or brings it back.
    func existsComment(_ name: Name, _ held: EventSet) -> Bool {
        let own = deeds(of: name, held).filter { $0.act.participant == author(of: name) }
        let removes = own.filter { if case .remove = $0.kind { true } else { false } }
        return own.contains { touch in
            if case .remove = touch.kind { return false }
            return !removes.contains { $0.follows(touch) }
        }
    }

    /// The writes of a field that no write that knew of them has replaced, highest first, and whether a version can show them;
    /// not those that clear. What cannot be shown replaces nothing that can.
    func standing(
        _ field: Field, of name: Name?, _ held: EventSet, as version: Version = .newer
    ) -> [(deed: Deed, value: String, isShown: Bool)] {
        typealias Write = (deed: Deed, value: String?, isShown: Bool, siblings: Set<Deed.ID>)
        let writes = deeds(of: name, held).compactMap { deed -> Write? in
            if case .close = deed.kind, field == .done, isClosing(deed) { return (deed, Field.setValue, true, []) }
            guard case .write(_, field, let value, let siblings) = deed.kind else { return nil }
            if field == .done, name.map(hiddenQuestions.contains) ?? false { return nil }
            return (deed, value, version.shows(value, at: field), siblings)
        }
        let alive = writes.filter { one in
            !writes.contains {
                $0.deed.follows(one.deed) && ($0.isShown || !one.isShown) && !$0.siblings.contains(one.deed.id)
            }
        }
        return alive.compactMap { write in write.value.map { (write.deed, $0, write.isShown) } }
            .sorted { $0.deed.isHigher(than: $1.deed) }
    }

    /// What a field shows: the values that stand, highest first, each once.
    func values(_ field: Field, of name: Name?, _ held: EventSet, as version: Version = .newer) -> [String] {
        if field == .note, let name, items.contains(name) { return note(of: name, held) }
        var seen: Set<String> = []
        return standing(field, of: name, held, as: version).filter(\.isShown).map(\.value)
            .filter { seen.insert($0).inserted }
    }

    /// The last vote of each participant, or what they bring, or whether they are going: nil where they took it back.
    func last<Word>(of name: Name, _ held: EventSet, word: (Deed.Kind) -> Word??) -> [Bytes32: (
        deed: Deed, word: Word?
    )] {
        var last: [Bytes32: (deed: Deed, word: Word?)] = [:]
        for deed in deeds(of: name, held) {
            guard let said = word(deed.kind) else { continue }
            if let other = last[deed.act.participant], other.deed.isHigher(than: deed) { continue }
            last[deed.act.participant] = (deed, said)
        }
        return last
    }

    func votes(on item: Name, _ held: EventSet) -> [Bytes32: (deed: Deed, word: Vote?)] {
        last(of: item, held) { if case .vote(_, let vote) = $0 { .some(vote) } else { nil } }
    }

    func claims(of item: Name, _ held: EventSet) -> [Bytes32: (deed: Deed, word: Int64?)] {
        last(of: item, held) { if case .claim(_, let count) = $0 { .some(count) } else { nil } }
    }

    func attendance(of item: Name, _ held: EventSet) -> [Bytes32: (deed: Deed, word: Attendance?)] {
        last(of: item, held) { if case .attend(_, let attendance) = $0 { .some(attendance) } else { nil } }
    }

    /// The sum of all steps; nil where nobody ever counted, or took back every step.
    func quantity(of item: Name, _ held: EventSet) -> Int64? {
        var (sum, standing): (Int64, Int) = (0, 0)
        for deed in deeds(of: item, held) {
            guard case .step(_, let step) = deed.kind else { continue }
            sum += step
            if case .undo = deed.act.meaning { standing -= 1 } else { standing += 1 }
        }
        return sum == 0 && standing <= 0 ? nil : sum
    }

    /// The words that somebody added and nobody who knew of that took away.
    func amenities(of item: Name, _ held: EventSet) -> Set<String> {
        words(of: item, held) { if case .amenities(_, let added, let removed) = $0 { (added, removed) } else { nil } }
    }

    func words(
        of item: Name, _ held: EventSet, _ said: (Deed.Kind) -> (added: [String], removed: [String])?
    ) -> Set<String> {
        let known = deeds(of: item, held).compactMap { deed in said(deed.kind).map { (deed: deed, said: $0) } }
        var words: Set<String> = []
        for add in known {
            for word in add.said.added {
                let isGone = known.contains { $0.said.removed.contains(word) && $0.deed.follows(add.deed) }
                if !isGone { words.insert(word) }
            }
        }
        return words
    }

    /// The deeds that attached photos that nothing took away, as they came.
    func photos(of item: Name, _ held: EventSet) -> [(deed: Deed, photo: Int)] {
        let known = deeds(of: item, held)
        let gone = known.reduce(into: Set<Deed.ID>()) { gone, deed in
            if case .detach(_, let attached) = deed.kind { gone.formUnion(attached) }
        }
        return known.compactMap { deed -> (deed: Deed, photo: Int)? in
            guard case .attach(_, let photo) = deed.kind, !gone.contains(deed.id) else { return nil }
            return (deed, photo)
        }.sorted { $1.deed.isHigher(than: $0.deed) }
    }
}

extension TripSpecification.Name: Comparable, CustomStringConvertible {
    static func < (left: Self, right: Self) -> Bool { (left.change, left.index) < (right.change, right.index) }

    var description: String { index == 0 ? "\(change)" : "\(change).\(index)" }
}
