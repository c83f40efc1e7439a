import DeltaCRDT

/// Names that tell everybody apart. Members are named first, in the order in which they first acted. People who are out come after them,
/// and are marked. So a person who comes back from another home has their own name again.
package struct DisplayNames: Sendable {
    /// What someone is called who is not known by any name.
    static let unnamed = "someone"

    /// Those who are in first, each part in the order in which they first acted.
    let participants: [ParticipantView]
    /// The same people, and behind them those who were admitted and did nothing yet.
    let everybody: [ParticipantView]
    private let places: [ParticipantID: Int]
    private let outside: Set<ParticipantID>
    private let waiting: Set<ParticipantID>

    /// A participant whose name is the first of its kind keeps it; the next is "Jie (2)". Upper and lower case of A to Z
    /// make no difference, for people would not hear one, nor does what shows nothing. Complexity: O(n log n).
    ///
    /// - Parameters:
    ///   - waiting: those of who is out who may be kept.
    ///   - admittedNames: what participants without a name of their own are called.
    init(
        _ state: TripState, outside: Set<ParticipantID>, waiting: Set<ParticipantID>,
        admittedNames: [ParticipantID: String]
    ) {
        var taken: Set<Text> = []
        var next: [Text: Int] = [:]
        let active = state.firsts.map { (id: $0.key, stamp: $0.value.stamp, isOut: outside.contains($0.key)) }
            .sorted { !$0.isOut && $1.isOut || $0.isOut == $1.isOut && ($0.stamp, $0.id) < ($1.stamp, $1.id) }
        let silent = admittedNames.keys.filter { state.firsts[$0] == nil }.sorted()
        everybody = (active.map(\.id) + silent).map { id in
            let name = state.names[id]?.word?.string ?? admittedNames[id]
            let wanted = name ?? Self.unnamed
            let (isOut, isWaiting) = (outside.contains(id), waiting.contains(id))
            let mark = isWaiting ? " (waiting)" : isOut ? " (out)" : ""
            var shown = wanted + mark
            let first = Text(shown.appearance)
            var (folded, number) = (first, next[first] ?? 1)
            while !taken.insert(folded).inserted {
                number += 1
                shown = "\(wanted) (\(number))\(mark)"
                folded = Text(shown.appearance)
            }
            next[first] = number
            return ParticipantView(id: id, name: name, displayName: shown, isOut: isOut, isWaiting: isWaiting)
        }
        participants = Array(everybody.prefix(active.count))
        places = Dictionary(uniqueKeysWithValues: everybody.enumerated().map { ($1.id, $0) })
        self.outside = outside
        self.waiting = waiting
    }

    /// What to call somebody. O(1).
    package subscript(id: ParticipantID) -> String { places[id].map { everybody[$0].displayName } ?? Self.unnamed }

    /// The name that somebody chose, or else the one in their admission, although others may have it too; nil where none is known. O(1).
    package func ownName(of id: ParticipantID) -> String? { places[id].flatMap { everybody[$0].name } }

    /// Whether one name is another with endings that tell people apart, "Jie (2)" of "Jie", so that it could be taken for that person.
    package static func isMarked(_ name: String, from other: String?) -> Bool {
        guard let wanted = other?.appearance, !wanted.isEmpty else { return false }
        var rest = name.appearance[...]
        while rest.last == ")", let start = rest.lastIndex(of: "(") {
            let mark = rest[rest.index(after: start)...].dropLast()
            guard ["out", "waiting"].contains(mark) || Int(mark).map({ $0 > 1 }) == true else { return false }
            rest = TextClasses.trimmed(String(rest[..<start]))[...]
            if rest == wanted { return true }
        }
        return false
    }

    /// Some people, in the order of all. Complexity: O(k log k) for k people.
    func views(of people: Set<ParticipantID>) -> [ParticipantView] {
        people.compactMap { places[$0] }.sorted().map { everybody[$0] }
    }

    func isOut(_ id: ParticipantID) -> Bool { outside.contains(id) }

    func isWaiting(_ id: ParticipantID) -> Bool { waiting.contains(id) }
}
