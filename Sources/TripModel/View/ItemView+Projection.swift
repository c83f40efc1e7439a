import DeltaCRDT

extension ItemView {
    /// The view of one item. Complexity: in the size of the item.
    /// - Parameter own: what sealed answers of the people here say, by commitment.
    init(
        _ state: ItemState, in trip: TripState, number: Int, shortID: String, names: DisplayNames,
        own: [[UInt8]: RevealedAnswer]
    ) {
        let origin = state.origin
        var touched = max(origin.stamp, state.existence.last?.stamp ?? origin.stamp)
        var fields: [Field: FieldView] = [:]
        for field in state.fields.keys {
            let writes = state.fields[field]
            fields[field] = FieldView(writes, names: names)
            if let highest = writes.first { touched = max(touched, highest.stamp) }
        }
        for entry in state.votes.entries { touched = max(touched, entry.id.stamp) }
        if let last = state.extras.value?.note.last {
            touched = max(touched, last.stamp)
            fields[.note] = state.extras.value.flatMap { FieldView($0.note, names: names) }
        }
        let votes = state.votes.views(names) { $0 }
        for photo in state.photos.elements { touched = max(touched, photo.origin.stamp) }
        if let extras = state.extras.value {
            for answered in [extras.answers.touched, extras.sealed.touched].compactMap(\.self) {
                touched = max(touched, answered)
            }
        }
        self.init(
            id: state.id, shortID: shortID, number: number, isRemoved: !state.existence.isEnabled, fields: fields,
            votes: votes, tally: votes.reduce(0) { $0 + ($1.isOut ? 0 : $1.word.weight) }, quantity: state.quantity,
            addedBy: origin.author, addedByName: names[origin.author], addedAt: origin.cause.wallTime,
            added: origin.stamp, touched: touched,
            sayings: ItemSayings(state, list: trip.list(of: state), names: names, own: own),
            isWaiting: names.isWaiting(origin.author))
    }
}

extension LoggedBallot where ID == AuthoredOperation {
    /// The words that were not taken back, in the order of the names, by bytes.
    fileprivate func views<Shown>(_ names: DisplayNames, _ shown: (Word) -> Shown) -> [LastWord<Shown>] {
        entries.compactMap { entry in
            entry.word.map { word in
                LastWord(
                    participant: entry.id.author, name: names[entry.id.author], word: shown(word),
                    isOut: names.isOut(entry.id.author))
            }
        }
        .sorted { (Text($0.name), $0.participant) < (Text($1.name), $1.participant) }
    }
}

extension ItemSayings {
    fileprivate init(_ state: ItemState, list: ListState?, names: DisplayNames, own: [[UInt8]: RevealedAnswer]) {
        self.init()
        guard let extras = state.extras.value else { return }
        placed = extras.placement?.id.stamp
        self.list = list.map { ListLabel(id: ListID(operation: $0.id), title: $0.title) }
        claims = extras.claims.views(names) { Int64($0.count) }
        attendance = extras.attendance.views(names) { $0 }
        amenities = extras.amenities.elements.map(\.string)
        options = extras.options.wordsAsAdded.map(\.string)
        let given =
            state.isHiddenQuestion
            ? extras.sealed.given(knowing: own)
            : extras.answers.given(standing: Set(state.closings.map(\.operation)))
        answers = given.map { given in
            LastWord(
                participant: given.participant, name: names[given.participant], word: given.answer,
                isOut: names.isOut(given.participant))
        }
        .sorted { (Text($0.name), $0.participant) < (Text($1.name), $1.participant) }
        photos = extras.photoViews(names)
        comments = extras.comments.filter { $0.existence.isEnabled }.map { comment in
            CommentView(
                id: CommentID(operation: comment.id.operation), author: comment.id.author,
                authorName: names[comment.id.author], text: comment.text.string, at: comment.id.cause.wallTime)
        }
    }
}

extension ListView {
    /// - Parameter items: those that are in it, in its order.
    init(_ state: ListState, items: [ItemID], names: DisplayNames) {
        var fields: [Field: FieldView] = [:]
        for field in [Field.title, .note, .itemKind] {
            fields[field] = FieldView(state.fields[field], names: names)
        }
        self.init(
            id: ListID(operation: state.id), fields: fields, items: items, isRemoved: !state.existence.isEnabled,
            addedBy: state.origin.author, addedByName: names[state.origin.author])
    }
}

extension FieldView {
    /// A note, by the person who wrote in it last; nil where nothing is to be read.
    init?(_ note: Note, names: DisplayNames) {
        guard let text = note.shown, let last = note.last else { return nil }
        let author = last.author
        self.init(shown: Proposal(value: text, author: author, authorName: names[author]), alternatives: [])
    }

    /// What the writes at a field show, highest first; nil where there are none.
    init?(_ writes: ArraySlice<Written>, names: DisplayNames) {
        let proposals = writes.filter { $0.text != nil }.distinct().map { write in
            Proposal(value: write.text?.string ?? "", author: write.author, authorName: names[write.author])
        }
        guard let shown = proposals.first else { return nil }
        self.init(shown: shown, alternatives: Array(proposals.dropFirst()))
    }
}
