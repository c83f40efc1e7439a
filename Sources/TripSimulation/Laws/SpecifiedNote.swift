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

        /// What inserted the characters beside which it inserts others.
        var neighbors: [Deed.ID] { insertions.compactMap(\.place.element?.deed) }
    }

    private struct Node {
        let element: Element
        let scalar: Unicode.Scalar
        let deed: Deed
    }

    private var children: [Place: [Node]] = [:]
    private var nodes: [Element: Node] = [:]
    private var places: [Element: Place] = [:]
    private var removed: Set<Element> = []
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
                for (place, text) in edit.insertions {
                    insert(text, at: known(place, to: deed), by: deed, from: number)
                    number += text.unicodeScalars.count
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
            places[node.element] = place
            place = .after(node.element)
        }
    }

    private mutating func visit(_ place: Place) {
        let around = (children[place] ?? []).sorted {
            ($0.deed.act.hash, $0.deed.index, $0.element.number) < ($1.deed.act.hash, $1.deed.index, $1.element.number)
        }
        for node in around {
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

    /// What makes of it another text, both on one line: what lies between the same beginning and the same end.
    func edit(to new: String) -> Edit {
        let (old, new) = (present, Array(new.unicodeScalars))
        let first = zip(old, new).prefix { $0.scalar == $1 }.count
        let last = zip(old.dropFirst(first).reversed(), new.dropFirst(first).reversed()).prefix { $0.scalar == $1 }
            .count
        let text = String(String.UnicodeScalarView(new[first..<new.count - last]))
        return Edit(
            insertions: text.isEmpty ? [] : [(place(behind: first, of: old), text)],
            removals: Set(old[first..<old.count - last].map(\.element)))
    }

    /// Fugue's: behind a character that has nothing behind it, else before what comes next.
    private func place(behind count: Int, of present: [Node]) -> Place {
        guard count > 0 else { return sequence.first.map { .before($0.element) } ?? .beginning }
        let left = present[count - 1].element
        guard children[.after(left)] != nil, let place = sequence.firstIndex(where: { $0.element == left }) else {
            return .after(left)
        }
        return .before(sequence[place + 1].element)
    }

    /// Some characters, and those by which undos wrote them again, each time behind the last of them.
    private func writings(of characters: Set<Element>) -> Set<Element> {
        var found = characters
        for node in nodes.values.sorted(by: {
            ($0.deed.act.change, $0.element.number) < ($1.deed.act.change, $1.element.number)
        }) {
            guard case .undo = node.deed.act.meaning, case .after(let last)? = places[node.element] else { continue }
            if found.contains(last) { found.insert(node.element) }
        }
        return found
    }

    /// What takes an edit back: what it inserted goes, and what it removed and nobody brought back is written again where it was.
    func undoing(_ edit: Edit, of deed: Deed, before: SpecifiedNote) -> Edit {
        var undo = Edit()
        undo.removals = writings(of: Set(nodes.keys.filter { $0.deed == deed.id })).filter(isThere)
        for element in edit.removals {
            let last = Element(deed: element.deed, number: element.number + 1)
            if edit.removals.contains(last) { continue }
            // The last of some in a row.
            var run = [element]
            while edit.removals.contains(Element(deed: element.deed, number: run[0].number - 1)) {
                run.insert(Element(deed: element.deed, number: run[0].number - 1), at: 0)
            }
            let words = Self.text(run.filter(before.isThere).compactMap { before.nodes[$0] })
            if !words.isEmpty, !writings(of: Set(run)).contains(where: isThere) {
                undo.insertions.append((.after(element), words))
            }
        }
        return undo
    }
}

extension TripSpecification {
    /// The text of a note; none where nothing is to be read.
    func note(of name: Name?, _ held: EventSet, upheld: EventSet = EventSet()) -> [String] {
        let text = SpecifiedNote(self, name, held, upheld: upheld).text
        return text.isEmpty ? [] : [text]
    }
}
