/// The fields of a record, of whatever schema.
@usableFromInline
struct RecordFields: @unchecked Sendable {
    /// Nil where nothing is alive. Changed only while one record alone, which is being mutated, refers to it.
    @usableFromInline var stores: FieldStores?

    @usableFromInline
    init() {}

    /// One field that holds something.
    @inlinable
    init<Store: DotStore>(_ store: Store, at index: Int, _ layout: RecordLayout) {
        guard !store.isEmpty else { return }
        stores = FieldStores.make(layout, FieldSet(index)) { $1.initializeMemory(as: Store.self, to: store) }
    }

    private var present: FieldSet { stores?.present ?? FieldSet() }

    var hasUnknown: Bool { stores.map { $0.present.contains($0.layout.unknown) } ?? false }

    private func forEach(_ body: (StoreOperations, UnsafeMutableRawPointer) -> Void) {
        guard let stores else { return }
        let operations = stores.layout.operations
        stores.forEach { body(operations[$0], $1) }
    }

    @usableFromInline var dotCount: Int {
        var count = 0
        forEach { count += $0.dotCount($1) }
        return count
    }

    @usableFromInline
    func contains(_ dot: Dot) -> Bool {
        var isHere = false
        forEach { if !isHere { isHere = $0.contains(dot, $1) } }
        return isHere
    }

    /// Each field visits its dots upwards; here all of them go upwards.
    @usableFromInline
    func forEachDot(of context: CausalContext?, _ body: (Dot) -> Void) {
        if present.count == 1 { return forEach { $0.forEachDot($1, context, body) } }
        var dots: [Dot] = []
        var isSorted = true
        forEach {
            $0.forEachDot($1, context) { dot in
                if let last = dots.last, dot < last { isSorted = false }
                dots.append(dot)
            }
        }
        if !isSorted { dots.sort() }
        dots.forEach(body)
    }

    @usableFromInline
    func fingerprint(of replica: ReplicaID) -> UInt64 {
        var sum: UInt64 = 0
        forEach { sum &+= $0.fingerprint(replica, $1) }
        return sum
    }

    @usableFromInline
    static func == (left: RecordFields, right: RecordFields) -> Bool {
        guard left.present == right.present else { return false }
        guard let mine = left.stores, let theirs = right.stores, mine !== theirs else { return true }
        let operations = mine.layout.operations
        var isEqual = true
        mine.forEach { index, store in
            if isEqual, let other = theirs.address(of: index) { isEqual = operations[index].isEqual(store, other) }
        }
        return isEqual
    }

    // MARK: Changes

    @usableFromInline
    mutating func merge(
        _ other: RecordFields, _ context: CausalContext, _ otherContext: CausalContext, _ fallen: inout FallenDots,
        _ onChange: (_ number: Int) -> Void
    ) -> Bool {
        // Where the other has seen nothing fall, only its own fields can change.
        let touched = otherContext.isEmpty ? other.present : present.union(other.present)
        return change(touched, adding: other) { index, layout, store in
            let theirs = other.stores?.address(of: index) ?? layout.emptyStore(index)
            guard layout.operations[index].merge(store, theirs, context, otherContext, &fallen) else { return false }
            if index != layout.unknown { onChange(layout.numbers[index]) }
            return true
        }
    }

    /// Lets the dots fall that a context has seen, in all fields but one.
    @usableFromInline
    mutating func removeDots(of context: CausalContext, exceptIn index: Int, _ fallen: inout FallenDots) {
        _ = change(present.subtracting(FieldSet(index)), adding: RecordFields()) { index, layout, store in
            layout.operations[index].merge(store, layout.emptyStore(index), CausalContext(), context, &fallen)
        }
    }

    /// Changes the stores of some fields, once those of others are here too, and then forgets those that are empty.
    private mutating func change(
        _ fields: FieldSet, adding other: RecordFields,
        _ body: (_ index: Int, RecordLayout, UnsafeMutableRawPointer) -> Bool
    ) -> Bool {
        guard !fields.isEmpty, let layout = stores?.layout ?? other.stores?.layout else { return false }
        let before = present
        own(before.union(other.present), layout)
        var kept = before.subtracting(fields)
        var changed = false
        stores?.forEach { index, store in
            guard fields.contains(index) else { return }
            if body(index, layout, store) { changed = true }
            if !layout.operations[index].isEmpty(store) { kept.insert(index) }
        }
        own(kept, layout)
        return changed
    }

    /// Has the stores of these fields and no others, in memory that nobody else refers to; new ones are empty.
    private mutating func own(_ fields: FieldSet, _ layout: RecordLayout) {
        guard !fields.isEmpty else { return stores = nil }
        let isOwn = isKnownUniquelyReferenced(&stores)
        guard let old = stores else {
            stores = FieldStores.make(layout, fields) { layout.operations[$0].initialize($1) }
            return
        }
        if !isOwn || old.present != fields { stores = old.remade(for: fields, moving: isOwn) }
    }

    /// Where the store of a field is, and nobody else refers to it; made if it is not here.
    @usableFromInline
    mutating func place(of index: Int, _ layout: RecordLayout) -> UnsafeMutableRawPointer {
        own(present.union(FieldSet(index)), layout)
        return stores?.address(of: index) ?? layout.emptyStore(index)
    }

    /// Forgets a field whose store is empty.
    @usableFromInline
    mutating func remove(_ index: Int, _ layout: RecordLayout) { own(present.subtracting(FieldSet(index)), layout) }

    /// The store of a field; empty where it is not here, or not listed.
    @inlinable
    func store<Store: DotStore>(_ index: Int?) -> Store {
        guard let index, let store = stores?.address(of: index) else { return Store() }
        return store.assumingMemoryBound(to: Store.self).pointee
    }

    /// Takes the store of a field out, so that it can be changed without a copy, and leaves an empty one until it is put back.
    @inlinable
    mutating func takeStore<Store: DotStore>(_ index: Int, _ layout: RecordLayout) -> Store {
        var store = Store()
        if stores?.address(of: index) != nil {
            swap(&store, &place(of: index, layout).assumingMemoryBound(to: Store.self).pointee)
        }
        return store
    }

    /// Puts another store in the place of a field's.
    @inlinable
    mutating func put<Store: DotStore>(_ store: Store, at index: Int, _ layout: RecordLayout) {
        if !store.isEmpty {
            place(of: index, layout).assumingMemoryBound(to: Store.self).pointee = store
        } else if stores?.address(of: index) != nil {
            remove(index, layout)
        }
    }

    @usableFromInline
    func restricted(to dots: CausalContext) -> RecordFields {
        var part = RecordFields()
        guard let stores else { return part }
        let layout = stores.layout
        var kept = FieldSet()
        part.stores = FieldStores.make(layout, present) { index, place in
            guard let store = stores.address(of: index) else { return }
            layout.operations[index].restrict(store, dots, place)
            if !layout.operations[index].isEmpty(place) { kept.insert(index) }
        }
        part.own(kept, layout)
        return part
    }

    // MARK: Writing

    /// Visits the fields and what each shows.
    func forEachDescription(_ body: (_ name: String, _ description: String) -> Void) {
        guard let stores else { return }
        let layout = stores.layout
        stores.forEach { if $0 != layout.unknown { body(layout.names[$0], layout.operations[$0].description($1)) } }
    }

    /// Appends for a dot the number of its field, the length of what the field has there, and that, written alone.
    @usableFromInline
    func encodeContent(of dot: Dot, into encoder: inout CanonicalEncoder) {
        guard let stores else { return }
        let layout = stores.layout
        var isFound = false
        stores.forEach { index, store in
            guard !isFound, layout.operations[index].contains(dot, store) else { return }
            isFound = true
            // What is unknown here has its number and its length with it.
            if index == layout.unknown { return layout.operations[index].encode(dot, store, &encoder) }
            encoder.encode(count: layout.numbers[index])
            var content = CanonicalEncoder()
            layout.operations[index].encode(dot, store, &content)
            encoder.encode(content.bytes)
        }
    }

    /// Reads that; alone, from all the bytes that are left. What cannot be read here is kept as it is.
    @usableFromInline
    mutating func decodeContent<Schema: RecordSchema>(
        of dot: Dot, from decoder: inout CanonicalDecoder, _: Schema.Type, isAlone: Bool
    ) throws(DecodingFailure) {
        let layout = stores?.layout ?? RecordLayout.of(Schema.self)
        let begin = decoder.position
        if let index = layout.index(ofNumber: try decoder.decodeUInt64()) {
            let part = try decoder.decodePart()
            if isAlone { try decoder.finish() }
            if read(dot, at: index, layout, from: part) { return }
        }
        decoder.position = begin
        let content = try UnknownContent(from: &decoder)
        if isAlone { try decoder.finish() }
        let store = place(of: layout.unknown, layout).assumingMemoryBound(to: DotFun<UnknownContent>.self)
        store.pointee[dot] = content
    }

    /// Reads what a dot holds up in a field from a part of some bytes; changes nothing where it cannot.
    private mutating func read(
        _ dot: Dot, at index: Int, _ layout: RecordLayout, from decoder: CanonicalDecoder
    ) -> Bool {
        let store = place(of: index, layout)
        if layout.operations[index].decode(dot, decoder, store) { return true }
        if layout.operations[index].isEmpty(store) { remove(index, layout) }
        return false
    }
}

/// What a field that is not known here, or not in this form, has under a dot.
struct UnknownContent: Hashable, Sendable, CanonicalCodable {
    let number: Int
    let bytes: [UInt8]

    init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let number = try decoder.decodeUInt64()
        guard number > 0 else { throw .notCanonical }
        guard number <= UInt64(greatestFieldNumber) else { throw .tooLarge }
        self.number = Int(number)
        bytes = try decoder.decodeBytes(limit: .max)
    }

    func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(count: number)
        encoder.encode(bytes)
    }
}
