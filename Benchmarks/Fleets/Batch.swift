import ChangeLog
import Convergence
import DeltaCRDT
import LibC
import Sodium
import TripModel
import TripRules

/// What a change costs with real cryptography, in batches, beyond the time inside libsodium: received, read, checked,
/// appended, joined to the trip, and handed to the disk.
struct Batch {
    let size: Int
    let count: Int

    private static let authors = 20

    func run() throws {
        let sodium = try SodiumCryptography()
        let stopwatch = Stopwatch()
        let cryptography = TimedCryptography(real: sodium, stopwatch: stopwatch)
        var generator = SeededGenerator(seed: 1)
        let preload = try Preload(
            members: Batch.authors, items: 50, cryptography: sodium, generator: &generator)
        let batches = try write(upon: preload, generator: &generator)
        var log = TripLog(trip: preload.log.trip, cryptography: cryptography)
        try log.restore(preload.log.graph.changes.map(\.record))
        var replica = preload.replica
        var (persisted, whole, inside, calls) = (0, 0.0, 0.0, 0)
        for batch in batches {
            let (calledBefore, insideBefore) = (stopwatch.calls, stopwatch.seconds)
            let begun = seconds()
            let received = log.receive(batch)
            for index in received.indices where log.isShown(index) { replica.apply(log.applied(index)) }
            let written = received.indices.map { log.graph.changes[$0] }
            whole += seconds() - begun
            inside += stopwatch.seconds - insideBefore
            calls += stopwatch.calls - calledBefore
            persisted += written.count
            precondition(received.refusal == nil && written.count == batch.count, "a batch was refused")
        }
        let changes = Double(persisted)
        // Two readings of the clock surround each call: one of them falls within what is measured as libsodium's.
        let reading = Stopwatch.reading
        let outside = whole - inside - reading * Double(calls)
        print(
            """
            {"run": "batch", "changes": \(persisted), "batch": \(size), \
            "microsecondsWhole": \(whole / changes * 1e6), "microsecondsInLibsodium": \(inside / changes * 1e6), \
            "microsecondsBeyond": \(outside / changes * 1e6), "microsecondsBeyondBound": 10, "callsPerChange": \(Double(calls) / changes)}
            """)
    }

    /// What the authors write one after the other, each some changes in a row, seeing all that came before.
    private func write(upon preload: Preload, generator: inout SeededGenerator) throws -> [[[UInt8]]] {
        var log = preload.log
        var replica = preload.replica
        var batches: [[[UInt8]]] = []
        for _ in 0..<count {
            var batch: [[UInt8]] = []
            for number in 0..<size {
                let secrets = preload.secrets[number * Batch.authors / size]
                let content = try replica.performLikely(
                    upon: preload.items, by: ParticipantID(secrets.device.participant), using: &generator)
                let signed = try log.write(nil, content: content, wallTime: 0, as: secrets).change
                replica.apply(log.applied(log.graph.count - 1))
                batch.append(signed.record)
            }
            batches.append(batch)
        }
        return batches
    }
}

/// How long was spent inside something, on all cores: signatures are checked on several.
final class Stopwatch: @unchecked Sendable {
    private(set) var seconds = 0.0
    private(set) var calls = 0

    func measure<Result>(_ body: () -> Result) -> Result {
        let begun = Stopwatch.now
        defer {
            seconds += Stopwatch.now - begun
            calls += 1
        }
        return body()
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// What one reading of the clock takes.
    static var reading: Double {
        let begun = now
        for _ in 0..<9_999 { _ = now }
        return (now - begun) / 10_000
    }
}

/// The real primitives, timed.
struct TimedCryptography: Cryptography {
    let real: SodiumCryptography
    let stopwatch: Stopwatch

    func hash(_ message: [UInt8]) -> Bytes32 { stopwatch.measure { real.hash(message) } }
    func hash(_ message: [UInt8], key: Bytes32) -> Bytes32 { stopwatch.measure { real.hash(message, key: key) } }
    func signingPublicKey(seed: Bytes32) -> Bytes32 { stopwatch.measure { real.signingPublicKey(seed: seed) } }
    func sign(_ message: [UInt8], seed: Bytes32) -> Signature { stopwatch.measure { real.sign(message, seed: seed) } }
    func isValid(_ signature: Signature, of message: [UInt8], by publicKey: Bytes32) -> Bool {
        stopwatch.measure { real.isValid(signature, of: message, by: publicKey) }
    }
    func areValid(_ checks: [SignatureCheck]) -> [Bool] { stopwatch.measure { real.areValid(checks) } }
    func agreementPublicKey(secret: Bytes32) -> Bytes32 {
        stopwatch.measure { real.agreementPublicKey(secret: secret) }
    }
    func agree(secret: Bytes32, publicKey: Bytes32) -> Bytes32? {
        stopwatch.measure { real.agree(secret: secret, publicKey: publicKey) }
    }
    func encrypt(_ plaintext: [UInt8], nonce: [UInt8], key: Bytes32, authenticating header: [UInt8]) -> [UInt8] {
        stopwatch.measure { real.encrypt(plaintext, nonce: nonce, key: key, authenticating: header) }
    }
    func decrypt(_ ciphertext: [UInt8], nonce: [UInt8], key: Bytes32, authenticating header: [UInt8]) -> [UInt8]? {
        stopwatch.measure { real.decrypt(ciphertext, nonce: nonce, key: key, authenticating: header) }
    }
    func deriveKey(from secret: Bytes32, label: String) -> Bytes32 {
        stopwatch.measure { real.deriveKey(from: secret, label: label) }
    }
    func authenticate(_ message: [UInt8], key: Bytes32) -> Bytes32 {
        stopwatch.measure { real.authenticate(message, key: key) }
    }
}
