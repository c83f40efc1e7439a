import Attachments
import TripFixtures

@testable import TripModel

/// What an omniscient observer says the trip shows, from the happened-before relation alone: no indices, no branches, no
/// folding. It reads contents as the model does, and nothing else of it.
struct Specification {
    /// An operation: the position of its change in the log, how many come before it in that, and how many writes in it.
    struct Moment: Hashable {
        let entry: Int
        let index: OperationIndex
        var write = 0
    }

    struct Write {
        let moment: Moment
        let value: FieldWrite.Value
        var siblings: Set<OperationID> = []
    }

    struct Item {
        let maker: Moment
        var touches: [Moment] = []
        var removes: [Moment] = []
        var writes: [Field: [Write]] = [:]
        var votes: [ParticipantID: [(moment: Moment, vote: Vote?)]] = [:]
        /// What was counted, and by how many steps that nobody took back.
        var counted: (sum: Int64, steps: Int) = (0, 0)
        var quantity: Int64? { counted.sum == 0 && counted.steps <= 0 ? nil : counted.sum }
        var claims: [ParticipantID: [(moment: Moment, count: Int64?)]] = [:]
        var attendance: [ParticipantID: [(moment: Moment, answer: Attendance?)]] = [:]
        var answers: [ParticipantID: [(moment: Moment, answer: Answer?)]] = [:]
        /// To a hidden question; nil for what takes one back.
        var seals: [ParticipantID: [(moment: Moment, commitment: [UInt8]?)]] = [:]
        var reveals: [ParticipantID: [(moment: Moment, commitment: [UInt8], answer: Answer)]] = [:]
        var closings: [[ParticipantID: OperationID]] = []
        var addedOptions: [Text: [Moment]] = [:]
        var removedOptions: [Text: [Moment]] = [:]
        var added: [Text: [Moment]] = [:]
        var removed: [Text: [Moment]] = [:]
        var placements: [Node] = []
        var note = NoteTree()
        var photos: [(moment: Moment, manifest: PhotoManifest)] = []
        var detached: [(moment: Moment, photo: OperationID)] = []
    }

    /// An operation that put an item somewhere.
    struct Node {
        let moment: Moment
        let item: ItemID
        let list: OperationID?
        let anchor: OperationID?
        let side: Position.Side
    }

    private struct Comment {
        let moment: Moment
        let item: ItemID
        let text: String
        var touches: [Moment]
        var removes: [Moment] = []
    }

    private var lists: [OperationID: Item] = [:]
    private var comments: [OperationID: Comment] = [:]
    private var nodes: [OperationID: Node] = [:]
    let log: [World.Entry]
    var items: [ItemID: Item] = [:]
    private var titles: [Write] = []
    private var note = NoteTree()
    private var names: [ParticipantID: [(moment: Moment, name: String)]] = [:]

    /// - Parameter held: the indices in the log of the changes to speak of; by default all.
    init(log: [World.Entry], held: Set<Int>? = nil, vocabulary: Vocabulary = .current) {
        self.log = log
        for (entry, written) in log.enumerated() where held?.contains(entry) ?? true {
            for (index, operation) in TripContent(written.content, vocabulary: vocabulary).operations.enumerated() {
                read(operation, Moment(entry: entry, index: OperationIndex(index)))
            }
        }
    }

    func hasSeen(_ earlier: Moment, _ later: Moment) -> Bool {
        earlier.entry == later.entry
            ? (earlier.index, earlier.write) < (later.index, later.write)
            : log[later.entry].past.contains(earlier.entry)
    }

    func operation(_ reference: OperationReference, at moment: Moment) -> OperationID {
        switch reference {
        case .here(let index): log[moment.entry].operation(index)
        case .there(let operation): operation
        }
    }

    private func write(_ write: FieldWrite, _ moment: Moment) -> Write {
        Write(moment: moment, value: write.value, siblings: Set(write.siblings.map { operation($0, at: moment) }))
    }

    private mutating func read(_ operation: Operation, _ moment: Moment) {
        let author = log[moment.entry].participant
        switch operation {
        case .setTitle(let title): titles.append(write(title, moment))
        case .editNote(let edit): note = read(edit, moment, in: note)
        case .setName(let name): names[author, default: []].append((moment, name.string))
        case .add(let fields, let quantity, let position):
            // A payment that is none of its author's is no part of the item.
            let own = fields.filter { field in
                let payment = field.value.flatMap { Cost($0.string) }?.payment
                return field.field != .payment || payment?.from == author || payment?.to == author
            }
            var item = made(own, moment)
            if quantity != 0 { item.counted = (quantity, 1) }
            if let first = item.writes.removeValue(forKey: .note)?.first { read(first, in: &item.note) }
            let name = log[moment.entry].operation(moment.index)
            items[ItemID(operation: name)] = item
            if position.map({ place(ItemID(operation: name), $0, moment) }) != true {
                nodes[name] = Node(moment: moment, item: ItemID(operation: name), list: nil, anchor: nil, side: .behind)
            }
        case .addList(let fields): lists[log[moment.entry].operation(moment.index)] = made(fields, moment)
        case .item(let reference, let deed):
            let name = self.operation(reference, at: moment)
            let id = ItemID(operation: name)
            if let item = items[id] {
                if hasSeen(item.maker, moment) { read(deed, on: id, moment, by: author) }
            } else if let list = lists[name] {
                if hasSeen(list.maker, moment) { read(deed, onList: name, moment) }
            } else if let comment = comments[name], hasSeen(comment.moment, moment),
                log[comment.moment.entry].participant == author
            {
                if deed == .remove { comments[name]?.removes.append(moment) }
                if deed == .restore { comments[name]?.touches.append(moment) }
            }
        case .undo, .own, .ineffective: break
        }
    }

    private func made(_ fields: [FieldValue], _ moment: Moment) -> Item {
        var item = Item(maker: moment, touches: [moment])
        for entry in fields {
            item.writes[entry.field] = [Write(moment: moment, value: entry.value.map { .text($0) } ?? .unknown)]
        }
        // A hidden question begins open.
        if case .text(let text)? = item.writes[.question]?.first?.value, text.string.hasSuffix(" hidden") {
            item.writes[.done] = nil
        }
        return item
    }

    /// Whether the change of an operation says first that it takes another one back.
    private func isUndo(_ moment: Moment) -> Bool {
        if case .undo? = TripContent(log[moment.entry].content).operations.first { true } else { false }
    }

    private mutating func read(_ deed: ItemOperation, onList list: OperationID, _ moment: Moment) {
        switch deed {
        case .remove: lists[list]?.removes.append(moment)
        case .restore: lists[list]?.touches.append(moment)
        case .edit(let writes):
            lists[list]?.touches.append(moment)
            for (number, entry) in writes.enumerated() {
                let write = write(entry, Moment(entry: moment.entry, index: moment.index, write: number))
                lists[list]?.writes[entry.field, default: []].append(write)
            }
        default: break
        }
    }

    /// Puts an item somewhere; false where it names a list that its author had not seen.
    private mutating func place(_ item: ItemID, _ position: Position, _ moment: Moment) -> Bool {
        let list = position.list.map { operation($0, at: moment) }
        let named = position.anchor.map { operation($0, at: moment) }
        if let list { guard let known = lists[list], hasSeen(known.maker, moment) else { return false } }
        let anchor = named.flatMap { name in
            nodes[name].map { $0.list == list && hasSeen($0.moment, moment) } == true ? name : nil
        }
        let node = Node(moment: moment, item: item, list: list, anchor: anchor, side: position.side)
        nodes[log[moment.entry].operation(moment.index)] = node
        items[item]?.placements.append(node)
        if let list { lists[list]?.touches.append(moment) }
        return true
    }

    private mutating func read(_ deed: ItemOperation, on item: ItemID, _ moment: Moment, by author: ParticipantID) {
        // A payment is there as the person who recorded it has it.
        let holds = items[item].map { $0.writes[.payment] == nil || log[$0.maker.entry].participant == author } ?? false
        guard deed != .remove else {
            if holds { items[item]?.removes.append(moment) }
            return
        }
        if case .place(let position) = deed, !place(item, position, moment) { return }
        if case .reveal = deed {
            if isHidden(item) { readHidden(deed, on: item, moment, by: author) }
            return
        }
        if holds { items[item]?.touches.append(moment) }
        switch deed {
        case .remove, .restore, .place: break
        case .claim(let claim):
            items[item]?.claims[author, default: []].append((moment, claim.map { Int64($0.count) }))
        case .attend(let answer): items[item]?.attendance[author, default: []].append((moment, answer))
        case .comment(let text):
            let name = log[moment.entry].operation(moment.index)
            comments[name] = Comment(moment: moment, item: item, text: text.string, touches: [moment])
        case .amenities(let added, let removed):
            for word in removed { items[item]?.removed[word, default: []].append(moment) }
            for word in added { items[item]?.added[word, default: []].append(moment) }
        // Only what was made as a question is answered.
        case .answer where items[item]?.writes[.question] == nil: break
        case .options where items[item]?.writes[.question] == nil: break
        case .answer(let answer) where isHidden(item):
            if answer == nil { items[item]?.seals[author, default: []].append((moment, nil)) }
        case .seal, .close, .reveal: if isHidden(item) { readHidden(deed, on: item, moment, by: author) }
        case .answer(let answer): items[item]?.answers[author, default: []].append((moment, answer))
        case .options(let added, let removed):
            for word in removed { items[item]?.removedOptions[word, default: []].append(moment) }
            for word in added { items[item]?.addedOptions[word, default: []].append(moment) }
        case .vote(let vote): items[item]?.votes[author, default: []].append((moment, vote))
        case .changeQuantity(let step):
            let standing = isUndo(moment) ? -1 : 1
            items[item]?.counted.sum += step
            items[item]?.counted.steps += standing
        case .attach(let photo): items[item]?.photos.append((moment, photo))
        case .detach(let photo):
            let photo = operation(photo, at: moment)
            items[item]?.detached.append((moment, photo))
        // A payment is written once.
        case .edit where items[item]?.writes[.payment] != nil: break
        case .editNote where items[item]?.writes[.payment] != nil: break
        case .editNote(let edit):
            let note = read(edit, moment, in: items[item]?.note ?? NoteTree())
            items[item]?.note = note
        case .edit(let writes):
            for (number, entry) in writes.enumerated() where entry.field != .payment && entry.field != .question {
                let write = write(entry, Moment(entry: moment.entry, index: moment.index, write: number))
                if entry.field == .done, isHidden(item) { continue }
                if entry.field == .note {
                    // Of several the last that can be read counts.
                    let later = writes.dropFirst(number + 1)
                    if later.contains(where: { $0.field == .note && $0.value != .unknown }) { continue }
                    // As one operation writes: it names no write of its own.
                    var note = items[item]?.note ?? NoteTree()
                    read(Write(moment: moment, value: write.value, siblings: write.siblings), in: &note)
                    items[item]?.note = note
                    continue
                }
                items[item]?.writes[entry.field, default: []].append(write)
            }
        }
    }

    private func isHidden(_ item: ItemID) -> Bool {
        guard case .text(let text)? = items[item]?.writes[.question]?.first?.value else { return false }
        return text.string.hasSuffix(" hidden")
    }

    /// The whole trip as text, to compare with `describe(_:)` of a view.
    var description: [String] {
        var lines = ["title \(shown(titles))", "note \(note.shown)"]
        for id in names.keys.sorted() {
            let last = (names[id] ?? []).max { isLower($0.moment, $1.moment) }
            lines.append("name \(id.low) \(last?.name ?? "")")
        }
        for (id, item) in items.sorted(by: { isLower($0.value.maker, $1.value.maker) }) {
            let exists = item.touches.contains { touch in !item.removes.contains { hasSeen(touch, $0) } }
            var line = "\(exists ? "item" : "removed") \(id)"
            for field in Field.allCases {
                line += " \(field.name)=\(field == .note ? item.note.shown : shown(item.writes[field] ?? []))"
            }
            for participant in item.votes.keys.sorted() {
                let last = (item.votes[participant] ?? []).max { isLower($0.moment, $1.moment) }
                if let vote = last?.vote { line += " \(participant.low):\(vote.name)" }
            }
            lines.append(line + " ×\(item.quantity.map(String.init) ?? "-")" + sayings(id, item) + photos(of: item))
        }
        let made = lists.sorted { isLower($0.value.maker, $1.value.maker) }
        for (name, list) in made.filter({ exists($0.value) }) + made.filter({ !exists($0.value) }) {
            lines.append(
                "\(exists(list) ? "list" : "removed list") \(shown(list.writes[.title] ?? [])) \(order(of: name))")
        }
        lines.append("unlisted \(order(of: nil))")
        return lines
    }

    private func exists(_ item: Item) -> Bool {
        item.touches.contains { touch in !item.removes.contains { hasSeen(touch, $0) } }
    }

    private func sayings(_ id: ItemID, _ item: Item) -> String {
        var line = ""
        let last = item.placements.max { isLower($0.moment, $1.moment) }
        if let list = last?.list, let known = lists[list], exists(known) {
            line += " in \(shown(known.writes[.title] ?? []).first ?? "")"
        }
        for participant in item.claims.keys.sorted() {
            let last = (item.claims[participant] ?? []).max { isLower($0.moment, $1.moment) }
            if let count = last?.count { line += " \(participant.low) brings \(count)" }
        }
        for participant in item.attendance.keys.sorted() {
            let last = (item.attendance[participant] ?? []).max { isLower($0.moment, $1.moment) }
            if let answer = last?.answer { line += " \(participant.low) \(answer.name)" }
        }
        for word in standing(item.added, item.removed) { line += " has \(word.string)" }
        for option in optionsAsAdded(item) { line += " option \(option.string)" }
        line += hiddenAnswers(item)
        let closings = alive(item.writes[.done] ?? []).filter { if case .text = $0.value { true } else { false } }
        for participant in item.answers.keys.sorted() {
            let all = (item.answers[participant] ?? []).sorted { isLower($0.moment, $1.moment) }
            let counted = all.last { answer in !closings.contains { hasSeen($0.moment, answer.moment) } }
            let isLate = counted.map { $0.moment != all.last?.moment } ?? true
            line += Self.words(participant, counted?.answer, isLate ? all.last?.answer : nil)
        }
        for comment in comments.values.filter({ $0.item == id }).sorted(by: { isLower($0.moment, $1.moment) })
        where comment.touches.contains(where: { touch in !comment.removes.contains { hasSeen(touch, $0) } }) {
            line += " said \(comment.text)"
        }
        return line
    }

    /// Options by the lowest operation that added each and that no later one replaced.
    private func optionsAsAdded(_ item: Item) -> [Text] {
        let first = standing(item.addedOptions, item.removedOptions).compactMap {
            word -> (word: Text, moment: Moment)? in
            let adds = (item.addedOptions[word] ?? []).filter { add in
                !(item.removedOptions[word] ?? []).contains { $0 != add && hasSeen(add, $0) }
            }
            let standing = adds.filter { add in !adds.contains { $0 != add && hasSeen(add, $0) } }
            return standing.min { isLower($0, $1) }.map { (word, $0) }
        }
        return first.sorted { isLower($0.moment, $1.moment) || $0.moment == $1.moment && $0.word < $1.word }.map(\.word)
    }

    /// Words that something added and nothing that knew of it took away.
    private func standing(_ added: [Text: [Moment]], _ removed: [Text: [Moment]]) -> [Text] {
        added.filter { word, adds in
            // In one operation what is taken away goes first.
            adds.contains { add in !(removed[word] ?? []).contains { $0 != add && hasSeen(add, $0) } }
        }.keys.sorted()
    }

    /// The titles of what stands in a list now, from left to right.
    private func order(of list: OperationID?) -> [ItemID] {
        func walk(_ anchor: OperationID?) -> [ItemID] {
            let around = nodes.filter { $0.value.list == list && $0.value.anchor == anchor }
                .sorted { isLower($0.value.moment, $1.value.moment) }
            func side(_ side: Position.Side) -> [ItemID] {
                around.filter { anchor == nil || $0.value.side == side }.flatMap { walk($0.key) }
            }
            guard let anchor, let node = nodes[anchor] else { return side(.behind) }
            return side(.before) + [node.item].filter { isThere($0, by: anchor) } + side(.behind)
        }
        return walk(nil)
    }

    private func isThere(_ item: ItemID, by name: OperationID) -> Bool {
        guard let known = items[item], exists(known) else { return false }
        let last = known.placements.max { isLower($0.moment, $1.moment) }
        return (last.map { log[$0.moment.entry].operation($0.moment.index) } ?? item.operation) == name
    }

    /// Those that nothing with them in its past has taken away, as they came, each once.
    private func photos(of item: Item) -> String {
        let alive = item.photos.filter { photo in
            !item.detached.contains { detach in
                detach.photo == log[photo.moment.entry].operation(photo.moment.index)
                    && hasSeen(photo.moment, detach.moment)
            }
        }
        var shown: [PhotoManifest] = []
        for photo in alive.sorted(by: { isLower($0.moment, $1.moment) }) where !shown.contains(photo.manifest) {
            shown.append(photo.manifest)
        }
        return shown.map { " " + $0.digits }.joined()
    }

    func isLower(_ left: Moment, _ right: Moment) -> Bool {
        (log[left.entry].stamp, left.index, left.write) < (log[right.entry].stamp, right.index, right.write)
    }

    /// The values that no write with them in its past has replaced, highest first, each once.
    private func shown(_ writes: [Write]) -> [String] {
        let texts = alive(writes).sorted { isLower($1.moment, $0.moment) }.compactMap { write -> Text? in
            if case .text(let text) = write.value { text } else { nil }
        }
        return texts.enumerated().filter { index, text in !texts[..<index].contains(text) }.map(\.element.string)
    }

    private func alive(_ writes: [Write]) -> [Write] {
        writes.filter { write in
            !writes.contains { other in
                hasSeen(write.moment, other.moment)
                    && !other.siblings.contains(log[write.moment.entry].operation(write.moment.index))
                    && (other.value != .unknown || write.value == .unknown)
            }
        }
    }
}
