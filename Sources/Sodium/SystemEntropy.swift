import CSodium

/// The system's randomness, as libsodium takes it: fit for secrets, and safe from any thread.
///
/// Nothing is buffered. A value's buffer would be copied with the value, and two copies would then hand out the same
/// secrets; a draw costs a quarter of a microsecond.
package struct SystemEntropy: RandomNumberGenerator, Sendable {
    /// Makes libsodium ready, as `SodiumCryptography` does, which also tells whether that fails.
    package init() {
        _ = sodium_init()
    }

    package mutating func next() -> UInt64 {
        var word: UInt64 = 0
        randombytes_buf(&word, MemoryLayout.size(ofValue: word))
        return word
    }
}
