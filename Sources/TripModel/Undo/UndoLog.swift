import DeltaCRDT

/// What undo looks up in the log: which change took back which, and what stood before a change.
///
/// An undo writes an earlier value again, in its own author's name. So who wrote what stands now is not who wrote it last:
/// these answers see through undos to the write that came first.
struct UndoLog {
    private let changes: [TripChange]
    private let byHash: [ChangeHash: TripChange]
    /// The changes that somebody took back.
    private(set) var undone: Set<ChangeHash> = []
    private(set) var befores: [ChangeHash: TripState] = [:]
    private var rewritings: [OperationReference: [Rewriting]]?

    /// The most undos that are seen through at one place. Each costs a fold, and somebody else's changes say how many
    /// there are.
    static let stepsMax = 64
    /// The most states that are kept to see through undos, at all places together: of somebody else's no more are made.
    static let statesMax = 128

    /// - Parameter changes: of the trip's content, each with its past among them.
    init(_ changes: [TripChange]) {
        self.changes = changes
        byHash = Dictionary(changes.map { ($0.hash, $0) }) { first, _ in first }
        for change in changes {
            if let undone = change.undoneChange, byHash[undone]?.participant == change.participant {
                self.undone.insert(undone)
            }
        }
    }

    /// The sealed answer of a commitment. O(n) in the changes.
    func sealed(_ commitment: [UInt8]) -> SealedAnswer? {
        changes.lazy.flatMap(\.content.sealedAnswers).first { $0.commitment == commitment }
    }

    /// The state that the author of a change had seen. Complexity: a fold of it, once.
    mutating func state(before change: TripChange) -> TripState {
        if let known = befores[change.hash] { return known }
        var before = TripReplica()
        for other in changes where change.hasSeen(other) { before.apply(other) }
        befores[change.hash] = before.state
        return before.state
    }

    /// Whether a write replaced another one, of another change.
    func hasReplaced(_ earlier: Written, by write: Written) -> Bool {
        guard let change = byHash[write.id.cause.hash], let other = byHash[earlier.id.cause.hash],
            change.hasSeen(other)
        else { return false }
        let writes = change.content.operations[Int(write.id.index)].writes.filter { $0.field == write.key }
        return !writes.flatMap(\.siblings).contains { reference in
            switch reference {
            case .here(let index): change.cause.operation(index) == earlier.operation
            case .there(let operation): operation == earlier.operation
            }
        }
    }

    /// The write that a standing one brings back, or writes again in place of what was taken back; itself where no undo wrote it.
    mutating func origin(of write: Written, in registers: (TripState) -> Registers?) -> Written {
        var write = write
        for _ in 0..<Self.stepsMax {
            guard let before = state(beforeWhatWasUndoneBy: write.id.cause) else { break }
            var found = registers(before)?.standing(like: write)
            if found == nil, let undo = byHash[write.id.cause.hash], let before = boundedState(before: undo) {
                found = registers(before)?.standing(like: write)
            }
            guard let earlier = found else { break }
            write = earlier
        }
        return write
    }

    /// The move that a standing one brings back; itself where no undo wrote it, nil where it brings back that nobody had
    /// moved the item.
    mutating func origin(of placement: Placement, of item: ItemID) -> Placement? {
        var placement = placement
        for _ in 0..<Self.stepsMax {
            guard let before = state(beforeWhatWasUndoneBy: placement.id.cause) else { break }
            guard let earlier = before.items[item]?.extras.value?.placement else { return nil }
            placement = earlier
        }
        return placement
    }

    /// Characters of a note, and what undos wrote again of them: these are ranges of several operations.
    ///
    /// Complexity: O(n) in the changes for the first, then O(f log n) for the f ranges found.
    mutating func writings(of characters: NoteEdit.Removal) -> [NoteEdit.Removal] {
        let rewritings = rewritings ?? Self.rewritings(in: changes)
        self.rewritings = rewritings
        var found = [characters]
        var next = 0
        while next < found.count {
            let (operation, numbers) = (found[next].operation, found[next].numbers)
            let behind = rewritings[operation, default: []]
            let start = behind.partitioningIndex { $0.last >= numbers.lowerBound }
            found += behind[start...].prefix { $0.last < numbers.upperBound }.map(\.written)
            next += 1
        }
        return found
    }

    /// What undos wrote again, by the operation of the characters that were removed, in the order of those.
    private static func rewritings(in changes: [TripChange]) -> [OperationReference: [Rewriting]] {
        var rewritings: [OperationReference: [Rewriting]] = [:]
        for change in changes where change.undoneChange != nil {
            for (index, operation) in change.content.operations.enumerated() {
                guard let edit = operation.noteEdit else { continue }
                let own = OperationReference.there(change.cause.operation(OperationIndex(index)))
                var number: UInt32 = 0
                for (insertion, removed) in edit.rewritings {
                    if let last = removed.numbers.last {
                        let written = NoteEdit.Removal(operation: own, numbers: number..<number + insertion.count)
                        rewritings[removed.operation, default: []].append(.init(last: last, written: written))
                    }
                    number += insertion.count
                }
            }
        }
        return rewritings.mapValues { behind in behind.sorted { $0.last < $1.last } }
    }

    /// Who, but for one participant, cleared a field last after they had seen a change, and did not take that back.
    func clearer(
        of field: Field, after change: ChangeHash, otherThan me: ParticipantID, where isPlace: (Operation) -> Bool
    ) -> ParticipantID? {
        guard let change = byHash[change] else { return nil }
        let last = changes.last { other in
            other.participant != me && other.undoneChange == nil && !undone.contains(other.hash)
                && other.hasSeen(change)
                && other.content.operations.contains { isPlace($0) && $0.writes.contains { $0.clears(field) } }
        }
        return last?.participant
    }

    private mutating func state(beforeWhatWasUndoneBy cause: Cause) -> TripState? {
        guard let undone = byHash[cause.hash]?.undoneChange, let change = byHash[undone],
            change.participant == cause.participant
        else { return nil }
        return boundedState(before: change)
    }

    /// Nil where too many were made already.
    private mutating func boundedState(before change: TripChange) -> TripState? {
        guard befores[change.hash] != nil || befores.count < Self.statesMax else { return nil }
        return state(before: change)
    }
}

/// Characters of a note that an undo wrote again, and the last of those that were removed.
private struct Rewriting {
    let last: UInt32
    let written: NoteEdit.Removal
}

extension Registers {
    /// The highest write that says the same at the same field.
    fileprivate func standing(like write: Written) -> Written? {
        shown(write.key).first { $0.text == write.text }
    }
}

extension FieldWrite {
    fileprivate func clears(_ field: Field) -> Bool { self.field == field && value == .cleared }
}

extension Operation {
    /// The fields that it writes, of an item, a list or the trip.
    fileprivate var writes: [FieldWrite] {
        switch self {
        case .setTitle(let write): [write]
        case .item(_, .edit(let writes)): writes
        default: []
        }
    }

    /// What it edits in a note, of an item or of the trip.
    fileprivate var noteEdit: NoteEdit? {
        switch self {
        case .editNote(let edit), .item(_, .editNote(let edit)): edit
        default: nil
        }
    }

    /// The item or list of another change that it is about.
    var subject: OperationID? {
        if case .item(.there(let name), _) = self { name } else { nil }
    }
}

extension TripChange {
    /// The change that this one takes back.
    package var undoneChange: ChangeHash? {
        for case .undo(let change) in content.operations { return change }
        return nil
    }

    func hasSeen(_ other: TripChange) -> Bool {
        other.index < past.prefix || other.branch == branch && other.index < index
            || past.contains(other.index, branch: other.branch)
    }
}
