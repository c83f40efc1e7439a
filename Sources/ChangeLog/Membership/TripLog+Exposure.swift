// Open invites that a removed person may know. A removal ends the invites of its author, and of people below them (section 5, "Open"); of
// all others the openers decide.
extension TripLog {
    /// Why a removed person may know an open invite.
    package struct Exposure: Hashable, Sendable {
        /// The person who was removed.
        package let removed: Bytes32
        package let by: Bytes32
    }

    /// The first removal that counts of a person who may know an invite, where the invite stays open in spite of it; nil where there is
    /// none. Guests know no invites, and only its opener's device knows the link of one for a further device. O(people · (depth + log branches)).
    package func exposure(of opened: OpenedInvite) -> Exposure? {
        guard opened.ending == nil, opened.invite.participant == nil, let opener = facts.participant(of: opened.author)
        else { return nil }
        var first: (stamp: ChangeTimestamp, exposure: Exposure)?
        for person in membership.persons.values where !person.isGuest && person.id != opener {
            for index in person.removals where !graph.isPast(index, of: opened.index) {
                guard let author = facts.participant(of: graph[index].change.replica) else { continue }
                if author == opener || isAncestor(author, of: opener) { continue }
                if first.map({ $0.stamp < graph[index].stamp }) ?? false { continue }
                first = (graph[index].stamp, Exposure(removed: person.id, by: author))
            }
        }
        return first?.exposure
    }
}
