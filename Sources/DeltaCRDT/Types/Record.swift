/// A structure of replicated states, counters and maps among them, that is itself one: under a key of an ``ORMap``, say, or alone.
///
/// The schema tells the fields; the record has them as properties, all under one context. Fields may be added later: a reader
/// that does not know one keeps and passes on what is in it.
///
/// ```swift
/// struct Card: RecordSchema {
///     var title = MVRegister<String>()
///     var labels = AddWinsSet<String>()
///     var estimate = CausalCounter()
///
///     static let fields: [RecordField<Card>] = [.init(1, \.title), .init(2, \.labels), .init(3, \.estimate)]
/// }
///
/// var board = ORMap<String, Record<Card>>()
/// let delta = board.updateValue(forKey: "tent") { card in
///     card.title.set("Buy a tent", by: jie)
///     card.labels.insert("shopping", by: jie)
/// }
/// board["tent"].title.values  // ["Buy a tent"]
/// ```
@dynamicMemberLookup
public struct Record<Schema: RecordSchema>: CausalState {
    /// The stores of the fields.
    public typealias Store = RecordStore<Schema>
    /// The number of a field that changed.
    public typealias Change = Int

    /// What is alive, and what was seen.
    public var causal: Causal<Store>

    /// A state of what is alive and what was seen. Complexity: O(1).
    @inlinable
    public init(_ causal: Causal<Store>) {
        self.causal = causal
    }

    /// Whether no field has anything alive. Complexity: O(1).
    @inlinable public var isEmpty: Bool { causal.store.isEmpty }

    /// Whether something here was written by a later version of the schema. Complexity: O(1).
    public var hasUnknownFields: Bool { causal.store.fields.hasUnknown }

    /// The state of a field, which is changed by its mutators and by merging, and not replaced by another.
    ///
    /// What its mutators return are deltas of the field; ``SyncableState/update(_:)`` returns the record's.
    ///
    /// A property that the schema does not list among its fields can be read, and is empty; to change it ends the program.
    ///
    /// Complexity: O(fields that hold something); nothing is copied.
    @inlinable
    public subscript<State: CausalState>(dynamicMember path: WritableKeyPath<Schema, State>) -> State {
        get { State(Causal(store: causal.store.fields.store(causal.store.layout.index(of: path)), seen: context)) }
        _modify {
            let layout = causal.store.layout
            let index = layout.listedIndex(of: path)
            var state = State(causal.lend(index, layout))
            defer { causal.takeBack(state.causal, index, layout) }
            yield &state
        }
    }

    /// Removes all that was seen of all fields, and returns the delta.
    ///
    /// - Parameter past: what the author of the removal had seen; by default what this record has seen.
    ///
    /// Complexity: O(dots · log dots).
    @discardableResult
    public mutating func removeAll(past: CausalContext? = nil) -> Record {
        apply(Store(), causal.store.dots(in: past))
    }
}

/// The fields of a ``Record``: a structure of causal states, all of them listed.
public protocol RecordSchema: Sendable {
    /// Nothing in any field. Complexity: to be O(1).
    init()

    /// Every field, once, under a number that stays its own for ever: a number that was given up is not given again. At most 63; more
    /// are records within the record.
    static var fields: [RecordField<Self>] { get }
}

/// A field of a ``RecordSchema``: its number in what is written, and where it is.
public struct RecordField<Schema: RecordSchema>: Sendable {
    /// The greatest number of a field: 65,535.
    public static var greatestNumber: Int { greatestFieldNumber }

    /// The field's number in what is written.
    public let number: Int
    @usableFromInline let path: any PartialKeyPath<Schema> & Sendable
    @usableFromInline let operations: StoreOperations

    /// The property's name.
    var name: String { "\(path)".split(separator: ".").last.map(String.init) ?? "\(number)" }

    /// A field with a number from 1 to ``greatestNumber``. Complexity: O(1).
    @inlinable
    public init<State: CausalState>(_ number: Int, _ path: any WritableKeyPath<Schema, State> & Sendable)
    where State.Store: CodableDotStore {
        require((1...Self.greatestNumber).contains(number), "fields are numbered from 1 to 65,535")
        self.number = number
        self.path = path
        operations = StoreOperations(State.self)
    }
}

extension Causal {
    /// Lends the state of a field, with the record's context, which is empty until it is given back.
    @inlinable
    mutating func lend<Schema, Field>(_ index: Int, _ layout: RecordLayout) -> Causal<Field>
    where Store == RecordStore<Schema> {
        var lent = Causal<Field>()
        lent.liveStore = liveStore.fields.takeStore(index, layout)
        swap(&lent.seen, &seen)
        lent.recording = [Causal<Field>()]
        return lent
    }

    /// Takes back what became of the state of a field.
    @inlinable
    mutating func takeBack<Schema, Field>(_ lent: Causal<Field>, _ index: Int, _ layout: RecordLayout)
    where Store == RecordStore<Schema> {
        require(!lent.recording.isEmpty, "a field is changed by its mutators, not replaced")
        let delta = lent.recording[0]
        liveStore.fields.put(lent.liveStore, at: index, layout)
        seen = lent.seen
        guard !delta.seen.isEmpty else { return }
        var fallen = FallenDots(collecting: true)
        for dot in lent.removals.dots { fallen.append(dot) }
        fallen.appendUnnamed(lent.removals.forgotten)
        // What a state from elsewhere has seen fall in other fields falls there too. A dot that is alive in this field or fell here
        // is in no other, and mostly these are all.
        if delta.seen.count > delta.liveStore.dotCount + fallen.dots.count {
            liveStore.fields.removeDots(of: delta.seen, exceptIn: index, &fallen)
        }
        if !fallen.isEmpty { removals.append(fallen, alive: liveStore.dotCount) }
        guard !recording.isEmpty else { return }
        recording[0].merge(Causal(store: Store(RecordFields(delta.liveStore, at: index, layout)), seen: delta.seen))
    }
}

let greatestFieldNumber = 1 << 16 - 1
