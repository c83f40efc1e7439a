import ChangeLog
import DeltaCRDT

/// The connections whose peers have proven nothing so far, from their beginning to the end of their handshakes: Noise XXpsk0, under the
/// newest epoch's key, an open invite's or a pair's.
///
/// The gate reads and writes the messages of handshakes, and bounds how many connections wait, and how long. The node chooses the secrets,
/// and says what the peer may do: it answers each demand at once, and drops the connection if it can't.
struct HandshakeGate: Sendable {
    private var entries: [ConnectionID: Entry] = [:]
    private var nextDialled: UInt64 = 2
    private let limits: SessionLimits

    private struct Entry {
        var connection: Connection
        var phase: Phase

        func deadline(under limits: SessionLimits) -> UInt64 {
            if case .dialling = phase { return connection.begun + limits.dialDuration }
            return connection.begun + limits.handshakeDuration
        }

        /// Among handshakes that others began, those that have shown no key go first, and of them the oldest.
        var rank: (Int, UInt64) {
            guard case .awaitingFirstMessage = phase else { return (1, connection.begun) }
            return (0, connection.begun)
        }
    }

    private enum Phase {
        case dialling
        /// Connected. The accepting side speaks first.
        case awaitingServerNonce(FrameReader)
        /// The demand for the secret to dial under is open.
        case greeted(serverNonce: [UInt8], FrameReader)
        /// Accepted and greeted; nothing was read yet.
        case awaitingFirstMessage(serverNonce: [UInt8], FrameReader)
        /// The demand for the secret that a first message selects is open.
        case called(message: [UInt8], serverNonce: [UInt8], FrameReader)
        indirect case handshaking(Handshaking)
        /// The demand for what the peer may do is open.
        indirect case proven(Handshaking)
    }

    private struct Handshaking {
        let credential: Credential
        var handshake: any Handshake
        var reader: FrameReader
    }

    init(limits: SessionLimits) { self.limits = limits }

    var count: Int { entries.count }

    /// Ascending.
    var ids: [ConnectionID] { entries.keys.sorted() }

    func contains(_ id: ConnectionID) -> Bool { entries[id] != nil }

    /// Where a connection is dialed; nil if a peer dialed it, or its handshake is over.
    func address(of id: ConnectionID) -> PeerAddress? { entries[id]?.connection.address }

    /// The connections as the dialer sees them, ascending.
    var contacts: [Contact] {
        ids.compactMap { id in
            entries[id].map {
                Contact(
                    id: id, isDialled: $0.connection.address != nil, begun: $0.connection.begun, peer: nil)
            }
        }
    }

    // MARK: - Connections

    /// Numbers connections after those of another gate, of which something may still come.
    mutating func number(after other: HandshakeGate) { nextDialled = other.nextDialled }

    /// Takes a connection that this node asks for.
    /// - Returns: its number.
    mutating func dial(_ address: PeerAddress, for purpose: Connection.Purpose, at now: UInt64) -> ConnectionID {
        defer { nextDialled += 2 }
        let id = ConnectionID(rawValue: nextDialled)
        entries[id] = Entry(connection: Connection(origin: .dialled(address, purpose), begun: now), phase: .dialling)
        return id
    }

    /// The dials that are not connected so far, ascending.
    var dialling: [ConnectionID] {
        ids.filter { if case .dialling = entries[$0]?.phase { true } else { false } }
    }

    /// A dial has led somewhere: its handshake begins, however long the dial took.
    mutating func connected(_ id: ConnectionID, at now: UInt64) {
        guard let entry = entries[id], case .dialling = entry.phase else { return }
        entries[id] = Entry(
            connection: Connection(origin: entry.connection.origin, begun: now),
            phase: .awaitingServerNonce(FrameReader()))
    }

    /// What follows from a connection that was accepted.
    struct Welcome: Sendable {
        /// To send at once. The accepting side speaks first, so that a recorded first message is useless.
        let serverNonce: [UInt8]
        /// The connection that is to be dropped, because too many wait; nil if there is room.
        let givesWay: ConnectionID?
    }

    /// An honest handshake takes a few round trips. So under a flood the oldest gives way, not the newest.
    mutating func accept(
        _ id: ConnectionID, at address: PeerAddress, from caller: String, now: UInt64,
        using generator: inout some RandomNumberGenerator
    ) -> Welcome {
        let waiting = entries.filter { $0.value.connection.address == nil }
        let oldest =
            waiting.count < limits.handshakesMax
            ? nil
            : waiting.min { $0.value.rank == $1.value.rank ? $0.key < $1.key : $0.value.rank < $1.value.rank }
        let serverNonce = Bytes16(high: generator.next(), low: generator.next()).bytes
        entries[id] = Entry(
            connection: Connection(origin: .accepted(at: address, from: caller), begun: now),
            phase: .awaitingFirstMessage(serverNonce: serverNonce, FrameReader()))
        return Welcome(serverNonce: serverNonce, givesWay: oldest?.key)
    }

    /// The connection ended, or has a session from now on.
    mutating func remove(_ id: ConnectionID) -> Connection? { entries.removeValue(forKey: id)?.connection }

    /// The connections whose time is over, ascending. They are to be dropped.
    func overdue(at now: UInt64) -> [ConnectionID] {
        entries.filter { $0.value.deadline(under: limits) <= now }.keys.sorted()
    }

    /// When the time of a connection is over; nil if there is none.
    var deadline: UInt64? { entries.values.lazy.map { $0.deadline(under: limits) }.min() }

    // MARK: - Handshakes

    /// What a handshake needs for its next step.
    enum Demand: Sendable {
        /// More bytes.
        case bytes
        /// Nothing. Drop the connection, because its bytes are no handshake under any secret here.
        case end
        /// The secret to dial under, for `open`.
        case dialling(Connection)
        /// The secret that a first message selects, for `answer`.
        case selected(by: [UInt8], serverNonce: [UInt8])
        /// Whether the peer, which has shown its key under a secret, may have a session. If so, `finish`.
        case standing(of: Session.PeerIdentity, under: Credential)
    }

    /// Takes bytes of a connection. A frame of a wrong length ends it before the frame is here.
    mutating func received(_ bytes: [UInt8], on id: ConnectionID) -> Demand {
        guard let entry = entries[id] else { return .bytes }
        switch entry.phase {
        case .dialling: return .bytes
        case .awaitingServerNonce(var reader):
            reader.append(bytes)
            guard let serverNonce = reader.take(FirstMessage.serverNonceSize) else {
                entries[id]?.phase = .awaitingServerNonce(reader)
                return .bytes
            }
            entries[id]?.phase = .greeted(serverNonce: serverNonce, reader)
            return .dialling(entry.connection)
        case .awaitingFirstMessage(let serverNonce, var reader):
            reader.append(bytes)
            if let length = reader.nextLength, length != FirstMessage.length { return .end }
            guard let message = reader.next() else {
                entries[id]?.phase = .awaitingFirstMessage(serverNonce: serverNonce, reader)
                return .bytes
            }
            entries[id]?.phase = .called(message: message, serverNonce: serverNonce, reader)
            return .selected(by: message, serverNonce: serverNonce)
        case .handshaking(var handshaking):
            handshaking.reader.append(bytes)
            return proceed(id, with: &handshaking, isInitiator: entry.connection.address != nil)
        // A demand is answered before anything else comes.
        case .greeted, .called, .proven: return .end
        }
    }

    private mutating func proceed(
        _ id: ConnectionID, with handshaking: inout Handshaking, isInitiator: Bool
    ) -> Demand {
        let expected = isInitiator ? FirstMessage.secondLength : FirstMessage.thirdLength
        if let length = handshaking.reader.nextLength, length != expected { return .end }
        guard let message = handshaking.reader.next() else {
            entries[id]?.phase = .handshaking(handshaking)
            return .bytes
        }
        // The wrong key, or altered bytes, end it.
        guard let payload = try? handshaking.handshake.read(message), let replica = ReplicaID(bytes: payload),
            let key = handshaking.handshake.remoteStaticKey
        else { return .end }
        entries[id]?.phase = .proven(handshaking)
        let peer = Session.PeerIdentity(role: isInitiator ? .initiator : .responder, replica: replica, key: key)
        return .standing(of: peer, under: handshaking.credential)
    }

    /// The first message to a peer that greeted.
    /// - Parameters:
    ///   - isNamed: whether a person named the address.
    ///   - secret: the private key that this node shows.
    /// - Returns: the frame to send; nil if the connection is to be dropped.
    mutating func open(
        _ id: ConnectionID, under credential: Credential, isNamed: Bool, showing secret: Bytes32,
        using generator: inout some RandomNumberGenerator, _ cryptography: some SessionCryptography
    ) -> [UInt8]? {
        guard let entry = entries[id], let address = entry.connection.address,
            case .greeted(let serverNonce, let reader) = entry.phase
        else { return nil }
        var handshake = cryptography.handshake(
            .initiator, under: credential, showing: secret, serverNonce: serverNonce, using: &generator)
        guard let message = try? handshake.write(FirstMessage.payload(dialled: address, isNamed: isNamed)) else {
            return nil
        }
        let selector = FirstMessage.selector(
            of: message, serverNonce: serverNonce, under: credential, using: cryptography)
        entries[id]?.phase = .handshaking(
            Handshaking(credential: credential, handshake: handshake, reader: reader))
        return FrameReader.frame(selector + message)
    }

    /// What becomes of a first message.
    enum Answer: Hashable, Sendable {
        /// Send this frame.
        case send([UInt8])
        /// Drop the connection without an answer: it is under another key, or was sent to another address.
        case end
        /// Drop the connection, because there are too many sessions under invites' keys.
        case full
    }

    /// Reads a first message under the secret that it selects.
    /// - Parameters:
    ///   - identity: what this node shows.
    ///   - inviteSessions: how many sessions under invites' keys there are.
    mutating func answer(
        _ id: ConnectionID, under credential: Credential, showing identity: ShownIdentity, inviteSessions: Int,
        using generator: inout some RandomNumberGenerator, _ cryptography: some SessionCryptography
    ) -> Answer {
        guard let entry = entries[id], case .accepted(let address, _) = entry.connection.origin,
            case .called(let message, let serverNonce, let reader) = entry.phase
        else { return .end }
        var handshake = cryptography.handshake(
            .responder, under: credential, showing: identity.secret, serverNonce: serverNonce, using: &generator)
        guard let payload = try? handshake.read(Array(message.dropFirst(FirstMessage.selectorSize))),
            FirstMessage.isMeant(payload, for: address)
        else { return .end }
        if case .invite = credential.kind, inviteSessions >= limits.inviteSessionsMax { return .full }
        guard let answer = try? handshake.write(identity.replica.bytes) else { return .end }
        entries[id]?.phase = .handshaking(
            Handshaking(credential: credential, handshake: handshake, reader: reader))
        return .send(FrameReader.frame(answer))
    }

    /// What a finished handshake leaves.
    struct Outcome: Sendable {
        /// The last frame to send; nil if this node accepted the connection.
        let last: [UInt8]?
        let channel: SecureChannel
    }

    /// Ends the handshake with a peer that may have a session.
    /// - Parameter identity: what this node shows if it dialed.
    /// - Returns: nil if the connection is to be dropped.
    func finish(_ id: ConnectionID, showing identity: ShownIdentity) -> Outcome? {
        guard let entry = entries[id], case .proven(var handshaking) = entry.phase else { return nil }
        var last: [UInt8]?
        if entry.connection.address != nil {
            handshaking.handshake.show(identity.secret)
            guard let message = try? handshaking.handshake.write(identity.replica.bytes) else { return nil }
            last = FrameReader.frame(message)
        }
        return handshaking.handshake.transport().map {
            Outcome(last: last, channel: SecureChannel($0, reader: handshaking.reader))
        }
    }

    func checkInvariants() {
        var accepted = 0
        for (id, entry) in entries {
            let isDialled = entry.connection.address != nil
            if !isDialled { accepted += 1 }
            precondition(
                !isDialled || id.rawValue < nextDialled,
                "connection \(id.rawValue) is dialed, and the next is \(nextDialled)")
            switch entry.phase {
            case .dialling, .awaitingServerNonce:
                precondition(isDialled, "connection \(id.rawValue) was accepted, and waits to be greeted")
            case .awaitingFirstMessage:
                precondition(!isDialled, "connection \(id.rawValue) was dialed, and waits for a first message")
            case .handshaking: break
            case .greeted, .called, .proven:
                preconditionFailure("a demand of the handshake on connection \(id.rawValue) is not answered")
            }
        }
        precondition(
            accepted <= max(1, limits.handshakesMax), "\(accepted) of \(entries.count) handshakes were accepted")
    }
}

/// What a node shows of itself in a handshake.
struct ShownIdentity: Sendable {
    /// The private key of the one that it shows.
    let secret: Bytes32
    /// Its log's name.
    let replica: ReplicaID
}

extension SessionCryptography {
    fileprivate func handshake(
        _ role: HandshakeRole, under credential: Credential, showing secret: Bytes32, serverNonce: [UInt8],
        using generator: inout some RandomNumberGenerator
    ) -> any Handshake {
        handshake(
            role, prologue: FirstMessage.prologue(serverNonce: serverNonce), presharedKey: credential.keys.session,
            staticSecret: secret, ephemeralSecret: .random(using: &generator))
    }
}
