extension ItemView {
    /// The view of one item. Complexity: in the size of the item.
    init(_ state: ItemState, number: Int, shortID: String, names: DisplayNames) {
        let origin = state.origin
        var touched = max(origin.stamp, state.existence.highest?.cause.stamp ?? origin.stamp)
        var fields: [Field: FieldView] = [:]
        for field in state.fields.fields {
            let writes = state.fields[field]
            fields[field] = FieldView(writes, names: names)
            if let highest = writes.first { touched = max(touched, highest.stamp) }
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
            id: state.id, shortID: shortID, number: number, isRemoved: state.existence.isEmpty, fields: fields,
            votes: votes, tally: votes.reduce(0) { $0 + ($1.isOut ? 0 : $1.vote.weight) }, quantity: state.quantity,
            addedBy: origin.participant, addedByName: names[origin.participant], addedAt: origin.wallTime,
            added: origin.stamp, touched: touched)
    }
}

extension FieldView {
    /// What the writes at a field show, highest first; nil where there are none.
    init?(_ writes: ArraySlice<Written>, names: DisplayNames) {
        let proposals = writes.filter { $0.text != nil }.distinct().map { write in
            Proposal(value: write.text?.string ?? "", author: write.author, authorName: names[write.author])
        }
        guard let shown = proposals.first else { return nil }
        self.init(shown: shown, alternatives: Array(proposals.dropFirst()))
    }
}
