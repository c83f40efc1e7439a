/// All that happens in a run, decided before it begins: so a part of it is a run too, and can be made smaller.
public struct Plan<Action: Sendable>: Sendable {
    /// When what was sent arrives, in steps from now: once for each copy, never for none.
    public struct Fate: Hashable, Sendable {
        var request: [Int]
        var reply: [Int]

        static var good: Fate { Fate(request: [1], reply: [1]) }
    }

    /// How a write ends that power cuts.
    public enum Interruption: String, Sendable {
        /// Nothing of it is on the disk.
        case lost
        /// A part of it is.
        case torn
        /// All of it is, and nobody was told.
        case unacknowledged
    }

    /// An event of a run.
    public enum Event: Sendable {
        /// A person acts, and power may fail while the action is written.
        case act(replica: Int, Action, Interruption?)
        /// A replica sends its message for a peer.
        case send(from: Int, to: Int, Fate)
        /// The replicas of one side, a bit each, are separated from the others; or only their messages don't arrive.
        case partition(side: UInt64, isOneWay: Bool)
        /// The network is whole again.
        case heal
        /// A replica stops. Of its unsynced records, so many of the oldest are kept.
        case crash(replica: Int, keeping: Int)
        /// A replica starts from its disk.
        case restart(replica: Int)
        /// A copy of a replica's disk is made.
        case backup(replica: Int)
        /// A replica starts from that copy.
        case restore(replica: Int)
        /// From here on, a replica's clock is wrong by so much.
        case skew(replica: Int, milliseconds: Int64)
        /// So many days pass on all clocks.
        case pause(days: Int)
        /// A copy of one replica reads a state of another with altered bytes, and acts, several times.
        case alter(of: Int, takenBy: Int, Alteration, Action)
    }

    /// An event, its number in the plan, and its time in steps.
    public struct Step: Sendable {
        /// Its index in the whole plan, from 0.
        public let number: Int
        /// When it happens: its number, but in a burst that of the burst's first step.
        public internal(set) var time: Int
        /// What happens.
        public var event: Event
    }

    /// How many there are, also those that do nothing.
    public let replicaCount: Int
    /// In the order of their times.
    public package(set) var steps: [Step]

    /// The replicas that act, send or receive.
    public var participants: [Int] {
        var named = Set<Int>()
        for step in steps {
            switch step.event {
            case .act(let replica, _, _): named.insert(replica)
            case .send(let from, let to, _): named.formUnion([from, to])
            default: break
            }
        }
        return named.sorted()
    }

    /// The steps that a person or the network did without fault, and the faults.
    public var size: (replicas: Int, events: Int, faults: Int) {
        (participants.count, steps.count, steps.count { $0.isFault })
    }
}

extension Plan: SimulatedPlan {
    package func selection(from whole: Plan) -> String { Selection(self, of: whole).description }
}

extension Plan.Step: SimulatedStep {
    package var isFault: Bool {
        if time != number { return true }
        return switch event {
        case .act(_, _, let interruption): interruption != nil
        case .send(_, _, let fate): fate != .good
        default: true
        }
    }

    /// The same step with nothing going wrong; nil where it is a fault altogether.
    package var withoutFault: Self? {
        var step = self
        step.time = number
        switch event {
        case .act(let replica, let action, _): step.event = .act(replica: replica, action, nil)
        case .send(let from, let to, _): step.event = .send(from: from, to: to, .good)
        default: return nil
        }
        return step
    }
}
