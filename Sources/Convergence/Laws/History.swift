/// Something that a person did, and what their replica knew then.
public struct HistoryEvent<Action: Sendable>: Sendable {
    /// The event's number in the run. What happened before has a lower one.
    public let number: Int
    /// The machine where it was done.
    public let replica: Int
    /// What was done.
    public let action: Action
    /// All events that happened before (Lamport: *Time, clocks, and the ordering of events*, 1978).
    public let past: EventSet
    /// Events of which nobody can say whether the author knew them.
    let doubtful: EventSet
}

/// What a replica knows of a run.
struct Knowledge: Equatable {
    /// The events that it heard of.
    var known = EventSet()
    /// These and the events of which it may have heard, in messages that it took in part.
    private var possible = EventSet()

    /// Of which events nobody can say whether it knows them.
    var doubtful: EventSet { possible.subtracting(known) }

    mutating func insert(_ event: Int) {
        known.insert(event)
        possible.insert(event)
    }

    mutating func take(_ sender: Knowledge, _ isWhole: Bool) {
        if isWhole { known.formUnion(sender.known) }
        possible.formUnion(sender.possible)
    }
}

/// What a replica knows of a run, with all causality: what no replica could know by itself.
public struct History<Action: Sendable>: Sendable {
    let all: [HistoryEvent<Action>]
    let known: EventSet
    let log: PremiseLog

    /// The known events, an order that extends causality.
    public var events: [HistoryEvent<Action>] { known.map { all[$0] } }

    /// Of the events that matter, those that no other one of them follows. O(n²) bit operations, 64 at a time.
    public func last(where matters: (Action) -> Bool) -> [HistoryEvent<Action>] {
        Self.last(of: events.filter { matters($0.action) })
    }

    static func last(of some: [HistoryEvent<Action>]) -> [HistoryEvent<Action>] {
        var followed = EventSet()
        for event in some { followed.formUnion(event.past) }
        return some.filter { !followed.contains($0.number) }
    }
}

/// What a replica shows, what it showed before, and what it knows.
public struct Observation<Subject: ReplicatedType>: Sendable {
    /// What the replica shows now.
    public let view: Subject.View
    /// What the same replica showed one step before, knowing no more than now; nil after a restart.
    public let previous: Subject.View?
    /// What it knows, with all causality.
    public let history: History<Subject.Action>
    /// What the replica's own person has just done; nil where the replica is looked at for another reason.
    public let act: HistoryEvent<Subject.Action>?
    /// What the programs play that play the replicas.
    let type: DataType?
}
