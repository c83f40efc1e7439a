import ChangeLog
import Testing

@testable import SyncEngine

/// Where a node dials on another network.
extension BoundsTests {
    private func dials(_ effects: [Effect]) -> [(id: ConnectionID, address: PeerAddress)] {
        effects.compactMap { if case .dial(let id, let address) = $0 { (id, address) } else { nil } }
    }

    @Test(
        "on another network nothing is dialled that was known on the one before, but what a person named and what is known there"
    )
    func otherNetwork() throws {
        var (host, _) = try Host.founder(members: 2)
        host.tell(.listening(port: 4_000))
        let places = (2...4).map { PeerAddress(host: "10.0.0.\($0)", port: 2) }
        let (met, named, known) = (places[0], places[1], places[2])
        _ = host.effects(of: .addAddress(met, isNamed: false))
        _ = host.effects(of: .addAddress(named, isNamed: true))
        let dialled = dials(host.effects(of: .networkChanged(known: [known])))
        #expect(Set(dialled.map(\.address)) == [named, known])
        for _ in 0..<60 {
            host.time += 1_000
            #expect(!dials(host.effects(of: .woke)).contains { $0.address == met })
        }
    }

    @Test("of many statements at once, names follow the first at once and the others together, a moment later")
    func namesPause() throws {
        var (host, trip) = try Host.founder(members: 1)
        host.tell(.listening(port: 4_000))
        host.time += host.node.limits.namesPause
        let count = { (host: Host) in host.node.publication.names.compactMap(\.credential).count }
        let before = count(host)
        for _ in 0..<3 {
            host.write(OpenInvite(by: trip.people[0], using: &host.generator, host.cryptography).statement)
            #expect(count(host) == before + 1)
        }
        host.time += host.node.limits.namesPause
        host.tell(.woke)
        #expect(count(host) == before + 3)
    }
}
