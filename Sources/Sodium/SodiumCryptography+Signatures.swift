package import ChangeLog
import Dispatch
import Synchronization

extension SodiumCryptography {
    /// Signatures that a core takes at a time: what it costs to share them out is little beside them.
    private static let checksOfCore = 16

    /// Which of several signatures hold. Checked on all cores: each takes some 150 µs.
    package func areValid(_ checks: [SignatureCheck]) -> [Bool] {
        guard checks.count > Self.checksOfCore else {
            return checks.map { isValid($0.signature, of: $0.message, by: $0.key) }
        }
        let invalid = Mutex<Set<Int>>([])
        let parts = (checks.count + Self.checksOfCore - 1) / Self.checksOfCore
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            for index in part * Self.checksOfCore..<min((part + 1) * Self.checksOfCore, checks.count) {
                let check = checks[index]
                if !isValid(check.signature, of: check.message, by: check.key) {
                    invalid.withLock { _ = $0.insert(index) }
                }
            }
        }
        return invalid.withLock { invalid in checks.indices.map { !invalid.contains($0) } }
    }
}
