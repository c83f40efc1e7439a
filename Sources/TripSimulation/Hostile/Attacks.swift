import ChangeLog
import Convergence
import SyncEngine

/// What those who mean ill are doing, and what they have recorded.
struct Attacks {
    /// A connection that somebody outside the run's nodes opened.
    enum Intruder {
        /// Knows nothing of the trip, or repeats what was said: it is greeted, as all are, and no byte may be answered. So
        /// many were heard.
        case stranger(heard: Int)
        /// The same, who goes on as a member would, under a secret of their own.
        case impostor(HostileSession, heard: Int)
        /// A member who says, once it is let to speak, what is in its list: whole messages, or frames as they are.
        case member(HostileSession, says: [Speech])
    }

    enum Speech {
        case message([UInt8])
        /// A fragment whose header lies.
        case fragment([UInt8], hasMore: Bool, saying: Int)
        /// Bytes that are no frame of the session.
        case raw([UInt8])
    }

    var intruders: [Int: Intruder] = [:]
    /// An address that some machine had.
    var leftAddress: PeerAddress?
    /// How a machine's next write ends.
    var interruptions: [World.NodeID: TripFault] = [:]
    /// Branches that a hostile member began.
    var forkCount = 0
    /// One replica may have 8 branches; the run stays below, and leaves more to tests of their own.
    static let forksMax = 6
}

extension TripRun {
    mutating func attack(
        _ fault: TripFault, _ id: World.NodeID, _ other: World.NodeID, _ draw: UInt64
    ) throws(Violation) {
        guard world.machines[id].isRunning else { return }
        var generator = SeededGenerator(seed: draw)
        switch fault {
        case .alteration where id != other && world.alterNext(from: id, to: other):
            happened(.alteration)
            note("a bit is altered between \(id) and \(other)")
        case .replay: replay(at: id, &generator)
        case .garbage: babble(at: id, &generator)
        case .malformed:
            if speak(malformed(&generator), to: id, &generator) {
                happened(.malformed)
                note("a member says to \(id) what is no message")
            }
        case .fork: fork(id, other, &generator)
        case .forgery, .backdate, .gap:
            guard let (record, what) = forge(fault, from: id, &generator) else { return }
            if speak([.message(Message.changes([record]).encoding)], to: id, &generator) {
                happened(fault)
                note("a member sends \(id) \(what)")
            }
        default: break
        }
    }

    // MARK: - Strangers

    private mutating func replay(at id: World.NodeID, _ generator: inout SeededGenerator) {
        let start = world.machines[id].start
        let heard = world.firstMessages.filter { $0.machine == id && $0.start == start }
        guard !heard.isEmpty, let connection = world.dialFromOutside(to: id) else { return }
        attacks.intruders[connection] = .stranger(heard: 0)
        world.sendFromOutside(heard[Int(generator.below(UInt64(heard.count)))].bytes, on: connection)
        happened(.replay)
        note("somebody repeats a first message to \(id)")
    }

    private mutating func babble(at id: World.NodeID, _ generator: inout SeededGenerator) {
        let count = generator.oneIn(2) ? 200 : 3
        for _ in 0..<count {
            guard let connection = world.dialFromOutside(to: id) else { return }
            if generator.oneIn(6) {
                let epoch = Forger.epoch(of: .random(using: &generator), using: cryptography)
                let session = HostileSession(
                    founding.mallory, epoch: epoch, ephemeralSecret: .random(using: &generator),
                    cryptography: cryptography)
                attacks.intruders[connection] = .impostor(session, heard: 0)
                continue
            }
            attacks.intruders[connection] = .stranger(heard: 0)
            let bytes = nonsense(&generator)
            if !bytes.isEmpty { world.sendFromOutside(bytes, on: connection) }
        }
        happened(.garbage)
        note("strangers open \(count) connections to \(id)")
    }

    /// What a stranger says first: nothing, or noise.
    private func nonsense(_ generator: inout SeededGenerator) -> [UInt8] {
        func noise(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) } }
        switch generator.below(5) {
        case 0: return []
        case 1: return [0, 83] + noise(83)
        case 2: return [0, 0]
        case 3: return [255, 255] + noise(4_000)
        default: return noise(generator.number(in: 1...200))
        }
    }

    // MARK: - Members who mean ill

    /// Opens a session as a member, to say something in it. False where nobody listens.
    mutating func speak(
        _ speeches: [Attacks.Speech], to id: World.NodeID, as member: DeviceSecrets? = nil,
        _ generator: inout SeededGenerator
    ) -> Bool {
        guard let epoch = world.machines[id].node.newestEpoch, let connection = world.dialFromOutside(to: id) else {
            return false
        }
        let session = HostileSession(
            member ?? founding.mallory, epoch: epoch, ephemeralSecret: .random(using: &generator),
            cryptography: cryptography)
        attacks.intruders[connection] = .member(session, says: speeches)
        return true
    }

    mutating func outsiderHeard(_ bytes: [UInt8], on connection: Int) throws(Violation) {
        outcome.checks[.silence, default: 0] += 1
        switch attacks.intruders[connection] {
        case nil: return
        case .stranger(let heard):
            attacks.intruders[connection] = .stranger(heard: heard + bytes.count)
            try checkSilence(heard + bytes.count)
        case .impostor(var session, let heard):
            // What follows the server nonce would go on with the handshake.
            if let first = session.heard(bytes) { world.sendFromOutside(first, on: connection) }
            attacks.intruders[connection] = .impostor(session, heard: heard + bytes.count)
            try checkSilence(heard + bytes.count)
        case .member(var session, let speeches):
            let wasOpen = session.isOpen
            if let last = session.heard(bytes) { world.sendFromOutside(last, on: connection) }
            if session.isOpen, !wasOpen {
                // Whatever is said comes after a hello.
                let hello = Message.hello(digest: Bytes32(words: (0, 0, 0, 0)), incarnation: Bytes16(high: 0, low: 1))
                world.sendFromOutside(session.seal(hello.encoding), on: connection)
                for speech in speeches {
                    switch speech {
                    case .message(let message): world.sendFromOutside(session.seal(message), on: connection)
                    case .fragment(let part, let hasMore, let size):
                        world.sendFromOutside(
                            session.fragment(part, hasMore: hasMore, saying: size), on: connection)
                    case .raw(let bytes): world.sendFromOutside(bytes, on: connection)
                    }
                }
            }
            attacks.intruders[connection] = .member(session, says: session.isOpen ? [] : speeches)
        }
    }

    private func checkSilence(_ heard: Int) throws(Violation) {
        guard heard > HostileSession.serverNonceSize else { return }
        throw Violation(.silence, "somebody who does not know the secret is answered with \(heard) bytes")
    }

    mutating func outsiderCut(_ connection: Int) { attacks.intruders[connection] = nil }

    private func malformed(_ generator: inout SeededGenerator) -> [Attacks.Speech] {
        func noise(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) } }
        switch generator.below(12) {
        case 0: return [.raw([0, 0])]
        case 1: return [.raw(noise(3_000))]
        case 2: return [.fragment(noise(100), hasMore: false, saying: 60_000)]
        case 3: return [.fragment(noise(100), hasMore: true, saying: 50)]
        case 4: return [.message([200] + noise(20))]
        // A thousand changes are announced in a few bytes.
        case 5: return [.message([3, 0xE8, 7])]
        case 6: return [.message([3, 255, 255, 255, 255, 255, 255, 255, 255, 127])]
        case 7: return [.message(Message.have([]).encoding + [0, 9]), .message([3])]
        case 8:
            // More than the longest message, in fragments that are each in order.
            let part = [UInt8](repeating: 3, count: HostileSession.fragmentMax - 3)
            return (0..<40).map { _ in .fragment(part, hasMore: true, saying: part.count) }
        case 9: return [.message(Message.changes([noise(300), noise(64)]).encoding)]
        case 10: return [.message(Message.have((0..<50).map { _ in .random(using: &generator) }).encoding)]
        default: return [.message([7] + noise(96))]
        }
    }
}
