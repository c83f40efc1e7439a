import ChangeLog
import DeltaCRDT
import SyncEngine

/// Makes changes that say whatever is wanted, sealed for an epoch as a member could.
struct Forger {
    /// All that a change says.
    struct Draft {
        var trip: Bytes32
        var replica: ReplicaID
        var counter: UInt64
        var previous: Bytes32?
        var heads: [Bytes32]
        var lamport: UInt64
        var wallTime: Int64 = 0
        var operationCount: UInt64
        var content: [UInt8]

        /// What an honest change says, to be altered.
        init(_ change: Change) {
            trip = change.trip
            replica = change.replica
            counter = change.counter
            previous = change.previous
            heads = change.heads
            lamport = change.lamport
            wallTime = change.wallTime
            operationCount = UInt64(change.operationCount)
            content = []
            if case .content(let bytes) = change.body { content = bytes }
        }

        /// The encoding that `Change` reads.
        var encoding: [UInt8] {
            var encoder = CanonicalEncoder()
            encoder.encode(fixed: CollectionOfOne(UInt8(1)))
            encoder.encode(fixed: trip.bytes)
            encoder.encode(replica)
            encoder.encode(counter)
            if let previous { encoder.encode(fixed: previous.bytes) }
            encoder.encode(count: heads.count)
            for head in heads { encoder.encode(fixed: head.bytes) }
            encoder.encode(lamport)
            encoder.encode(wallTime)
            encoder.encode(operationCount)
            encoder.encode(fixed: CollectionOfOne(UInt8(0)))
            encoder.encode(content)
            return encoder.bytes
        }
    }

    let epoch: Epoch
    let cryptography: any SessionCryptography

    /// The epoch of a secret.
    static func epoch(of secret: Bytes32, using cryptography: any SessionCryptography) -> Epoch {
        func keys(_ cryptography: some Cryptography) -> Epoch { Epoch(secret: secret, using: cryptography) }
        return keys(cryptography)
    }

    /// - Parameters:
    ///   - seed: whose key signs it.
    ///   - nonce: nil for the one that the format asks for.
    /// - Returns: the sealed form and the change's hash.
    func seal(_ encoding: [UInt8], seed: Bytes32, nonce: [UInt8]? = nil) -> (sealed: [UInt8], hash: Bytes32) {
        let hash = cryptography.hash(encoding)
        let signature = cryptography.sign(Array("caravan change".utf8) + hash.bytes, seed: seed)
        let signed = encoding + signature
        let nonce = nonce ?? Array(cryptography.hash(signed, key: epoch.nonceKey).bytes.prefix(24))
        let header = [1] + epoch.id.bytes
        let ciphertext = cryptography.encrypt(signed, nonce: nonce, key: epoch.sealingKey, authenticating: header)
        return (header + nonce + ciphertext, hash)
    }
}
