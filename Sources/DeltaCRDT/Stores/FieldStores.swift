/// The stores of those fields of a record that hold something, one after the other in one piece of memory: a record takes what is
/// in its fields, and nothing for those that are empty.
@usableFromInline
final class FieldStores: ManagedBuffer<FieldStoresHeader, UInt64> {
    @usableFromInline
    static func make(
        _ layout: RecordLayout, _ present: FieldSet, _ initialize: (_ index: Int, UnsafeMutableRawPointer) -> Void
    ) -> FieldStores {
        let words = (layout.size(of: present) + 7) / 8
        let header = FieldStoresHeader(layout: Unmanaged.passUnretained(layout), present: present)
        let made = unsafeDowncast(create(minimumCapacity: words) { _ in header }, to: FieldStores.self)
        made.forEach(initialize)
        return made
    }

    deinit {
        let operations = layout.operations
        forEach { operations[$0].destroy($1) }
    }

    // Through a pointer, which costs no check that nobody else has access.
    @usableFromInline var present: FieldSet { withUnsafeMutablePointerToHeader { $0.pointee.present } }

    @usableFromInline var layout: RecordLayout {
        withUnsafeMutablePointerToHeader { $0.pointee.layout.takeUnretainedValue() }
    }

    /// Visits the fields that are here, upwards, and where their stores are.
    func forEach(_ body: (_ index: Int, UnsafeMutableRawPointer) -> Void) {
        withUnsafeMutablePointers { header, elements in
            header.pointee.layout._withUnsafeGuaranteedRef { layout in
                var next = UnsafeMutableRawPointer(elements)
                for index in header.pointee.present {
                    let store = next.alignedUp(toMultipleOf: layout.operations[index].alignment)
                    body(index, store)
                    next = store + layout.operations[index].size
                }
            }
        }
    }

    /// Where the store of a field is; nil where it is not here. Complexity: O(fields here).
    @usableFromInline
    func address(of index: Int) -> UnsafeMutableRawPointer? {
        guard present.contains(index) else { return nil }
        var found: UnsafeMutableRawPointer?
        forEach { if $0 == index { found = $1 } }
        return found
    }

    /// Makes memory for some fields, to which the stores that are here are moved, or copied; those that are new there are empty.
    func remade(for fields: FieldSet, moving: Bool) -> FieldStores {
        let operations = layout.operations
        let mine = present
        // Both are walked at once: `next` is where the next store is here.
        var rest = mine
        var next = withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
        func pass(through index: Int, _ body: (_ index: Int, UnsafeMutableRawPointer) -> Void) {
            while let first = rest.first, first <= index {
                let store = next.alignedUp(toMultipleOf: operations[first].alignment)
                body(first, store)
                next = store + operations[first].size
                rest.removeFirst()
            }
        }
        let made = FieldStores.make(layout, fields) { index, place in
            pass(through: index) { first, store in
                if first == index {
                    if moving { operations[first].move(store, place) } else { operations[first].copy(store, place) }
                } else if moving {
                    operations[first].destroy(store)
                }
            }
            if !mine.contains(index) { operations[index].initialize(place) }
        }
        if moving {
            pass(through: FieldSet.most) { operations[$0].destroy($1) }
            withUnsafeMutablePointerToHeader { $0.pointee.present = FieldSet() }
        }
        return made
    }
}

@usableFromInline
struct FieldStoresHeader {
    /// Layouts are never freed, so that this one need not be counted.
    let layout: Unmanaged<RecordLayout>
    var present: FieldSet
}

/// Indices of fields.
@usableFromInline
struct FieldSet: Hashable, Sendable, Sequence, IteratorProtocol {
    static let most = 64

    @usableFromInline var bits: UInt64 = 0

    init() {}

    @inlinable init(_ index: Int) { bits = 1 << UInt64(index) }

    private init(bits: UInt64) { self.bits = bits }

    var isEmpty: Bool { bits == 0 }

    var count: Int { bits.nonzeroBitCount }

    var first: Int? { bits == 0 ? nil : bits.trailingZeroBitCount }

    func contains(_ index: Int) -> Bool { bits & 1 << UInt64(index) != 0 }

    func union(_ other: FieldSet) -> FieldSet { FieldSet(bits: bits | other.bits) }

    func subtracting(_ other: FieldSet) -> FieldSet { FieldSet(bits: bits & ~other.bits) }

    mutating func insert(_ index: Int) { bits |= 1 << UInt64(index) }

    mutating func removeFirst() { bits &= bits &- 1 }

    /// Takes the least index out.
    @usableFromInline
    mutating func next() -> Int? {
        guard let first else { return nil }
        removeFirst()
        return first
    }
}
