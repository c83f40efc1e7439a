/// A value behind a reference, copied when it is changed while another copy stands: small to hand around, and
/// changed where it stands.
struct Boxed<Value: Sendable>: Sendable {
    /// Changed only while it has one owner.
    private final class Storage: @unchecked Sendable {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    init(_ value: Value) { storage = Storage(value) }

    var value: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }
}
