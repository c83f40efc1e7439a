import DeltaCRDT

/// The fields of something: of each the writes that no other has replaced, in 32 bytes each. Nil is what this version cannot show.
typealias Registers = LoggedRegisters<Field, Text?, LoggedOperation>

/// A text as somebody wrote it at a field.
typealias Written = Registers.Write

extension Written {
    var text: Text? { value }
    var author: ParticipantID { id.author }
    var stamp: LamportTimestamp { id.stamp }
    var operation: OperationID { id.operation }
}

extension Registers {
    /// The writes at a field that can be shown, highest first.
    func shown(_ field: Field) -> [Written] { self[field].filter { $0.text != nil } }

    /// Writes a field. What cannot be shown replaces nothing, for the writes that it leaves alone are not known either.
    mutating func write(_ write: FieldWrite, by act: FoldedOperation) {
        guard act.repetitions?.lasts(write, at: act.index) ?? true else { return }
        let siblings = act.operations(write.siblings)
        switch write.value {
        case .text(let text): self.write(text, at: write.field, by: act) { siblings.contains($0.operation) }
        case .cleared: clear(write.field, by: act) { siblings.contains($0.operation) }
        case .unknown:
            // Remembered once for each change: nothing else bounds how many there are, and each later write looks at them.
            guard !holdsUnknown(write.field, by: act) else { return }
            self.write(nil, at: write.field, by: act) { _ in true }
        }
    }

    /// Whether the same change wrote here before what this version cannot show. O(log n).
    private func holdsUnknown(_ field: Field, by act: FoldedOperation) -> Bool {
        let writes = self[field]
        let own = writes[writes.partitioningIndex { $0.id <= act.id }...].prefix {
            $0.id.changeIndex == act.changeIndex
        }
        return own.contains { $0.text == nil }
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
