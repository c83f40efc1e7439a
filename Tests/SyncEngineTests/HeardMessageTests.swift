import Attachments
import ChangeLog
import DeltaCRDT
import Sodium
import Testing

@testable import SyncEngine

/// What each message means from a peer of each standing: every pair, without a session.
struct HeardMessageTests {
    /// What becomes of a message.
    private enum Fate: String {
        case taken, ignored, misbehaviour
    }

    private let id = ConnectionID(rawValue: 1)
    private let device: Device
    private let hash = Bytes32(words: (0, 0, 0, 1))
    private let frontier: Frontier
    private let consent: Signature

    init() throws {
        let cryptography = try SodiumCryptography()
        let secrets = stranger(1, cryptography)
        device = secrets.device
        consent = cryptography.sign([1], seed: secrets.signingSeed)
        var decoder = CanonicalDecoder([0])
        frontier = try Frontier(from: &decoder, limit: 1)
    }

    private var standings: [(Session.Standing, name: String)] {
        [
            (.member(device), "member"), (.unproven, "unproven"), (.stranger, "stranger"), (.outside, "outside"),
            (.joiner(invite: hash), "joiner"), (.sponsor, "sponsor"),
        ]
    }

    private var anyTime: [Message] { [.ping, .rekey, .end, .unknown] }

    private var comparison: [Message] {
        [.frontier(frontier), .have([hash]), .locator(device.replica, [hash]), .lazy, .want(hash)]
    }

    private var contribution: [Message] { [.changes([[1]]), .blob(.lack([])), .introduction(.port(4_000))] }

    private var requests: [Message] {
        [.epochWanted(Bytes16(high: 1, low: 2)), .bodiesWanted([hash]), .bodiesAbsent(AbsentBodies())]
    }

    private var hello: Message { .hello(digest: hash, incarnation: Bytes16(high: 1, low: 2)) }

    private var joinRequest: Message {
        .joinRequest(JoinRequest(device: device, name: "Mia", consent: consent))
    }

    private func fate(_ message: Message, from standing: Session.Standing, isGreeted: Bool) -> Fate {
        switch standing.heard(message, isGreeted: isGreeted, on: id) {
        case .ignored: .ignored
        case .misbehaviour: .misbehaviour
        case .ping, .rekey, .end, .hello, .comparison, .contribution, .ownAdmission, .request, .joinRequest,
            .joinAnswer:
            .taken
        }
    }

    private func fates(_ messages: [Message], isGreeted: Bool) -> [String: Set<Fate>] {
        var fates: [String: Set<Fate>] = [:]
        for (standing, name) in standings {
            fates[name] = Set(messages.map { fate($0, from: standing, isGreeted: isGreeted) })
        }
        return fates
    }

    @Test("after a hello each message is taken only from peers that have proven enough")
    func afterHello() {
        #expect(
            fates(comparison, isGreeted: true)
                == [
                    "member": [.taken], "unproven": [.taken], "stranger": [.taken], "outside": [.taken],
                    "joiner": [.misbehaviour], "sponsor": [.misbehaviour],
                ])
        #expect(
            fates(contribution, isGreeted: true)
                == [
                    "member": [.taken], "unproven": [.taken], "stranger": [.taken, .ignored], "outside": [.ignored],
                    "joiner": [.misbehaviour], "sponsor": [.misbehaviour],
                ])
        #expect(
            fates(requests, isGreeted: true)
                == [
                    "member": [.taken], "unproven": [.ignored], "stranger": [.ignored], "outside": [.ignored],
                    "joiner": [.misbehaviour], "sponsor": [.misbehaviour],
                ])
    }

    @Test("before a hello nothing is taken that comes after one, and a second hello is misbehaviour")
    func beforeHello() {
        for (_, fates) in fates(comparison + contribution + requests, isGreeted: false) {
            #expect(fates == [.misbehaviour])
        }
        let first = fates([hello], isGreeted: false)
        #expect(first.filter { $0.value == [.taken] }.keys.sorted() == ["member", "outside", "stranger", "unproven"])
        for (_, fates) in fates([hello], isGreeted: true) { #expect(fates == [.misbehaviour]) }
    }

    @Test("under an invite's key only the request and its answer are taken, each from its side")
    func underInvite() {
        for isGreeted in [false, true] {
            let requested = fates([joinRequest], isGreeted: isGreeted)
            #expect(requested.filter { $0.value == [.taken] }.map(\.key) == ["joiner"])
            let answered = fates([.joinAnswer(.refused(.inviteClosed))], isGreeted: isGreeted)
            #expect(answered.filter { $0.value == [.taken] }.map(\.key) == ["sponsor"])
            #expect((requested.values.map(\.self) + answered.values).allSatisfy { !$0.contains(.ignored) })
        }
    }

    @Test("any peer may ping, change its key, end and say what a newer version knows, at any time")
    func control() {
        for isGreeted in [false, true] {
            for (_, fates) in fates(anyTime.dropLast(), isGreeted: isGreeted) { #expect(fates == [.taken]) }
            for (_, fates) in fates([.unknown], isGreeted: isGreeted) { #expect(fates == [.ignored]) }
        }
    }

    @Test("a message comes with what its sender has proven")
    func proofs() {
        let standing = Session.Standing.member(device)
        guard case .request(.epoch, let session) = standing.heard(requests[0], isGreeted: true, on: id) else {
            return #expect(Bool(false))
        }
        #expect(session.device == device && session.id == id)
        guard
            case .joinRequest(_, let joiner) = Session.Standing.joiner(invite: hash)
                .heard(joinRequest, isGreeted: false, on: id)
        else { return #expect(Bool(false)) }
        #expect(joiner.invite == hash)
        guard
            case .contribution(.introduction(.port(4_000)), let giver) = Session.Standing.unproven
                .heard(.introduction(.port(4_000)), isGreeted: true, on: id)
        else { return #expect(Bool(false)) }
        #expect(giver.device == nil)
    }
}
