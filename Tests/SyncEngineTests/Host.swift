import ChangeLog
import Convergence
import DeltaCRDT
import Sodium

@testable import SyncEngine

/// One node, with real cryptography, and what happens to it.
struct Host {
    /// Where it is dialled.
    static let address = PeerAddress(host: "10.0.0.1", port: 4_000)
    /// Where those who dial it are.
    static let callers = "10.0.0.9"

    var node: SyncNode
    var generator = SeededGenerator(seed: 3)
    var time: UInt64 = 1_000
    var wall: Int64 = 1_700_000_000_000
    var notices: [Notice] = []
    var closed: Set<ConnectionID> = []
    /// Whether the node is woken where messages wait for their turn.
    var isWokenAtOnce = true
    /// All bytes that were sent on each connection.
    private(set) var sent: [ConnectionID: [UInt8]] = [:]

    init(node: SyncNode) { self.node = node }

    /// The founder of a trip, who has let so many others in.
    static func founder(
        members: Int = 0, _ change: (inout SessionLimits) -> Void = { _ in }
    ) throws -> (host: Host, trip: FoundedTrip) {
        var generator = SeededGenerator(seed: 1)
        let trip = try FoundedTrip(of: members + 1, using: &generator, SodiumCryptography())
        var limits = SessionLimits()
        change(&limits)
        return (Host(node: trip.node(0, limits: limits)), trip)
    }

    var cryptography: any SessionCryptography { node.cryptography }

    func count(_ bound: Bound) -> Int { notices.count { $0 == .reached(bound) } }

    /// What the node's newest epoch opens.
    var epochCredential: Credential? { node.epochs.newest.map { Credential($0, using: cryptography) } }

    /// Where whoever made a name says that it leads, as discovery says it.
    func service(_ name: InstanceName, under credential: Credential, at address: PeerAddress) -> ServiceAddress {
        ServiceAddress(
            address, tags: [name.addressTag(of: address, credential, using: cryptography)].compactMap { $0 })
    }

    /// What is sent in answer.
    @discardableResult
    mutating func tell(_ event: Event) -> [UInt8] {
        effects(of: event).reduce(into: []) { bytes, effect in
            if case .send(_, let sent) = effect { bytes += sent }
        }
    }

    mutating func effects(of event: Event) -> [Effect] {
        let now = Now(monotonic: time, wall: wall)
        let effects =
            isWokenAtOnce
            ? node.handleWhole(event, at: now, using: &generator) : node.handle(event, at: now, using: &generator)
        for effect in effects {
            switch effect {
            case .send(let id, let bytes): sent[id, default: []] += bytes
            case .notice(let notice): notices.append(notice)
            case .close(let id): closed.insert(id)
            default: break
            }
        }
        return effects
    }

    /// Writes something that is durable at once; the bytes that follow from it.
    @discardableResult
    mutating func write(_ statement: Statement? = nil, _ content: [UInt8] = []) -> [UInt8] {
        persisted(after: effects(of: .write(statement, content: content, ticket: 0)))
    }

    /// Lets all become durable that effects ask for; the bytes that follow from it.
    mutating func persisted(after effects: [Effect]) -> [UInt8] {
        var waiting = effects
        var bytes: [UInt8] = []
        while !waiting.isEmpty {
            if case .persist(let token, _) = waiting.removeFirst() {
                let more = self.effects(of: .persisted(token: token))
                for case .send(_, let sent) in more { bytes += sent }
                waiting += more
            }
        }
        return bytes
    }

    /// Somebody connects and is greeted.
    mutating func accept(_ number: UInt64, at address: PeerAddress = Host.address) -> (
        id: ConnectionID, serverNonce: [UInt8]
    ) {
        let id = ConnectionID(rawValue: number * 2 + 1)
        return (id, tell(.accepted(id, at: address, from: Host.callers)))
    }

    /// A call up to the third message, and a hello where one is due; its channel is nil where the node did not go on.
    mutating func call(_ number: UInt64, as secrets: DeviceSecrets, under credential: Credential) throws -> Caller {
        var caller = try Caller(number, as: secrets, under: credential, to: &self)
        guard let frame = caller.first else { return caller }
        caller.first = nil
        let answer = tell(.received(caller.id, frame))
        guard answer.count == 2 + FirstMessage.secondLength else { return caller }
        try caller.finish(reading: answer, to: &self)
        return caller
    }
}

/// Somebody who dials a host, shows a key under a secret, and says what follows.
struct Caller {
    let id: ConnectionID
    let secrets: DeviceSecrets
    let isUnderInvite: Bool
    /// The first message's frame, until it is said.
    var first: [UInt8]?
    private var handshake: any Handshake
    private var channel: SecureChannel?
    private var heardBytes = 0
    /// The replica and the key that the host showed.
    private(set) var answerer: (replica: [UInt8], key: Bytes32?) = ([], nil)
    /// What the host has said.
    private(set) var heard: [Message] = []

    /// Connects, and makes the first message for the server nonce that comes.
    init(_ number: UInt64, as secrets: DeviceSecrets, under credential: Credential, to host: inout Host) throws {
        let (id, serverNonce) = host.accept(number)
        var generator = SeededGenerator(seed: number)
        self.id = id
        self.secrets = secrets
        isUnderInvite = if case .invite = credential.kind { true } else { false }
        handshake = host.cryptography.handshake(
            .initiator, prologue: FirstMessage.prologue(serverNonce: serverNonce),
            presharedKey: credential.keys.session, staticSecret: secrets.agreementSecret,
            ephemeralSecret: .random(using: &generator))
        let message = try handshake.write(FirstMessage.payload(dialled: Host.address, isNamed: false))
        let selector = FirstMessage.selector(
            of: message, serverNonce: serverNonce, under: credential, using: host.cryptography)
        first = FrameReader.frame(selector + message)
    }

    /// Whether there is a session.
    var isIn: Bool { channel != nil }

    /// Reads the second message, says the third, and says hello.
    /// - Parameter replica: the device that it claims to be, where that is another.
    mutating func finish(
        reading answer: [UInt8], as replica: ReplicaID? = nil, saysHello: Bool = true, to host: inout Host
    ) throws {
        let replica = replica ?? secrets.device.replica
        answerer.replica = try handshake.read(Array(answer.dropFirst(2)))
        answerer.key = handshake.remoteStaticKey
        heardBytes = host.sent[id]?.count ?? 0
        let third = try handshake.write(replica.bytes)
        host.tell(.received(id, FrameReader.frame(third)))
        guard host.node.connectionIDs.contains(id), let ciphers = handshake.transport() else { return }
        channel = SecureChannel(ciphers, reader: FrameReader())
        hear(from: host)
        if saysHello, !isUnderInvite { _ = try sayHello(to: &host) }
    }

    mutating func sayHello(to host: inout Host) throws -> [UInt8] {
        say(
            .hello(
                digest: Bytes32(words: (0, 0, 0, id.rawValue)), incarnation: Bytes16(high: 7, low: id.rawValue)),
            to: &host)
    }

    /// Says something; the bytes that the host sends, to whomever.
    @discardableResult
    mutating func say(_ message: Message, to host: inout Host) -> [UInt8] { say(raw: message.encoding, to: &host) }

    @discardableResult
    mutating func say(raw message: [UInt8], to host: inout Host) -> [UInt8] {
        guard let frames = channel?.seal(message) else { return [] }
        let answer = host.tell(.received(id, frames))
        hear(from: host)
        return answer
    }

    /// Something that is to be said, as the bytes on the wire.
    mutating func frames(of message: Message) -> [UInt8] { channel?.seal(message.encoding) ?? [] }

    /// Says something that the host makes durable at once.
    mutating func hand(_ records: [[UInt8]], to host: inout Host) -> [UInt8] {
        let effects = effects(saying: .changes(records), to: &host)
        let bytes = host.persisted(after: effects)
        hear(from: host)
        return effects.reduce(into: []) { if case .send(_, let sent) = $1 { $0 += sent } } + bytes
    }

    /// Says something; all that the host is to do about it.
    mutating func effects(saying message: Message, to host: inout Host) -> [Effect] {
        guard let frames = channel?.seal(message.encoding) else { return [] }
        return host.effects(of: .received(id, frames))
    }

    /// Reads what the host has said since.
    mutating func hear(from host: Host) {
        guard let bytes = host.sent[id], bytes.count > heardBytes else { return }
        channel?.append(Array(bytes[heardBytes...]))
        heardBytes = bytes.count
        while let part = try? channel?.next() {
            guard
                let message = try? Message(
                    part.bytes, in: part.range, limits: SessionLimits(), using: host.cryptography)
            else { return }
            if case .rekey = message { channel?.rekeyReceiving() }
            heard.append(message)
        }
    }

    /// The records that the host has sent.
    var records: [[UInt8]] {
        heard.flatMap { message -> [[UInt8]] in if case .changes(let records) = message { records } else { [] } }
    }
}

/// A device that no trip knows, and whose person has heard of an invite where one is given.
func stranger(
    _ number: UInt64, by invite: Bytes32 = Bytes32(words: (0, 0, 0, 0)), _ cryptography: some Cryptography
) -> DeviceSecrets {
    var generator = SeededGenerator(seed: 1_000 + number)
    return .random(.invited(invite), using: &generator, cryptography)
}

/// Somebody whom a host dials.
struct Answerer {
    static let serverNonce = [UInt8](repeating: 5, count: FirstMessage.serverNonceSize)

    private let secrets: DeviceSecrets
    private var handshake: any Handshake
    private var channel: SecureChannel?

    init(as secrets: DeviceSecrets, under credential: Credential, using cryptography: any SessionCryptography) {
        self.secrets = secrets
        handshake = cryptography.handshake(
            .responder, prologue: FirstMessage.prologue(serverNonce: Self.serverNonce),
            presharedKey: credential.keys.session, staticSecret: secrets.agreementSecret,
            ephemeralSecret: Bytes32(words: (1, 2, 3, 4)))
    }

    /// The second message's frame for a first one's.
    /// - Parameter replica: the device that it claims to be, where that is another.
    mutating func answer(_ frame: [UInt8], as replica: ReplicaID? = nil) throws -> [UInt8] {
        _ = try handshake.read(Array(frame.dropFirst(2 + FirstMessage.selectorSize)))
        return FrameReader.frame(try handshake.write((replica ?? secrets.device.replica).bytes))
    }

    /// The key that the third message shows, which bytes begin with.
    mutating func shownKey(in bytes: [UInt8]) throws -> Bytes32? {
        _ = try handshake.read(Array(bytes.dropFirst(2).prefix(FirstMessage.thirdLength)))
        return handshake.remoteStaticKey
    }

    /// A message in the session that the third message began.
    mutating func say(_ message: Message) -> [UInt8] {
        channel = channel ?? handshake.transport().map { SecureChannel($0, reader: FrameReader()) }
        return channel?.seal(message.encoding) ?? []
    }
}

extension SyncNode {
    /// Handles an event, and all that waits for a turn after it, unless it waits for peers that lag behind.
    mutating func handleWhole(_ event: Event, at now: Now, using generator: inout SeededGenerator) -> [Effect] {
        var effects = handle(event, at: now, using: &generator)
        while nextTurn == now.monotonic + 1 { effects += handle(.woke, at: now, using: &generator) }
        return effects
    }
}
