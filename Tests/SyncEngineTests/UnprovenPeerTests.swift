import ChangeLog
import Convergence
import DeltaCRDT
import Testing
import TripSimulation

@testable import SyncEngine

/// A peer that holds the epoch's secret, and whose admission is not here.
struct UnprovenPeerTests {
    /// A trip that a newcomer knows whole, and an elder up to before all that the founder wrote and the newcomer's admission.
    private func parted(
        count: Int, _ cryptography: some SessionCryptography
    ) throws -> (early: TripLog, full: TripLog, people: [DeviceSecrets]) {
        var generator = SeededGenerator(seed: 1)
        let newcomer = DeviceSecrets(
            signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator), using: cryptography)
        let (early, people) = try foundTrip(of: 2, using: &generator, cryptography)
        var full = early
        for number in 0..<count {
            _ = try full.author(.content([UInt8](repeating: UInt8(number), count: 1_000)), wallTime: 0, as: people[0])
        }
        let admission = Admission(device: newcomer.device, name: "Mia", invite: nil, sealedSecrets: [])
        _ = try full.author(.membership(.admit(admission)), wallTime: 0, as: people[0])
        return (early, full, people + [newcomer])
    }

    /// The elder takes long over what comes before the newcomer's admission, and writes meanwhile: the newcomer hears of it
    /// and asks for it before the elder knows who that is.
    @Test func aPeerMayAskBeforeItsAdmissionIsHere() throws {
        let (early, full, people) = try parted(count: 60, FastCryptography())
        var limits = SessionLimits()
        (limits.unacknowledgedBytesMax, limits.batchBytesMax) = (20_000, 5_000)
        let nodes = [(early, people[1]), (full, people[2])].map { log, secrets in
            SyncNode(log: log, secrets: secrets, role: .member, cryptography: FastCryptography(), limits: limits)
        }
        var wires = Wires(seed: 1, nodes: nodes)
        wires.slow = [0]
        wires.connect(0, 1)
        wires.write("by the elder", on: 0)
        wires.finishWrites(on: 0)
        wires.deliver()
        #expect(!wires.nodes[0].log.membership.isIn(people[2].device.replica))
        wires.wait(400)
        let isElders = { (change: SignedChange) in change.change.replica == people[1].device.replica }
        #expect(!wires.nodes[1].log.changes.contains(where: isElders), "nothing for whom nobody let in")
        for _ in 0..<20 {
            wires.finishWrites(on: 0)
            wires.wait(10)
        }
        #expect(wires.nodes[0].log.changes.count == full.changes.count + 1)
        #expect(wires.nodes[1].log.frontier == wires.nodes[0].log.frontier)
        #expect(
            wires.notices.filter { $0 != .acknowledged } == [
                .met(people[1].device, nil), .met(people[2].device, PeerAddress(host: "1", port: 4_000)),
            ],
            "one session, from beginning to end")
    }

    /// What it wishes is remembered for when it is a member, and gives it nothing before.
    @Test func whatAnUnprovenPeerWishesGivesItNothing() throws {
        let bounds = try BoundsTests()
        let (early, full, people) = try parted(count: 20, bounds.cryptography)
        let secret = [UInt8](repeating: 7, count: 10_000)
        for wishes in [[.want(full.changes[5].hash)], [.lazy], [.lazy, .want(full.changes[5].hash)]] as [[Message]] {
            let node = SyncNode(log: early, secrets: people[1], role: .member, cryptography: bounds.cryptography)
            var host = BoundsTests.Host(node: node)
            let psk = try #require(early.newestEpoch).sessionKey
            var caller = try bounds.call(&host, 0, as: people[2], psk: psk)
            _ = caller.say(.frontier(early.frontier), to: &host)
            _ = host.tell(.author(.content(secret), ticket: 0))
            #expect(host.tell(.persisted(token: 1)).isEmpty)
            for wish in wishes { #expect(caller.say(wish, to: &host).isEmpty) }
            host.time += 300
            #expect(host.tell(.woke).count < 1_000)
            #expect(host.node.connectionIDs == [caller.id])
            #expect(host.notices.isEmpty)
            let sealed = full.changes.map(\.sealed)
            #expect(caller.say(.changes(sealed), to: &host).count > secret.count, "what was here before, to a member")
            #expect(host.node.sessions.map(\.device) == [people[2].device])
            _ = host.tell(.persisted(token: 2))
            // And what another brings is pushed, or told of.
            var founder = try bounds.call(&host, 1, as: people[0], psk: psk)
            var later = full
            let change = try later.author(.content(secret), wallTime: 0, as: people[0])
            _ = founder.say(.changes([change.sealed]), to: &host)
            let isPushed = host.tell(.persisted(token: 3)).count > secret.count
            #expect(isPushed == (wishes.last != .lazy))
        }
    }
}
