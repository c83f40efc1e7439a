internal import Synchronization

/// A hash table that is made when it is first asked for, so that what is only merged and passed on is never hashed.
///
/// Reading from several threads is safe: whoever makes the table first publishes it for all. It is changed only through
/// `update`, by an owner that shares it with nobody.
@usableFromInline
final class LazyHashTable: @unchecked Sendable {
    private final class Box: @unchecked Sendable {
        // Changed only while the LazyHashTable that owns the box is uniquely referenced by a value that is being mutated.
        var table: HashTable
        init(_ table: HashTable) { self.table = table }
    }

    /// A box that this object owns, once it is made. The standard library's AtomicLazyReference does the same for several
    /// times the instructions.
    private let pointer = Atomic<UnsafeRawPointer?>(nil)

    @usableFromInline
    init() {}

    private init(_ table: HashTable) {
        publish(Box(table))
    }

    deinit {
        if let made = pointer.load(ordering: .acquiring) { Unmanaged<Box>.fromOpaque(made).release() }
    }

    private var box: Box? {
        pointer.load(ordering: .acquiring).map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Keeps the box unless another came first.
    private func publish(_ box: Box) {
        let owned = Unmanaged.passRetained(box)
        let (exchanged, _) = pointer.compareExchange(
            expected: nil, desired: UnsafeRawPointer(owned.toOpaque()), ordering: .acquiringAndReleasing)
        if !exchanged { owned.release() }
    }

    private func box(_ build: () -> HashTable) -> Box {
        while true {
            if let box { return box }
            publish(Box(build()))
        }
    }

    /// How many slots hold a value that another one holds too, not counting one for each value.
    @usableFromInline
    func repeats(making build: () -> HashTable) -> Int {
        box(build).table.repeats
    }

    /// The first slot with the hash that `matches`, in the table made by `build` unless it is there.
    @usableFromInline
    func first(_ hash: UInt32, making build: () -> HashTable, where matches: (UInt32) -> Bool) -> UInt32? {
        box(build).table.first(hash, where: matches)
    }

    /// The first slot after this one with the same value, of those for which `isWanted`.
    @usableFromInline
    func next(after slot: UInt32, where isWanted: (UInt32) -> Bool) -> UInt32? {
        guard let box else { return nil }
        var next = box.table.next(after: slot)
        while let slot = next, !isWanted(slot) { next = box.table.next(after: slot) }
        return next
    }

    /// Changes the table in place if it was made; leaves it unmade otherwise. Call it at every change of the values: a table
    /// that is shared with a copy of them, made or not, is no longer theirs.
    @usableFromInline
    static func update(_ lazy: inout LazyHashTable?, _ body: (inout HashTable) -> Void) {
        if isKnownUniquelyReferenced(&lazy) {
            if let box = lazy?.box { body(&box.table) }
        } else if let shared = lazy {
            guard var copy = shared.box?.table else {
                lazy = LazyHashTable()
                return
            }
            body(&copy)
            lazy = LazyHashTable(copy)
        }
    }

    /// Changes the table, made by `build` unless it is there.
    static func update(
        _ lazy: inout LazyHashTable?, making build: () -> HashTable, _ body: (inout HashTable) -> Void
    ) {
        if lazy == nil { lazy = LazyHashTable() }
        _ = lazy?.box(build)
        update(&lazy, body)
    }
}
