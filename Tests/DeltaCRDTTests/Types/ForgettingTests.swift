import DeltaCRDT
import TestTiers
import Testing

/// Types that remember removals may forget those that all have seen, and nothing that can be seen changes.
@Suite struct ForgettingTests {
    private struct Message<State: CausalState> {
        let delta: State
        let plain: State
        /// Which message of its author's it is, and what its author had received of each.
        let author: Int
        let past: [Int]
    }

    private struct Replica<State: CausalState> {
        let name: ReplicaID
        var state = State()
        /// The same without ever forgetting.
        var plain = State()
        var inbox: [Message<State>] = []
        /// How many messages of each replica have come here.
        var received = [0, 0, 0, 0]
        mutating func receive(_ message: Message<State>) {
            state.merge(message.delta)
            plain.merge(message.plain)
            received[message.author] += 1
        }
    }

    /// Random adds and removes on four replicas that receive each other's deltas in causal order, with removals forgotten
    /// whenever somebody knows what all know.
    private func run<State: CausalState>(
        _ type: State.Type, seed: UInt64, act: (inout SplitMix64, inout State, Dot, UInt64) -> State,
        same: (State, State) -> Bool, forget: (inout State, VersionVector) -> State
    ) -> Int {
        var random = SplitMix64(seed: seed)
        var replicas = (1...4).map { Replica<State>(name: ReplicaID(high: 3, low: $0)) }
        var forgotten = 0
        var time: UInt64 = 0
        for _ in 0..<600 {
            let index = random.below(4)
            time += 1
            let message: Message<State>
            let past = replicas[index].received
            if random.below(3) > 0 {
                deliver(&replicas[index], &random)
                continue
            } else if random.below(6) == 0 {
                // Takes in all that was sent, and so knows what everyone knows.
                while !replicas[index].inbox.isEmpty { deliver(&replicas[index], &random) }
                var stable = replicas[index].state.context.versionVector
                for other in replicas {
                    for entry in stable.entries {
                        let known = other.state.context.versionVector[entry.replica]
                        stable[entry.replica] = min(entry.counter, known)
                    }
                }
                let delta = forget(&replicas[index].state, stable)
                if !delta.context.isEmpty { forgotten += 1 }
                message = Message(delta: delta, plain: State(), author: index, past: replicas[index].received)
            } else {
                var again = random
                let dot = replicas[index].state.context.nextDot(for: replicas[index].name)
                let delta = act(&random, &replicas[index].state, dot, time)
                let plain = act(&again, &replicas[index].plain, dot, time)
                message = Message(delta: delta, plain: plain, author: index, past: past)
            }
            replicas[index].received[index] += 1
            for other in replicas.indices where other != index { replicas[other].inbox.append(message) }
            let areSame = replicas.allSatisfy { same($0.state, $0.plain) }
            #expect(areSame, "seed \(seed)")
        }
        return forgotten
    }

    /// Receives some message whose past is here, if there is one.
    private func deliver<State: CausalState>(_ replica: inout Replica<State>, _ random: inout SplitMix64) {
        let start = random.below(max(1, replica.inbox.count))
        for offset in replica.inbox.indices {
            let place = (start + offset) % replica.inbox.count
            let message = replica.inbox[place]
            let isNext = message.past[message.author] == replica.received[message.author]
            guard isNext, zip(message.past, replica.received).allSatisfy({ $0 <= $1 }) else { continue }
            replica.receive(replica.inbox.remove(at: place))
            return
        }
    }

    @Test(.tags(.slow)) func removeWinsSetForgets() {
        var forgotten = 0
        for seed in 0..<UInt64(20) {
            forgotten += run(
                RemoveWinsSet<Int>.self, seed: seed,
                act: { random, set, dot, _ in
                    let element = random.below(6)
                    return random.below(2) == 0 ? set.insert(element, dot: dot) : set.remove(element, dot: dot)
                },
                same: { Set($0.elements) == Set($1.elements) },
                forget: { $0.forgetRemovals(through: $1) })
        }
        #expect(forgotten > 40)
    }

    @Test(.tags(.slow)) func lwwMapForgets() {
        var forgotten = 0
        for seed in 0..<UInt64(20) {
            forgotten += run(
                LWWMap<Int, Int>.self, seed: seed,
                act: { random, map, dot, time in
                    let (key, value) = (random.below(6), random.below(100))
                    return random.below(2) == 0
                        ? map.updateValue(value, forKey: key, dot: dot, time: time)
                        : map.removeValue(forKey: key, dot: dot, time: time)
                },
                same: { left, right in
                    var (here, there): ([Int: Int], [Int: Int]) = ([:], [:])
                    left.forEach { here[$0] = $1 }
                    right.forEach { there[$0] = $1 }
                    return here == there
                },
                forget: { $0.forgetRemovals(through: $1) })
        }
        #expect(forgotten > 40)
    }
}
