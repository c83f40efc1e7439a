import DeltaCRDT

extension TripReplica {
    /// The trip to read. Complexity: O(n log n) in the size of the state.
    package var view: TripView { Projection(state: state).view }
}

/// Builds the view of a state.
private struct Projection {
    let state: TripState
    let participants: [ParticipantView]
    let names: [ParticipantID: String]

    init(state: TripState) {
        self.state = state
        participants = DisplayNames.assign(state.people)
        names = Dictionary(uniqueKeysWithValues: participants.map { ($0.id, $0.displayName) })
    }

    var view: TripView {
        let origins = state.origins.sorted { ($0.value.stamp, $0.key) < ($1.value.stamp, $1.key) }
        let shortIDs = ShortIDs.assign(origins.map(\.key))
        let all = zip(origins, shortIDs).enumerated().map { index, entry in
            item(entry.0.key, entry.0.value, shortID: entry.1, number: index + 1)
        }
        return TripView(
            title: field(state.title), participants: participants,
            items: all.filter { !$0.isRemoved }, removedItems: all.filter(\.isRemoved))
    }

    private func item(_ id: ItemID, _ origin: Origin, shortID: String, number: Int) -> ItemView {
        let touches = state.existence[id].entries.map(\.value)
        var touched = touches.reduce(origin.stamp, max)
        var fields: [Field: FieldView] = [:]
        for name in Field.allCases {
            let writes = state.fields[FieldKey(item: id, field: name)]
            fields[name] = field(writes)
            touched = writes.entries.reduce(touched) { max($0, $1.value.stamp) }
        }
        var votes: [VoteView] = []
        for (participant, entry) in state.votes[id] ?? [:] {
            touched = max(touched, entry.stamp)
            guard let vote = entry.value else { continue }
            votes.append(VoteView(participant: participant, name: name(of: participant), vote: vote))
        }
        votes.sort { (Text($0.name), $0.participant) < (Text($1.name), $1.participant) }
        return ItemView(
            id: id, shortID: shortID, number: number, isRemoved: touches.isEmpty, fields: fields, votes: votes,
            tally: votes.reduce(0) { $0 + $1.vote.weight }, quantity: state.quantities[id]?.value,
            addedBy: origin.author, addedByName: name(of: origin.author), addedAt: origin.wallTime,
            added: origin.stamp, touched: touched)
    }

    private func field(_ writes: DotFun<Written>) -> FieldView? {
        let proposals = writes.entries.map(\.value).sortedHighestFirst().distinct().map { write in
            Proposal(value: write.text.string, author: write.author, authorName: name(of: write.author))
        }
        guard let shown = proposals.first else { return nil }
        return FieldView(shown: shown, alternatives: Array(proposals.dropFirst()))
    }

    private func name(of participant: ParticipantID) -> String { names[participant] ?? DisplayNames.unnamed }
}
