/// What the people and the items of some history are called at present: what it takes to show that history.
package struct HistoryNames: Codable, Hashable, Sendable {
    package struct Item: Codable, Hashable, Sendable {
        package let id: ItemID
        package let shortID: String
        package let number: Int

        package init(id: ItemID, shortID: String, number: Int) {
            self.id = id
            self.shortID = shortID
            self.number = number
        }
    }

    /// In the trip's order of people.
    package let people: [ParticipantView]
    /// As they were made.
    package let items: [Item]

    package init(people: [ParticipantView], items: [Item]) {
        self.people = people
        self.items = items
    }
}

extension LiveTrip {
    /// The names that entries need. Complexity: in the size of the entries, times O(log n + n / 512).
    package mutating func names(of entries: some Sequence<HistoryEntry>) -> HistoryNames {
        var people: Set<ParticipantID> = []
        var items: Set<ItemID> = []
        for entry in entries {
            people.insert(entry.participant)
            for event in entry.events {
                switch event {
                case .item(let id, _, .removed(let upholders), _):
                    items.insert(id)
                    people.formUnion(upholders.map(\.participant))
                case .item(let id, _, .edited(let edits), _):
                    items.insert(id)
                    people.formUnion(edits.flatMap(\.people))
                case .item(let id, _, _, _): items.insert(id)
                case .list(_, _, .edited(let edits)): people.formUnion(edits.flatMap(\.people))
                case .letIn(let participant, _, _), .tookOut(let participant, _): people.insert(participant)
                case .titled, .noted, .named, .list, .undid, .founded, .left, .endedDevice, .invited, .closedInvite:
                    break
                }
            }
        }
        let (index, names) = prepared()
        let state = replica.state
        let named = items.compactMap { id in
            state.items[id].map { item in
                HistoryNames.Item(id: id, shortID: index.shortID(of: id), number: index.number(of: item))
            }
        }
        return HistoryNames(people: names.views(of: people), items: named.sorted { $0.number < $1.number })
    }
}
