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
}
