/// Multi-value registers, one a field: the writes that no other has replaced (Shapiro and others: *A comprehensive study of
/// convergent and commutative replicated data types*, 2011).
///
/// One column of 32 bytes a write, for most fields hold one. A write replaces what stands at its field and lies in its
/// past, but for what it names as unseen by its writer.
struct Registers: Hashable, Sendable {
    /// Ascending by field; at one field the highest first.
    private(set) var writes: [Written] = []

    /// All writes at a field, those that cannot be shown among them, highest first.
    subscript(field: Field) -> ArraySlice<Written> { writes[range(of: field)] }

    /// The writes at a field that can be shown, highest first.
    func shown(_ field: Field) -> [Written] { self[field].filter { $0.text != nil } }

    /// Takes away what stands at a field, where one write does; returns it.
    mutating func take(_ field: Field) -> Written? {
        let standing = range(of: field)
        guard let write = writes[standing].first else { return nil }
        writes.removeSubrange(standing)
        return write
    }

    /// The fields at which something stands, ascending.
    var fields: [Field] {
        var fields: [Field] = []
        for write in writes where fields.last != write.field { fields.append(write.field) }
        return fields
    }

    /// Whether something stands at a field. Quick for the highest fields, which few items have.
    func hold(_ field: Field) -> Bool {
        for write in writes.reversed() where write.field <= field { return write.field == field }
        return false
    }

    /// Makes room for so many writes and no more: most items never get another.
    mutating func reserveCapacity(_ count: Int) { writes.reserveCapacity(count) }

    /// Writes a field. O(writes, and those that it names).
    mutating func write(_ write: FieldWrite, at index: OperationIndex, of change: FoldedChange) {
        let standing = range(of: write.field)
        // What cannot be shown has no effect on what stands: beside what it was written is not known either.
        if !standing.isEmpty, write.value != .unknown { replace(in: standing, by: write, of: change) }
        let text: Text?
        switch write.value {
        case .text(let new): text = new
        case .unknown: text = nil
        case .cleared: return
        }
        insert(Written(cause: change.cause, text: text, place: change.place, index: index, field: write.field))
    }

    private mutating func replace(in standing: Range<Int>, by write: FieldWrite, of change: FoldedChange) {
        let beside = change.operations(write.beside)
        let isReplaced = { (old: Written) in change.hasSeen(old.place) && !beside.contains(old.operation) }
        if standing.count == 1 {
            if isReplaced(writes[standing.lowerBound]) { writes.remove(at: standing.lowerBound) }
        } else {
            let kept = writes[standing].filter { !isReplaced($0) }
            if kept.count < standing.count { writes.replaceSubrange(standing, with: kept) }
        }
    }

    private mutating func insert(_ new: Written) {
        let standing = range(of: new.field)
        let place = standing.first { !stands(writes[$0].cause, writes[$0].index, above: new.cause, new.index) }
        writes.insert(new, at: place ?? standing.upperBound)
    }

    private func range(of field: Field) -> Range<Int> {
        let start = writes.firstIndex { $0.field >= field } ?? writes.count
        let end = writes[start...].firstIndex { $0.field > field } ?? writes.count
        return start..<end
    }
}

extension [Written] {
    /// The texts that differ, each where it stands highest: the first is shown, the others beside it.
    func distinct() -> [Written] {
        guard count > 1 else { return self }
        var seen: Set<Text?> = []
        return filter { seen.insert($0.text).inserted }
    }
}
