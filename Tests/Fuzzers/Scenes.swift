import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripRules
import TripSimulation

/// A node at one point of a connection's life, and what its peer needs to go on.
struct Scene: Sendable {
    var node: SyncNode
    let connection: ConnectionID
    /// Seals what the peer says, where there is a session.
    var cipher: (any TransportCipher)?
    /// What the node has said so far.
    var said: [UInt8] = []
    var generator = SeededGenerator(seed: 9)
    var time: UInt64 = 1_000
    /// Writes that wait for their disk.
    var tokens: [UInt64] = []
    private(set) var isOpen = true
    /// Changes of its own.
    var written = 0

    /// Every kind of peer, and every point of a handshake.
    static let all: [Scene] = {
        let group = Group.shared
        let epoch = group.log.newestEpoch!
        func member(_ log: TripLog, _ person: Int, _ role: SyncNode.Role = .member) -> SyncNode {
            SyncNode(log: log, secrets: group.people[person], role: role, cryptography: group.cryptography)
        }
        let link = InviteLink(trip: group.log.trip, secret: group.invite.secret, hints: [])
        let inviteKey = Epoch(secret: group.invite.secret, using: group.cryptography).sessionKey
        let empty = TripLog(trip: group.log.trip, cryptography: group.cryptography, contents: TripContentReader())
        let founder = member(group.log, 0)
        return [
            Scene(acceptedBy: founder),
            Scene(acceptedBy: founder).answered(by: group.people[1], psk: epoch.sessionKey, messages: 1),
            Scene(dialledBy: founder),
            Scene(acceptedBy: founder).answered(by: group.people[1], psk: epoch.sessionKey, messages: 3),
            Scene(acceptedBy: founder).answered(by: group.people[4], psk: epoch.sessionKey, messages: 3),
            Scene(acceptedBy: founder).answered(by: group.people[4], psk: inviteKey, messages: 3),
            Scene(dialledBy: founder).answering(as: group.people[2], psk: epoch.sessionKey),
            Scene(dialledBy: member(empty, 4, .joining(link, name: "Noah")))
                .answering(as: group.people[2], psk: inviteKey),
        ]
    }()

    private init(acceptedBy node: SyncNode) {
        self.node = node
        connection = ConnectionID(rawValue: 1)
        tell(.accepted(connection))
    }

    private init(dialledBy node: SyncNode) {
        self.node = node
        connection = ConnectionID(rawValue: 2)
        tell(.addAddress(PeerAddress(host: "10.0.0.1", port: 4_000)))
        tell(.connected(connection))
    }

    private func answered(by peer: DeviceSecrets, psk: Bytes32, messages: Int) -> Scene {
        var scene = self
        var handshake = scene.handshake(.initiator, peer, psk)
        scene.deliver(framed((try? handshake.write([])) ?? []))
        guard messages > 1 else { return scene }
        guard (try? handshake.read(Array(scene.said.dropFirst(2)))) != nil else { fatalError("no answer") }
        scene.deliver(framed((try? handshake.write([])) ?? []))
        scene.cipher = handshake.transport()?.sending
        return scene
    }

    private func answering(as peer: DeviceSecrets, psk: Bytes32) -> Scene {
        var scene = self
        var handshake = scene.handshake(.responder, peer, psk)
        guard (try? handshake.read(Array(scene.said.dropFirst(2)))) != nil else { fatalError("no first message") }
        let answer = (try? handshake.write([])) ?? []
        scene.said = []
        scene.deliver(framed(answer))
        guard (try? handshake.read(Array(scene.said.dropFirst(2).prefix(64)))) != nil else {
            fatalError("no third message")
        }
        scene.cipher = handshake.transport()?.sending
        return scene
    }

    private mutating func handshake(_ role: HandshakeRole, _ peer: DeviceSecrets, _ psk: Bytes32) -> any Handshake {
        Group.shared.cryptography.handshake(
            role, prologue: Array("caravan 1".utf8), presharedKey: psk, staticSecret: peer.agreementSecret,
            ephemeralSecret: .random(using: &generator))
    }

    mutating func deliver(_ bytes: [UInt8]) { tell(.received(connection, bytes)) }

    /// Tells the node something, and holds what it asks for to its bounds.
    mutating func tell(_ event: Event) {
        let effects = node.handle(event, at: Now(monotonic: time, wall: 1_700_000_000_000), using: &generator)
        for effect in effects {
            switch effect {
            case .send(connection, let bytes):
                guard isOpen else { fatalError("something is sent on a connection that was closed") }
                if said.count < 1_000 { said += bytes }
            case .close(connection): isOpen = false
            case .persist(let token, _, _): tokens.append(token)
            case .wake(let at): guard at > time else { fatalError("a wake that is over") }
            default: break
            }
        }
        guard node.connectionIDs.count <= 256, effects.count <= 4_096 else { fatalError("out of bounds") }
    }
}

/// A frame: two bytes of length, and as many bytes.
func framed(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
}
