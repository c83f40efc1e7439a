import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import Testing

@testable import SyncEngine

/// Handshakes, and the bounds on connections that have proven nothing: two gates without nodes.
struct HandshakeGateTests {
    private let cryptography: SodiumCryptography
    private let credential: Credential
    private let devices: [DeviceSecrets]
    private var generator = SeededGenerator(seed: 1)
    private let address = PeerAddress(host: "10.0.0.1", port: 4_000)
    /// Of the side that accepts.
    private let id = ConnectionID(rawValue: 1)

    init() throws {
        cryptography = try SodiumCryptography()
        credential = Credential(inviteSecret: Bytes32(words: (1, 2, 3, 4)), using: cryptography)
        devices = try (1...2).map { stranger($0, try SodiumCryptography()) }
    }

    /// Dials and greets.
    /// - Returns: the demand of the side that dialed, and its connection's number.
    private mutating func connect(
        _ dialler: inout HandshakeGate, _ listener: inout HandshakeGate, at other: PeerAddress? = nil, now: UInt64 = 0
    ) -> (demand: HandshakeGate.Demand, id: ConnectionID) {
        let dialled = dialler.dial(address, for: .meeting, at: now)
        dialler.connected(dialled, at: now)
        let welcome = listener.accept(id, at: other ?? address, from: "10.0.0.9", now: now, using: &generator)
        return (dialler.received(welcome.serverNonce, on: dialled), dialled)
    }

    private mutating func open(_ dialler: inout HandshakeGate, _ id: ConnectionID) -> [UInt8]? {
        dialler.open(
            id, under: credential, isNamed: false, showing: devices[0].agreementSecret, using: &generator, cryptography)
    }

    private mutating func answer(
        _ listener: inout HandshakeGate, under other: Credential? = nil, inviteSessions: Int = 0
    ) -> HandshakeGate.Answer {
        listener.answer(
            id, under: other ?? credential, showing: identity(1), inviteSessions: inviteSessions, using: &generator,
            cryptography)
    }

    private func identity(_ index: Int) -> ShownIdentity {
        ShownIdentity(secret: devices[index].agreementSecret, replica: devices[index].device.replica)
    }

    /// Delivers bytes one at a time; the demand that follows from the last.
    private func deliver(_ bytes: [UInt8], to gate: inout HandshakeGate, on id: ConnectionID) -> HandshakeGate.Demand {
        for byte in bytes.dropLast() {
            guard case .bytes = gate.received([byte], on: id) else { return .end }
        }
        return gate.received(Array(bytes.suffix(1)), on: id)
    }

    @Test("two gates show each other their keys and log names, byte by byte, and then have one channel")
    mutating func handshake() throws {
        var (dialler, listener) = (HandshakeGate(limits: SessionLimits()), HandshakeGate(limits: SessionLimits()))
        let (demand, dialled) = connect(&dialler, &listener)
        guard case .dialling(let connection) = demand else { return #expect(Bool(false)) }
        #expect(connection.address == address)
        let first = try #require(open(&dialler, dialled))
        guard case .selected(let message, _) = deliver(first, to: &listener, on: id) else {
            return #expect(Bool(false))
        }
        #expect(message.count == FirstMessage.length)
        guard case .send(let second) = answer(&listener) else { return #expect(Bool(false)) }
        guard case .standing(let peer, let under) = deliver(second, to: &dialler, on: dialled) else {
            return #expect(Bool(false))
        }
        #expect(under == credential)
        #expect(peer.replica == devices[1].device.replica && peer.key == devices[1].device.agreementKey)
        let outcome = try #require(dialler.finish(dialled, showing: identity(0)))
        let last = try #require(outcome.last)
        guard case .standing(let caller, _) = deliver(last, to: &listener, on: id) else { return #expect(Bool(false)) }
        #expect(caller.role == .responder)
        #expect(caller.replica == devices[0].device.replica && caller.key == devices[0].device.agreementKey)
        var channels = (outcome.channel, try #require(listener.finish(id, showing: identity(1))).channel)
        let frames = channels.0.seal([7, 8, 9])
        channels.1.append(try #require(frames))
        let read = try channels.1.next()
        let part = try #require(read)
        #expect(part.bytes[part.range] == [7, 8, 9])
        #expect(listener.remove(id) != nil && listener.count == 0)
    }

    @Test("a frame of another length than the handshake's ends it before the frame is here")
    mutating func lengths() throws {
        for stage in 0..<3 {
            var (dialler, listener) = (HandshakeGate(limits: SessionLimits()), HandshakeGate(limits: SessionLimits()))
            let (_, dialled) = connect(&dialler, &listener)
            let first = try #require(open(&dialler, dialled))
            let lengths = [FirstMessage.length, FirstMessage.secondLength, FirstMessage.thirdLength]
            let wrong = lengths[stage] + 1
            let header = [UInt8(wrong >> 8), UInt8(wrong & 255)]
            if stage == 1 {
                guard case .end = dialler.received(header, on: dialled) else { return #expect(Bool(false)) }
                continue
            }
            if stage == 2 {
                _ = listener.received(first, on: id)
                _ = answer(&listener)
            }
            guard case .end = listener.received(header, on: id) else { return #expect(Bool(false), "\(stage)") }
        }
    }

    @Test("a first message under another key, or sent to another address, gets no answer")
    mutating func refused() throws {
        let other = Credential(inviteSecret: Bytes32(words: (1, 2, 3, 5)), using: cryptography)
        for isMeant in [true, false] {
            var (dialler, listener) = (HandshakeGate(limits: SessionLimits()), HandshakeGate(limits: SessionLimits()))
            let at = isMeant ? address : PeerAddress(host: "10.0.0.2", port: 4_000)
            let (_, dialled) = connect(&dialler, &listener, at: at)
            _ = listener.received(try #require(open(&dialler, dialled)), on: id)
            #expect(answer(&listener, under: isMeant ? other : nil) == .end)
        }
    }

    @Test("altered bytes and a silent node end a handshake")
    mutating func altered() throws {
        var (dialler, listener) = (HandshakeGate(limits: SessionLimits()), HandshakeGate(limits: SessionLimits()))
        let (_, dialled) = connect(&dialler, &listener)
        _ = listener.received(try #require(open(&dialler, dialled)), on: id)
        guard case .end = listener.received([0], on: id) else { return #expect(Bool(false), "a demand is open") }
        guard case .send(var second) = answer(&listener) else { return #expect(Bool(false)) }
        second[second.count - 1] ^= 1
        guard case .end = dialler.received(second, on: dialled) else { return #expect(Bool(false)) }
        #expect(dialler.finish(dialled, showing: identity(0)) == nil)
    }

    @Test("with too many sessions under invites' keys, a first message under one gets no answer")
    mutating func inviteSessions() throws {
        var (dialler, listener) = (HandshakeGate(limits: SessionLimits()), HandshakeGate(limits: SessionLimits()))
        let (_, dialled) = connect(&dialler, &listener)
        _ = listener.received(try #require(open(&dialler, dialled)), on: id)
        let most = SessionLimits().inviteSessionsMax
        #expect(answer(&listener, inviteSessions: most) == .full)
        guard case .send = answer(&listener, inviteSessions: most - 1) else { return #expect(Bool(false)) }
    }

    @Test("of too many that wait, the oldest that has shown no key gives way, and never this node's own dial")
    mutating func flood() throws {
        var limits = SessionLimits()
        limits.handshakesMax = 3
        var (dialler, listener) = (HandshakeGate(limits: limits), HandshakeGate(limits: limits))
        _ = listener.dial(address, for: .meeting, at: 0)
        let (_, dialled) = connect(&dialler, &listener, now: 1)
        _ = listener.received(try #require(open(&dialler, dialled)), on: id)
        _ = answer(&listener)
        func accept(_ number: UInt64, at now: UInt64) -> ConnectionID? {
            let id = ConnectionID(rawValue: number)
            let givesWay = listener.accept(id, at: address, from: "10.0.0.9", now: now, using: &generator).givesWay
            if let givesWay { _ = listener.remove(givesWay) }
            return givesWay
        }
        #expect(accept(5, at: 2) == nil)
        #expect(accept(3, at: 2) == nil)
        #expect(accept(7, at: 3) == ConnectionID(rawValue: 3), "of two that are equally old the lower number")
        #expect(accept(9, at: 4) == ConnectionID(rawValue: 5))
        #expect(accept(11, at: 5) == ConnectionID(rawValue: 7))
        #expect(listener.contains(id) && listener.count == 4)
    }

    @Test("a dial and a handshake have their time each")
    mutating func times() {
        var gate = HandshakeGate(limits: SessionLimits())
        let dials = (0..<2).map { _ in gate.dial(address, for: .meeting, at: 1_000) }
        #expect(dials.map(\.rawValue) == [2, 4] && gate.dialling == dials)
        #expect(gate.deadline == 6_000)
        #expect(gate.overdue(at: 5_999).isEmpty && gate.overdue(at: 6_000) == dials)
        gate.connected(dials[1], at: 5_000)
        #expect(gate.dialling == [dials[0]])
        #expect(gate.overdue(at: 6_000) == [dials[0]] && gate.overdue(at: 7_000) == dials)
        _ = gate.accept(id, at: address, from: "10.0.0.9", now: 1_000, using: &generator)
        #expect(gate.deadline == 3_000)
    }
}
