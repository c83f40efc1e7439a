import Sodium

/// What somebody knows and no disk does, in locked memory.
package struct Passphrase: Sendable {
    let bytes: LockedBytes

    /// In bytes, as a terminal or a file gives them.
    package static let lengthMax = 1_024

    /// Takes what `read` writes into the memory lent to it, of `lengthMax` bytes; `read` says how many those are.
    /// - Throws: what `read` throws; and where there is nothing, or no memory.
    package init(
        reading read: (UnsafeMutableRawBufferPointer) throws(NodeError) -> Int
    ) throws(NodeError) {
        do {
            bytes = try LockedBytes(capacity: Self.lengthMax, filledBy: read)
        } catch let error as NodeError {
            throw error
        } catch {
            throw NodeError("there is no memory for a passphrase: close something, and try again")
        }
        guard bytes.count > 0 else {
            throw NodeError("a passphrase of no letters protects nothing: choose a longer one")
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
    let ask: @Sendable (_ purpose: String, _ attempt: Int) throws(NodeError) -> Passphrase

    /// - Parameters:
    ///   - triesMax: how often to ask before a wrong answer is an error.
    ///   - ask: told what it is for, as "the trip 5bf2k3", and how many answers were wrong.
    package init(
        triesMax: Int, ask: @escaping @Sendable (_ purpose: String, _ attempt: Int) throws(NodeError) -> Passphrase
    ) {
        self.triesMax = triesMax
        self.ask = ask
    }

    /// Nobody can be asked.
    package static let none = PassphraseSource(triesMax: 1) { purpose, _ throws(NodeError) in
        throw NodeError(
            "\(purpose) is under a passphrase: run this in a terminal, or name a file that holds it in CARAVAN_PASSPHRASE_FILE"
        )
    }
}
