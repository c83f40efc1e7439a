import ChangeLog
import Convergence
import DeltaCRDT

/// What a node says of the changes that it holds: who is in, what counts, and which bodies it let go; or what a fault makes of that.
struct Claim {
    struct Person: Equatable {
        let parent: Bytes32?
        let state: Roster.MembershipState
        let devices: Set<ReplicaID>
    }

    var held = EventSet()
    var persons: [Bytes32: Person] = [:]
    var effective = EventSet()
    /// What is passed on, and named as seen.
    var retained = EventSet()
    /// Changes whose bodies were here and are not any more.
    var dropped = EventSet()

    /// What a log says; nil where it holds what nobody is known to have written.
    ///
    /// - Parameter whole: the changes whose bodies it had before.
    init?(_ log: TripLog, _ ledger: TripLedger, whole: EventSet) {
        for changeIndex in log.graph.changes.indices {
            guard let index = ledger.indexOf[log.graph[changeIndex].hash] else { return nil }
            held.insert(index)
            if log.isEffective(changeIndex) { effective.insert(index) }
            if log.isRetained(changeIndex) { retained.insert(index) }
            if !log.graph[changeIndex].isWhole, whole.contains(index) { dropped.insert(index) }
        }
        persons = log.membership.persons.mapValues {
            Person(parent: $0.parent, state: $0.state, devices: $0.devices)
        }
    }

    /// Replaces what it says by what faulty rules make of the same changes.
    mutating func replace(by rules: EffectiveRules<TripLedger.Written>) {
        persons = rules.persons.mapValues { Person(parent: $0.parent, state: $0.state, devices: $0.devices) }
        var effective = EventSet()
        for index in held where rules.isEffective(index) { effective.insert(index) }
        self.effective = effective
    }
}
