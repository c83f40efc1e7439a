import DeltaCRDT
import TripModel
import TripText

/// The trip's own content: a trip that begins with what honest people did, and then whatever the input says.
func tryPayloads(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    var replica = Planned.replica
    var counter = Planned.operationCount
    var changes = Planned.changes
    while !choices.isEmpty, changes.count < Planned.changes.count + 16 {
        let payload: [UInt8]
        let count: Int
        switch choices.byte() % 3 {
        case 0:
            payload = choices.bytes()
            count = Int(choices.byte())
        case 1:
            guard let honest = choices.pick(Planned.payloads) else { return }
            payload = choices.altered(honest.bytes)
            count = honest.operationCount + Int(choices.byte() % 3) - 1
        default:
            guard let honest = try? replica.perform(anyAction(&choices, with: Planned.items), by: Planned.me) else {
                continue
            }
            payload = honest.bytes
            count = honest.operationCount
        }
        let last = UInt64(counter)
        let isKnown = { @Sendable (dot: Dot) in
            dot.replica == Planned.branch && dot.counter >= 1 && dot.counter <= last ? dot : nil
        }
        guard (try? TripReplica.validate(payload: payload, operationCount: count, resolve: isKnown)) != nil else {
            continue
        }
        let change = TripChange(
            participant: choices.byte() % 2 == 0 ? Planned.me : ParticipantID(high: 9, low: UInt64(choices.byte())),
            first: Dot(replica: Planned.branch, counter: UInt64(counter + 1)),
            stamp: Stamp(lamport: UInt64(choices.byte()), hash: ReplicaID(high: 0, low: UInt64(counter))),
            wallTime: Int64(bitPattern: choices.number(8)), payload: payload, operationCount: count, resolve: isKnown)
        do { try replica.apply(change) } catch { fatalError("a valid payload cannot be applied: \(error)") }
        changes.append(change)
        counter += count
    }
    if changes.count > Planned.changes.count, choices.isOne(of: 64) { showTrip(replica, changes) }
}

/// Renders everything that people may read.
func showTrip(_ replica: TripReplica, _ changes: [TripChange]) {
    let view = replica.view
    for order in ItemOrder.allCases {
        _ = TerminalText.list(view, sortedBy: order, includingRemoved: true)
        _ = TripJSON.list(view, sortedBy: order, includingRemoved: true).text
    }
    for item in view.items + view.removedItems {
        _ = TerminalText.card(item)
        _ = TripJSON.item(item).text
    }
    do {
        let entries = try TripReplica.history(of: changes)
        var trip = LiveTrip(replica)
        let names = trip.names(of: entries)
        _ = TerminalText.history(entries, names)
        _ = TripJSON.history(entries, names).text
    } catch {
        fatalError("the history of valid changes cannot be read: \(error)")
    }
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
    static let branch = ReplicaID(high: 1, low: 1)
    static let me = ParticipantID(high: 1, low: 2)
    static let replica = made.replica
    static let payloads = made.payloads
    static let changes = made.changes
    static let items = replica.view.items.map(\.id)
    static let operationCount = made.payloads.reduce(0) { $0 + $1.operationCount }

    private static let made: (replica: TripReplica, payloads: [TripPayload], changes: [TripChange]) = {
        var replica = TripReplica()
        var payloads: [TripPayload] = []
        var changes: [TripChange] = []
        var counter: UInt64 = 1
        func perform(_ action: TripAction) {
            guard let payload = try? replica.perform(action, by: me) else { fatalError("an honest action is refused") }
            let change = TripChange(
                participant: me, first: Dot(replica: branch, counter: counter),
                stamp: Stamp(lamport: counter, hash: ReplicaID(high: 0, low: counter)), wallTime: 1_700_000_000_000,
                payload: payload.bytes, operationCount: payload.operationCount, resolve: { $0 })
            guard (try? replica.apply(change)) != nil else { fatalError("an honest change is refused") }
            counter += UInt64(payload.operationCount)
            payloads.append(payload)
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
        perform(.edit(items[0], [.title: "Casa do Mar", .price: nil, .done: Field.doneValue]))
        perform(.vote(items, .for))
        perform(.changeQuantity(items[0], by: 3))
        perform(.remove([items[1]]))
        perform(.restore([items[1]]))
        perform(.vote([items[1]], .against))
        return (replica, payloads, changes)
    }()
}
