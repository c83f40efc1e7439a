import DeltaCRDT
import TripFixtures

@testable import TripModel

extension Specification {
    /// A note as an omniscient observer reads it: a tree of single characters, each beside one in its past.
    struct NoteTree {
        struct Element: Hashable {
            let operation: OperationID
            let number: Int
        }

        enum Place: Hashable {
            case beginning
            case after(Element)
            case before(Element)
        }

        private var children: [Place: [(element: Element, scalar: Unicode.Scalar)]] = [:]
        private var removed: Set<Element> = []
        private var writers: [OperationID: (moment: Moment, count: Int)] = [:]
        private(set) var moments: [Moment] = []

        /// What people read.
        var shown: [String] {
            var scalars = String.UnicodeScalarView()
            func visit(_ place: Place) {
                let sorted = (children[place] ?? []).sorted {
                    let (left, right) = (ReplicaID($0.element.operation), ReplicaID($1.element.operation))
                    return left == right ? $0.element.number < $1.element.number : left < right
                }
                for (element, scalar) in sorted {
                    visit(.before(element))
                    if !removed.contains(element) { scalars.append(scalar) }
                    visit(.after(element))
                }
            }
            visit(.beginning)
            let text = TextClasses.trimmed(String(scalars))
            return text.isEmpty ? [] : [text]
        }

        mutating func insert(_ text: String, at place: Place, of operation: OperationID, at moment: Moment) {
            var place = place
            for scalar in text.unicodeScalars {
                let element = Element(operation: operation, number: writers[operation]?.count ?? 0)
                children[place, default: []].append((element, scalar))
                writers[operation] = (moment, element.number + 1)
                place = .after(element)
            }
        }

        mutating func remove(_ numbers: Range<Int>, of operation: OperationID) {
            for number in numbers { removed.insert(Element(operation: operation, number: number)) }
        }

        mutating func note(_ moment: Moment) { moments.append(moment) }

        /// The operations that wrote something that a later one may have seen.
        func writers(where isSeen: (Moment) -> Bool) -> [OperationID] {
            writers.filter { isSeen($1.moment) }.map(\.key)
        }

        func knows(_ element: Element) -> Bool { writers[element.operation].map { element.number < $0.count } ?? false }
    }

    /// Reads an edit.
    func read(_ edit: NoteEdit, _ moment: Moment, in old: NoteTree) -> NoteTree {
        var note = old
        let name = { (reference: OperationReference) in operation(reference, at: moment) }
        note.note(moment)
        let own = log[moment.entry].operation(moment.index)
        let seen = Set(note.writers { hasSeen($0, moment) })
        for removal in edit.removals where seen.contains(name(removal.operation)) {
            note.remove(
                Int(removal.numbers.lowerBound)..<Int(removal.numbers.upperBound), of: name(removal.operation))
        }
        for insertion in edit.insertions {
            let element = insertion.place.element.map {
                NoteTree.Element(operation: name($0.operation), number: Int($0.number))
            }
            let known = element.flatMap { element in
                (seen.contains(element.operation) || element.operation == own) && note.knows(element) ? element : nil
            }
            let place: NoteTree.Place =
                switch (insertion.place, known) {
                case (.after, let known?): .after(known)
                case (.before, let known?): .before(known)
                default: .beginning
                }
            note.insert(insertion.text.string, at: place, of: own, at: moment)
        }
        return note
    }

    /// Reads a note that was written as a field is.
    func read(_ write: Write, in note: inout NoteTree) {
        guard write.value != .unknown else { return }
        note.note(write.moment)
        for operation in note.writers(where: { hasSeen($0, write.moment) }) where !write.siblings.contains(operation) {
            note.remove(0..<Limits.noteShown, of: operation)
        }
        if case .text(let text) = write.value {
            let own = log[write.moment.entry].operation(write.moment.index)
            note.insert(text.string, at: .beginning, of: own, at: write.moment)
        }
    }
}
