import DeltaCRDT

/// The signed, hash-linked changes of one trip, each after its whole past, and what follows from them: the
/// branches, who is in, and what every change's author had seen.
///
/// A pure function of the set of changes: no clock, no randomness, no I/O. What is added is checked first, by rules
/// that depend on the change and its past alone.
package struct TripLog: Sendable {
    /// BLAKE2b-256 of the founder's root key.
    package let trip: Bytes32
    package let cryptography: any Cryptography
    let contents: any ContentReading
    /// Nil in every node that ships (`OpenedChanges`).
    package var opened: (any OpenedChanges)?

    /// The changes in the order in which they were added: a change stands after its past.
    package private(set) var changes = ChunkedArray<SignedChange>()
    /// Whether the change's own signature was checked here. Where not, a later one of its branch was.
    package private(set) var isVerified = ChunkedArray<Bool>()
    package internal(set) var branches = Branches()
    package internal(set) var membership = Membership()
    package private(set) var epochs: [Epoch] = []

    /// Whose log this is, so that secrets sealed to it are opened as they come; nil for an onlooker.
    package var reader: DeviceSecrets?

    /// What each change's author had seen. How far it had seen its own branch goes without saying.
    var pasts = ChunkedArray<Past>()
    /// Bytes of each change and of those before it in its replica's log.
    private var logBytes = ChunkedArray<UInt32>()
    private var index = PlaceIndex()
    /// The changes that no other change here has in its past, ascending.
    var maximal: [Int32] = []

    /// What members say are epochs' secrets, and the log does not speak of yet.
    var offered: [Epoch] = []
    /// Changes that do not count, and that nothing that counts stands on: as if they were not here.
    var setAside: Set<Int> = []
    /// Changes that do not count, kept because one that counts stands on them.
    var idle: Set<Int> = []
    /// Whether something came that may change what counts.
    var mustRecount = false
    /// Whether something that was set aside is kept again.
    var haveKept = false
    /// What was set aside and is kept again, since somebody took note of it.
    var keptAgain: Set<Int> = []
    /// Changes with a signature that does not hold: a later one vouches for them by its hash.
    var unsound: Set<Int> = []
    /// The replicas with more branches than anybody has by accident.
    var crowds: Set<ReplicaID> = []

    package init(trip: Bytes32, cryptography: any Cryptography, contents: any ContentReading) {
        self.trip = trip
        self.cryptography = cryptography
        self.contents = contents
    }

    /// The trip whose founder has this root key.
    package static func trip(ofRootKey key: Bytes32, using cryptography: some Cryptography) -> Bytes32 {
        cryptography.hash(key.bytes)
    }

    /// Where a change stands. O(1).
    package func place(of hash: Bytes32) -> Int? { index.place(of: hash) { changes[$0].hash == hash } }

    package mutating func addEpoch(secret: Bytes32) {
        let epoch = Epoch(secret: secret, using: cryptography)
        if !epochs.contains(where: { $0.id == epoch.id }) { epochs.append(epoch) }
    }

    /// The epoch that new changes are sealed for, and under whose key nodes meet: of those that are known by the log, the
    /// one that answers the most removals; one that came before the log that explains it is newer than that.
    package var newestEpoch: Epoch? {
        if let unexplained = epochs.dropFirst().last(where: { !membership.explains($0.id) }) { return unexplained }
        for ranked in membership.epochRanking {
            if let epoch = epoch(id: ranked.id) { return epoch }
        }
        return epochs.first
    }

    /// All epochs whose secrets are here, the one that new changes are sealed for last.
    package var epochsByAge: [Epoch] {
        guard let newest = newestEpoch else { return [] }
        return epochs.filter { $0 != newest } + [newest]
    }

    package func epoch(id: Bytes16) -> Epoch? { epochs.last { $0.id == id } ?? offered.last { $0.id == id } }

    /// Epochs that are offered at once.
    private static let offeredMax = 16

    /// Takes a secret that a member says is an epoch's: changes are opened with it, and nothing is sealed for it before
    /// the log says that there is such an epoch.
    package mutating func offerEpoch(secret: Bytes32) {
        let epoch = Epoch(secret: secret, using: cryptography)
        guard self.epoch(id: epoch.id) == nil else { return }
        offered.append(epoch)
        if offered.count > Self.offeredMax { offered.removeFirst() }
    }

    /// Keeps the offered secrets of epochs that the log speaks of by now, and returns them.
    package mutating func adoptEpochs() -> [Bytes32] {
        let adopted = offered.filter { mayAdopt($0.id) }
        guard !adopted.isEmpty else { return [] }
        offered.removeAll { adopted.contains($0) }
        for epoch in adopted { addEpoch(secret: epoch.secret) }
        return adopted.map(\.secret)
    }

    /// Whether a secret that was handed on is to be kept: the log says that there is such an epoch, and there is room where a
    /// device's own secrets are.
    private func mayAdopt(_ epoch: Bytes16) -> Bool {
        epochs.count + Self.offeredMax <= ChangeLimits.epochsMax && membership.explains(epoch)
    }

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
        guard isKept(place), isKept(later) else { return false }
        if branches.branchOfPlace[place] == branches.branchOfPlace[later] { return place <= later }
        return pasts[later].contains(place, in: branches)
    }

    /// Adds a change and its past to what is held.
    func include(_ place: Int, in past: inout Past) {
        past.formUnion(pasts[place])
        past.extend(to: place, ofBranch: branches.branchOfPlace[place])
    }

    /// The change that the first of a branch follows, in another branch of its replica.
    func placeBefore(branch: Int) -> Int? {
        changes[branches.all[branch].firstPlace].change.previous.flatMap { place(of: $0) }
    }

    mutating func markVerified(_ place: Int) { isVerified[place] = true }
}

// MARK: - Adding

extension TripLog {
    /// Adds a change after checking everything but its signature.
    mutating func append(_ signed: SignedChange, isVerified verified: Bool) throws(Refusal) {
        let change = signed.change
        guard change.trip == trip else { throw .otherTrip }
        let previousPlace = try place(ofPrevious: change)
        let headPlaces = try places(ofHeads: change)
        // After its past, which may tell of the epoch: what lacks that can be asked for.
        guard isOfKnownEpoch(signed) else { throw .unknownEpoch }
        let past = try past(previousPlace: previousPlace, headPlaces: headPlaces)
        guard change.lamport == lamport(previousPlace: previousPlace, headPlaces: headPlaces) else {
            throw .wrongLamportTime
        }
        let participant = try participant(of: change, past: past)
        switch change.body {
        case .content: if participant == nil { throw .notAdmitted }
        case .membership(let operation): try check(operation, in: change, past: past)
        }
        let bytes = (previousPlace.map { Int(logBytes[$0]) } ?? 0) + signed.sealed.count
        guard bytes <= ChangeLimits.logBytesMax else { throw .logFull }

        let place = changes.count
        logBytes.append(UInt32(bytes))
        branches.append(signed, previousPlace: previousPlace)
        changes.append(signed)
        isVerified.append(verified)
        pasts.append(remembered(past.without(branches.branchOfPlace[place]), after: previousPlace))
        index.insert(signed.hash, place: place)
        retire(previousPlace, headPlaces)
        maximal.append(Int32(place))
        if case .membership(let operation) = change.body {
            if membership.record(operation, at: place, hash: signed.hash, change: change, using: cryptography) {
                mustRecount = true
            }
            open(operation)
        }
        if membership.hasRemovals || !crowds.isEmpty, !membership.isIn(change.replica) { mustRecount = true }
        if !setAside.isEmpty, isOfEpochSetAside(signed) { mustRecount = true }
        noteCrowd(change.replica)
    }

    /// Whether a change can be opened again when the log is read anew: a secret that was handed on is kept only once the log
    /// says that there is such an epoch.
    private func isOfKnownEpoch(_ signed: SignedChange) -> Bool {
        guard let id = SignedChange.epochID(ofSealed: signed.sealed) else { return false }
        return epochs.contains { $0.id == id } || mayAdopt(id)
    }

    /// Changes that another has in its past are no heads any longer.
    private mutating func retire(_ previousPlace: Int?, _ headPlaces: [Int]) {
        if let previousPlace { retire(previousPlace) }
        for place in headPlaces { retire(place) }
    }

    private mutating func retire(_ place: Int) {
        let position = maximal.partitioningIndex { $0 >= place }
        if position < maximal.count, maximal[position] == place { maximal.remove(at: position) }
    }

    private func places(ofHeads change: Change) throws(Refusal) -> [Int] {
        guard !change.heads.isEmpty else { return [] }
        var places: [Int] = []
        places.reserveCapacity(change.heads.count)
        for head in change.heads {
            guard let place = place(of: head) else { throw .missingPast }
            places.append(place)
        }
        return places
    }

    private func place(ofPrevious change: Change) throws(Refusal) -> Int? {
        guard let previous = change.previous else { return nil }
        guard let place = place(of: previous) else { throw .missingPast }
        let before = changes[place].change
        guard before.replica == change.replica, before.lastCounter + 1 == change.counter else { throw .brokenChain }
        return place
    }

    /// The past of a change with these predecessors, without the change itself.
    private func past(previousPlace: Int?, headPlaces: [Int]) throws(Refusal) -> Past {
        var past = Past()
        if let previousPlace { include(previousPlace, in: &past) }
        // Later changes first: a head that an earlier one in this order covers is redundant.
        for place in headPlaces.count > 1 ? headPlaces.sorted(by: >) : headPlaces {
            guard !past.contains(place, in: branches) else { throw .redundantHead }
            include(place, in: &past)
        }
        past.settle(in: branches)
        return past
    }

    /// A past, in the storage of the change before where that had seen the same, as most in a row have.
    private func remembered(_ past: Past, after previousPlace: Int?) -> Past {
        guard let previousPlace, pasts[previousPlace] == past else { return past }
        return pasts[previousPlace]
    }

    private func lamport(previousPlace: Int?, headPlaces: [Int]) -> UInt64 {
        var greatest = previousPlace.map { changes[$0].change.lamport } ?? 0
        for place in headPlaces { greatest = max(greatest, changes[place].change.lamport) }
        return greatest + 1
    }

    /// Whose change it is; nil for the founding one.
    private func participant(of change: Change, past: Past) throws(Refusal) -> Bytes16? {
        if case .membership(.found) = change.body { return nil }
        guard let member = membership.device(change.replica) else { throw .notAdmitted }
        guard member.admissions.contains(where: { contains($0, past) }) else { throw .notAdmitted }
        return member.device.participant
    }
}

// MARK: - Writing

extension TripLog {
    /// A new trip: its log with the founding change, which is not durable yet.
    package static func found(
        by secrets: DeviceSecrets, name: String, epochSecret: Bytes32, wallTime: Int64, cryptography: any Cryptography,
        contents: any ContentReading
    ) throws(Refusal) -> TripLog {
        let trip = TripLog.trip(ofRootKey: secrets.device.signingKey, using: cryptography)
        var log = TripLog(trip: trip, cryptography: cryptography, contents: contents)
        log.addEpoch(secret: epochSecret)
        _ = try log.author(.membership(.found(founder: secrets.device, name: name)), wallTime: wallTime, as: secrets)
        return log
    }

    /// Writes a change of one's own on top of everything that is here.
    package mutating func author(
        _ body: ChangeBody, operationCount: Int = 1, wallTime: Int64, as secrets: DeviceSecrets
    ) throws(Refusal) -> SignedChange {
        guard let epoch = newestEpoch else { throw .unknownEpoch }
        guard !membership.isOut(secrets.device.replica) else { throw .removed }
        guard !crowds.contains(secrets.device.replica) else { throw .tooManyBranches }
        let replica = secrets.device.replica
        let previousPlace = ownTip(of: replica)
        let previous = previousPlace.map { changes[$0] }
        // Where more are without a successor than a change may name, the newest are named.
        let headPlaces = Array(maximal.map { Int($0) }.filter { $0 != previousPlace }.suffix(ChangeLimits.headsMax))
        let change = Change(
            trip: trip, replica: replica, counter: (previous?.change.lastCounter ?? 0) + 1,
            previous: previous?.hash, heads: headPlaces.map { changes[$0].hash }.sorted(),
            lamport: lamport(previousPlace: previousPlace, headPlaces: headPlaces),
            wallTime: wallTime, operationCount: operationCount, body: body)
        let signed = SignedChange.make(
            change, signingSeed: secrets.signingSeed, epoch: epoch, contents: contents, using: cryptography)
        try append(signed, isVerified: true)
        return signed
    }

    /// The change that a replica's next one follows: the last of its changes to be added here.
    private func ownTip(of replica: ReplicaID) -> Int? {
        branches.indices(of: replica).map { branches.all[$0].lastPlace }.max()
    }
}
