package import DeltaCRDT

extension TripLog {
    /// What a peer that has shown its frontier holds, and what must be asked about.
    package struct Comparison: Sendable {
        /// What the peer holds of what is here.
        package var knowledge: PeerKnowledge
        /// Replicas of which the peer holds a branch that is not here, while it need not hold all that is here:
        /// it must be told how far both agree.
        package var diverging: [ReplicaID]
        /// Whether the peer holds anything that is not here.
        package var peerHasMore: Bool
    }

    /// Compares a peer's frontier with what is here. O(tips).
    ///
    /// A tip that is unknown here lies ahead of what is here, or on a branch of its own. Where it is ahead by its
    /// number, the peer is taken to hold what it was told of, until it says otherwise by a locator of its own.
    /// - Parameters:
    ///   - end: the first place that the peer was not told of by this node's own frontier.
    ///   - located: what locators have said already, by replica: the places that the peer holds.
    package func compare(
        with frontier: Frontier, toldBefore end: Int, located: [ReplicaID: [Int]]
    ) -> Comparison {
        var comparison = Comparison(knowledge: PeerKnowledge(), diverging: [], peerHasMore: false)
        var isDiverging: Set<ReplicaID> = []
        for tip in frontier.tips {
            if let place = place(of: tip.hash) {
                comparison.knowledge.learn(place, in: self)
                continue
            }
            comparison.peerHasMore = true
            if let places = located[tip.replica] {
                for place in places { comparison.knowledge.learn(place, in: self) }
                continue
            }
            for place in branches.indices(of: tip.replica).compactMap({ branches.tip(of: $0, before: end) }) {
                if changes[place].change.lastCounter < tip.counter {
                    comparison.knowledge.assume(place, in: self)
                } else if isDiverging.insert(tip.replica).inserted {
                    // The peer, for whom this branch may be the one that is ahead, will not ask: it is sent what it
                    // may have, rather than be left without.
                    comparison.diverging.append(tip.replica)
                }
            }
        }
        return comparison
    }

    /// Of the changes from one place to before another, those that no other of them has in its past, and those that are
    /// set aside, ascending. O(heads) where nothing stands behind `end`.
    package func heads(from start: Int, before end: Int) -> [Int] {
        guard start < end else { return [] }
        var heads: [Int] = []
        if end == changes.count {
            heads = maximal[maximal.partitioningIndex { $0 >= start }...].map { Int($0) }
        } else {
            for place in (start..<end).reversed()
            where isKept(place) && !heads.contains(where: { isPast(place, of: $0) }) {
                heads.append(place)
            }
            heads.reverse()
        }
        if !setAside.isEmpty { heads = (heads + (start..<end).filter { !isKept($0) }).sorted() }
        return heads
    }

    /// Of places, those that neither one of some others nor any other of them stands on, the newest first. Of more than
    /// `limit`, the newest. O(places times what is returned and the others).
    package func heads(of places: [Int], beside others: [Int] = [], limit: Int) -> [Int] {
        guard !places.isEmpty else { return [] }
        var told = others
        for place in places.sorted(by: >) {
            guard told.count - others.count < limit else { break }
            if told.contains(where: { $0 == place || isPast(place, of: $0) }) { continue }
            told.append(place)
        }
        return Array(told[others.count...])
    }

    /// Hashes of a replica's changes, the newest of each branch first and then at doubling distances, down to the
    /// first: enough for a peer to find the last that both hold. At most `locatorHashesMax` of them.
    package func locator(for replica: ReplicaID) -> [Bytes32] {
        var hashes: [Bytes32] = []
        for index in branches.indices(of: replica) {
            let places = branches.all[index].places
            var distance = 0
            while distance < places.count {
                hashes.append(changes[Int(places[places.count - 1 - distance])].hash)
                distance = distance * 2 + 1
            }
            hashes.append(changes[Int(places[0])].hash)
        }
        return Array(hashes.prefix(TripLog.locatorHashesMax))
    }

    /// The greatest number of hashes in a locator: 32 doublings for each of 8 branches.
    package static let locatorHashesMax = 33 * ChangeLimits.branchesMax

    /// The places of the next changes to send to a peer, in causal order, and where to go on afterwards.
    ///
    /// The newest change of every replica among them has a signature that was checked here.
    ///
    /// - Parameters:
    ///   - end: the first place that must not be sent yet.
    ///   - witness: where given, only this change and its past are sent.
    package mutating func nextBatch(
        from cursor: Int, to end: Int, lackedBy knowledge: PeerKnowledge, witness: Int?, countMax: Int, bytesMax: Int
    ) -> (places: [Int], cursor: Int) {
        var places: [Int] = []
        var bytes = 0
        var cursor = cursor
        var unverifiedTips: [Int32: Int] = [:]
        while cursor < end {
            let isMeant = isKept(cursor) && (witness.map { isPast(cursor, of: $0) } ?? true)
            if isMeant, !knowledge.contains(cursor, in: self) {
                let size = changes[cursor].sealed.count
                let isFull = places.count >= countMax || (bytes + size > bytesMax && !places.isEmpty)
                if isFull {
                    if verifyTips(&unverifiedTips) { break }
                    // What a later change alone vouches for goes with that, in a message of its own.
                    let count = countWhoseEndsHold(places)
                    if count == places.count { return (places, cursor) }
                    if count > 0 { return (Array(places.prefix(count)), places[count]) }
                }
                places.append(cursor)
                bytes += size
                unverifiedTips[branches.branchOfPlace[cursor]] = isVerified[cursor] ? nil : cursor
            }
            cursor += 1
        }
        _ = verifyTips(&unverifiedTips)
        return (places, cursor)
    }

    /// Checks the signatures of changes that only a later one has vouched for so far. False where one does not hold:
    /// then the batch must go on to the later one.
    private mutating func verifyTips(_ tips: inout [Int32: Int]) -> Bool {
        for (branch, place) in tips.sorted(by: { $0.value < $1.value }) {
            guard holdsSignature(place) else { return false }
            tips[branch] = nil
        }
        return true
    }

    /// How many of these, from the first on, end with changes whose own signatures hold, in whatever branch what follows
    /// them stands: one that another forked off stays in the elder branch without it.
    private mutating func countWhoseEndsHold(_ places: [Int]) -> Int {
        var count = places.count
        while count > 0 {
            let followed = Set(places.prefix(count).compactMap { changes[$0].change.previous })
            var lowest: Int?
            for (index, place) in places.prefix(count).enumerated()
            where !followed.contains(changes[place].hash) && !holdsSignature(place) {
                lowest = index
                break
            }
            guard let lowest else { return count }
            count = lowest
        }
        return 0
    }

    /// Whether the change at a place has a signature of its own that holds.
    mutating func holdsSignature(_ place: Int) -> Bool {
        if isVerified[place] { return true }
        guard !unsound.contains(place) else { return false }
        let signed = changes[place]
        guard let device = membership.device(signed.change.replica)?.device,
            signed.hasValidSignature(by: device.signingKey, using: cryptography)
        else {
            unsound.insert(place)
            return false
        }
        markVerified(place)
        return true
    }
}
