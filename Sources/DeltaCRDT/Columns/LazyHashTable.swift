internal import Synchronization

/// A hash table that is made when it is first asked for, so that what is only merged and passed on is never hashed.
///
/// Reading from several threads is safe: the first thread that makes the table publishes it for all. It is changed only through `update`,
/// by an owner that shares it with nobody.
@usableFromInline
final class LazyHashTable: @unchecked Sendable {
    /// A table that this object owns, once it is made. The standard library's AtomicLazyReference does the same for several
    /// times the instructions.
    private let pointer = Atomic<UnsafeRawPointer?>(nil)

    @usableFromInline
    init() {}

    @usableFromInline
    init(_ table: HashTable) {
        _ = publish(table)
    }

    deinit { made?.release() }

    /// The table, if it was made; it lives as long as this object.
    @usableFromInline var made: Unmanaged<HashTable>? {
        pointer.load(ordering: .acquiring).map { Unmanaged.fromOpaque($0) }
    }

    /// Keeps the table unless another came first; returns the one that is kept.
    @usableFromInline
    func publish(_ table: HashTable) -> Unmanaged<HashTable> {
        let owned = Unmanaged.passRetained(table)
        let (exchanged, first) = pointer.compareExchange(
            expected: nil, desired: UnsafeRawPointer(owned.toOpaque()), ordering: .acquiringAndReleasing)
        guard !exchanged, let first else { return owned }
        owned.release()
        return Unmanaged.fromOpaque(first)
    }

    /// Reads the table, made by `build` unless it is there.
    @inlinable
    func read<Result>(making build: () -> HashTable, _ body: (HashTable) -> Result) -> Result {
        withExtendedLifetime(self) { (made ?? publish(build()))._withUnsafeGuaranteedRef(body) }
    }

    /// How many slots hold a value that another one holds too, not counting one for each value.
    @inlinable
    func repeats(making build: () -> HashTable) -> Int {
        read(making: build) { $0.repeats }
    }

    /// The first slot with the hash that `matches`, in the table made by `build` unless it is there.
    @inlinable
    func first(_ hash: UInt32, making build: () -> HashTable, where matches: (UInt32) -> Bool) -> UInt32? {
        read(making: build) { $0.first(hash, where: matches) }
    }

    /// The first slot after this one with the same value, of those for which `isWanted`.
    @usableFromInline
    func next(after slot: UInt32, where isWanted: (UInt32) -> Bool) -> UInt32? {
        guard let table = made?.takeUnretainedValue() else { return nil }
        var next = table.next(after: slot)
        while let slot = next, !isWanted(slot) { next = table.next(after: slot) }
        return next
    }

    /// Changes the table in place if it was made; leaves it unmade otherwise. Call it at every change of the values: a table
    /// that is shared with a copy of them, made or not, is no longer theirs.
    @inlinable
    static func update(_ lazy: inout LazyHashTable?, _ body: (HashTable) -> Void) {
        if !isKnownUniquelyReferenced(&lazy) { lazy = lazy?.copy() }
        lazy?.made?._withUnsafeGuaranteedRef(body)
    }

    @usableFromInline
    func copy() -> LazyHashTable {
        made.map { LazyHashTable(HashTable(copying: $0.takeUnretainedValue())) } ?? LazyHashTable()
    }

    /// Changes the table, made by `build` unless it is there.
    static func update(_ lazy: inout LazyHashTable?, making build: () -> HashTable, _ body: (HashTable) -> Void) {
        let owner = lazy ?? LazyHashTable()
        lazy = owner
        owner.read(making: build) { _ in }
        update(&lazy, body)
    }
}
