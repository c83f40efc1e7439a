import TripModel

@testable import ChangeLog

/// Changes of any form, statement and content under, mostly, valid signatures: what a member can write.
func tryChanges(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    if choices.isOne(of: 8, but: 1) { return tryBatches(&choices) }
    var forge = Forge(group: .shared)
    var replica = Replayed.group
    var batch: [[UInt8]] = []
    var steps = 0
    while !choices.isEmpty, steps < 24 {
        steps += 1
        batch.append(forge.anyRecord(&choices, by: replica))
        if choices.byte() % 4 != 0, batch.count < 8 { continue }
        replica.take(forge.receive(batch), of: forge.log)
        batch = []
    }
    replica.take(forge.receive(batch), of: forge.log)
    guard forge.hasGrown else { return }
    forge.log.checkInvariants()
    if choices.isOne(of: 64) { replica.show(forge.log) }
    if choices.isOne(of: 4) { forge.expectTheSameInAnotherOrder(replica) }
}

extension Forge {
    /// What one node has taken, every node takes, in whatever order of causality it comes, and shows alike.
    func expectTheSameInAnotherOrder(_ replica: Replayed) {
        var other = group.log
        let records = takenInAnotherOrder.map(\.record)
        if let refusal = other.receive(records).refusal { fatalError("taken here, refused there: \(refusal)") }
        guard other.graph.count == log.graph.count else { fatalError("other changes") }
        other.checkInvariants()
        expectTheSameShown(in: other, replica)
        // Boxes are in bodies, and which of these went may follow from the order.
        let whole = [log, other].map { log in Set(log.graph.changes.filter(\.isWhole).map(\.hash)) }
        for epoch in log.epochs.ranking.map(\.id) where whole[0] == whole[1] {
            guard log.holders(of: epoch) == other.holders(of: epoch) else { fatalError("other boxes") }
        }
    }

    /// What is effective here is so in another log too, and shows alike.
    /// - Parameter isPassedOn: whether the other log holds what this one retains, and nothing else.
    func expectTheSameShown(in other: TripLog, _ replica: Replayed, isPassedOn: Bool = false) {
        func hashes(_ log: TripLog, _ isMeant: (Int) -> Bool) -> Set<Bytes32> {
            Set(log.graph.changes.indices.filter(isMeant).map { log.graph.changes[$0].hash })
        }
        guard hashes(other, other.isEffective) == hashes(log, log.isEffective) else {
            fatalError("other changes are effective")
        }
        guard other.frontier == log.frontier else { fatalError("another frontier") }
        let (others, own) = (People(other), People(log, isPassedOn: isPassedOn))
        guard others == own else { fatalError("other people: \(others), and \(own)") }
        func epochs(_ log: TripLog) -> [ChangeTimestamp] { log.epochs.ranking.map { log.graph[$0.index].stamp } }
        guard epochs(other) == epochs(log) else {
            fatalError("other epochs, or another order of them")
        }
        guard Replayed(other).state.encodedState == replica.state.encodedState else { fatalError("another state") }
    }
}

/// The members, who admitted them, and the open invites.
private struct People: Equatable {
    private let people: [String]
    private let invites: [String]

    /// - Parameter isPassedOn: whether people are left out if nothing that is retained stands on their admissions.
    init(_ log: TripLog, isPassedOn: Bool = false) {
        func isKnownElsewhere(_ person: Membership.Person) -> Bool {
            guard isPassedOn, person.parent != nil, let index = log.facts.index(ofPerson: person.id) else {
                return true
            }
            return log.facts.said.persons[index].admissions.contains { log.isRetained($0.index) }
        }
        func departure(of person: Bytes32, _ log: TripLog) -> String {
            guard let departure = log.departure(of: person) else { return "" }
            return "\(departure.by) \(departure.waitsFor as Any) \(log.graph.changes[departure.index].hash)"
        }
        func hashes(_ indices: [Int]) -> [Bytes32] { indices.map { log.graph.changes[$0].hash }.sorted() }
        people = log.people.filter(isKnownElsewhere).map { person in
            """
            \(person.id) \(person.name) \(person.parent as Any) \(person.depth) \(person.isGuest) \
            \(person.state) \(person.devices.sorted()) \(hashes(person.removals)) \(hashes(person.farewells)) \
            \(departure(of: person.id, log))
            """
        }
        invites = log.invites.map { invite in
            """
            \(invite.id) \(invite.author) \(hashes([invite.index])) \(invite.joined.sorted()) \
            \(invite.ending as Any) \(invite.isOpen(at: 0))
            """
        }.sorted()
    }
}
