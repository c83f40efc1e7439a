import CSodium

/// What it costs to make a key of a passphrase: the passes and the memory of Argon2id (RFC 9106), one lane.
///
/// Written beside the salt, so that later versions can ask for more; bounded when read, so that a file from a stranger
/// cannot ask for all the memory or all the time that there is.
package struct PassphraseCost: Hashable, Sendable {
    package let passes: UInt32
    /// In KiB.
    package let memory: UInt32

    package static let passesMax: UInt32 = 16
    /// 1 GiB, in KiB.
    package static let memoryMax: UInt32 = 1 << 20
    /// Passes times memory, in KiB: some ten seconds of an ordinary machine.
    package static let workMax: UInt64 = 4 << 20

    /// Nil beyond the bounds, or below what Argon2 takes.
    package init?(passes: UInt32, memory: UInt32) {
        guard (1...Self.passesMax).contains(passes), (8...Self.memoryMax).contains(memory),
            UInt64(passes) * UInt64(memory) <= Self.workMax
        else { return nil }
        self.init(checkedPasses: passes, memory: memory)
    }

    private init(checkedPasses passes: UInt32, memory: UInt32) {
        self.passes = passes
        self.memory = memory
    }

    /// For a key file, whose passphrase is asked for by every command while no node runs: the second choice of RFC 9106,
    /// section 4, 64 MiB.
    package static let keyFile = PassphraseCost(checkedPasses: 3, memory: 64 << 10)
    /// For a backup, which leaves the house and is opened once: 256 MiB, libsodium's "moderate".
    package static let backup = PassphraseCost(checkedPasses: 3, memory: 256 << 10)
}

/// Why a passphrase does not open something.
package enum PassphraseFailure: Error, Hashable, Sendable {
    /// It is another passphrase's, or bytes were altered: the two cannot be told apart.
    case wrongPassphrase
    /// The bytes do not have the form that they should have, or ask for more work than anybody means.
    case malformed
    /// The system gives too little memory.
    case noMemory
}
