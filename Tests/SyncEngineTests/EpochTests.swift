import ChangeLog
import Convergence
import DeltaCRDT
import TestTiers
import Testing
import TripSimulation

@testable import SyncEngine

/// Who is in comes to hold the newest epoch's secret, whatever others left out or made up.
struct EpochTests {
    /// People of one trip on wires, who listen, so that they may begin epochs and grant them.
    private func wires(_ nodes: [SyncNode], connecting pairs: [(Int, Int)]) -> Wires {
        var wires = Wires(seed: 4, nodes: nodes)
        for node in nodes.indices { wires.tell(node, .listening(port: 4_000)) }
        for (left, right) in pairs { wires.connect(left, right) }
        return wires
    }

    private func newest(_ wires: Wires) -> Set<Bytes16?> { Set(wires.nodes.map { $0.newestEpoch?.id }) }

    @Test("a device whose box is garbage says what it lacks, and is granted it", arguments: [1, 20])
    func garbage(boxes: Int) throws {
        var generator = SeededGenerator(seed: 1)
        var trip = try FoundedTrip(of: 3, using: &generator, FastCryptography())
        let next = Epoch(secret: .random(using: &generator), using: trip.cryptography)
        let members = [trip.people[0].device, trip.people[2].device]
        var grant = EpochGrant(next, to: members, using: &generator, FastCryptography())
        let noah = trip.people[1].device.replica
        let garbage = EpochGrant.Box(replica: noah, sealed: [UInt8](repeating: 7, count: SealedBox.size))
        grant = EpochGrant(epoch: next.id, boxes: (grant.boxes + [garbage]).sorted { $0.replica < $1.replica })
        try trip.log.add(.beginEpoch(grant), by: trip.people[0])
        for _ in 1..<boxes {
            try trip.log.add(.grant(EpochGrant(epoch: next.id, boxes: [garbage])), by: trip.people[0])
        }
        var wires = wires((0..<3).map { trip.node($0) }, connecting: [(1, 2)])
        #expect(wires.nodes[1].newestEpoch?.id == trip.epoch.id && wires.nodes[2].newestEpoch?.id == next.id)
        wires.wait(20_000) { $0.nodes[1].newestEpoch?.id == next.id }
        #expect(wires.nodes[1].newestEpoch?.id == next.id)
        #expect(wires.nodes[2].log.count == trip.log.count + 1, "one grant")
    }

    @Test("an epoch that somebody keeps from everybody is followed by one that all have", .tags(.slow))
    func keptSecret() throws {
        var generator = SeededGenerator(seed: 1)
        var trip = try FoundedTrip(of: 3, using: &generator, FastCryptography())
        let next = Epoch(secret: .random(using: &generator), using: trip.cryptography)
        let grant = EpochGrant(next, to: [], using: &generator, FastCryptography())
        try trip.log.add(.beginEpoch(grant), by: trip.people[2])
        var wires = wires((0..<2).map { trip.node($0) }, connecting: [(0, 1)])
        wires.wait(40_000) { $0.nodes.allSatisfy { $0.newestEpoch.map { $0.id != trip.epoch.id } ?? false } }
        #expect(newest(wires).count == 1 && wires.nodes[0].newestEpoch?.id != trip.epoch.id)
        #expect(wires.nodes[0].newestEpoch?.id == wires.nodes[0].log.newestEpoch)
        let count = wires.nodes[0].log.count
        wires.wait(15_000)
        #expect(wires.nodes[0].log.count == count, "and by no more")
    }

    @Test("two devices that a member gave an epoch each are named to each other, and open each other's sealed files")
    func oneEpochEach() throws {
        var generator = SeededGenerator(seed: 1)
        let trip = try FoundedTrip(of: 3, using: &generator, FastCryptography())
        var nodes: [SyncNode] = []
        var names: [[InstanceName]] = []
        for index in 0...1 {
            let epoch = Epoch(secret: .random(using: &generator), using: trip.cryptography)
            let grant = EpochGrant(epoch, to: [trip.people[index].device], using: &generator, FastCryptography())
            var log = trip.log
            try log.add(.beginEpoch(grant), by: trip.people[2])
            var node = trip.node(index, log: log)
            #expect(node.newestEpoch?.id == epoch.id)
            let now = Now(monotonic: 1_000, wall: 1_000)
            for effect in node.handle(.listening(port: 4_000), at: now, using: &generator) {
                if case .advertise(let advertised) = effect {
                    names.append(advertised.compactMap { InstanceName($0.instance) })
                }
            }
            nodes.append(node)
        }
        let made = Credential(
            pairing: trip.people[0].agreementSecret, with: trip.people[1].device, using: trip.cryptography)
        let pair = try #require(made)
        #expect(
            names.count == 2 && names.allSatisfy { $0.contains { $0.isMade(with: pair, using: trip.cryptography) } })
        for (index, node) in nodes.enumerated() {
            let file = try node.bundle(using: &generator)
            #expect(throws: Never.self) { try nodes[1 - index].open(bundle: file) }
        }
    }

    @Test("until an epoch answers a removal, no secret that the removed person knows opens a sealed file")
    func sealedAfterRemoval() throws {
        var generator = SeededGenerator(seed: 1)
        var trip = try FoundedTrip(of: 3, using: &generator, FastCryptography())
        try trip.log.add(
            .remove(participant: trip.people[2].device.participant, kept: [], grant: nil), by: trip.people[0])
        let file = try trip.node(0).bundle(using: &generator)
        func opens(for person: Int) -> Bool {
            (try? Bundle.open(file, with: [trip.epoch], or: trip.people[person], using: trip.cryptography)) != nil
        }
        #expect(opens(for: 1))
        #expect(!opens(for: 2))
    }

    @Test("two who each took somebody out find each other by their keys alone, and go on with one epoch")
    func partitions() throws {
        var generator = SeededGenerator(seed: 1)
        var trip = try FoundedTrip(of: 3, using: &generator, FastCryptography())
        let mia = try trip.letIn(by: trip.people[1], using: &generator)
        var logs = [trip.log, trip.log]
        for (side, removed) in [(0, trip.people[2]), (1, mia)] {
            let epoch = Epoch(secret: .random(using: &generator), using: trip.cryptography)
            let members = trip.log.membersWithNode.filter { $0 != removed.device }
            let grant = EpochGrant(epoch, to: members, using: &generator, FastCryptography())
            try logs[side].add(.remove(participant: removed.device.participant, grant: grant), by: trip.people[side])
        }
        var wires = wires([trip.node(0, log: logs[0]), trip.node(1, log: logs[1])], connecting: [])
        #expect(newest(wires).count == 2)
        wires.connect(0, 1)
        let removals = logs.map(\.newestEpoch)
        wires.wait(60_000) { $0.nodes.allSatisfy { !removals.contains($0.newestEpoch?.id) } }
        #expect(wires.nodes[0].log.frontier == wires.nodes[1].log.frontier)
        #expect(newest(wires).count == 1 && wires.nodes[0].log.people.count { !$0.isIn } == 2)
        for removal in logs.compactMap(\.newestEpoch) { #expect(!newest(wires).contains(removal)) }
    }

    @Test("whatever others remove, a node begins so many epochs at most, ever later, and its person can remove them")
    func pacedEpochs() throws {
        var (host, trip) = try Host.founder(members: 1) { ($0.epochsBegunMax, $0.epochPatience) = (4, 2) }
        host.tell(.listening(port: 4_000))
        var generator = SeededGenerator(seed: 1)
        var caller = try host.call(1, as: trip.people[1], under: try #require(host.epochCredential))
        var waits: [UInt64] = []
        func epochs() -> Int {
            host.node.log.graph.changes.count { if case .beginEpoch = $0.change.statement { true } else { false } }
        }
        for round in 1...6 {
            let before = trip.log.count
            let puppet = try trip.letIn(by: trip.people[1], using: &generator)
            try trip.log.add(
                .remove(participant: puppet.device.participant, grant: nil), by: trip.people[1])
            _ = caller.hand((before..<trip.log.count).map { trip.log.graph[$0].record }, to: &host)
            let began = host.time
            for _ in 0..<400 where epochs() < round {
                host.time += 25
                _ = host.persisted(after: host.effects(of: .woke))
            }
            waits.append(host.time - began)
        }
        #expect(epochs() == 4)
        #expect(waits[..<2].allSatisfy { $0 <= 2_025 } && waits[2..<4].allSatisfy { $0 <= 4_025 }, "\(waits)")
        let mal = trip.people[1].device
        host.write(.remove(participant: mal.participant, grant: nil))
        #expect(host.node.log.isOut(mal.replica))
    }

    @Test(
        "whatever epochs others begin for one device alone, its node grants them to others only while its chain has room"
    )
    func boundedGrants() throws {
        let limit = 4_000
        var (host, trip) = try Host.founder(members: 2) { $0.epochBytesMax = limit }
        host.tell(.listening(port: 4_000))
        var generator = SeededGenerator(seed: 1)
        var caller = try host.call(1, as: trip.people[1], under: try #require(host.epochCredential))
        var before = trip.log.count
        let puppet = try trip.letIn(by: trip.people[1], using: &generator)
        try trip.log.add(.remove(participant: puppet.device.participant, grant: nil), by: trip.people[1])
        for _ in 0..<20 {
            let epoch = Epoch(secret: .random(using: &generator), using: trip.cryptography)
            let grant = EpochGrant(epoch, to: [trip.people[0].device], using: &generator, trip.cryptography)
            try trip.log.add(.beginEpoch(grant), by: trip.people[1])
            _ = caller.hand((before..<trip.log.count).map { trip.log.graph[$0].record }, to: &host)
            before = trip.log.count
            for _ in 0..<25 {
                host.time += 100
                _ = host.persisted(after: host.effects(of: .woke))
            }
        }
        let own = trip.people[0].device.replica
        let grants = host.node.log.graph.changes.count { signed in
            if case .grant = signed.change.statement { signed.change.replica == own } else { false }
        }
        #expect(grants >= 2 && Int(host.node.log.chainTotals(of: own).bytes) < limit + 1_000, "\(grants) grants")
        let mal = trip.people[1].device
        host.write(.remove(participant: mal.participant, grant: nil))
        #expect(host.node.log.isOut(mal.replica))
    }

    @Test("nobody writes grants for a device to whose key nothing can be sealed")
    func weakKey() throws {
        var (host, trip) = try Host.founder(members: 1)
        host.tell(.listening(port: 4_000))
        var generator = SeededGenerator(seed: 1)
        var caller = try host.call(1, as: trip.people[1], under: try #require(host.epochCredential))
        let before = trip.log.count
        let invite = OpenInvite(by: trip.people[1], using: &generator, trip.cryptography)
        try trip.log.add(invite.statement, by: trip.people[1])
        let keys = DeviceSecrets.random(.invited(invite.id), using: &generator, trip.cryptography)
        // X25519 with this key gives zeros.
        let device = Device(
            signingKey: keys.device.signingKey, agreementKey: Bytes32(words: (0, 0, 0, 0)),
            participant: keys.device.participant, using: trip.cryptography)
        let message = Admission.consentMessage(trip: trip.log.trip, device: device, name: "Noah")
        let consent = trip.cryptography.sign(message, seed: keys.signingSeed)
        let admission = Admission(device: device, name: "Noah", invite: invite.id, consent: consent, grant: nil)
        try trip.log.add(.admit(admission), by: trip.people[1])
        // Grants are owed once somebody is out.
        let puppet = try trip.letIn(by: trip.people[1], using: &generator)
        try trip.log.add(.remove(participant: puppet.device.participant, grant: nil), by: trip.people[1])
        _ = caller.hand((before..<trip.log.count).map { trip.log.graph[$0].record }, to: &host)
        for _ in 0..<300 {
            host.time += 100
            _ = host.persisted(after: host.effects(of: .woke))
        }
        #expect(host.node.log.isIn(device.replica))
        let own = host.node.log.graph.changes[trip.log.count...].map(\.change.statement)
        #expect(own.count == 1, "an epoch that answers the removal, and nothing else")
    }

    @Test("a node whose disk lost acts of its own begins no epoch and lets nobody in until they are back")
    func lostActs() throws {
        var (host, trip) = try Host.founder(members: 2)
        host.tell(.listening(port: 4_000))
        let invite = OpenInvite(by: trip.people[0], using: &host.generator, host.cryptography)
        host.write(invite.statement)
        // Somebody left, so that an epoch is owed.
        let epoch = try #require(host.epochCredential)
        host.tell(.ownActsMissing(true))
        var caller = try host.call(1, as: trip.people[1], under: epoch)
        var leaving = trip.log
        let farewell = try leaving.add(
            .remove(participant: trip.people[1].device.participant, grant: nil), by: trip.people[1])
        _ = caller.hand([farewell.record], to: &host)
        let count = host.node.log.count
        func passTime() {
            for _ in 0..<10 {
                host.time += 1_000
                _ = host.persisted(after: host.effects(of: .woke))
            }
        }
        passTime()
        #expect(host.node.log.count == count, "nothing is written by itself")
        host.tell(.ownActsMissing(false))
        passTime()
        #expect(host.node.log.count == count + 1, "the epoch that is owed")
    }
}
