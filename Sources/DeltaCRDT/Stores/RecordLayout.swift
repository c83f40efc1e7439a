import Synchronization

/// What is found out about a schema once: its fields, and where each of them is.
final class RecordLayout<Schema: RecordSchema>: Sendable {
    let fields: [RecordField<Schema>]
    /// The places of the fields among all, by where they are in the schema.
    private let indexes: [Int: Int]

    static var shared: RecordLayout {
        let schema = ObjectIdentifier(Schema.self)
        if let known = recordLayouts.withLock({ $0[schema] }) { return unsafeDowncast(known, to: RecordLayout.self) }
        // Outside the lock, because the fields are somebody else's code. Where two make one at a time, either does.
        let made = RecordLayout()
        recordLayouts.withLock { $0[schema] = made }
        return made
    }

    private init() {
        fields = Schema.fields
        var indexes: [Int: Int] = [:]
        for (index, field) in fields.enumerated() {
            guard indexes.updateValue(index, forKey: Self.offset(of: field.access.keyPath)) == nil else {
                fail("\(Schema.self) lists \(field.name) twice in its fields")
            }
        }
        guard Set(fields.map(\.number)).count == fields.count else {
            fail("\(Schema.self) lists two fields under one number")
        }
        self.indexes = indexes
    }

    /// The place of a field among all. Ends the program where it is not listed: what is in it would be lost in the first encoding.
    func index(of path: PartialKeyPath<Schema>) -> Int {
        guard let index = indexes[Self.offset(of: path)] else {
            fail("\(path) is not among the fields of \(Schema.self): what is written to it would be lost")
        }
        return index
    }

    private static func offset(of path: PartialKeyPath<Schema>) -> Int {
        guard let offset = MemoryLayout<Schema>.offset(of: path) else {
            fail("\(path) is no stored property of \(Schema.self), so that nothing can be kept in it")
        }
        return offset
    }
}

private let recordLayouts = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])
