import CSodium
import LibC

/// Secret bytes in memory of libsodium's own: between guard pages, left out of core dumps, kept out of the swap where the
/// system allows it, read-only once written, and wiped when their last holder lets them go.
///
/// Costs at least four pages and several system calls; for few and long-lived secrets. `SecretBytes` is for the many that
/// live for one operation.
///
/// Unchecked, for the pointer: the bytes are written in `init`, before anyone else has them, and never again.
package final class LockedBytes: @unchecked Sendable {
    private let memory: UnsafeMutableRawPointer
    /// How many bytes there are.
    package let count: Int
    /// Whether the system keeps them out of the swap. It does not where RLIMIT_MEMLOCK is used up.
    package let isLocked: Bool

    /// Holds what `fill` writes into the memory lent to it, which is zero at first; `fill` says how many bytes those are.
    /// - Throws: `PassphraseFailure.noMemory`, or what `fill` throws.
    package init(
        capacity: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws {
        _ = sodium_init()
        guard let memory = sodium_malloc(max(capacity, 1)) else { throw PassphraseFailure.noMemory }
        sodium_memzero(memory, capacity)
        do {
            let filled = try fill(UnsafeMutableRawBufferPointer(start: memory, count: capacity))
            count = min(max(filled, 0), capacity)
        } catch {
            sodium_free(memory)
            throw error
        }
        // libsodium has tried, and does not tell. To lock twice is to lock once.
        isLocked = mlock(memory, max(capacity, 1)) == 0
        sodium_mprotect_readonly(memory)
        self.memory = memory
    }

    deinit { sodium_free(memory) }

    /// Lends the bytes for the time of the call.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withExtendedLifetime(self) { () throws(Failure) in
            try body(UnsafeRawBufferPointer(start: memory, count: count))
        }
    }

    /// Whether both hold the same bytes. Takes the same time whichever they are.
    package func holdsSame(as other: LockedBytes) -> Bool {
        count == other.count && sodium_memcmp(memory, other.memory, count) == 0
    }
}

extension LockedBytes: CustomStringConvertible, CustomReflectable {
    /// Without any secret, so that none gets into a log by accident.
    package var description: String { "\(count) secret bytes" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
