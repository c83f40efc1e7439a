import ChangeLog
import Foundation
import PeerTransport
import Sodium
import Synchronization
import TestTiers
import Testing
import TripService
import TripStore

@testable import CaravanNode
@testable import SyncEngine

/// Somebody who holds an invite's link, and answers in a member's place.
struct FalseHostTests {
    /// Gives everyone who asks to be let in secrets of nothing.
    final class FalseHost: Sendable {
        private enum Phase {
            case greeted([UInt8], FrameReader)
            case answered(any Handshake, FrameReader)
            case inSession(SecureChannel)
        }

        private struct State {
            var phases: [ConnectionID: Phase] = [:]
            var answers = 0
        }

        private let invite: Credential
        private let cryptography: SodiumCryptography
        private let state = Mutex(State())
        private let transport = Mutex<TCPTransport?>(nil)

        init(link: String) throws {
            cryptography = try SodiumCryptography()
            let link = try InviteLink(text: link, using: cryptography)
            invite = Credential(inviteSecret: link.secret, using: cryptography)
        }

        /// How many asked, and were answered.
        var answers: Int { state.withLock(\.answers) }

        /// Where it listens.
        func listen() async throws -> String {
            let transport = TCPTransport { [weak self] in self?.happened($0) }
            self.transport.withLock { $0 = transport }
            return "127.0.0.1:\(try await transport.listen())"
        }

        func stop() async { await transport.withLock { $0 }?.stop() }

        private func happened(_ event: TransportEvent) {
            switch event {
            case .accepted(let id, _, _):
                var entropy = SystemRandomNumberGenerator()
                let serverNonce = Array(Bytes32.random(using: &entropy).bytes.prefix(FirstMessage.serverNonceSize))
                state.withLock { $0.phases[id] = .greeted(serverNonce, FrameReader()) }
                send(serverNonce, on: id)
            case .received(let id, let bytes): if !received(bytes, on: id) { drop(id) }
            case .closed(let id), .refused(let id, _): state.withLock { $0.phases[id] = nil }
            case .connected: break
            }
        }

        private func handshake(_ serverNonce: [UInt8]) -> any Handshake {
            var entropy = SystemRandomNumberGenerator()
            return cryptography.handshake(
                .responder, prologue: FirstMessage.prologue(serverNonce: serverNonce),
                presharedKey: invite.keys.session, staticSecret: .random(using: &entropy),
                ephemeralSecret: .random(using: &entropy))
        }

        /// False where it came from nobody with the invite.
        private func received(_ bytes: [UInt8], on id: ConnectionID) -> Bool {
            guard let phase = state.withLock({ $0.phases[id] }) else { return true }
            switch phase {
            case .greeted(let serverNonce, var reader):
                reader.append(bytes)
                guard let message = reader.next() else {
                    state.withLock { $0.phases[id] = .greeted(serverNonce, reader) }
                    return true
                }
                var handshake = handshake(serverNonce)
                guard (try? handshake.read(Array(message.dropFirst(FirstMessage.selectorSize)))) != nil,
                    let answer = try? handshake.write([UInt8](repeating: 7, count: 16))
                else { return false }
                send(FrameReader.frame(answer), on: id)
                state.withLock { $0.phases[id] = .answered(handshake, reader) }
            case .answered(var handshake, var reader):
                reader.append(bytes)
                guard let message = reader.next() else {
                    state.withLock { $0.phases[id] = .answered(handshake, reader) }
                    return true
                }
                guard (try? handshake.read(message)) != nil, let ciphers = handshake.transport() else { return false }
                return heard([], on: id, SecureChannel(ciphers, reader: reader))
            case .inSession(let channel): return heard(bytes, on: id, channel)
            }
            return true
        }

        private func heard(_ bytes: [UInt8], on id: ConnectionID, _ channel: SecureChannel) -> Bool {
            var (channel, entropy) = (channel, SystemRandomNumberGenerator())
            channel.append(bytes)
            while let part = try? channel.next() {
                guard
                    case .joinRequest(let request)? = try? Message(
                        Array(part.bytes[part.range]), limits: SessionLimits(), using: cryptography),
                    let grant = DeviceGrant(
                        Epoch(secret: .random(using: &entropy), using: cryptography), to: request.device,
                        using: &entropy, cryptography),
                    let frames = channel.seal(Message.joinAnswer(.admitted(grant)).encoding)
                else { continue }
                state.withLock { $0.answers += 1 }
                send(frames, on: id)
            }
            state.withLock { $0.phases[id] = .inSession(channel) }
            return true
        }

        private func send(_ bytes: [UInt8], on id: ConnectionID) { transport.withLock { $0?.send(bytes, on: id) } }
        private func drop(_ id: ConnectionID) { transport.withLock { $0?.close(id) } }
    }

    /// A trip of Jie's, with an invite that holds no address.
    private func trip(
        _ scratch: TripNodeTests.Scratch, uses: Int = 2
    ) async throws -> (jie: TripNode, link: String, address: String) {
        let jie = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        try await jie.up(NetworkOptions(discovers: false))
        let link = try await jie.invite(uses: uses).link
        let port = try #require(await jie.listeningPort)
        return (jie, try TripNode.linkWithoutHints(link), "127.0.0.1:\(port)")
    }

    /// What one host invented is forgotten where another lets the joiner in: nothing has to be removed by hand.
    @Test(.tags(.slow)) func aJoinThatAFalseHostAnsweredBeginsAgain() async throws {
        let scratch = TripNodeTests.Scratch()
        let (jie, link, address) = try await trip(scratch)
        let home = scratch.home("noah")
        let host = try FalseHost(link: link)
        let falseAddress = try await host.listen()
        for attempt in 1...2 {
            let error = await #expect(throws: ServiceError.self) {
                _ = try await TripNode.join(
                    link: link, name: "Noah", in: home, peers: [falseAddress], discovers: false, patience: 3)
            }
            #expect(error?.message.contains("led to no member") == true, "\(error?.message ?? "")")
            #expect(host.answers == attempt)
        }
        await host.stop()
        _ = try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        let noah = try await scratch.open(home)
        #expect(await noah.keys.epochSecrets == jie.keys.epochSecrets)
        #expect(await noah.keys.pendingJoin == nil)
        #expect(try await noah.memberNames().contains("Jie"))
        #expect(try await jie.memberNames().contains("Noah"))
        await noah.close()
        await jie.close()
    }

    /// As after a host that was gone before it had sent the log: by the last use of the invite, or by another one, by which one
    /// comes as another person.
    @Test(arguments: [false, true])
    func whoWasLetInAndDidNotGetTheLogIsLetInAgain(byAnotherInvite: Bool) async throws {
        let scratch = TripNodeTests.Scratch()
        let (jie, link, address) = try await trip(scratch, uses: 1)
        let home = scratch.home("noah")
        _ = try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        let folder = home.folder(ofTrip: try await home.tripID(named: nil))
        try FileManager.default.moveItem(atPath: folder, toPath: folder + ".joining")
        let store = try TripStore(opening: folder + ".joining")
        let keys = try KeyFile(readingFrom: folder + ".joining")
        try store.removeChanges(StoreSeal(key: keys.recordKey, using: try SodiumCryptography()))
        store.close()
        var again = link
        if byAnotherInvite {
            again = try await jie.invite(uses: 1).link
        }
        _ = try await TripNode.join(
            link: again, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        #expect(try await jie.memberNames().count { $0.contains("Noah") } == (byAnotherInvite ? 2 : 1))
        await jie.close()
    }
}
