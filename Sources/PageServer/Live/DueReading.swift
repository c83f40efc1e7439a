import TripModel
import TripService

/// What is to be read anew of a trip.
struct DueReading {
    /// Items that something was done to.
    var items: Set<ItemID> = []
    /// The whole trip: what happened may show in every item.
    var isWhole = false
    /// What everybody writes on the trip as a whole.
    var tripNote = false
    /// Who writes in notes, and where.
    var writers = false
    var members = false
    var invites = false
    var history = false
    /// What is the person's own.
    var own = false

    /// Above this many, the whole trip costs less.
    private static let itemsMax = 256

    static let everything = DueReading(
        isWhole: true, writers: true, members: true, invites: true, history: true, own: true)

    var isEmpty: Bool { !members && isMembersAtMost }
    /// Whether nothing waits but who is here and who has what, which changes often and matters little.
    var isMembersAlone: Bool { members && isMembersAtMost }
    private var isMembersAtMost: Bool {
        items.isEmpty && !isWhole && !tripNote && !writers && !invites && !history && !own
    }

    /// Notes what an event may have changed.
    mutating func note(_ event: TripEvent) {
        switch event {
        case .changed(let view):
            history = true
            // What everybody has is another question after each change.
            members = true
            for entry in view.entries { for event in entry.events { note(event) } }
        case .rebuilt, .missed: self = .everything
        case .membership: (members, invites, history) = (true, true, true)
        case .pictures(let items): self.items.formUnion(items)
        case .own: own = true
        case .writing: writers = true
        case .youAreOut: (isWhole, members) = (true, true)
        case .spread, .here, .gone, .inTwoPlaces, .discovery, .problem: members = true
        case .full, .refused, .misbehaved, .limit, .needsNewer: break
        }
        if items.count > Self.itemsMax { (isWhole, items) = (true, []) }
    }

    private mutating func note(_ event: HistoryEvent) {
        switch event {
        case .item(let id, _, _, _): items.insert(id)
        // A name stands in every item that its bearer had a part in; and votes of those who are out count no more.
        case .list: isWhole = true
        case .undid, .endedDevice: break
        case .noted: tripNote = true
        case .titled, .named, .founded, .left, .tookOut: isWhole = true
        case .letIn: (isWhole, invites) = (true, true)
        case .invited, .closedInvite: invites = true
        }
        if case .tookOut = event { invites = true }
    }
}
