import ChangeLog
import DeltaCRDT
import Sodium
import Testing

@testable import SyncEngine

/// Which sessions begin, and which of several with one peer stay: the table without a node.
struct SessionTableTests {
    private struct OpenCipher: TransportCipher {
        mutating func seal(_ plaintext: [UInt8]) -> [UInt8]? { plaintext + [UInt8](repeating: 0, count: 16) }
        mutating func open(_ ciphertext: [UInt8]) -> [UInt8]? { Array(ciphertext.dropLast(16)) }
        mutating func rekey() {}
    }

    private let cryptography: SodiumCryptography
    private var table = SessionTable(limits: SessionLimits())
    private let own = SessionTable.OwnRun(key: Self.key(5), incarnation: Bytes16(high: 0, low: 5))

    init() throws { cryptography = try SodiumCryptography() }

    private static func key(_ number: UInt64) -> Bytes32 { Bytes32(words: (0, 0, 0, number)) }

    private func id(_ number: UInt64) -> ConnectionID { ConnectionID(rawValue: number) }

    private func peer(_ number: UInt64, _ role: HandshakeRole = .responder) -> Session.PeerIdentity {
        Session.PeerIdentity(role: role, replica: ReplicaID(high: 0, low: number), key: Self.key(number))
    }

    private func member(_ number: UInt64) -> Session.Standing {
        .member(
            Device(
                signingKey: Self.key(number), agreementKey: Self.key(number), participant: Self.key(number),
                using: cryptography))
    }

    private mutating func add(
        _ number: UInt64, with peer: Session.PeerIdentity, _ standing: Session.Standing, begun: UInt64 = 0,
        run: UInt64? = nil
    ) {
        let connection = Connection(
            origin: .accepted(at: PeerAddress(host: "10.0.0.1", port: 1), from: "10.0.0.9"), begun: begun)
        var session = Session(
            with: peer, on: connection, begun: begun, standing: standing,
            channel: SecureChannel((OpenCipher(), OpenCipher()), reader: FrameReader()))
        session.run.incarnation = run.map { Bytes16(high: 0, low: $0) }
        table.insert(session, as: id(number))
    }

    @Test("sessions are found by their connections' numbers, in ascending order whatever the order of their beginnings")
    mutating func order() {
        for number in [5, 1, 3] as [UInt64] { add(number, with: peer(number), .unproven) }
        #expect(table.keys == [1, 3, 5].map(id))
        #expect(table.index(of: id(3)) == 1 && table.index(of: id(2)) == nil && table.index(of: id(7)) == nil)
        #expect(table.remove(id(1))?.peer == peer(1))
        #expect(table[id(5)]?.peer == peer(5) && table[id(1)] == nil)
        table.checkInvariants()
    }

    @Test("each kind of session has its bound, and only what people can do something about is told")
    mutating func bounds() {
        let limits = SessionLimits()
        let kinds: [(Session.Standing, Int, SessionTable.Room)] = [
            (.unproven, limits.unprovenSessionsMax, .full(.unprovenSessions)),
            (.outside, limits.outsideSessionsMax, .inPlaceOf(id(UInt64(limits.unprovenSessionsMax) + 1))),
            (
                .stranger, limits.outsideSessionsMax,
                .inPlaceOf(id(UInt64(limits.unprovenSessionsMax + limits.outsideSessionsMax) + 1))
            ),
            (.joiner(invite: Self.key(9)), limits.inviteSessionsMax, .full(.inviteSessions)),
        ]
        var next: UInt64 = 1
        for (standing, most, full) in kinds {
            for _ in 0..<most {
                #expect(table.room(for: standing, of: peer(next)) == .free)
                add(next, with: peer(next), standing)
                next += 1
            }
            #expect(table.room(for: standing, of: peer(1_000)) == full)
            #expect(table.room(for: .sponsor, of: peer(1_000)) == .free, "another kind")
        }
        while table.count < limits.sessionsMax {
            add(next, with: peer(next), member(next))
            next += 1
        }
        #expect(table.room(for: member(1_000), of: peer(1_000)) == .full(.sessions))
        #expect(table.room(for: member(next - 1), of: peer(next - 1)) == .free, "it may take the other's place")
        table = SessionTable(limits: limits)
        for number in 1...UInt64(limits.outsideSessionsMax) { add(number, with: peer(1), .stranger) }
        #expect(table.room(for: .stranger, of: peer(1)) == .inPlaceOf(id(1)), "one key, and many names")
        for number in 100..<UInt64(100 + limits.sessionsMax - limits.outsideSessionsMax) {
            add(number, with: peer(number), member(number))
        }
        #expect(table.room(for: .stranger, of: peer(1)) == .full(.sessions))
    }

    @Test("of two sessions that began at once, that stays whose initiator has the lower key; otherwise the newer")
    mutating func simultaneous() {
        let soon = SessionLimits().simultaneousMax - 1
        for (older, newer, delay, isOlderKept) in [
            // The own key is 5.
            (peer(7, .initiator), peer(7, .responder), soon, true),
            (peer(3, .initiator), peer(3, .responder), soon, false),
            (peer(3, .responder), peer(3, .initiator), soon, true),
            (peer(7, .responder), peer(7, .initiator), soon, false),
            (peer(7, .initiator), peer(7, .responder), soon + 1, false),
            (peer(3, .responder), peer(3, .responder), 0, false),
        ] {
            table = SessionTable(limits: SessionLimits())
            add(1, with: older, .unproven, begun: 1_000)
            add(2, with: newer, .unproven, begun: 1_000 + delay)
            let expected = isOlderKept ? .refused : SessionTable.Meeting.stays(beside: [], inPlaceOf: [id(1)])
            #expect(table.meeting(of: id(2), as: own) == expected)
        }
    }

    @Test("a member's sessions stay beside each other until their runs are known, up to a bound")
    mutating func runs() {
        for number in 1...4 as ClosedRange<UInt64> { add(number, with: peer(7), member(7), begun: number) }
        #expect(table.meeting(of: id(4), as: own) == .stays(beside: [1, 2, 3].map(id), inPlaceOf: []))
        add(5, with: peer(7), member(7), begun: 5)
        #expect(table.meeting(of: id(5), as: own) == .stays(beside: [2, 3, 4].map(id), inPlaceOf: [id(1)]))
        add(6, with: peer(8), member(8), begun: 6)
        #expect(table.meeting(of: id(6), as: own) == .stays(beside: [], inPlaceOf: []), "another device")
    }

    @Test("with one run of a peer's node there is one session: the newer, or that of the lower key of two at once")
    mutating func oneRun() {
        let run = Bytes16(high: 0, low: 9)
        add(1, with: peer(7), member(7), begun: 1_000, run: 9)
        add(2, with: peer(7), member(7), begun: 1_000, run: 8)
        add(3, with: peer(7), member(7), begun: 9_000, run: 9)
        #expect(table.meeting(of: id(3), withRun: run, as: own) == .stays(beside: [], inPlaceOf: [id(1)]))
        #expect(table.meeting(of: id(1), withRun: run, as: own) == .refused, "its hello came later")
        add(4, with: peer(7, .initiator), member(7), begun: 9_000, run: 9)
        #expect(table.meeting(of: id(4), withRun: run, as: own) == .stays(beside: [], inPlaceOf: [1, 3].map(id)))
    }

    @Test("copies of one device, whose keys are the same, go by their runs")
    mutating func copies() {
        for (run, isKept) in [(4 as UInt64, false), (6, true)] {
            table = SessionTable(limits: SessionLimits())
            add(1, with: peer(5, .initiator), member(5), begun: 1_000, run: run)
            add(2, with: peer(5, .responder), member(5), begun: 1_000, run: run)
            let meeting = table.meeting(of: id(2), withRun: Bytes16(high: 0, low: run), as: own)
            #expect((meeting == .refused) == isKept)
        }
    }

    @Test("sessions under an invite's key stay beside any other with the same peer")
    mutating func joiners() {
        add(1, with: peer(7), .unproven)
        add(2, with: peer(7), .joiner(invite: Self.key(9)), begun: 9_000)
        #expect(table.meeting(of: id(2), as: own) == .stays(beside: [], inPlaceOf: []))
        add(3, with: peer(7), .unproven, begun: 9_000)
        #expect(table.meeting(of: id(3), as: own) == .stays(beside: [], inPlaceOf: [id(1)]))
    }
}
