import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import Testing
import TripSimulation

@testable import SyncEngine

/// A peer that holds the epoch's secret, and whose admission is not here.
struct UnprovenPeerTests {
    /// A trip that a newcomer, the last of its people, knows whole; and an elder up to before all that the founder wrote and
    /// the newcomer's admission.
    private func parted(
        count: Int, _ cryptography: some SessionCryptography
    ) throws -> (trip: FoundedTrip, full: TripLog, newcomer: DeviceSecrets) {
        var generator = SeededGenerator(seed: 1)
        let trip = try FoundedTrip(of: 2, using: &generator, cryptography)
        var full = trip
        for number in 0..<count {
            try full.log.add(
                nil, [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1_000), by: trip.people[0])
        }
        let newcomer = try full.letIn(by: trip.people[0], using: &generator)
        return (trip, full.log, newcomer)
    }

    @Test("where an unproven peer says that it is reached is believed once it is proven")
    func toldPort() throws {
        let (trip, full, newcomer) = try parted(count: 60, FastCryptography())
        var limits = SessionLimits()
        (limits.unacknowledgedBytesMax, limits.batchBytesMax) = (20_000, 5_000)
        let node = SyncNode(
            log: full, secrets: newcomer, epochSecrets: [], cryptography: FastCryptography(), limits: limits)
        var wires = Wires(seed: 1, nodes: [trip.node(1, limits: limits), node])
        wires.slow = [0]
        wires.tell(1, .listening(port: Wires.address(of: 1).port))
        wires.connect(1, 0)
        let isIn = { (wires: Wires) in wires.nodes[0].log.isIn(newcomer.device.replica) }
        let places = { (wires: Wires) in Array(wires.nodes[0].dialer.addresses.entries.keys) }
        let before = (isIn(wires), places(wires))
        #expect(before == (false, []))
        for _ in 0..<20 {
            wires.finishWrites(on: 0)
            wires.wait(10)
        }
        let after = (isIn(wires), places(wires))
        #expect(after == (true, [Wires.address(of: 1)]))
    }

    /// The elder takes long over what comes before the newcomer's admission, and writes meanwhile.
    @Test("what is written before a peer's admission is here is sent to it once that is, and not before")
    func writtenBefore() throws {
        let (trip, full, newcomer) = try parted(count: 60, FastCryptography())
        let elder = trip.people[1]
        var limits = SessionLimits()
        (limits.unacknowledgedBytesMax, limits.batchBytesMax) = (20_000, 5_000)
        let node = SyncNode(
            log: full, secrets: newcomer, epochSecrets: [], cryptography: FastCryptography(), limits: limits)
        var wires = Wires(seed: 1, nodes: [trip.node(1, limits: limits), node])
        wires.slow = [0]
        wires.connect(0, 1)
        wires.write("by the elder", on: 0)
        wires.finishWrites(on: 0)
        wires.deliver()
        #expect(!wires.nodes[0].log.isIn(newcomer.device.replica))
        wires.wait(400)
        let isElders = { (change: SignedChange) in change.change.replica == elder.device.replica }
        #expect(!wires.nodes[1].log.graph.changes.contains(where: isElders), "nothing for whom nobody let in")
        for _ in 0..<20 {
            wires.finishWrites(on: 0)
            wires.wait(10)
        }
        #expect(wires.nodes[0].log.count == full.count + 1)
        #expect(wires.nodes[1].log.frontier == wires.nodes[0].log.frontier)
        #expect(
            wires.notices.filter { $0 != .acknowledged } == [
                .met(elder.device, nil), .met(newcomer.device, Wires.address(of: 1)),
            ],
            "one session, from beginning to end")
    }

    @Test("what an unproven peer wishes is remembered for when it is a member, and gives it nothing before")
    func wishes() throws {
        let cryptography = try SodiumCryptography()
        let (trip, full, newcomer) = try parted(count: 20, cryptography)
        let secret = [UInt8](repeating: 7, count: 10_000)
        let want = Message.want(full.graph.changes[5].hash)
        for wishes in [[want], [.lazy], [.lazy, want]] as [[Message]] {
            var host = Host(node: trip.node(1))
            let epoch = try #require(host.epochCredential)
            var caller = try host.call(0, as: newcomer, under: epoch)
            caller.say(.frontier(trip.log.frontier), to: &host)
            #expect(host.write(nil, secret).isEmpty)
            for wish in wishes { #expect(caller.say(wish, to: &host).isEmpty) }
            host.time += 300
            #expect(host.tell(.woke).isEmpty, "not even that there is something")
            #expect(host.node.connectionIDs == [caller.id])
            #expect(host.notices.isEmpty && caller.records.isEmpty)
            let records = full.graph.changes.map(\.record)
            #expect(caller.hand(records, to: &host).count > secret.count, "what was here before, to a member")
            #expect(host.node.sessions.map(\.device) == [newcomer.device])
            // And what another brings is pushed, or told of.
            var founder = try host.call(1, as: trip.people[0], under: epoch)
            var later = full
            let change = try later.add(nil, secret, by: trip.people[0])
            _ = founder.hand([change.record], to: &host)
            caller.hear(from: host)
            #expect(caller.records.contains(change.record) == (wishes.last != .lazy))
        }
    }

    @Test("a body that an unproven peer holds is asked of it once another member's session has proven it")
    func body() throws {
        var generator = SeededGenerator(seed: 1)
        let trip = try FoundedTrip(of: 3, using: &generator, FastCryptography())
        var full = trip
        let withheld = try full.log.add(nil, [1], by: trip.people[2])
        let newcomer = try full.letIn(by: trip.people[0], using: &generator)
        var host = Host(node: trip.node(1))
        let epoch = try #require(host.epochCredential)
        var mallory = try host.call(0, as: trip.people[2], under: epoch)
        mallory.say(.frontier(trip.log.frontier), to: &host)
        _ = mallory.hand([withheld.head], to: &host)
        var caller = try host.call(1, as: newcomer, under: epoch)
        caller.say(.frontier(full.log.frontier), to: &host)
        #expect(!caller.heard.contains(.bodiesWanted([withheld.hash])), "it may be anybody")
        var founder = try host.call(2, as: trip.people[0], under: epoch)
        founder.say(.frontier(trip.log.frontier), to: &host)
        _ = founder.hand(full.log.graph.changes.suffix(2).map(\.record), to: &host)
        caller.hear(from: host)
        #expect(host.node.log.isIn(newcomer.device.replica))
        #expect(caller.heard.contains(.bodiesWanted([withheld.hash])))
    }

    @Test("an unproven peer is sent this device's own admission, what stands before it, and nothing else")
    func ownAdmission() throws {
        let (trip, full, newcomer) = try parted(count: 5, try SodiumCryptography())
        var host = Host(node: trip.node(1))
        host.write(nil, [1])
        var caller = try host.call(0, as: newcomer, under: try #require(host.epochCredential))
        var decoder = CanonicalDecoder([0])
        caller.say(.frontier(try Frontier(from: &decoder, limit: 1)), to: &host)
        #expect(caller.records == trip.log.graph.changes.map(\.record), "of whoever has nothing yet")
        #expect(full.count > trip.log.count)
    }

    @Test("a device that was let in and has no changes yet takes as many as come from whoever it meets")
    func emptyLog() throws {
        var limits = SessionLimits()
        (limits.unprovenChangesMax, limits.unprovenBytesMax) = (50, 20_000)
        let (trip, full, newcomer) = try parted(count: 300, FastCryptography())
        let invitation = Invitation(
            link: InviteLink(trip: full.trip, secret: trip.epoch.secret, hints: []), name: "Mia")
        let empty = TripLog(trip: full.trip, cryptography: FastCryptography())
        let node = SyncNode(
            log: empty, secrets: newcomer, epochSecrets: [trip.epoch.secret], joining: invitation,
            cryptography: FastCryptography(), limits: limits)
        for isDialler in [true, false] {
            var wires = Wires(seed: 1, nodes: [node, trip.node(0, log: full)])
            wires.connect(isDialler ? 0 : 1, isDialler ? 1 : 0)
            wires.wait(100)
            #expect(wires.nodes[0].log.frontier == full.frontier)
            #expect(wires.nodes[0].sessions.count == 1 && wires.notices.contains(.admitted))
        }
    }
}
