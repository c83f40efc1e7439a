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
        participants = DisplayNames.assign(state.firsts.mapValues(\.stamp), names: state.names.mapValues(\.text.string))
        names = Dictionary(uniqueKeysWithValues: participants.map { ($0.id, $0.displayName) })
    }

    var view: TripView {
        var items: [(id: ItemID, state: ItemState, origin: Cause)] = []
        state.items.forEach { id, item in
            if let origin = item.origin { items.append((id, item, origin)) }
        }
        items.sort { ($0.origin.stamp, $0.id) < ($1.origin.stamp, $1.id) }
        let all = zip(items, ShortIDs.assign(items.map(\.id))).enumerated().map { index, entry in
            item(entry.0.id, entry.0.state, entry.0.origin, shortID: entry.1, number: index + 1)
        }
        return TripView(
            title: field(state.title), participants: participants,
            items: all.filter { !$0.isRemoved }, removedItems: all.filter(\.isRemoved))
    }

    private func item(
        _ id: ItemID, _ state: ItemState, _ origin: Cause, shortID: String, number: Int
    ) -> ItemView {
        let touches = state.existence.entries.map(\.value.stamp)
        var touched = touches.reduce(origin.stamp, max)
        var fields: [Field: FieldView] = [:]
        for entry in state.fields {
            fields[entry.field] = field(entry.writes)
            touched = entry.writes.entries.reduce(touched) { max($0, $1.value.stamp) }
        }
        var votes: [VoteView] = []
        for entry in state.votes.entries {
            touched = max(touched, entry.stamp)
            guard let vote = entry.vote else { continue }
            votes.append(VoteView(participant: entry.voter, name: name(of: entry.voter), vote: vote))
        }
        votes.sort { (Text($0.name), $0.participant) < (Text($1.name), $1.participant) }
        return ItemView(
            id: id, shortID: shortID, number: number, isRemoved: touches.isEmpty, fields: fields, votes: votes,
            tally: votes.reduce(0) { $0 + $1.vote.weight }, quantity: state.quantity?.value,
            addedBy: origin.participant, addedByName: name(of: origin.participant), addedAt: origin.wallTime,
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
