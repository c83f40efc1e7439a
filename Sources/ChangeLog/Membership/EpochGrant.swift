package import DeltaCRDT

/// An epoch's secret, sealed to each of some devices.
package struct EpochGrant: Hashable, Sendable {
    /// The epoch that the secret makes.
    package let epoch: Bytes16
    /// In ascending order of the devices' logs' names.
    package let boxes: [Box]

    package struct Box: Hashable, Sendable {
        package let replica: ReplicaID
        /// A sealed box.
        package let sealed: [UInt8]

        package init(replica: ReplicaID, sealed: [UInt8]) {
            self.replica = replica
            self.sealed = sealed
        }
    }

    package init(epoch: Bytes16, boxes: [Box]) {
        self.epoch = epoch
        self.boxes = boxes
    }

    /// Seals an epoch's secret to devices; one whose key is weak is left out, and so are those beyond
    /// `ChangeBounds.grantBoxesMax`: another grant is for them. The generator must be a cryptographic one.
    package init(
        _ epoch: Epoch, to devices: [Device], using generator: inout some RandomNumberGenerator,
        _ cryptography: some Cryptography
    ) {
        var boxes: [Box] = []
        for device in devices.sorted(by: { $0.replica < $1.replica }) where boxes.count < ChangeBounds.grantBoxesMax {
            let sealed = SealedBox.seal(epoch.secret, to: device, using: &generator, cryptography)
            if let sealed { boxes.append(Box(replica: device.replica, sealed: sealed)) }
        }
        self.init(epoch: epoch.id, boxes: boxes)
    }
}

extension CanonicalEncoder {
    mutating func encode(_ boxes: [EpochGrant.Box]) {
        encode(count: boxes.count)
        for box in boxes {
            encode(box.replica)
            encode(fixed: box.sealed)
        }
    }
}

extension CanonicalDecoder {
    mutating func decodeBoxes() throws(DecodingFailure) -> [EpochGrant.Box] {
        var boxes: [EpochGrant.Box] = []
        let count = try decodeCount(limit: ChangeBounds.grantBoxesMax, minimumSize: 16 + SealedBox.size)
        for _ in 0..<count {
            let replica = try decodeReplicaID()
            if let last = boxes.last, replica <= last.replica { throw .notCanonical }
            boxes.append(EpochGrant.Box(replica: replica, sealed: Array(try decodeFixed(SealedBox.size))))
        }
        return boxes
    }
}
