import DeltaCRDT

/// What an operation inserts into a note, and what it removes from it: a `TextEdit` whose edits are named as operations are.
struct NoteEdit: Hashable, Sendable {
    /// A character: the operation that inserted it, and how many that inserted before it.
    struct Element: Hashable, Sendable {
        let operation: OperationReference
        let number: UInt32
    }

    enum Place: Hashable, Sendable {
        case beginning
        case after(Element)
        case before(Element)

        var element: Element? {
            switch self {
            case .beginning: nil
            case .after(let element), .before(let element): element
            }
        }
    }

    struct Insertion: Hashable, Sendable {
        let place: Place
        let text: Text

        /// How many characters.
        var count: UInt32 { UInt32(text.string.unicodeScalars.count) }
    }

    /// Some of the characters that one operation inserted.
    struct Removal: Hashable, Sendable {
        let operation: OperationReference
        let numbers: Range<UInt32>
    }

    var insertions: [Insertion]
    var removals: [Removal]

    var isEmpty: Bool { insertions.isEmpty && removals.isEmpty }

    /// The operations beside whose characters it inserts others.
    var neighbors: [OperationReference] { insertions.compactMap(\.place.element?.operation) }

    /// How many characters it inserts.
    var count: UInt32 { insertions.reduce(0) { $0 + $1.count } }

    /// Of an undo's edit, what each insertion writes again: the last removals (Documentation/Protocol.md, section 10).
    var rewritings: Zip2Sequence<[Insertion], ArraySlice<Removal>> {
        zip(insertions, removals.suffix(insertions.count))
    }

    /// Inserts removed characters again, and names them for a later undo.
    mutating func rewrite(_ characters: Removal, by insertion: Insertion) {
        insertions.append(insertion)
        removals.append(characters)
    }
}

extension ReplicaID {
    /// The name under which an operation writes in a note.
    init(_ operation: OperationID) {
        let half = operation.change.halves.first
        self.init(high: half.high, low: half.low ^ UInt64(operation.index))
    }
}
