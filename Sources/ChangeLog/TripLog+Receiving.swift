import DeltaCRDT

/// What came of a batch of records.
package struct Received: Sendable {
    /// The places of the changes that are new here.
    package let places: Range<Int>
    /// The places of all changes of the batch that are here now, for what the sender is known to have.
    package let known: [Int]
    /// Why the rest of the batch was not taken; nil where all of it was, but for branches beyond this node's bound.
    package let refusal: Refusal?
    /// What of the changes that were here before is effective that was not, or is no longer.
    package let shift: EffectShift
}

extension TripLog {
    /// Checks and adds records that a peer sent, in causal order, and stops at the first that is refused. Every signature is
    /// checked, once, before the change enters the log.
    package mutating func receive(_ records: [[UInt8]]) -> Received {
        let start = graph.count
        var known: [Int] = []
        var fresh: [SignedChange] = []
        // One alone needs no set.
        var hashes = Set<Bytes32>(minimumCapacity: records.count > 1 ? records.count : 0)
        var refusal: Refusal?
        do throws(Refusal) {
            for record in records {
                let signed = try read(record)
                if let place = graph.place(of: signed.hash) {
                    known.append(place)
                } else if records.count == 1 || hashes.insert(signed.hash).inserted {
                    // A change that is held is not taken again, whatever signature comes with it.
                    fresh.append(signed)
                }
            }
        } catch {
            refusal = error
        }
        let sound = signed(of: fresh)
        var shift = EffectShift()
        // What stands on a branch that this node does not keep is passed over with it.
        var passed: Set<Bytes32> = []
        do throws(Refusal) {
            for signed in fresh[..<sound.count] {
                do throws(Refusal) {
                    shift.formUnion(try add(signed))
                } catch {
                    let isPassedOver =
                        error == .tooManyBranches
                        || error == .missingPast && signed.change.links.contains { passed.contains($0) }
                    guard isPassedOver else { throw error }
                    passed.insert(signed.hash)
                }
            }
            if let failure = sound.failure { throw failure }
        } catch {
            refusal = error
        }
        known.append(contentsOf: start..<graph.count)
        return Received(places: start..<graph.count, known: known, refusal: refusal, shift: shift.before(start))
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
            case .invite, .closeInvite, .remove, .beginEpoch, .grant, nil: break
            }
            guard let author = facts.device(signed.change.replica) ?? introduced[signed.change.replica] else {
                // What introduced it may be in a past that is not here.
                let isComplete = signed.change.links.allSatisfy { link in
                    graph.place(of: link) != nil || fresh[..<index].contains { $0.hash == link }
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

    /// Adds what this node's own disk holds, which was checked when it came.
    package mutating func restore(_ record: [UInt8]) throws(Refusal) {
        _ = try add(try read(record))
    }
}

extension SignedChange {
    /// How many signatures must hold.
    var checkCount: Int { if case .admit = change.statement { 2 } else { 1 } }

    /// Adds the signatures that must hold: the author's, and of whoever it lets in.
    func appendChecks(to checks: inout [SignatureCheck], author: Device) {
        checks.append(
            SignatureCheck(signature: signature, message: SignedChange.signedMessage(hash), key: author.signingKey))
        if case .admit(let admission) = change.statement {
            let message = Admission.consentMessage(
                trip: change.trip, invite: admission.invite, host: author.replica, device: admission.device,
                name: admission.name)
            checks.append(
                SignatureCheck(signature: admission.consent, message: message, key: admission.device.signingKey))
        }
    }
}

extension Change {
    /// The changes that it names as what its author had seen last.
    package var links: [Bytes32] { [previous].compactMap { $0 } + heads }
}
