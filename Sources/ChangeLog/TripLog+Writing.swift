package import DeltaCRDT

/// Why a device cannot write.
package enum WritingFailure: Error, Hashable, Sendable {
    /// Its person was removed, has left, or waits and would make a statement.
    case out
    /// The log does not say yet that it was let in.
    case notAdmitted
    /// It would remove somebody who is not below its person.
    case notAbove
    /// What it would write is against the form.
    case refused(Refusal)
}

extension TripLog {
    /// A new trip: its log with the founding, which is not durable yet.
    package static func found(
        by secrets: DeviceSecrets, name: String, epoch: Bytes16, wallTime: Int64, cryptography: any Cryptography
    ) throws(WritingFailure) -> TripLog {
        let trip = TripLog.trip(ofRootKey: secrets.device.signingKey, using: cryptography)
        var log = TripLog(trip: trip, cryptography: cryptography)
        _ = try log.write(
            .found(founder: secrets.device, name: name, epoch: epoch), content: [], wallTime: wallTime, as: secrets)
        return log
    }

    /// Writes a change of one's own on top of everything that is retained here; of a person who waits, on top of what is pending too.
    ///
    /// - Parameters:
    ///   - subjects: the changes that made what the content acts on, in any order. Of more than may be named, the first are.
    ///   - besides: what it stands on that is not retained, by index: an admission that is said again.
    /// - Returns: the change, and what came of adding it.
    package mutating func write(
        _ statement: Statement?, content: [UInt8], about subjects: [Bytes32] = [], wallTime: Int64,
        as secrets: DeviceSecrets, besides: [Int] = []
    ) throws(WritingFailure) -> (change: SignedChange, added: Received) {
        let replica = secrets.device.replica
        let isPending = statement == nil && isWaiting(replica) && !isGuest(secrets.device.participant)
        if graph.count > 0, !isPending {
            guard !isOut(replica) else { throw .out }
            guard isIn(replica) else { throw .notAdmitted }
        }
        let previous = lastWritten(by: replica)
        let pending = isPending ? pendingHeads(of: secrets.device).filter { $0 != previous } : []
        let besides = besides + (statement.map { unretainedSubject(of: $0) } ?? pending)
        // Where more are without a successor than a change may name, as where somebody forks without end, what it must stand on and
        // the newest are named.
        var needed = Set(besides)
        if heads.count + needed.count > ChangeBounds.headsMax {
            var indices: [Int] = []
            if previous == nil, let introduction = admission(of: replica) { indices.append(introduction) }
            if let statement { indices += retainedSubjects(of: statement) }
            indices += subjects.prefix(ChangeBounds.subjectsMax).compactMap { graph.index(of: $0) }
                .filter { isRetained($0) }
            let unseen = indices.filter { index in previous.map { !graph.isPast(index, of: $0) } ?? true }
            needed.formUnion(unseen.prefix(ChangeBounds.headsMax - needed.count))
        }
        let others =
            heads.filter { $0 != previous && !needed.contains($0) }.suffix(ChangeBounds.headsMax - needed.count)
            + needed.sorted()
        let lamport = (others + [previous].compactMap { $0 }).map { graph.changes[$0].change.lamport }.max() ?? 0
        let before = previous.map { graph.changes[$0] }
        let own = isPending ? pending + [previous].compactMap { $0 } : []
        let named = Set(subjects.prefix(ChangeBounds.subjectsMax)).filter { subject in
            graph.index(of: subject).map { index in
                isRetained(index) || own.contains { graph.isPast(index, of: $0) }
            } ?? false
        }
        let change = Change(
            trip: trip, replica: replica, number: (before?.change.number ?? 0) + 1, previous: before?.hash,
            heads: others.map { graph.changes[$0].hash }.sorted(), subjects: named.sorted(), lamport: lamport + 1,
            wallTime: wallTime, statement: statement,
            salt: secrets.salt(of: content, after: before?.hash, at: wallTime, using: cryptography), content: content)
        guard content.count <= ChangeBounds.contentBytesMax else { throw .refused(.malformed(.tooLarge)) }
        let signed = SignedChange(change, signingSeed: secrets.signingSeed, using: cryptography)
        guard signed.record.count <= ChangeBounds.recordBytesMax else { throw .refused(.malformed(.tooLarge)) }
        var added = add(CollectionOfOne(signed))
        if let refusal = added.refusal { throw .refused(refusal) }
        if statement != nil { added.altered += dropBodies(from: 0) }
        return (signed, added)
    }

    /// The change on which a device's next one follows. O(branches of its log).
    private func lastWritten(by replica: ReplicaID) -> Int? {
        let branches = graph.branchesOfReplica[replica] ?? []
        // All that a person wrote who waits is to count once they are kept.
        return isWaiting(replica)
            ? branches.map { graph.branches[Int($0)].last }.max()
            : branches.compactMap { membership.lastEffective(of: $0, in: graph) }.max()
    }

    /// What a device has used of the bounds of the chain on which it writes. O(branches of its log).
    package func chainTotals(of replica: ReplicaID) -> ChainTotals {
        lastWritten(by: replica).map { graph.chainTotals(of: $0) } ?? ChainTotals()
    }
}

extension DeviceSecrets {
    /// What nobody else can foresee, and no body but this one has.
    fileprivate func salt(
        of content: [UInt8], after previous: Bytes32?, at wallTime: Int64, using cryptography: some Cryptography
    ) -> Bytes16 {
        let key = cryptography.deriveKey(from: signingSeed, label: "caravan body")
        var encoder = CanonicalEncoder(reservingCapacity: 48 + content.count)
        encoder.encode(fixed: previous?.bytes ?? [])
        encoder.encode(wallTime)
        encoder.encode(fixed: content)
        return cryptography.hash(encoder.bytes, key: key).prefix16
    }
}
