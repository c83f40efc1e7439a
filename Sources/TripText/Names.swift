import TripModel

/// What people and items are called in a history that is told.
struct Names {
    private let people: [ParticipantID: ParticipantView]
    private let items: [ItemID: String]
    /// Whose entry is told.
    private(set) var author: ParticipantID?

    init(_ names: HistoryNames) {
        people = Dictionary(names.people.map { ($0.id, $0) }) { first, _ in first }
        items = Dictionary(names.items.map { ($0.id, $0.shortID) }) { first, _ in first }
    }

    /// The same, for an entry of somebody.
    func of(_ author: ParticipantID) -> Names {
        var names = self
        names.author = author
        return names
    }

    subscript(id: ParticipantID) -> String { people[id]?.displayName ?? "someone" }

    /// The name of somebody who may not have said anything in the trip yet, but gave one at the door.
    func name(of id: ParticipantID, given: String) -> String {
        if let view = people[id], view.name != nil { return view.displayName }
        return given.isBlank ? self[id] : given.displayed(limit: 64)
    }

    /// The name of somebody in the sentence that tells how they were removed, where no mark need say it again.
    func nameOfRemoved(_ id: ParticipantID, given: String) -> String {
        let name = name(of: id, given: given)
        let mark = " (out)"
        return name.hasSuffix(mark) ? String(name.dropLast(mark.count)) : name
    }

    func shortID(of id: ItemID) -> String { items[id] ?? id.leastShortID }
}
