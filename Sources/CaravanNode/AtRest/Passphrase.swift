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

    /// Whether both are the same. Takes the same time whichever they are.
    package func isSame(as other: Passphrase) -> Bool { bytes.holdsSame(as: other.bytes) }

    /// Whether the system keeps it out of the swap.
    package var isLocked: Bool { bytes.isLocked }
}

/// Where a passphrase comes from.
package struct PassphraseSource: Sendable {
    let triesMax: Int
    let ask: @Sendable (_ purpose: String, _ attempt: Int) throws(ServiceError) -> Passphrase

    /// - Parameters:
    ///   - triesMax: how often to ask before a wrong answer is an error.
    ///   - ask: told what it is for, as "the trip 5bf2k3", and how many answers were wrong.
    package init(
        triesMax: Int, ask: @escaping @Sendable (_ purpose: String, _ attempt: Int) throws(ServiceError) -> Passphrase
    ) {
        self.triesMax = triesMax
        self.ask = ask
    }

    /// Nobody can be asked.
    package static let none = PassphraseSource(triesMax: 1) { purpose, _ throws(ServiceError) in
        throw ServiceError(
            "\(purpose) has a passphrase; run this in a terminal, or set CARAVAN_PASSPHRASE_FILE to a file with the passphrase"
        )
    }
}
