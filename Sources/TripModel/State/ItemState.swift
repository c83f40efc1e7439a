import DeltaCRDT

/// What is known of one item: stores of dots, and registers and counters with one writer each.
///
/// Removing an item covers the dots of its existence alone; its fields, votes and quantity stay, so that what makes it
/// exist again makes it exist whole.
struct ItemState: Hashable, Sendable {
    /// The change that made it; what is made once is made alike everywhere.
    var origin: Cause?
    /// The operations that hold it up.
    var existence = DotFun<Cause>()
    /// The writes at each field that no other write has superseded, ascending by field; where there are none, no entry.
    private(set) var fields: [FieldState] = []
    var votes = Ballot()
    /// How many there are, counted by branch: a branch's operations come in order, once.
    var quantity: PNCounter?

    struct FieldState: Hashable, Sendable {
        let field: Field
        var writes: DotFun<Written>
    }

    /// The writes that are alive at a field.
    subscript(field: Field) -> DotFun<Written> {
        let index = position(of: field)
        return index < fields.count && fields[index].field == field ? fields[index].writes : DotFun()
    }

    /// Every title that is shown, in no particular order.
    var titles: [Text] { self[.title].entries.map(\.value.text) }

    /// Changes the writes at a field where they stand.
    mutating func update(_ field: Field, _ body: (inout DotFun<Written>) -> Void) {
        let index = position(of: field)
        if index == fields.count || fields[index].field != field {
            var writes = DotFun<Written>()
            body(&writes)
            if !writes.isEmpty { fields.insert(FieldState(field: field, writes: writes), at: index) }
        } else {
            body(&fields[index].writes)
            if fields[index].writes.isEmpty { fields.remove(at: index) }
        }
    }

    /// Makes room for so many fields and no more: most items never get another.
    mutating func reserveFields(_ count: Int) { fields.reserveCapacity(count) }

    /// Changes the quantity where it stands.
    mutating func count(_ body: (inout PNCounter) -> Void) {
        var counter = quantity.take() ?? PNCounter()
        body(&counter)
        quantity = counter
    }

    private func position(of field: Field) -> Int {
        fields.firstIndex { $0.field >= field } ?? fields.count
    }
}

/// The items of a trip by their names, each changed where it stands.
struct ItemTable: Sendable {
    private var slots: [ItemID: Int32] = [:]
    private var states: ContiguousArray<ItemState> = []

    var count: Int { states.count }
    var isEmpty: Bool { states.isEmpty }
    /// In no particular order.
    var ids: some Collection<ItemID> { slots.keys }

    /// O(1).
    subscript(id: ItemID) -> ItemState? { slots[id].map { states[Int($0)] } }

    func contains(_ id: ItemID) -> Bool { slots[id] != nil }

    /// Changes an item where it stands; does nothing where there is none. O(1).
    mutating func update(_ id: ItemID, _ body: (inout ItemState) -> Void) {
        guard let slot = slots[id] else { return }
        body(&states[Int(slot)])
    }

    /// Changes an item where it stands, which is made where there is none. Amortised O(1).
    mutating func make(_ id: ItemID, _ body: (inout ItemState) -> Void) {
        if let slot = slots[id] { return body(&states[Int(slot)]) }
        // By a quarter at a time: these are most of what a trip holds.
        if states.count == states.capacity { states.reserveCapacity(max(4, states.count + states.count / 4)) }
        slots[id] = Int32(states.count)
        states.append(ItemState())
        body(&states[states.count - 1])
    }

    func forEach(_ body: (ItemID, ItemState) -> Void) {
        for (id, slot) in slots { body(id, states[Int(slot)]) }
    }
}

extension ItemTable: Hashable {
    static func == (left: ItemTable, right: ItemTable) -> Bool {
        left.count == right.count
            && left.slots.allSatisfy { id, slot in right[id] == left.states[Int(slot)] }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(count) }
}
