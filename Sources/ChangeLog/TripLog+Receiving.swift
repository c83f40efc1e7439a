import DeltaCRDT

/// What came of a batch of sealed changes.
package struct Received: Sendable {
    /// The places of the changes that are new here.
    package let places: Range<Int>
    /// The places of all changes of the batch that are here now, for what the sender is known to have.
    package let known: [Int]
    /// Why the rest of the batch was not taken; nil where all of it was.
    package let refusal: Refusal?
    /// Whether what was derived from the log must be derived anew.
    package let isRebuilt: Bool
}

extension TripLog {
    /// Checks and adds changes that a peer sent, in causal order, and stops at the first that is refused.
    ///
    /// One signature is checked per replica: that of its newest change in the batch, which by its hashes vouches for
    /// those before it. Where anything is refused, what was added before it is vouched for by signatures of its own, or
    /// the batch is taken again one by one, so that nothing is kept that only a refused change vouched for.
    package mutating func receive(_ batch: [[UInt8]]) -> Received {
        let start = changes.count
        var known: [Int] = []
        var refusal: Refusal?
        var isRebuilt = false
        var rest = batch[...]
        // A batch may hold the secret under which what follows in it is sealed.
        while !rest.isEmpty, refusal == nil {
            var fresh: [SignedChange] = []
            while let sealed = rest.first {
                do {
                    let signed = try open(sealed)
                    if let place = place(of: signed.hash) { known.append(place) } else { fresh.append(signed) }
                } catch {
                    if error != .unknownEpoch || fresh.isEmpty { refusal = error }
                    break
                }
                rest = rest.dropFirst()
            }
            if let failure = take(fresh, hasRebuilt: &isRebuilt) { refusal = failure }
        }
        if recount() { isRebuilt = true }
        known.append(contentsOf: start..<changes.count)
        return Received(places: start..<changes.count, known: known, refusal: refusal, isRebuilt: isRebuilt)
    }

    private mutating func take(_ fresh: [SignedChange], hasRebuilt: inout Bool) -> Refusal? {
        guard fresh.count > 1 else { return appendSingly(fresh) }
        let start = changes.count
        let known = epochs.count
        do {
            try appendBatch(fresh)
            return nil
        } catch {
            if changes.count > start {
                if vouchForEnds(from: start) { return error }
                // Somebody signed a change that stands on one with a signature that does not hold.
                removeAll(from: start, epochsFrom: known)
                hasRebuilt = true
            }
            return appendSingly(fresh)
        }
    }

    /// Checks the signature of the last change of every branch from a place on, where only a change that was refused
    /// had vouched for it. False where one does not hold.
    private mutating func vouchForEnds(from start: Int) -> Bool {
        var seen: Set<Int32> = []
        for place in (start..<changes.count).reversed()
        where seen.insert(branches.branchOfPlace[place]).inserted {
            guard holdsSignature(place) else { return false }
        }
        return true
    }

    /// Brings the log back to what it was: built anew, for it was checked when it came. Secrets that came with what is
    /// removed go with it.
    private mutating func removeAll(from end: Int, epochsFrom known: Int) {
        var log = TripLog(trip: trip, cryptography: cryptography, contents: contents)
        log.reader = reader
        log.opened = opened
        for epoch in epochs.prefix(known) { log.addEpoch(secret: epoch.secret) }
        log.offered = offered
        for place in 0..<end { try? log.append(changes[place], isVerified: isVerified[place]) }
        log.recount()
        // Nobody has been told yet of what came back before the refusal.
        log.keptAgain = keptAgain.filter { $0 < end && log.isKept($0) }
        log.membership.follow(membership)
        self = log
    }

    /// Adds what this node's own disk holds, which was checked when it came.
    package mutating func restore(_ sealed: [UInt8], isVerified: Bool) throws(Refusal) {
        try append(try open(sealed), isVerified: isVerified)
    }

    /// Settles what counts after all was restored.
    package mutating func finishRestoring() { recount() }

    /// Opens a sealed change with the secret of its epoch.
    package func open(_ sealed: [UInt8]) throws(Refusal) -> SignedChange {
        guard let id = SignedChange.epochID(ofSealed: sealed) else { throw .malformed(.unknown) }
        guard let epoch = epoch(id: id) else { throw .unknownEpoch }
        return try openedOnce(sealed, epoch: epoch)
    }

    private mutating func appendBatch(_ fresh: [SignedChange]) throws(Refusal) {
        // The last of every chain of the batch: the changes that no other of the batch names as its previous one.
        let isFollowed = TripLog.areFollowed(fresh)
        let admitted = devicesAdmitted(in: fresh)
        for (index, signed) in fresh.enumerated() where !isFollowed[index] {
            try checkSignature(signed, admitted: admitted)
        }
        keepPast(of: fresh)
        for (index, signed) in fresh.enumerated() where place(of: signed.hash) == nil {
            try append(signed, isVerified: !isFollowed[index])
        }
    }

    /// Of changes, which others of them name as their previous one.
    private static func areFollowed(_ changes: [SignedChange]) -> [Bool] {
        var isFollowed = [Bool](repeating: false, count: changes.count)
        // Mostly that is the next one.
        var others: Set<Bytes32>?
        for (index, signed) in changes.enumerated() {
            if index + 1 < changes.count, changes[index + 1].change.previous == signed.hash {
                isFollowed[index] = true
            } else {
                let named = others ?? Set(changes.compactMap { $0.change.previous })
                others = named
                isFollowed[index] = named.contains(signed.hash)
            }
        }
        return isFollowed
    }

    private mutating func appendSingly(_ fresh: [SignedChange]) -> Refusal? {
        let admitted = devicesAdmitted(in: fresh)
        var sound: [SignedChange] = []
        for signed in fresh {
            do { try checkSignature(signed, admitted: admitted) } catch { break }
            sound.append(signed)
        }
        keepPast(of: sound)
        do {
            for signed in sound where place(of: signed.hash) == nil {
                try append(signed, isVerified: true)
            }
            // Of the one that did not hold it is said why, in view of those before it.
            if sound.count < fresh.count { try checkSignature(fresh[sound.count], admitted: admitted) }
        } catch {
            return error
        }
        return nil
    }

    /// Devices that the changes themselves let in. A replica's name commits to its key, so that a claim that is not
    /// yet checked can name no other key for it.
    private func devicesAdmitted(in fresh: [SignedChange]) -> [ReplicaID: Device] {
        var devices: [ReplicaID: Device] = [:]
        for signed in fresh {
            switch signed.change.body {
            case .membership(.found(let founder, _)): devices[founder.replica] = founder
            case .membership(.admit(let admission)): devices[admission.device.replica] = admission.device
            case .membership, .content: break
            }
        }
        return devices
    }

    private func checkSignature(_ signed: SignedChange, admitted: [ReplicaID: Device]) throws(Refusal) {
        let replica = signed.change.replica
        guard let device = membership.device(replica)?.device ?? admitted[replica] else {
            // What let its author in may be in a past that is not here: of a backup's device, what it wrote itself.
            let past = [signed.change.previous].compactMap { $0 } + signed.change.heads
            throw past.contains { place(of: $0) == nil } ? .missingPast : .notAdmitted
        }
        guard signed.hasValidSignature(by: device.signingKey, using: cryptography) else { throw .invalidSignature }
    }
}
