import ChangeLog
import Convergence
import DeltaCRDT
import TripSimulation

@testable import SyncEngine

/// A node at one point of a connection's life, and what its peer needs to go on.
struct Scene: Sendable {
    var node: SyncNode
    let connection: ConnectionID
    /// The peer's side of the handshake, and the secret it is under, until there is a session.
    private(set) var handshake: (any Handshake)?
    private let credential: Credential
    private let peer: DeviceSecrets
    /// Seals what the peer says, where there is a session.
    var cipher: (any TransportCipher)?
    /// What the node has said so far, and has not been read of it.
    private(set) var heard: [UInt8] = []
    private var generator = SeededGenerator(seed: 9)
    var time: UInt64 = 1_000
    /// Writes that wait for their disk.
    var tokens: [UInt64] = []
    private(set) var isOpen = true
    /// Changes that were asked of the node, and that the peer has handed to it.
    var written = 0
    var handed = 0

    /// Where the node is dialled, and where it dials.
    private static let ownAddress = PeerAddress(host: "10.0.0.2", port: 4_000)
    private static let peerAddress = PeerAddress(host: "10.0.0.1", port: 4_000)

    /// Every kind of peer, and every point of a handshake.
    static let all: [Scene] = {
        let group = Group.shared
        let cryptography = group.cryptography
        let epoch = Credential(group.epoch, using: cryptography)
        let invite = Credential(inviteSecret: group.inviteSecret, using: cryptography)
        let (founder, member, friend, stranger) = (group.people[0], group.people[1], group.people[2], group.people[4])
        guard let pair = Credential(pairing: member.agreementSecret, with: founder.device, using: cryptography) else {
            fatalError("a weak key")
        }
        let node = SyncNode(
            log: group.log, secrets: founder, epochSecrets: [group.epoch.secret], cryptography: cryptography)
        let link = InviteLink(trip: group.log.trip, secret: group.inviteSecret, hints: [])
        let empty = TripLog(trip: group.log.trip, cryptography: cryptography)
        func joiner(knowing secrets: [Bytes32]) -> SyncNode {
            SyncNode(
                log: empty, secrets: stranger, epochSecrets: secrets,
                joining: Invitation(link: link, name: "Noah"), cryptography: cryptography)
        }
        return [
            Scene(acceptedBy: node, from: member, under: epoch),
            Scene(acceptedBy: node, from: member, under: epoch).withFirstMessage(),
            Scene(dialledBy: node, to: friend, under: epoch),
            Scene(acceptedBy: node, from: member, under: epoch).inSession(),
            Scene(acceptedBy: node, from: member, under: epoch).inSession().greeted(),
            Scene(acceptedBy: node, from: stranger, under: epoch).inSession().greeted(),
            Scene(acceptedBy: node, from: stranger, under: invite).inSession(),
            Scene(acceptedBy: node, from: stranger, under: invite),
            Scene(acceptedBy: node, from: friend, under: pair),
            Scene(acceptedBy: node, from: member, under: pair).inSession().greeted(),
            Scene(dialledBy: node, to: friend, under: epoch).inSession().greeted(),
            Scene(dialledBy: joiner(knowing: []), to: friend, under: invite),
            Scene(dialledBy: joiner(knowing: []), to: friend, under: invite).inSession(),
            Scene(dialledBy: joiner(knowing: [group.epoch.secret]), to: friend, under: epoch).inSession().greeted(),
        ]
    }()

    private init(acceptedBy node: SyncNode, from peer: DeviceSecrets, under credential: Credential) {
        (self.node, self.peer, self.credential) = (node, peer, credential)
        connection = ConnectionID(rawValue: 1)
        tell(.accepted(connection, at: Scene.ownAddress, from: Scene.peerAddress.host))
    }

    private init(dialledBy node: SyncNode, to peer: DeviceSecrets, under credential: Credential) {
        (self.node, self.peer, self.credential) = (node, peer, credential)
        connection = ConnectionID(rawValue: 2)
        tell(.addAddress(Scene.peerAddress, isNamed: false))
        tell(.connected(connection))
    }

    /// Whether the node dialled: then the peer greets.
    private var isDialled: Bool { connection.rawValue == 2 }

    private func withFirstMessage() -> Scene {
        var scene = self
        scene.goOn { $0 }
        guard scene.heard.count == 2 + FirstMessage.secondLength else { fatalError("no answer") }
        return scene
    }

    private func inSession() -> Scene {
        var scene = self
        for _ in 0..<2 { scene.goOn { $0 } }
        guard scene.cipher != nil, scene.node.connectionsWithSession == [connection] else { fatalError("no session") }
        return scene
    }

    private func greeted() -> Scene {
        var scene = self
        scene.say(.hello(digest: Bytes32(words: (0, 0, 0, 1)), incarnation: Bytes16(high: 7, low: 7)))
        return scene
    }
}

// What the peer says until there is a session: a server nonce where it was dialled, and messages of the handshake.
extension Scene {
    /// Says what comes next, altered.
    mutating func goOn(_ alter: ([UInt8]) -> [UInt8]) {
        guard cipher == nil else { return }
        if isDialled { answer(alter) } else { ask(alter) }
    }

    private mutating func ask(_ alter: ([UInt8]) -> [UInt8]) {
        if var handshake {
            // The node's answer; a peer that cannot read it says nothing that the node could.
            guard let message = nextFrame(), (try? handshake.read(message)) != nil else { return }
            guard let last = try? handshake.write(alter(peer.device.replica.bytes)) else { return }
            deliver(framed(last))
            cipher = handshake.transport()?.sending
            return
        }
        guard heard.count >= FirstMessage.serverNonceSize else { return }
        let serverNonce = Array(heard.prefix(FirstMessage.serverNonceSize))
        heard.removeFirst(FirstMessage.serverNonceSize)
        var handshake = makeHandshake(.initiator, serverNonce: serverNonce)
        let payload = FirstMessage.payload(dialled: Scene.ownAddress, isNamed: false)
        guard let message = try? handshake.write(alter(payload)) else { return }
        let selector = FirstMessage.selector(
            of: message, serverNonce: serverNonce, under: credential, using: Group.shared.cryptography)
        self.handshake = handshake
        deliver(framed(selector + message))
    }

    private mutating func answer(_ alter: ([UInt8]) -> [UInt8]) {
        guard var handshake else {
            let serverNonce = alter([UInt8](repeating: 5, count: FirstMessage.serverNonceSize))
            handshake = makeHandshake(.responder, serverNonce: Array(serverNonce.prefix(FirstMessage.serverNonceSize)))
            deliver(serverNonce)
            return
        }
        guard let message = nextFrame(), message.count == FirstMessage.length,
            (try? handshake.read(Array(message.dropFirst(FirstMessage.selectorSize)))) != nil,
            let second = try? handshake.write(alter(peer.device.replica.bytes))
        else { return }
        deliver(framed(second))
        guard let third = nextFrame(), (try? handshake.read(third)) != nil else { return }
        cipher = handshake.transport()?.sending
    }

    private mutating func nextFrame() -> [UInt8]? {
        guard heard.count >= 2 else { return nil }
        let length = Int(heard[0]) << 8 | Int(heard[1])
        guard heard.count >= 2 + length else { return nil }
        defer { heard.removeFirst(2 + length) }
        return Array(heard[2..<2 + length])
    }

    private mutating func makeHandshake(_ role: HandshakeRole, serverNonce: [UInt8]) -> any Handshake {
        Group.shared.cryptography.handshake(
            role, prologue: FirstMessage.prologue(serverNonce: serverNonce), presharedKey: credential.keys.session,
            staticSecret: peer.agreementSecret, ephemeralSecret: .random(using: &generator))
    }
}

extension Scene {
    mutating func deliver(_ bytes: [UInt8]) { tell(.received(connection, bytes)) }

    /// Tells the node something, and holds what it asks for to its bounds.
    mutating func tell(_ event: Event) {
        let effects = node.handle(event, at: Now(monotonic: time, wall: 1_700_000_000_000), using: &generator)
        for effect in effects {
            switch effect {
            case .send(connection, let bytes):
                guard isOpen else { fatalError("something is sent on a connection that was closed") }
                if cipher == nil, heard.count < 1_000 { heard += bytes }
            case .close(connection): isOpen = false
            case .persist(let token, _): tokens.append(token)
            case .wake(let at): guard at > time else { fatalError("a wake that is over") }
            default: break
            }
        }
        guard node.connectionIDs.count <= 256, effects.count <= 4_096 else { fatalError("out of bounds") }
    }

    /// Says a message as members do.
    mutating func say(_ message: Message) { say(message.encoding) }

    mutating func say(_ message: [UInt8]) {
        let header = [0, UInt8(truncatingIfNeeded: message.count >> 8), UInt8(truncatingIfNeeded: message.count)]
        guard let bucket = Scene.buckets.first(where: { $0 >= header.count + message.count }) else { return }
        say(fragment: header + message + [UInt8](repeating: 0, count: bucket - header.count - message.count))
    }

    /// Plaintext sizes of a fragment (Documentation/Protocol.md, section 8).
    static let buckets = [112, 240, 496, 1_008, 2_032, 4_080, 8_176, 16_368, 32_752, 65_519]

    mutating func say(fragment: [UInt8]) {
        guard let sealed = cipher?.seal(fragment) else { return }
        deliver(framed(sealed))
    }
}

/// A frame: two bytes of length, and as many bytes.
func framed(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
}
