import DeltaCRDT
import TripModel
import TripText

/// The trip's own content: a trip that begins with what honest people did, and then whatever the input says.
func tryPayloads(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    var replica = Planned.replica
    var changes = Planned.changes
    while !choices.isEmpty, changes.count < Planned.changes.count + 16 {
        let content: [UInt8]
        switch choices.byte() % 3 {
        case 0: content = choices.bytes()
        case 1:
            guard let honest = choices.pick(Planned.contents) else { return }
            content = choices.altered(honest)
        default:
            guard let honest = try? replica.perform(anyAction(&choices, with: Planned.items), by: Planned.me) else {
                continue
            }
            content = honest
        }
        var past = CausalCut(before: changes.count - choices.index(3))
        if choices.byte() % 4 == 0 { past = CausalCut(before: Planned.changes.count) }
        let change = TripChange(
            stamp: LamportTimestamp(
                lamport: UInt64(choices.byte()), hash: ChangeHash(words: (0, UInt64(changes.count), 0, 0))),
            participant: choices.byte() % 2 == 0 ? Planned.me : ParticipantID(high: 9, low: UInt64(choices.byte())),
            wallTime: Int64(bitPattern: choices.number(8)), index: changes.count, branch: Int32(choices.byte() % 4),
            past: past, content: TripContent(content))
        replica.apply(change)
        changes.append(change)
    }
    if changes.count > Planned.changes.count, choices.isOne(of: 64) { showTrip(replica, changes) }
}

/// Renders everything that people may read.
func showTrip(_ replica: TripReplica, _ changes: [TripChange]) {
    let view = replica.view
    let group = view.group
    for order in ItemOrder.allCases {
        _ = TerminalText.list(view, sortedBy: order, includingRemoved: true)
        _ = TripJSON.list(view, sortedBy: order, includingRemoved: true).text
    }
    for item in view.items + view.removedItems {
        _ = TerminalText.card(item, of: group)
        _ = TripJSON.item(item, of: group).text
    }
    let entries = TripReplica.history(of: changes)
    var trip = LiveTrip(replica)
    let names = trip.names(of: entries)
    _ = TerminalText.history(entries, names)
    _ = TripJSON.history(entries, names).text
}

/// An action of somebody who sees these items.
func anyAction(_ choices: inout Choices, with items: [ItemID]) -> TripAction {
    func text() -> String { String(decoding: choices.bytes(), as: UTF8.self) }
    func some() -> [ItemID] { (0..<1 + choices.byte() % 3).compactMap { _ in choices.pick(items) } }
    switch choices.byte() % 9 {
    case 0: return .setTitle(text())
    case 1: return .setName(text())
    case 2:
        return .add(
            (0..<1 + choices.byte() % 3).map { number in
                var fields: [Field: String] = [:]
                for field in Field.allCases where choices.byte() % 4 == 0 { fields[field] = text() }
                let quantity = choices.byte() % 2 == 0 ? nil : Int64(bitPattern: choices.number(8))
                return ItemDraft(title: "\(number)" + text(), fields: fields, quantity: quantity)
            })
    case 3:
        guard let item = choices.pick(items) else { return .setTitle("nothing") }
        var fields: [Field: String?] = [:]
        for field in Field.allCases where choices.byte() % 3 == 0 {
            fields[field] = .some(choices.byte() % 3 == 0 ? nil : text())
        }
        return .edit(item, fields)
    case 4: return .remove(some())
    case 5: return .restore(some())
    case 6: return .vote(some(), [Vote.for, .against, nil][choices.index(3)])
    default:
        guard let item = choices.pick(items) else { return .setTitle("nothing") }
        return .changeQuantity(item, by: Int64(bitPattern: choices.number(8)))
    }
}

/// What honest people did before the input began.
enum Planned {
    static let me = ParticipantID(high: 1, low: 2)
    static let replica = made.replica
    static let contents = made.contents
    static let changes = made.changes
    static let items = replica.view.items.map(\.id)

    private static let made: (replica: TripReplica, contents: [[UInt8]], changes: [TripChange]) = {
        var replica = TripReplica()
        var contents: [[UInt8]] = []
        var changes: [TripChange] = []
        func perform(_ action: TripAction) {
            guard let content = try? replica.perform(action, by: me) else { fatalError("an honest action is refused") }
            let number = UInt64(changes.count + 1)
            let change = TripChange(
                stamp: LamportTimestamp(lamport: number, hash: ChangeHash(words: (0, 0, 0, number))), participant: me,
                wallTime: 1_700_000_000_000, index: changes.count, branch: 0, past: CausalCut(before: changes.count),
                content: TripContent(content))
            replica.apply(change)
            contents.append(content)
            changes.append(change)
        }
        perform(.setTitle("Lisbon in June"))
        perform(.setName("Jie"))
        perform(
            .add([
                ItemDraft(
                    title: "Casa do Rio",
                    fields: [
                        .note: "the key is under the stone", .link: "https://example.org/casa", .price: "90 €",
                        .place: "38.7,-9.1", .host: "Dona Aurora", .details: "two beds",
                    ], quantity: 2),
                ItemDraft(title: "Tent"),
            ]))
        let items = replica.view.items.map(\.id)
        perform(.edit(items[0], [.title: "Casa do Mar", .price: nil, .done: Field.setValue]))
        perform(.vote(items, .for))
        perform(.changeQuantity(items[0], by: 3))
        perform(.remove([items[1]]))
        perform(.restore([items[1]]))
        perform(.vote([items[1]], .against))
        return (replica, contents, changes)
    }()
}
