import DeltaCRDT

enum GCounterSpecimen: Specimen {
    typealias State = GCounter

    static func operation(_ random: inout SplitMix64) -> UInt64 { UInt64(random.below(4)) }

    static func perform(_ operation: UInt64, on state: inout GCounter, by replica: ReplicaID) -> GCounter {
        state.add(operation, by: replica)
    }

    static func view(_ state: GCounter) -> UInt64 { state.value }

    static func catchUp(_ state: GCounter, from other: GCounter) -> [GCounter] {
        [state.merging(other.delta(since: state.summary()))]
    }

    static func follow(_ view: UInt64, _ change: UInt64, _ after: UInt64) -> UInt64 { change }

    static func expected(_ known: [Event<UInt64>], in history: [Event<UInt64>]) -> UInt64 {
        totalled(known, in: history).reduce(0) { $0 + $1.operation }
    }
}

enum PNCounterSpecimen: Specimen {
    typealias State = PNCounter

    static func operation(_ random: inout SplitMix64) -> Int64 { Int64(random.below(7)) - 3 }

    static func perform(_ operation: Int64, on state: inout PNCounter, by replica: ReplicaID) -> PNCounter {
        state.add(operation, by: replica)
    }

    static func view(_ state: PNCounter) -> Int64 { state.value }

    static func catchUp(_ state: PNCounter, from other: PNCounter) -> [PNCounter] {
        [state.merging(other.delta(since: state.summary()))]
    }

    static func follow(_ view: Int64, _ change: Int64, _ after: Int64) -> Int64 { change }

    /// What was added and what was taken are two totals.
    static func expected(_ known: [Event<Int64>], in history: [Event<Int64>]) -> Int64 {
        let added = totalled(known.filter { $0.operation > 0 }, in: history.filter { $0.operation > 0 })
        let taken = totalled(known.filter { $0.operation < 0 }, in: history.filter { $0.operation < 0 })
        return (added + taken).reduce(0) { $0 + $1.operation }
    }
}

enum CausalCounterSpecimen: Specimen {
    typealias State = CausalCounter

    /// nil puts the counter back to 0.
    static func operation(_ random: inout SplitMix64) -> Int64? {
        random.below(6) == 0 ? nil : [1, 2, 3, -1, -2][random.below(5)]
    }

    static func perform(_ operation: Int64?, on state: inout State, by replica: ReplicaID) -> State {
        operation.map { state.add($0, by: replica) } ?? state.reset()
    }

    static func overwrites(_ later: Int64?, by replica: ReplicaID, _ earlier: Event<Int64?>) -> Bool {
        earlier.operation != nil && (later == nil || earlier.replica == replica)
    }

    static func view(_ state: State) -> Int64 { state.value }

    static func follow(_ view: Int64, _ change: Int64, _ after: Int64) -> Int64 { change }

    /// The surviving totals; a total is a step and the replica's own totals that survived where it was made.
    static func expected(_ known: [Event<Int64?>], in history: [Event<Int64?>]) -> Int64 {
        var totals: [Int64] = []
        for event in history {
            let own = history.filter(event.saw).alive().filter { $0.replica == event.replica }
            totals.append(event.operation.map { step in own.reduce(step) { $0 + totals[$1.number] } } ?? 0)
        }
        return known.alive().reduce(0) { $0 + totals[$1.number] }
    }
}

/// The known events and all that their replicas did before them: a total that is known tells of those too.
private func totalled<Operation>(
    _ known: [Event<Operation>], in history: [Event<Operation>]
) -> [Event<Operation>] {
    history.filter { event in known.contains { $0.replica == event.replica && $0.number >= event.number } }
}

/// Two replicas to a voter, who so votes on two devices.
enum VoteCounterSpecimen: Specimen {
    typealias State = VoteCounter<String, UInt64>

    struct Operation {
        let subject: String
        let choice: State.Choice
    }

    struct Ballot: Hashable {
        let subject: String
        let voter: UInt64
    }

    static func operation(_ random: inout SplitMix64) -> Operation {
        Operation(
            subject: ["hut", "hotel", "hostel"][random.below(3)],
            choice: [.for, .for, .against, .neither][random.below(4)])
    }

    static func perform(_ operation: Operation, on state: inout State, by replica: ReplicaID) -> State {
        state.cast(operation.choice, on: operation.subject, by: voter(replica))
    }

    static func catchUp(_ state: State, from other: State) -> [State] {
        [state.merging(other.delta(since: state.summary()))]
    }

    static func view(_ state: State) -> [Ballot: State.Choice] {
        var view: [Ballot: State.Choice] = [:]
        state.forEachTally { subject, tally in
            var sum = 0
            state.forEachVote(on: subject) { voter, choice in
                view[Ballot(subject: subject, voter: voter)] = choice
                sum += Int(choice.rawValue)
            }
            // A tally that is not the sum of the votes spoils the view.
            if sum != tally || tally != state.tally(of: subject) { view = [:] }
        }
        return view
    }

    static func follow(_ view: [Ballot: State.Choice], _ change: State.Change, _ after: [Ballot: State.Choice])
        -> [Ballot: State.Choice]
    {
        var view = view
        view[Ballot(subject: change.subject, voter: change.voter)] = change.choice == .neither ? nil : change.choice
        return view
    }

    static func expected(
        _ known: [Event<Operation>], in history: [Event<Operation>]
    ) -> [Ballot: State.Choice] {
        var numbers: [Int] = []
        for event in history {
            let seen = history.filter { event.saw($0) && ballot($0) == ballot(event) }
            numbers.append(1 + (seen.map { numbers[$0.number] }.max() ?? 0))
        }
        var last: [Ballot: (number: Int, rank: Int, choice: State.Choice)] = [:]
        for event in known {
            let rank = [.neither, .against, .for].firstIndex(of: event.operation.choice) ?? 0
            let vote = (numbers[event.number], rank, event.operation.choice)
            if let best = last[ballot(event)], (best.number, best.rank) >= (vote.0, vote.1) { continue }
            last[ballot(event)] = vote
        }
        return last.mapValues { $0.choice }.filter { $0.value != .neither }
    }

    private static func voter(_ replica: ReplicaID) -> UInt64 { replica.low / 2001 }

    private static func ballot(_ event: Event<Operation>) -> Ballot {
        Ballot(subject: event.operation.subject, voter: voter(event.replica))
    }
}
