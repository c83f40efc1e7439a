import DeltaCRDT

/// The name of an event of a log: its Lamport time and its replica.
struct LoggedName: AuthoredID {
    let time: Int
    let replica: ReplicaID
    /// Where it is in the log of the replica that keeps it: no part of what is equal everywhere.
    let index: Int

    /// Two replicas to a person.
    var author: UInt64 { replica.low / 2001 }

    static func == (left: LoggedName, right: LoggedName) -> Bool {
        left.time == right.time && left.replica == right.replica
    }

    static func < (left: LoggedName, right: LoggedName) -> Bool {
        (left.time, left.replica) < (right.time, right.replica)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(time) }
}

/// An event as a replica takes it from its log.
struct LoggedAct: LoggedEvent {
    let id: LoggedName
    /// Whether the author had seen the event at an index of this replica's log.
    let isPast: (Int) -> Bool

    func hasSeen(_ other: LoggedName) -> Bool { isPast(other.index) }
}

/// A logged type on trial: how to act on it, how to look at it, and what an omniscient observer would see.
protocol LoggedSpecimen: SendableMetatype {
    associatedtype State: Hashable
    associatedtype Operation
    associatedtype View: Equatable

    static var empty: State { get }

    static func operation(_ random: inout SplitMix64) -> Operation

    static func apply(_ operation: Operation, of event: LoggedAct, to state: inout State)

    /// Whether an operation overwrites an earlier one that it has seen.
    static func overwrites(_ later: Operation, _ earlier: Operation) -> Bool

    static func view(_ state: State) -> View

    /// The events of which the state keeps something.
    static func kept(_ state: State) -> [LoggedName]

    /// What is to be seen where exactly these events are known.
    static func expected(_ known: [Event<Operation>], in history: [Event<Operation>]) -> View

    /// The events of which something is to be kept.
    static func survivors(_ known: [Event<Operation>], in history: [Event<Operation>]) -> [Event<Operation>]
}

/// A logged type that must show what a delta-state type shows: the specimen of that says what, for both.
protocol TwinSpecimen: LoggedSpecimen {
    associatedtype Twin: Specimen where Twin.Operation == Operation, Twin.View == View
}

extension TwinSpecimen {
    static func operation(_ random: inout SplitMix64) -> Operation { Twin.operation(&random) }

    static func overwrites(_ later: Operation, _ earlier: Operation) -> Bool { Twin.overwrites(later, earlier) }

    static func expected(_ known: [Event<Operation>], in history: [Event<Operation>]) -> View {
        Twin.expected(known, in: history)
    }
}

enum LoggedFlagSpecimen: TwinSpecimen {
    typealias Twin = EnableWinsFlagSpecimen

    static var empty: LoggedFlag<LoggedName> { LoggedFlag() }

    static func apply(_ isEnabled: Bool, of event: LoggedAct, to flag: inout LoggedFlag<LoggedName>) {
        if isEnabled { flag.enable(by: event) } else { flag.disable(by: event) }
    }

    static func view(_ flag: LoggedFlag<LoggedName>) -> Bool { flag.isEnabled }

    static func kept(_ flag: LoggedFlag<LoggedName>) -> [LoggedName] {
        // What is not in its order, or not the greatest, spoils what is kept.
        flag.enablings.isDescending && flag.last == flag.enablings.first ? flag.enablings : []
    }

    static func survivors(_ known: [Event<Bool>], in history: [Event<Bool>]) -> [Event<Bool>] {
        known.alive().filter { $0.operation }
    }
}

/// One register among others, to which the same events write other values.
enum LoggedRegistersSpecimen: TwinSpecimen {
    typealias Twin = MVRegisterSpecimen
    typealias State = LoggedRegisters<Int, Int64, LoggedName>

    static var empty: State { State() }

    static func apply(_ operation: Int64?, of event: LoggedAct, to registers: inout State) {
        for key in [5, 1, 3] {
            if let operation {
                registers.write(operation + Int64(key), at: key, by: event)
            } else {
                registers.clear(key, by: event)
            }
        }
        // Odd values stand one beside the other, and each twice, the last write first.
        if let operation, operation % 2 == 1 {
            registers.write(operation, at: 4, by: event) { _ in true }
            registers.write(operation + 1_000, at: 4, by: event) { _ in true }
        }
    }

    static func view(_ registers: State) -> [Int64] {
        let views = [1, 3, 5].map { key in registers[key].map { $0.value - Int64(key) }.sorted() }
        let keys = registers.keys
        let beside = Array(registers[4])
        let isInOrder = beside.indices.allSatisfy { index in
            index % 2 == 0
                ? beside[index].value >= 1_000 : beside[index].id == beside[index - 1].id && beside[index].value < 1_000
        }
        let isSound =
            isInOrder && views[0] == views[1] && views[1] == views[2]
            && (0..<7).allSatisfy { registers.contains($0) == keys.contains($0) }
            && keys.filter { $0 != 4 } == (views[0].isEmpty ? [] : [1, 3, 5])
        return isSound ? views[1] : [-1]
    }

    static func kept(_ registers: State) -> [LoggedName] {
        let writes = registers[3].map { $0.id }
        let beside = registers[4].filter { $0.value < 1_000 }.map { $0.id }
        return writes.isDescending && beside.isDescending ? writes + beside : []
    }

    static func survivors(_ known: [Event<Int64?>], in history: [Event<Int64?>]) -> [Event<Int64?>] {
        known.alive().filter { $0.operation != nil } + known.filter { ($0.operation ?? 0) % 2 == 1 }
    }
}

enum LoggedSetSpecimen: TwinSpecimen {
    typealias Twin = AddWinsSetSpecimen
    typealias State = LoggedSet<String, LoggedName>

    static var empty: State { State() }

    static func apply(_ operation: SetOperation, of event: LoggedAct, to set: inout State) {
        switch operation {
        case .add(let element): set.insert(element, by: event)
        case .remove(let element): set.remove(element, by: event)
        case .removeAll: for element in set.elements { set.remove(element, by: event) }
        }
    }

    static func view(_ set: State) -> Set<Bytes> {
        let view = set.elements.map { Bytes($0) }
        let isAscending = zip(view, view.dropFirst()).allSatisfy { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        return isAscending && set.elements.allSatisfy(set.contains) ? Set(view) : [Bytes("unsound")]
    }

    static func kept(_ set: State) -> [LoggedName] { set.entries.flatMap { $0.adds } }

    static func survivors(_ known: [Event<SetOperation>], in history: [Event<SetOperation>]) -> [Event<SetOperation>] {
        known.alive().filter { if case .add = $0.operation { true } else { false } }
    }
}

enum LoggedCounterSpecimen: TwinSpecimen {
    typealias Twin = PNCounterSpecimen

    static var empty: LoggedCounter { LoggedCounter() }

    static func apply(_ step: Int64, of event: LoggedAct, to counter: inout LoggedCounter) {
        if step < 0 { counter.withdraw(-step) } else { counter.add(step) }
    }

    static func view(_ counter: LoggedCounter) -> Int64 { counter.value }

    static func kept(_ counter: LoggedCounter) -> [LoggedName] { [] }

    static func survivors(_ known: [Event<Int64>], in history: [Event<Int64>]) -> [Event<Int64>] { [] }
}

/// The last words of three people, two of them with two replicas.
enum LoggedBallotSpecimen: LoggedSpecimen {
    typealias State = LoggedBallot<String, LoggedName>

    static var empty: State { State() }

    /// nil withdraws.
    static func operation(_ random: inout SplitMix64) -> String? { ["for", "against", "maybe", nil][random.below(4)] }

    static func overwrites(_ later: String?, _ earlier: String?) -> Bool { false }

    static func apply(_ word: String?, of event: LoggedAct, to ballot: inout State) { ballot.say(word, by: event.id) }

    static func view(_ ballot: State) -> [UInt64: String] {
        var view: [UInt64: String] = [:]
        for entry in ballot.entries where ballot[entry.id.author] == entry { view[entry.id.author] = entry.word }
        return view
    }

    static func kept(_ ballot: State) -> [LoggedName] { ballot.entries.map { $0.id } }

    static func expected(_ known: [Event<String?>], in history: [Event<String?>]) -> [UInt64: String] {
        var view: [UInt64: String] = [:]
        for event in survivors(known, in: history) { view[author(event)] = event.operation }
        return view
    }

    /// Of each person the event with the longest chain of events before it; of equal ones, that of the greatest replica.
    static func survivors(_ known: [Event<String?>], in history: [Event<String?>]) -> [Event<String?>] {
        let times = history.lamportTimes()
        var last: [UInt64: Event<String?>] = [:]
        for event in known {
            let best = last[author(event)]
            if let best, (times[best.number], best.replica) > (times[event.number], event.replica) { continue }
            last[author(event)] = event
        }
        return Array(last.values)
    }

    private static func author(_ event: Event<String?>) -> UInt64 { event.replica.low / 2001 }
}

extension [LoggedName] {
    var isDescending: Bool { zip(self, dropFirst()).allSatisfy { $1 < $0 } }
}

extension Array {
    /// Of each event of a history, by number.
    func lamportTimes<Operation>() -> [Int] where Element == Event<Operation> {
        var times: [Int] = []
        for event in self { times.append(1 + (filter(event.saw).map { times[$0.number] }.max() ?? 0)) }
        return times
    }
}
