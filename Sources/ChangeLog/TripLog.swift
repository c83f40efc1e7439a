package import DeltaCRDT

/// The signed, hash-linked changes of one trip, each after its whole past, and what follows from them: the
/// branches, who is in, and what every change's author had seen.
///
/// A pure function of the set of changes: no clock, no randomness, no I/O. What is added is checked first, by rules
/// that depend on the change and its past alone.
package struct TripLog: Sendable {
    /// BLAKE2b-256 of the founder's root key.
    package let trip: Bytes32
    package let cryptography: any Cryptography
    let rules: any ContentRules

    /// The changes in the order in which they were added: a change stands after its past.
    package private(set) var changes: [SignedChange] = []
    /// Whether the change's own signature was checked here. Where not, a later one of its branch was.
    package private(set) var isVerified: [Bool] = []
    package private(set) var branches = Branches()
    package private(set) var membership = Membership()
    package private(set) var epochs: [Epoch] = []

    private(set) var pasts: [Past] = []
    /// The dots that a change's author knew by other names than they have now, by place.
    private(set) var renamings: [Int: [Dot: Dot]] = [:]
    private var placeOfHash: [Bytes32: Int] = [:]
    /// The changes that no other change here has in its past, ascending.
    private var maximal: [Int] = []

    package init(trip: Bytes32, cryptography: any Cryptography, rules: any ContentRules) {
        self.trip = trip
        self.cryptography = cryptography
        self.rules = rules
    }

    /// The trip whose founder has this root key.
    package static func trip(ofRootKey key: Bytes32, using cryptography: some Cryptography) -> Bytes32 {
        cryptography.hash(key.bytes)
    }

    package func place(of hash: Bytes32) -> Int? { placeOfHash[hash] }

    package mutating func addEpoch(secret: Bytes32) {
        let epoch = Epoch(secret: secret, using: cryptography)
        if !epochs.contains(where: { $0.id == epoch.id }) { epochs.append(epoch) }
    }

    /// The epoch that new changes are sealed for.
    package var newestEpoch: Epoch? { epochs.last }

    package func epoch(id: Bytes16) -> Epoch? { epochs.last { $0.id == id } }

    /// What is held below a place, for a peer to compare. O(branches log changes).
    package func frontier(before end: Int) -> Frontier {
        Frontier(
            tips: branches.all.indices.compactMap { index in
                guard let place = branches.tip(of: index, before: end) else { return nil }
                let tip = changes[place]
                return Frontier.Tip(
                    replica: tip.change.replica, counter: tip.change.lastCounter, hash: tip.hash)
            })
    }

    /// What is held, for a peer to compare.
    package var frontier: Frontier { frontier(before: changes.count) }

    /// Whether the change at `place` is, or is in the past of, the change at `later`.
    package func isPast(_ place: Int, of later: Int) -> Bool {
        pasts[later].contains(changes[place].change.counter, ofBranch: branches.branchOfPlace[place])
    }

    mutating func markVerified(_ place: Int) { isVerified[place] = true }
}

// MARK: - Adding

extension TripLog {
    /// Adds a change after checking everything but its signature.
    /// - Returns: true when an older branch had to take another name, so that what was derived must be derived anew.
    mutating func append(_ signed: SignedChange, isVerified verified: Bool) throws(Refusal) -> Bool {
        let change = signed.change
        guard change.trip == trip else { throw .otherTrip }
        let previousPlace = try place(ofPrevious: change)
        let headPlaces = try change.heads.map { (head) throws(Refusal) -> Int in
            guard let place = placeOfHash[head] else { throw .missingPast }
            return place
        }
        var past = try past(previousPlace: previousPlace, headPlaces: headPlaces)
        guard change.lamport == lamport(after: headPlaces + [previousPlace].compactMap { $0 }) else {
            throw .wrongLamportTime
        }
        let participant = try participant(of: change, past: past)
        var renaming: [Dot: Dot] = [:]
        switch change.body {
        case .content(let content):
            guard let participant else { throw .notAdmitted }
            let reason = rules.refusal(
                of: content, operationCount: change.operationCount, participant: participant,
                resolve: { dot in
                    let present = present(dot, past: past)
                    if let present, present != dot { renaming[dot] = present }
                    return present
                })
            if let reason { throw .content(reason) }
        case .membership(let operation):
            try check(operation, in: change, past: past)
        }
        guard branches.indices(of: change.replica).count < ChangeLimits.branchesMax || extends(previousPlace) else {
            throw .tooManyBranches
        }

        let place = changes.count
        let renamed = branches.append(signed, previousPlace: previousPlace, hashOf: { changes[$0].hash })
        past.include(through: change.lastCounter, ofBranch: branches.branchOfPlace[place])
        changes.append(signed)
        isVerified.append(verified)
        pasts.append(past)
        placeOfHash[signed.hash] = place
        if !renaming.isEmpty { renamings[place] = renaming }
        maximal.removeAll { $0 == previousPlace || headPlaces.contains($0) }
        maximal.append(place)
        if case .membership(let operation) = change.body {
            membership.apply(operation, at: place, hash: signed.hash, change: change, using: cryptography)
        }
        if renamed { deriveNamesAnew() }
        return renamed
    }

    private func extends(_ previousPlace: Int?) -> Bool {
        guard let previousPlace else { return false }
        return branches.successor(of: previousPlace) == nil
    }

    private func place(ofPrevious change: Change) throws(Refusal) -> Int? {
        guard let previous = change.previous else { return nil }
        guard let place = placeOfHash[previous] else { throw .missingPast }
        let before = changes[place].change
        guard before.replica == change.replica, before.lastCounter + 1 == change.counter else { throw .brokenChain }
        return place
    }

    /// The past of a change with these predecessors, without the change itself.
    private func past(previousPlace: Int?, headPlaces: [Int]) throws(Refusal) -> Past {
        var past = previousPlace.map { pasts[$0] } ?? Past()
        // Later changes first: a head that an earlier one in this order covers is redundant.
        for place in headPlaces.sorted(by: >) {
            guard !past.contains(changes[place].change.counter, ofBranch: branches.branchOfPlace[place]) else {
                throw .redundantHead
            }
            past.formUnion(pasts[place])
        }
        return past
    }

    private func lamport(after places: [Int]) -> UInt64 {
        1 + (places.map { changes[$0].change.lamport }.max() ?? 0)
    }

    /// Whose change it is; nil for the founding one.
    private func participant(of change: Change, past: Past) throws(Refusal) -> Bytes16? {
        if case .membership(.found) = change.body { return nil }
        guard let member = membership.device(change.replica) else { throw .notAdmitted }
        guard member.admissions.contains(where: { contains($0, past) }) else { throw .notAdmitted }
        return member.device.participant
    }

    private func contains(_ place: Int, _ past: Past) -> Bool {
        past.contains(changes[place].change.counter, ofBranch: branches.branchOfPlace[place])
    }

    private func check(_ operation: MembershipOperation, in change: Change, past: Past) throws(Refusal) {
        switch operation {
        case .found(let founder, _):
            guard change.counter == 1, change.heads.isEmpty, change.replica == founder.replica,
                TripLog.trip(ofRootKey: founder.signingKey, using: cryptography) == trip,
                founder.isFirst(using: cryptography)
            else { throw .membership }
        case .invite:
            break
        case .closeInvite(let id):
            guard let invite = membership.invite(id), contains(invite.place, past) else { throw .membership }
        case .admit(let admission):
            if let id = admission.invite {
                guard let invite = membership.invite(id), contains(invite.place, past) else { throw .membership }
            }
            let ownParticipant = membership.device(change.replica)?.device.participant
            guard admission.device.isFirst(using: cryptography) || admission.device.participant == ownParticipant else {
                throw .membership
            }
        }
    }

    /// The whole derivation of pasts and names again, after a branch took another name.
    private mutating func deriveNamesAnew() {
        for place in changes.indices {
            let change = changes[place].change
            var past = Past()
            for hash in change.heads + [change.previous].compactMap({ $0 }) {
                if let before = placeOfHash[hash] { past.formUnion(pasts[before]) }
            }
            if case .content(let content) = change.body, let member = membership.device(change.replica) {
                var renaming: [Dot: Dot] = [:]
                _ = rules.refusal(
                    of: content, operationCount: change.operationCount, participant: member.device.participant,
                    resolve: { dot in
                        let present = present(dot, past: past)
                        if let present, present != dot { renaming[dot] = present }
                        return present
                    })
                renamings[place] = renaming.isEmpty ? nil : renaming
            }
            past.include(through: change.lastCounter, ofBranch: branches.branchOfPlace[place])
            pasts[place] = past
        }
    }
}

// MARK: - Writing

extension TripLog {
    /// A new trip: its log with the founding change, which is not durable yet.
    package static func found(
        by secrets: DeviceSecrets, name: String, epochSecret: Bytes32, wallTime: Int64, cryptography: any Cryptography,
        rules: any ContentRules
    ) throws(Refusal) -> TripLog {
        let trip = TripLog.trip(ofRootKey: secrets.device.signingKey, using: cryptography)
        var log = TripLog(trip: trip, cryptography: cryptography, rules: rules)
        log.addEpoch(secret: epochSecret)
        _ = try log.author(.membership(.found(founder: secrets.device, name: name)), wallTime: wallTime, as: secrets)
        return log
    }

    /// Writes a change of one's own on top of everything that is here.
    package mutating func author(
        _ body: ChangeBody, operationCount: Int = 1, wallTime: Int64, as secrets: DeviceSecrets
    ) throws(Refusal) -> SignedChange {
        guard let epoch = newestEpoch else { throw .unknownEpoch }
        let replica = secrets.device.replica
        let previousPlace = ownTip(of: replica)
        let previous = previousPlace.map { changes[$0] }
        let headPlaces = maximal.filter { $0 != previousPlace }
        let change = Change(
            trip: trip, replica: replica, counter: (previous?.change.lastCounter ?? 0) + 1,
            previous: previous?.hash, heads: headPlaces.map { changes[$0].hash }.sorted(),
            lamport: lamport(after: headPlaces + [previousPlace].compactMap { $0 }),
            wallTime: wallTime, operationCount: operationCount, body: body)
        let signed = SignedChange.make(
            change, signingSeed: secrets.signingSeed, epoch: epoch, using: cryptography)
        _ = try append(signed, isVerified: true)
        return signed
    }

    /// The change that a replica's next one follows: the last of its changes to be added here.
    private func ownTip(of replica: ReplicaID) -> Int? {
        branches.indices(of: replica).compactMap { branches.all[$0].places.last }.max()
    }

    /// The dot of the next operation that a replica writes here.
    package func nextDot(of replica: ReplicaID) -> Dot {
        guard let tip = ownTip(of: replica) else { return Dot(replica: replica, counter: 1) }
        let branch = branches.all[branches.branchOfPlace[tip]]
        return Dot(replica: branch.name, counter: changes[tip].change.lastCounter + 1 - branch.base)
    }
}
