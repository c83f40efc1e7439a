import DeltaCRDT

/// What came of adding changes.
package struct Received: Sendable {
    /// The indices of the changes that are new here.
    package internal(set) var indices: Range<Int>
    /// The indices of all changes of a batch that are here now, for what the sender is known to have.
    package internal(set) var known: [Int] = []
    /// Why the rest was not taken; nil where all of it was.
    package internal(set) var refusal: Refusal?
    /// What of the changes that were here before is shown that was not, or no longer: indices, ascending.
    package internal(set) var effectivenessChanged: [Int] = []
    /// Of the changes that were here before, those whose bodies have come, and those whose bodies nobody needs any more.
    package internal(set) var altered: [Int] = []
}

extension TripLog {
    /// Checks and adds records that a peer sent, in causal order, and stops at the first that is refused. Every signature is
    /// checked, once, before the change enters the log.
    /// - Parameter owner: the participant whose copy this is, which keeps the bodies of what they wrote while they waited.
    package mutating func receive(_ records: [[UInt8]], ownedBy owner: Bytes32? = nil) -> Received {
        let start = graph.count
        var known: [Int] = []
        var fresh: [SignedChange] = []
        var whole: [SignedChange] = []
        // One alone needs no set.
        var hashes = Set<Bytes32>(minimumCapacity: records.count > 1 ? records.count : 0)
        var refusal: Refusal?
        do throws(Refusal) {
            for record in records {
                let signed = try SignedChange(record: record, using: cryptography)
                if let index = graph.index(of: signed.hash) {
                    known.append(index)
                    if signed.isWhole, bodies.lacking.contains(index) { whole.append(signed) }
                } else if records.count == 1 || hashes.insert(signed.hash).inserted {
                    // A change that is held is not taken again, whatever signature comes with it.
                    fresh.append(signed)
                }
            }
        } catch {
            refusal = error
        }
        let sound = signed(of: fresh)
        let before = membershipVersion
        var received = add(fresh[..<sound.count], bodies: whole)
        let dropped = dropBodies(from: membershipVersion == before ? start : 0, ownedBy: owner)
        received.known = known + received.indices
        received.refusal = received.refusal ?? sound.failure ?? refusal
        received.altered += dropped.filter { $0 < start }
        return received
    }

    /// How many changes of a batch, from the first, are signed, and why the next is not.
    private func signed(of fresh: [SignedChange]) -> (count: Int, failure: Refusal?) {
        var introduced: [ReplicaID: Device] = [:]
        var checks: [SignatureCheck] = []
        checks.reserveCapacity(fresh.count)
        var end = fresh.count
        var failure: Refusal?
        for (index, signed) in fresh.enumerated() {
            switch signed.change.statement {
            case .found(let founder, _, _): introduced[founder.replica] = founder
            case .admit(let admission): introduced[admission.device.replica] = admission.device
            case .invite, .closeInvite, .remove, .beginEpoch, .grant, .end, nil: break
            }
            guard let author = facts.device(signed.change.replica) ?? introduced[signed.change.replica] else {
                // What introduced it may be in a past that is not here.
                let isComplete = signed.change.links.allSatisfy { link in
                    graph.index(of: link) != nil || fresh[..<index].contains { $0.hash == link }
                }
                (end, failure) = (index, isComplete ? .unknownAuthor : .missingPast)
                break
            }
            signed.appendChecks(to: &checks, author: author)
        }
        guard var unsound = cryptography.areValid(checks).firstIndex(of: false) else { return (end, failure) }
        let change = fresh.firstIndex { signed in
            unsound -= signed.checkCount
            return unsound < 0
        }
        return (change ?? 0, .invalidSignature)
    }

    /// Adds what this node's own disk holds, which was checked when it came, up to the first record that is refused.
    package mutating func restore(_ records: some Sequence<[UInt8]>) throws(Refusal) {
        var changes: [SignedChange] = []
        for record in records { changes.append(try SignedChange(record: record, using: cryptography)) }
        if let refusal = add(changes).refusal { throw refusal }
    }
}

// MARK: - What is refused: Documentation/Protocol.md, section 3

extension TripLog {
    /// The past of a change whose signature was checked. Throws where the change is against the form.
    func checkedLinks(of signed: SignedChange) throws(Refusal) -> ChangeGraph.Links {
        let change = signed.change
        guard change.trip == trip else { throw .otherTrip }
        let links = try graph.links(of: signed)
        func isSeen(_ index: Int) -> Bool { graph.contains(index, in: links.past) }
        if case .found(let founder, _, _) = change.statement {
            let name = Origin.founder.participant(signingKey: founder.signingKey, using: cryptography)
            guard change.number == 1, change.heads.isEmpty, change.replica == founder.replica,
                TripLog.trip(ofRootKey: founder.signingKey, using: cryptography) == trip, founder.participant == name
            else { throw .invalidFounding }
        } else if links.previous == nil {
            // What follows another change of its log has that one's past, and so what introduced its keys.
            guard facts.isIntroduced(change.replica, isSeen: isSeen) else { throw .unknownAuthor }
        }
        if let statement = change.statement {
            try facts.check(statement, by: change.replica, in: graph, using: cryptography, isSeen: isSeen)
        }
        return links
    }
}

extension SignedChange {
    /// How many signatures must hold.
    var checkCount: Int { if case .admit = change.statement { 2 } else { 1 } }

    /// Adds the signatures that must hold: the author's, and the consent of the device that it lets in.
    func appendChecks(to checks: inout [SignatureCheck], author: Device) {
        checks.append(
            SignatureCheck(signature: signature, message: SignedChange.signedMessage(hash), key: author.signingKey))
        if case .admit(let admission) = change.statement {
            let message = Admission.consentMessage(
                trip: change.trip, device: admission.device, name: admission.name)
            checks.append(
                SignatureCheck(signature: admission.consent, message: message, key: admission.device.signingKey))
        }
    }
}

extension Change {
    /// The changes that it names as what its author had seen last.
    package var links: [Bytes32] { [previous].compactMap { $0 } + heads }
}
