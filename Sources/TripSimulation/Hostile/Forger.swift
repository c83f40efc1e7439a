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

        /// The encoding that `Change` reads.
        var encoding: [UInt8] {
            var encoder = CanonicalEncoder()
            encoder.encode(byte: 1)
            encoder.encode(fixed: trip.bytes)
            encoder.encode(replica)
            encoder.encode(number)
            if let previous { encoder.encode(fixed: previous.bytes) }
            encoder.encode(count: heads.count)
            for head in heads { encoder.encode(fixed: head.bytes) }
            encoder.encode(lamport)
            encoder.encode(wallTime)
            encoder.encode(byte: 0)
            encoder.encode(content)
            return encoder.bytes
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
    func sign(_ encoding: [UInt8], seed: Bytes32) -> (record: [UInt8], hash: Bytes32) {
        let hash = cryptography.hash(encoding)
        return (encoding + cryptography.sign(Array("caravan change".utf8) + hash.bytes, seed: seed), hash)
    }
}
