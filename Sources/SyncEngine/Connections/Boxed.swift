/// A value behind a reference, copied when it is changed while another copy stands: small to hand around, and
/// changed where it stands.
struct Boxed<Value: Sendable>: @unchecked Sendable {
    /// The value lies behind the object's head, where no access is counted at run time: that the table which holds the
    /// box is changed by one at a time is known when it is compiled.
    private final class Storage: ManagedBuffer<Void, Value> {
        /// With the value at its address, which stays as long as the object does.
        static func make(_ value: Value) -> Storage {
            let storage = unsafeDowncast(Storage.create(minimumCapacity: 1) { _ in }, to: Storage.self)
            storage.address.initialize(to: value)
            return storage
        }

        var address: UnsafeMutablePointer<Value> { withUnsafeMutablePointerToElements { $0 } }

        deinit { address.deinitialize(count: 1) }
    }

    private var storage: Storage

    init(_ value: Value) { storage = .make(value) }

    /// Where the value lies, as long as the box stands.
    var address: UnsafePointer<Value> { UnsafePointer(storage.address) }

    /// The same, to change it there: no other copy of the box has the value then.
    mutating func mutableAddress() -> UnsafeMutablePointer<Value> {
        if !isKnownUniquelyReferenced(&storage) { storage = .make(storage.address.pointee) }
        return storage.address
    }

    /// By its address: so that to look at one part of a great value copies that part alone.
    var value: Value {
        unsafeAddress { address }
        unsafeMutableAddress { mutableAddress() }
    }
}
