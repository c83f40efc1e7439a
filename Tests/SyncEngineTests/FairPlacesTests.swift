import ChangeLog
import Convergence
import Sodium
import TestTiers
import Testing

@testable import SyncEngine

/// Places of a node, and who keeps whom from them.
struct FairPlacesTests {
    private func person(_ number: UInt64) -> Bytes32 { Bytes32(words: (0, 0, 0, number)) }

    private func overrepresented(_ lines: [[UInt64]]) -> [Int] {
        var branches = InvitationBranches<Int>()
        for (index, line) in lines.enumerated() { branches.add(index, line: line.map(person)) }
        return branches.overrepresented
    }

    @Test("room is made in the greatest branch at each fork, by a person's own devices where they are the most")
    func crowding() {
        #expect(overrepresented([[1, 2], [1, 3], [1, 4]]) == [0, 1, 2], "all alike")
        #expect(overrepresented([[1, 2], [1, 3], [1, 3, 5]]) == [1, 2], "somebody, and the people they brought")
        #expect(overrepresented([[1, 2], [1, 3], [1, 3, 5], [1, 3, 5]]) == [2, 3], "the greatest of those")
        #expect(overrepresented([[1], [1], [1, 2]]) == [0, 1], "somebody's own devices")
        #expect(overrepresented([[1, 2, 3, 4], [1, 2, 3, 5], [1, 2, 6]]) == [0, 1])
        #expect(overrepresented([]).isEmpty)
    }

    @Test("at every fork each branch has one turn after the other, however many people are in it")
    func turns() {
        func inTurn(_ lines: [[UInt64]]) -> [Int] {
            var branches = InvitationBranches<Int>()
            for (index, line) in lines.enumerated() { branches.add(index, line: line.map(person)) }
            return branches.inTurn
        }
        let puppets = (100..<140).map { [1, 2, $0] as [UInt64] }
        let honest: [[UInt64]] = [[1, 3], [1, 3, 4], [1]]
        let order = inTurn([[1, 2]] + puppets + honest)
        #expect(Set(order) == Set(0..<44) && order.count == 44)
        #expect(order.prefix(5) == [43, 0, 41, 1, 42], "the founder's, and then one of each branch")
        #expect(inTurn([[1], [1, 2], [1, 2, 3], [1, 2, 3, 4]]) == [0, 1, 2, 3], "a line")
        #expect(inTurn([]).isEmpty)
    }

    @Test("the branch that more than half are of is followed down the invitation tree as far as it is one")
    func majorities() {
        func majority(_ lines: [[UInt64]]) -> [Bytes32] {
            var branches = InvitationBranches<Int>()
            for (index, line) in lines.enumerated() { branches.add(index, line: line.map(person)) }
            return branches.majority
        }
        #expect(majority([[1, 2], [1, 2, 3], [1, 4]]) == [1, 2].map(person))
        #expect(majority([[1, 2, 5], [1, 2, 3], [1, 4], [1, 4]]) == [person(1)], "half is not more than half")
        #expect(majority([[1, 2, 3, 4], [1, 2, 3], [1, 2, 6]]) == [1, 2, 3].map(person), "with their own devices")
        #expect(majority([[1, 2, 3], [1, 2, 4], []]) == [1, 2].map(person), "of all, whoever they are of")
        #expect(majority([]).isEmpty)
    }

    /// A founder with six friends, of whom the last brings so many devices, by people of their own making.
    private func trip(hostile count: Int) throws -> (host: Host, honest: [DeviceSecrets], hostile: [DeviceSecrets]) {
        var generator = SeededGenerator(seed: 4)
        let cryptography = try SodiumCryptography()
        var trip = try FoundedTrip(of: 8, using: &generator, cryptography)
        var hostile: [DeviceSecrets] = []
        var host = trip.people[7]
        for number in 0..<count {
            let newcomer = try trip.letIn(by: host, using: &generator)
            hostile.append(newcomer)
            // Some by whom they brought before.
            if number.isMultiple(of: 7) { host = newcomer }
        }
        return (Host(node: trip.node(0)), Array(trip.people[1..<7]), hostile)
    }

    @Test(
        "all devices that a hostile member brings keep no honest one from its place", .tags(.slow), arguments: [12, 30])
    func hostileDevices(count: Int) throws {
        var (host, honest, hostile) = try trip(hostile: count)
        host.tell(.listening(port: 4_000))
        let epoch = try #require(host.epochCredential)
        var callers: [Caller] = []
        var number: UInt64 = 0
        func call(_ secrets: DeviceSecrets) throws {
            number += 1
            callers.append(try host.call(number, as: secrets, under: epoch))
        }
        func isIn(_ secrets: DeviceSecrets) -> Bool {
            host.node.sessions.contains { $0.device == secrets.device }
        }
        for secrets in honest[..<4] { try call(secrets) }
        // Again and again, for two minutes.
        for round in 0..<24 {
            for secrets in hostile where !isIn(secrets) { try call(secrets) }
            #expect(honest[..<4].allSatisfy(isIn), "round \(round)")
            host.time += 5_000
            for index in callers.indices where host.node.connectionIDs.contains(callers[index].id) {
                callers[index].say(.ping, to: &host)
            }
            host.tell(.woke)
        }
        #expect(host.node.sessions.count == host.node.limits.acceptedPeersMax)
        // Who comes late has a place at once.
        for secrets in honest[4...] { try call(secrets) }
        #expect(honest.allSatisfy(isIn))
        #expect(host.node.sessions.count == host.node.limits.acceptedPeersMax)
        for secrets in hostile where !isIn(secrets) { try call(secrets) }
        #expect(honest.allSatisfy(isIn))
    }

    @Test("a node that dials a hostile member's devices alone turns to honest ones as soon as it may")
    func dialledPlaces() throws {
        var (host, honest, hostile) = try trip(hostile: 30)
        host.tell(.listening(port: 4_000))
        let epoch = try #require(host.epochCredential)
        var answerers: [PeerAddress: DeviceSecrets] = [:]
        func run(_ first: [Effect], rounds: Int) throws {
            var effects = first
            for _ in 0..<rounds {
                var next: [Effect] = []
                for case .dial(let id, let address) in effects {
                    guard let secrets = answerers[address] else {
                        next += host.effects(of: .closed(id))
                        continue
                    }
                    next += host.effects(of: .connected(id))
                    let said = host.effects(of: .received(id, Answerer.serverNonce))
                    next += said
                    guard case .send(_, let frame)? = said.first else { continue }
                    var answerer = Answerer(as: secrets, under: epoch, using: host.cryptography)
                    next += host.effects(of: .received(id, try answerer.answer(frame)))
                }
                host.time += 100
                effects = next + host.effects(of: .woke)
            }
        }
        func add(_ secrets: DeviceSecrets, _ number: Int) -> [Effect] {
            let address = PeerAddress(host: "10.0.1.\(number + 1)", port: 4_000)
            answerers[address] = secrets
            return host.effects(of: .addAddress(address, isNamed: false))
        }
        for (number, secrets) in hostile.enumerated() { try run(add(secrets, number), rounds: 1) }
        try run([], rounds: 10)
        #expect(host.node.sessions.count >= host.node.limits.dialledPeersMax)
        // Nobody answers pings here, so less than the time after which silence ends a session.
        for (number, secrets) in honest.enumerated() { try run(add(secrets, 100 + number), rounds: 3) }
        try run([], rounds: 20)
        let met = Set(host.node.sessions.map(\.device))
        let count = honest.count { met.contains($0.device) }
        #expect(count >= 2, "\(count) honest ones are met")
    }
}
