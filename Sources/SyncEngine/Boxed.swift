/// A value behind a reference, copied when it is changed while another copy stands: small to hand around, and
/// changed where it stands.
struct Boxed<Value: Sendable>: Sendable {
    /// Changed only while it has one owner. The value lies beside it, where no access is counted at run time: that the
    /// table which holds the box is changed by one at a time is known when it is compiled.
    private final class Storage: @unchecked Sendable {
        let pointer: UnsafeMutablePointer<Value>

        init(_ value: Value) {
            pointer = .allocate(capacity: 1)
            pointer.initialize(to: value)
        }

        deinit {
            pointer.deinitialize(count: 1)
            pointer.deallocate()
        }
    }

    private var storage: Storage

    init(_ value: Value) { storage = Storage(value) }

    var value: Value {
        _read { yield storage.pointer.pointee }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.pointer.pointee) }
            yield &storage.pointer.pointee
        }
    }
}
