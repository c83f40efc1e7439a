import DeltaCRDT

extension ItemView {
    /// The view of one item. Nil where nothing made it. Complexity: in the size of the item.
    init?(_ id: ItemID, _ state: ItemState, number: Int, shortID: String, names: DisplayNames) {
        guard let origin = state.origin else { return nil }
        var touched = origin.stamp
        state.existence.forEach { touched = max(touched, $1.stamp) }
        var fields: [Field: FieldView] = [:]
        for entry in state.fields {
            fields[entry.field] = FieldView(entry.writes, names: names)
            entry.writes.forEach { touched = max(touched, $1.stamp) }
        }
        var votes: [VoteView] = []
        for entry in state.votes.entries {
            touched = max(touched, entry.stamp)
            guard let vote = entry.vote else { continue }
            votes.append(
                VoteView(
                    participant: entry.voter, name: names[entry.voter], vote: vote, isOut: names.isOut(entry.voter)))
        }
        votes.sort { (Text($0.name), $0.participant) < (Text($1.name), $1.participant) }
        self.init(
            id: id, shortID: shortID, number: number, isRemoved: state.existence.isEmpty, fields: fields, votes: votes,
            tally: votes.reduce(0) { $0 + ($1.isOut ? 0 : $1.vote.weight) }, quantity: state.quantity?.value,
            addedBy: origin.participant, addedByName: names[origin.participant], addedAt: origin.wallTime,
            added: origin.stamp, touched: touched)
    }
}

extension FieldView {
    /// What the writes at a field show; nil where there are none.
    init?(_ writes: DotFun<Written>, names: DisplayNames) {
        let proposals = writes.entries.map(\.value).sortedHighestFirst().distinct().map { write in
            Proposal(value: write.text.string, author: write.author, authorName: names[write.author])
        }
        guard let shown = proposals.first else { return nil }
        self.init(shown: shown, alternatives: Array(proposals.dropFirst()))
    }
}
