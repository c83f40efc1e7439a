import ChangeLog
import Sodium
import Testing

@testable import SyncEngine

// Whoever says many names and addresses fills the places of one's own dials, and no more.
extension BoundsTests {
    /// Addresses where nobody is: of those that wait for a place nobody is woken, and each has its turn. Few others are
    /// named, who all are to be met; and more, of whom some are.
    @Test func addressesThatWaitForAPlaceWakeNobody() throws {
        for count in [12, 40] {
            var (host, _) = try host { $0.handshakesMax = 4 }
            _ = host.tell(.listening(port: 4_000))
            var dialled: Set<PeerAddress> = []
            var wakes: [UInt64] = []
            func note(_ effects: [Effect]) {
                for effect in effects {
                    switch effect {
                    case .dial(_, let address): dialled.insert(address)
                    case .wake(let time): wakes.append(time)
                    default: break
                    }
                }
            }
            for number in 0..<count {
                note(host.effects(of: .addAddress(PeerAddress(host: "10.0.0.\(number)", port: 4_000))))
            }
            #expect(host.node.isCrowded == (count > 12))
            #expect(host.node.load.handshakes == 4)
            var woken = 0
            func run(until end: UInt64) {
                while woken < 20_000, dialled.count < count, let next = wakes.min(), next <= end {
                    wakes.removeAll { $0 == next }
                    host.time = max(host.time, next)
                    note(host.effects(of: .woke))
                    woken += 1
                }
            }
            run(until: host.time + 10_000)
            #expect(woken < 100, "of \(count) addresses")
            run(until: host.time + 300_000)
            #expect(dialled.count == count, "each has its turn")
        }
    }

    /// Where a dial has become a session, the next takes its place at once.
    @Test func theNextDialTakesThePlaceOfOneThatLedToASession() throws {
        var (host, people) = try host(members: 2) { $0.handshakesMax = 1 }
        let epoch = try #require(host.node.log.newestEpoch)
        _ = host.tell(.listening(port: 4_000))
        var dialled: [ConnectionID] = []
        func said(_ event: Event) -> [UInt8] {
            var bytes: [UInt8] = []
            for effect in host.effects(of: event) {
                switch effect {
                case .dial(let id, _): dialled.append(id)
                case .send(_, let sent): bytes += sent
                default: break
                }
            }
            return bytes
        }
        for number in 1...2 as ClosedRange<UInt16> {
            _ = said(.addAddress(PeerAddress(host: "10.0.0.2", port: number)))
        }
        #expect(dialled.count == 1)
        let id = try #require(dialled.first)
        let first = said(.connected(id))
        var handshake = cryptography.handshake(
            .responder, prologue: Array("caravan 1".utf8), presharedKey: epoch.sessionKey,
            staticSecret: people[1].agreementSecret, ephemeralSecret: .random(using: &host.generator))
        _ = try handshake.read(Array(first.dropFirst(2)))
        host.time += 1
        _ = said(.received(id, FrameReader.frame(try handshake.write([]))))
        #expect(host.node.sessions.map(\.device) == [people[1].device])
        #expect(dialled.count == 2)
    }
}
