import DeltaCRDT

// What people say of items besides votes: comments, what they bring, what is there.
extension TripReplica {
    func comment(on item: ItemID, _ text: String) throws(TripError) -> Operation {
        try requirePresent(item)
        let text = TextRule.comment.normalized(text)
        try TextRule.comment.check(text)
        return .item(.there(item.operation), .comment(Text(text)))
    }

    func removeComments(_ comments: [CommentID], by participant: ParticipantID) throws(TripError) -> [Operation] {
        guard !comments.isEmpty else { throw TripError(.nothingNamed, "no comment is given; name one") }
        return try comments.map { name throws(TripError) in
            guard let place = state.comments[name.operation],
                let comment = state.items[place.item]?.extras.value?.comment(place.id)
            else { throw TripError(.unknownItem, "there is no such comment in this trip; see `caravan show ITEM`") }
            guard comment.id.author == participant else {
                throw TripError(.unknownItem, "this comment is not yours; you can delete only your own")
            }
            guard comment.existence.isEnabled else {
                throw TripError(.nothingChanged, "this comment is already deleted")
            }
            return .item(.there(name.operation), .remove)
        }
    }

    /// Claims the items of which the participant brings another number.
    func claim(
        _ items: [ItemID], _ count: Int64?, by participant: ParticipantID
    ) throws(TripError) -> [Operation] {
        if let count, !(1...Limits.quantityStep).contains(count) {
            throw TripError(.outOfRange, "--count must be between 1 and \(Limits.quantityStep)")
        }
        if count != nil { for item in items { try requireOfPlan(item, "be brought") } }
        let claim = count.map { Claim(count: UInt32($0)) }
        return try say(claim, of: items, .claim(claim), last: { $0.extras.value?.claims[participant] }) { what in
            guard let count, count > 1 else {
                return claim == nil ? "you don't bring \(what)" : "you already bring \(what)"
            }
            return "you already bring \(count) of \(what)"
        }
    }

    /// Answers for the items for which the participant's answer is another one.
    func attend(
        _ items: [ItemID], _ attendance: Attendance?, by participant: ParticipantID
    ) throws(TripError) -> [Operation] {
        try say(attendance, of: items, .attend(attendance), last: { $0.extras.value?.attendance[participant] }) {
            what in
            attendance.map { "you already answered “\($0.label)” for \(what)" }
                ?? "you have no answer for \(what); nothing to withdraw"
        }
    }

    /// Says a word of the items of which the participant's last word is another one.
    /// - Parameter already: why there are none.
    func say<Word>(
        _ word: Word?, of items: [ItemID], _ operation: ItemOperation, last: (ItemState) -> Ballot<Word>.Entry?,
        already: (String) -> String
    ) throws(TripError) -> [Operation] {
        let items = try unique(items, after: requirePresent)
        let new = items.filter { state.items[$0].flatMap(last)?.word != word }
        guard new.isEmpty else { return new.map { .item(.there($0.operation), operation) } }
        let what = items.count == 1 ? label(items[0]) : word == nil ? "any of these" : "all of these"
        throw TripError(.nothingChanged, already(what))
    }

    func changeAmenities(of item: ItemID, _ added: [String], _ removed: [String]) throws(TripError) -> Operation {
        try requirePresent(item)
        let amenities = state.items[item]?.extras.value?.amenities ?? WordSet()
        let (added, removed) = (try Self.checkedAmenities(added), try Self.checkedAmenities(removed))
        if let word = added.first(where: removed.contains) {
            throw TripError(.malformedValue, "cannot add and remove \(word.string.quoted) at once; choose one")
        }
        let new = added.filter { !amenities.contains($0) }
        let gone = removed.filter(amenities.contains)
        guard !new.isEmpty || !gone.isEmpty else {
            throw TripError(.nothingChanged, "\(label(item)) is already like that")
        }
        return .item(.there(item.operation), .amenities(added: new, removed: gone))
    }

    /// Each word in its one form, once.
    static func checkedAmenities(_ given: [String]) throws(TripError) -> [Text] {
        guard given.count <= Limits.wordsPerOperation else { throw Self.tooMuchAtOnce }
        var words: [Text] = []
        for text in given {
            let word = TextRule.normalizedAmenity(text)
            try TextRule.checkAmenity(word)
            if !words.contains(Text(word)) { words.append(Text(word)) }
        }
        return words
    }
}
