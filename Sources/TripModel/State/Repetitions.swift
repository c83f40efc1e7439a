import DeltaCRDT

/// What operations of one change would do that later operations of the same change do again: a token that another one replaces, a value
/// that another one is written over. Nothing of that is there after the change, so it isn't done.
///
/// An operation looks at all that stands beside it at its place, and other changes, of forks for example, can make that much. Without this,
/// thousands of operations at one place would each look at it.
final class Repetitions: Sendable {
    private struct Write: Hashable {
        let operation: OperationIndex
        let field: Field
    }

    private struct Word: Hashable {
        let item: OperationID
        let isOption: Bool
        let text: Text
    }

    /// Operations that leave no token, and take none away: of an item or a comment; of a list.
    private let tokens: Set<OperationIndex>
    private let listTokens: Set<OperationIndex>
    private let writes: Set<Write>
    private let answers: Set<OperationIndex>
    /// The last operation that names a word.
    private let words: [Word: OperationIndex]

    /// A change with fewer operations is done as it is.
    private static let operationsMin = 9

    /// Looks at the operations of a change; nil where all of them are done. O(n) in their size.
    /// - Parameters:
    ///   - act: the first of them.
    ///   - state: before the change.
    static func find(in operations: [Operation], by act: FoldedOperation, _ state: TripState) -> Repetitions? {
        guard operations.count >= operationsMin, !act.isUpheld else { return nil }
        return Repetitions(operations, by: act, state)
    }

    private init(_ operations: [Operation], by act: FoldedOperation, _ state: TripState) {
        var survey = Survey(operations, by: act, in: state)
        for (index, operation) in operations.enumerated() { survey.note(operation, at: OperationIndex(index)) }
        tokens = Repetitions.between(survey.tokens)
        listTokens = Repetitions.between(survey.listTokens)
        var writes: Set<Write> = []
        for (place, written) in survey.writes where written.count > 1 {
            for index in Repetitions.overwritten(written, by: act) {
                writes.insert(Write(operation: index, field: place.field))
            }
        }
        self.writes = writes
        // What somebody answers before they close a question, and after that, are two things.
        let answers = survey.answers.filter { survey.writes[Place(name: $0.key, field: .done)] == nil }
        self.answers = Set(answers.values.flatMap { $0.dropLast() })
        words = survey.words
    }

    /// The first changes what was there before, and the last says what is there afterwards.
    private static func between(_ tokens: [OperationID: [OperationIndex]]) -> Set<OperationIndex> {
        Set(tokens.values.flatMap { $0.dropFirst().dropLast() })
    }

    /// The writes at one place that leave nothing behind, and that replace nothing which later ones don't replace.
    private static func overwritten(
        _ writes: [(index: OperationIndex, write: FieldWrite)], by act: FoldedOperation
    ) -> [OperationIndex] {
        // As `Registers.write` has it, among themselves.
        var standing: [(index: OperationIndex, isUnknown: Bool)] = []
        for (index, write) in writes {
            if write.value == .unknown {
                if !standing.contains(where: \.isUnknown) { standing.append((index, true)) }
                continue
            }
            let siblings = act.operations(write.siblings)
            standing.removeAll { !siblings.contains(act.cause.operation($0.index)) }
            if write.value != .cleared { standing.append((index, false)) }
        }
        let lasting = Set(standing.map(\.index))
        var overwritten: [OperationIndex] = []
        // What all later writes leave alone; nil for everything.
        var kept: Set<OperationID>?
        for (index, write) in writes.reversed() {
            if write.value == .unknown {
                if !lasting.contains(index) { overwritten.append(index) }
                continue
            }
            let siblings = act.operations(write.siblings)
            if let known = kept, !lasting.contains(index), known.isSubset(of: siblings) {
                overwritten.append(index)
            } else {
                kept = kept?.intersection(siblings) ?? siblings
            }
        }
        return overwritten
    }

    // MARK: - What is done

    func changesToken(_ index: OperationIndex) -> Bool { !tokens.contains(index) }

    func changesListToken(_ index: OperationIndex) -> Bool { !listTokens.contains(index) }

    func lasts(_ write: FieldWrite, at index: OperationIndex) -> Bool {
        !writes.contains(Write(operation: index, field: write.field))
    }

    func lastsAnswer(at index: OperationIndex) -> Bool { !answers.contains(index) }

    /// Whether no later operation names a word of an item.
    func lasts(_ word: Text, isOption: Bool, of item: OperationID, at index: OperationIndex) -> Bool {
        words[Word(item: item, isOption: isOption, text: word)].map { $0 == index } ?? true
    }

    // MARK: - What is there

    private struct Place: Hashable {
        /// Of an item or a list; nil for the trip.
        let name: OperationID?
        let field: Field
    }

    /// Which operations act on the same things of other changes. Nothing stands beside what the change makes itself.
    private struct Survey {
        private(set) var tokens: [OperationID: [OperationIndex]] = [:]
        private(set) var listTokens: [OperationID: [OperationIndex]] = [:]
        private(set) var writes: [Place: [(index: OperationIndex, write: FieldWrite)]] = [:]
        private(set) var answers: [OperationID: [OperationIndex]] = [:]
        private(set) var words: [Word: OperationIndex] = [:]
        private let operations: [Operation]
        private let act: FoldedOperation
        private let state: TripState

        init(_ operations: [Operation], by act: FoldedOperation, in state: TripState) {
            (self.operations, self.act, self.state) = (operations, act, state)
        }

        /// Only what has an effect for certain is noted: it alone can replace something.
        mutating func note(_ operation: Operation, at index: OperationIndex) {
            switch operation {
            case .setTitle(let write): note(write, of: nil, at: index)
            case .add(_, _, let position?):
                if case .there(let list)? = position.list, isList(list) { listTokens[list, default: []].append(index) }
            case .item(.here(let made), .place(let position)):
                if made < index, case .add = operations[Int(made)] { notePlace(position, at: index) }
            case .item(.there(let name), let deed):
                if let item = state.items[ItemID(operation: name)] {
                    if act.hasSeen(item.origin) { note(deed, on: item, at: index) }
                } else if isList(name) {
                    note(deed, onList: name, at: index)
                } else if let comment = state.comments[name] {
                    let counts = act.hasSeen(comment.id) && act.author == comment.id.author
                    if counts, deed == .remove || deed == .restore { tokens[name, default: []].append(index) }
                }
            case .add, .addList, .setName, .item, .undo, .own, .editNote, .ineffective: break
            }
        }

        private func isList(_ name: OperationID) -> Bool { state.lists[name].map { act.hasSeen($0.origin) } ?? false }

        private mutating func note(_ write: FieldWrite, of name: OperationID?, at index: OperationIndex) {
            writes[Place(name: name, field: write.field), default: []].append((index, write))
        }

        /// - Returns: whether the position has an effect.
        @discardableResult
        private mutating func notePlace(_ position: Position, at index: OperationIndex) -> Bool {
            switch position.list {
            case nil: return true
            case .here(let made)?:
                if made < index, case .addList = operations[Int(made)] { return true }
                return false
            case .there(let list)?:
                guard isList(list) else { return false }
                listTokens[list, default: []].append(index)
                return true
            }
        }

        private mutating func note(_ deed: ItemOperation, on item: ItemState, at index: OperationIndex) {
            let name = item.id.operation
            var leavesToken = deed == .remove || deed.holdsUp
            switch deed {
            case .place(let position): leavesToken = notePlace(position, at: index)
            case .edit(let writes) where !item.isPayment:
                for write in writes where write.field.isEditable && write.field != .note {
                    if write.field != .done || !item.isHiddenQuestion { note(write, of: name, at: index) }
                }
            case .close where item.isHiddenQuestion && act.author == item.origin.author:
                let write = FieldWrite(field: .done, value: .text(Text(Field.setValue)), siblings: [])
                note(write, of: name, at: index)
            case .amenities(let added, let removed):
                for word in added + removed { words[Word(item: name, isOption: false, text: word)] = index }
            case .options(let added, let removed):
                for word in added + removed { words[Word(item: name, isOption: true, text: word)] = index }
            case .answer where !item.isHiddenQuestion: answers[name, default: []].append(index)
            default: break
            }
            if leavesToken { tokens[name, default: []].append(index) }
        }

        private mutating func note(_ deed: ItemOperation, onList name: OperationID, at index: OperationIndex) {
            switch deed {
            case .remove, .restore: listTokens[name, default: []].append(index)
            case .edit(let writes):
                listTokens[name, default: []].append(index)
                for write in writes { note(write, of: name, at: index) }
            default: break
            }
        }
    }
}
