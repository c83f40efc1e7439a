import CSodium
import ChangeLog

/// Secret bytes, wiped when their last holder lets them go.
///
/// They never change, so that values which hold them may be copied freely.
///
/// Unchecked, for the pointer: the bytes are written in `init`, before anyone else has them, and again only in `deinit`.
final class SecretBytes: @unchecked Sendable {
    private let storage: UnsafeMutableBufferPointer<UInt8>

    /// Holds what `fill` writes, at most `count` bytes; the rest is zero.
    init<Failure: Error>(
        count: Int, filledBy fill: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        storage = .allocate(capacity: count)
        storage.initialize(repeating: 0)
        try fill(storage.baseAddress!)
    }

    /// Holds a copy.
    convenience init(_ bytes: Bytes32) {
        let copy = bytes.bytes
        self.init(count: copy.count) { $0.update(from: copy, count: copy.count) }
    }

    deinit {
        sodium_memzero(storage.baseAddress, storage.count)
        storage.deallocate()
    }

    /// A copy of the first 32 bytes, which nobody wipes.
    var bytes32: Bytes32 {
        Bytes32(UnsafeBufferPointer(rebasing: storage.prefix(32)))!
    }

    /// Lends the bytes for the time of the call.
    func withUnsafePointer<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        withExtendedLifetime(self) { body(UnsafePointer(storage.baseAddress!)) }
    }

    /// Lends the bytes, from the first to the last, for the time of the call.
    func withSpan<Result: ~Copyable>(_ body: (Span<UInt8>) -> Result) -> Result {
        withExtendedLifetime(self) { body(storage.span) }
    }
}
