import Sodium
package import TripService

/// What somebody knows and no disk does, in locked memory.
package struct Passphrase: Sendable {
    let bytes: LockedBytes

    /// In bytes, as a terminal or a file gives them.
    package static let lengthMax = 1_024

    /// In characters of Unicode: the fewest that a new one may have.
    package static let newLengthMin = 8

    /// How many characters of Unicode it has.
    package var characterCount: Int {
        // Each begins with one byte that does not go on with another's.
        bytes.withUnsafeBytes { $0.count { $0 & 0xC0 != 0x80 } }
    }

    /// Takes what `read` writes into the memory lent to it, of `lengthMax` bytes; `read` says how many those are.
    /// - Throws: what `read` throws; and where there is nothing, or no memory.
    package init(
        reading read: (UnsafeMutableRawBufferPointer) throws(ServiceError) -> Int
    ) throws(ServiceError) {
        do {
            bytes = try LockedBytes(capacity: Self.lengthMax, filledBy: read)
        } catch let error as ServiceError {
            throw error
        } catch {
            throw ServiceError("not enough memory to use a passphrase; close a program and try again")
        }
        guard bytes.count > 0 else {
            throw ServiceError("the passphrase is empty; choose a longer one")
        }
    }

    /// What was typed, in UTF-8.
    package init(typed bytes: [UInt8]) throws(ServiceError) {
        guard bytes.count <= Self.lengthMax else {
            throw ServiceError("the passphrase is longer than \(Self.lengthMax) bytes; choose a shorter one")
        }
        try self.init { (memory) throws(ServiceError) in
            memory.copyBytes(from: bytes)
            return bytes.count
        }
    }

    /// This one, where it is no guess of a few tries.
    package var longEnough: Passphrase {
        get throws(ServiceError) {
            guard characterCount >= Passphrase.newLengthMin else {
                throw ServiceError(
                    "the passphrase is too short; use at least \(Passphrase.newLengthMin) characters, or better four words"
                )
            }
            guard bytes.withUnsafeBytes({ $0.contains { $0 > 0x20 } }) else {
                throw ServiceError("the passphrase has only blanks; use letters too, or better four words")
            }
            return self
        }
    }

    /// Whether both are the same. Takes the same time whichever they are.
    package func isSame(as other: Passphrase) -> Bool { bytes.holdsSame(as: other.bytes) }

    /// Whether the system keeps it out of the swap.
    package var isLocked: Bool { bytes.isLocked }
}

/// Where a passphrase comes from.
package struct PassphraseSource: Sendable {
    let triesMax: Int
    let ask: @Sendable (_ purpose: String, _ attempt: Int) throws(ServiceError) -> Passphrase
    /// Whether an error names the trip. A person with several trips may not know which passphrase was asked for.
    private(set) var namesTrip = true

    /// - Parameters:
    ///   - triesMax: how often to ask before a wrong answer is an error.
    ///   - ask: told what it is for, as "the trip 5bf2k3", and how many answers were wrong.
    package init(
        triesMax: Int, ask: @escaping @Sendable (_ purpose: String, _ attempt: Int) throws(ServiceError) -> Passphrase
    ) {
        self.triesMax = triesMax
        self.ask = ask
    }

    /// One that is known already.
    static func known(_ passphrase: Passphrase) -> PassphraseSource {
        var source = PassphraseSource(triesMax: 1) { _, _ throws(ServiceError) in passphrase }
        source.namesTrip = false
        return source
    }

    /// Nobody can be asked.
    package static let none = PassphraseSource(triesMax: 1) { purpose, _ throws(ServiceError) in
        throw ServiceError(
            "\(purpose) has a passphrase; run this in a terminal, or set CARAVAN_PASSPHRASE_FILE to a file with the passphrase"
        )
    }
}
