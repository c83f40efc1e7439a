import ChangeLog
import DeltaCRDT
import SyncEngine

/// Makes changes that say whatever is wanted.
struct Forger {
    /// All that a change says.
    struct Draft {
        var trip: Bytes32
        var replica: ReplicaID
        var number: UInt64
        var previous: Bytes32?
        var heads: [Bytes32]
        var lamport: UInt64
        var wallTime: Int64
        var content: [UInt8]

        /// What an honest change says, to be altered.
        init(_ change: Change) {
            trip = change.trip
            replica = change.replica
            number = change.number
            previous = change.previous
            heads = change.heads
            lamport = change.lamport
            wallTime = change.wallTime
            content = change.content
        }

        /// What it says, as a change.
        var change: Change {
            Change(
                trip: trip, replica: replica, number: number, previous: previous, heads: heads, lamport: lamport,
                wallTime: wallTime, statement: nil, content: content)
        }
    }

    let cryptography: any SessionCryptography

    /// The epoch of a secret.
    static func epoch(of secret: Bytes32, using cryptography: any SessionCryptography) -> Epoch {
        func keys(_ cryptography: some Cryptography) -> Epoch { Epoch(secret: secret, using: cryptography) }
        return keys(cryptography)
    }

    /// - Parameter seed: whose key signs it.
    /// - Returns: the record and the change's hash.
    func sign(_ change: Change, seed: Bytes32) -> (record: [UInt8], hash: Bytes32) {
        func sign(_ cryptography: some Cryptography) -> SignedChange {
            SignedChange(change, signingSeed: seed, using: cryptography)
        }
        let signed = sign(cryptography)
        return (signed.record, signed.hash)
    }
}
