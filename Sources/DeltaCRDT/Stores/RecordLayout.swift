import Synchronization

/// What is found out about a schema once: its fields, and where each of them is.
@usableFromInline
final class RecordLayout: Sendable {
    let names: [String]
    /// What each field is written under; 0 for what is unknown here, the last.
    let numbers: [Int]
    let operations: [StoreOperations]
    /// Where each field is in the schema.
    private let offsets: [Int]
    /// An empty store of each field, which nobody changes.
    private let emptyStores: [EmptyStore]

    private struct EmptyStore: @unchecked Sendable {
        let place: UnsafeMutableRawPointer
    }

    /// Where what unknown fields hold is, beside the known.
    var unknown: Int { numbers.count - 1 }

    @usableFromInline
    static func of<Schema: RecordSchema>(_: Schema.Type) -> RecordLayout {
        let schema = ObjectIdentifier(Schema.self)
        if let known = recordLayouts.withLock({ $0[schema] }) { return known }
        // Outside the lock, because the fields are somebody else's code. Where two make one at a time, the first stays.
        let made = RecordLayout(Schema.self)
        return recordLayouts.withLock { layouts in
            if let known = layouts[schema] { return known }
            layouts[schema] = made
            return made
        }
    }

    private init<Schema: RecordSchema>(_: Schema.Type) {
        let fields = Schema.fields
        require(fields.count < FieldSet.most, "a record has at most 63 fields")
        var offsets: [Int] = []
        for field in fields {
            guard let offset = MemoryLayout<Schema>.offset(of: field.path) else {
                fail("\(field.path) is no stored property of \(Schema.self), so that nothing can be kept in it")
            }
            guard !offsets.contains(offset) else { fail("\(Schema.self) lists \(field.name) twice in its fields") }
            offsets.append(offset)
        }
        guard Set(fields.map(\.number)).count == fields.count else {
            fail("\(Schema.self) lists two fields under one number")
        }
        self.offsets = offsets
        names = fields.map(\.name) + ["…"]
        numbers = fields.map(\.number) + [0]
        operations =
            fields.map(\.operations) + [
                StoreOperations(DotFun<UnknownContent>.self) { _ in
                    "…"
                } telling: { _, _, _, _ in
                }
            ]
        emptyStores = operations.map { operations in
            let place = UnsafeMutableRawPointer.allocate(
                byteCount: max(operations.size, 1), alignment: operations.alignment)
            operations.initialize(place)
            return EmptyStore(place: place)
        }
    }

    func emptyStore(_ index: Int) -> UnsafeMutableRawPointer { emptyStores[index].place }

    /// How many bytes the stores of some fields take.
    func size(of fields: FieldSet) -> Int {
        var size = 0
        for index in fields {
            let alignment = operations[index].alignment
            // The memory is aligned to 8 bytes: for more, some are left in front.
            size = (size + alignment - 1) / alignment * alignment + operations[index].size + max(0, alignment - 8)
        }
        return size
    }

    func index(ofNumber number: UInt64) -> Int? {
        number == 0 ? nil : numbers.firstIndex { UInt64($0) == number }
    }

    /// The index of a field; nil where the property is not listed.
    @usableFromInline
    func index<Schema, State: CausalState>(of path: KeyPath<Schema, State>) -> Int? {
        guard let offset = MemoryLayout<Schema>.offset(of: path), let index = offsets.firstIndex(of: offset),
            operations[index].type == ObjectIdentifier(State.Store.self)
        else { return nil }
        return index
    }

    /// The same. Ends the program where it is not listed: what is in it would be lost in the first encoding.
    @usableFromInline
    func listedIndex<Schema, State: CausalState>(of path: KeyPath<Schema, State>) -> Int {
        guard let index = index(of: path) else {
            fail("\(path) is not among the fields of \(Schema.self): what is written to it would be lost")
        }
        return index
    }
}

private let recordLayouts = Mutex<[ObjectIdentifier: RecordLayout]>([:])
