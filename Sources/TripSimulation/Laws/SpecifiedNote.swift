import Convergence
import TripModel

/// A note by what people wrote: single characters in Fugue's tree, each beside one that its author was shown.
struct SpecifiedNote {
    typealias Name = TripSpecification.Name
    typealias Deed = TripSpecification.Deed

    /// A character: the deed that inserted it, and how many that inserted before.
    struct Element: Hashable {
        let deed: Deed.ID
        let number: Int
    }

    enum Place: Hashable {
        case beginning
        case after(Element)
        case before(Element)

        /// The character beside which it is.
        var element: Element? {
            switch self {
            case .beginning: nil
            case .after(let element), .before(let element): element
            }
        }
    }

    struct Edit {
        var insertions: [(place: Place, text: String)] = []
        var removals: Set<Element> = []
        /// Of an undo, for each insertion, the last of the characters that it writes again.
        var writtenAgain: [Element] = []

        /// What inserted the characters beside which it inserts others.
        var neighbors: [Deed.ID] { insertions.compactMap(\.place.element?.deed) }
    }

    private struct Node: Comparable {
        let element: Element
        let scalar: Unicode.Scalar
        let deed: Deed

        static func == (left: Node, right: Node) -> Bool { left.element == right.element }

        /// As what stands beside the same character is ordered.
        static func < (left: Node, right: Node) -> Bool {
            (left.deed.act.hash, left.deed.index, left.element.number)
                < (right.deed.act.hash, right.deed.index, right.element.number)
        }
    }

    private var children: [Place: [Node]] = [:]
    private var nodes: [Element: Node] = [:]
    private var removed: Set<Element> = []
    /// What undos wrote again, and the last of the characters that had been removed.
    private var rewritings: [(last: Element, elements: [Element])] = []
    /// From left to right.
    private var sequence: [Node] = []

    /// - Parameters:
    ///   - name: of an item; nil for the trip.
    ///   - upheld: changes of which what they inserted stays alone.
    init(_ specification: TripSpecification, _ name: Name?, _ held: EventSet, upheld: EventSet) {
        for deed in specification.deeds(of: name, held) {
            switch deed.kind {
            // What an item was made with.
            case .write(_, .note, let text?, _) where deed.act.change == name?.change:
                insert(text, at: .beginning, by: deed, from: 0)
            case .note(_, let edit):
                if !upheld.contains(deed.act.change) {
                    removed.formUnion(edit.removals.filter { nodes[$0].map { deed.follows($0.deed) } ?? false })
                }
                var number = 0
                for (index, (place, text)) in edit.insertions.enumerated() {
                    insert(text, at: known(place, to: deed), by: deed, from: number)
                    let numbers = number..<number + text.unicodeScalars.count
                    if edit.writtenAgain.indices.contains(index) {
                        let elements = numbers.map { Element(deed: deed.id, number: $0) }
                        rewritings.append((edit.writtenAgain[index], elements))
                    }
                    number = numbers.upperBound
                }
            default: break
            }
        }
        visit(.beginning)
    }

    private func known(_ place: Place, to deed: Deed) -> Place {
        guard let element = place.element, let node = nodes[element], deed.follows(node.deed) else { return .beginning }
        return place
    }

    private mutating func insert(_ text: String, at place: Place, by deed: Deed, from number: Int) {
        var place = place
        for (offset, scalar) in text.unicodeScalars.enumerated() {
            let node = Node(element: Element(deed: deed.id, number: number + offset), scalar: scalar, deed: deed)
            children[place, default: []].append(node)
            nodes[node.element] = node
            place = .after(node.element)
        }
    }

    private mutating func visit(_ place: Place) {
        for node in (children[place] ?? []).sorted() {
            visit(.before(node.element))
            sequence.append(node)
            visit(.after(node.element))
        }
    }

    private func isThere(_ element: Element) -> Bool { nodes[element] != nil && !removed.contains(element) }

    private var present: [Node] { sequence.filter { !removed.contains($0.element) } }

    var text: String { Self.text(present) }

    private static func text(_ nodes: [Node]) -> String {
        String(String.UnicodeScalarView(nodes.map(\.scalar)))
    }

    /// What makes of it another text. Which words are replaced is the model's to say: it is no law of notes.
    func edit(to new: String) -> Edit {
        let old = present
        var (edit, bytes, counts) = (Edit(), 0, [0: 0])
        for (count, node) in old.enumerated() {
            bytes += UTF8.width(node.scalar)
            counts[bytes] = count + 1
        }
        for (range, text) in TextDifference.replacements(from: text, to: new).reversed() {
            guard let first = counts[range.lowerBound], let last = counts[range.upperBound] else { continue }
            edit.removals.formUnion(old[first..<last].map(\.element))
            if !text.isEmpty { edit.insertions.append((place(behind: first, of: old), text)) }
        }
        return edit
    }

    private func place(behind count: Int, of present: [Node]) -> Place {
        guard count > 0 else { return sequence.first.map { .before($0.element) } ?? .beginning }
        return place(after: present[count - 1].element)
    }

    /// Fugue's: behind a character that has nothing behind it, else before what comes next.
    private func place(after left: Element) -> Place {
        guard children[.after(left)] != nil, let place = sequence.firstIndex(where: { $0.element == left }) else {
            return .after(left)
        }
        return .before(sequence[place + 1].element)
    }

    /// Some characters, and those by which each undo wrote some of them again.
    private func writings(of characters: Set<Element>) -> [Set<Element>] {
        rewritings.reduce(into: [characters]) { found, rewriting in
            if found.contains(where: { $0.contains(rewriting.last) }) { found.append(Set(rewriting.elements)) }
        }
    }

    /// What takes an edit back: what it inserted goes, together with what was removed of that, and what it removed and nobody brought back
    /// is written again where it was.
    func undoing(_ edit: Edit, of deed: Deed, before: SpecifiedNote) -> Edit {
        var undo = Edit()
        for writing in writings(of: Set(nodes.keys.filter { $0.deed == deed.id }))
        where writing.contains(where: isThere) {
            undo.removals.formUnion(writing)
        }
        for run in runs(edit.removals) {
            let words = Self.text(run.filter(before.isThere).compactMap { before.nodes[$0] })
            guard let last = run.last, !words.isEmpty, !writings(of: Set(run)).joined().contains(where: isThere) else {
                continue
            }
            undo.insertions.append((place(after: last), words))
            undo.writtenAgain.append(last)
            undo.removals.formUnion(run)
        }
        return undo
    }

    /// Some characters by rows that one deed inserted, and between which nothing stands. The rows are ordered by deeds, as an edit
    /// orders what it removes: that is how an undo numbers its characters, and seen once what they stand beside is gone.
    private func runs(_ elements: Set<Element>) -> [[Element]] {
        var (runs, isNext): ([[Node]], Bool) = ([], false)
        for node in sequence {
            guard elements.contains(node.element) else {
                isNext = false
                continue
            }
            let before = Element(deed: node.element.deed, number: node.element.number - 1)
            if isNext, runs.last?.last?.element == before {
                runs[runs.count - 1].append(node)
            } else {
                runs.append([node])
            }
            isNext = true
        }
        return runs.sorted { $0[0] < $1[0] }.map { $0.map(\.element) }
    }
}

extension TripSpecification {
    /// The text of a note; none where nothing is to be read.
    func note(of name: Name?, _ held: EventSet, upheld: EventSet = EventSet()) -> [String] {
        let text = SpecifiedNote(self, name, held, upheld: upheld).text
        return text.isEmpty ? [] : [text]
    }
}
