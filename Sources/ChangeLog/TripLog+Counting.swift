import DeltaCRDT

// What counts: a pure function of the set of changes held. What somebody wrote who was out by then does not; it is kept
// exactly where something that counts stands on it.
extension TripLog {
    /// Whether the change at a place has a part in what people see.
    package func counts(_ place: Int) -> Bool { !setAside.contains(place) && !idle.contains(place) }

    /// Whether the change at a place counts, or something that counts stands on it.
    package func isKept(_ place: Int) -> Bool { !setAside.contains(place) }

    /// The change at a place, or the last before it in its log that is kept.
    func lastKept(before place: Int) -> Int? {
        var place = place
        while !isKept(place) {
            guard let previous = self.place(before: place) else { return nil }
            place = previous
        }
        return place
    }

    /// The change before the one at a place in its author's log.
    func place(before place: Int) -> Int? { changes[place].change.previous.flatMap { self.place(of: $0) } }

    /// The devices that are in and are not known to have an epoch's secret, in the order of their logs' names.
    package func devicesLacking(_ epoch: RankedEpoch) -> [Device] {
        membership.devicesLacking(epoch) { isPast($0, of: $1) }
    }

    /// Adds the secrets that an operation holds for the reader of this log.
    mutating func open(_ operation: MembershipOperation) {
        guard let reader else { return }
        let grant: EpochGrant? =
            switch operation {
            case .remove(_, let grant): grant
            case .beginEpoch(let grant), .grant(let grant): grant
            case .found, .invite, .closeInvite, .admit: nil
            }
        guard let grant, epoch(id: grant.epoch) == nil else { return }
        if let epoch = grant.open(as: reader, using: cryptography) { addEpoch(secret: epoch.secret) }
    }

    /// Derives anew what counts, where something came that may have changed it. Says whether anything did, so that what
    /// was shown must be shown anew. O(changes).
    @discardableResult
    package mutating func recount() -> Bool {
        guard mustRecount else { return false }
        mustRecount = false
        let log = self
        noteCrowds()
        let crowding = crowding
        var ancestry = Ancestry(log: log)
        membership.beyondForks = crowding.beyondForks
        membership.evaluate { ancestry.isPast($0, of: $1) }
        var isNeeded = [Bool](repeating: false, count: changes.count)
        for place in crowding.evidence { isNeeded[place] = true }
        if let founding = membership.founding { isNeeded[founding] = true }
        // A removal may lie beyond the cut of another, and cuts all the same: whoever has not got it must come to it.
        for place in membership.countingRemovals { isNeeded[place] = true }
        var aside = Set<Int>()
        var idle = Set<Int>()
        repeat {
            (aside, idle) = ([], [])
            for place in changes.indices.reversed() {
                let change = changes[place].change
                let counts = membership.counts(place, by: change.replica) { ancestry.isPast($0, of: $1) }
                guard counts || isNeeded[place] else {
                    aside.insert(place)
                    continue
                }
                if !counts { idle.insert(place) }
                for before in predecessors(of: place) { isNeeded[before] = true }
            }
        } while needVouchers(&isNeeded, aside) || needEpochs(&isNeeded, aside)
        let changed = haveKept || aside != setAside || idle != self.idle
        haveKept = false
        self.idle = idle
        if aside != setAside {
            keptAgain.formUnion(setAside.subtracting(aside))
            setAside = aside
            deriveBranchesAnew()
        }
        return changed
    }

    /// Marks as needed what vouches for kept changes whose own signatures do not hold, where that would be set aside: who
    /// is sent them without it refuses them. Says whether there was any.
    private mutating func needVouchers(_ isNeeded: inout [Bool], _ aside: Set<Int>) -> Bool {
        guard !aside.isEmpty else { return false }
        let ends = Set(aside.compactMap { changes[$0].change.previous.flatMap { self.place(of: $0) } })
        var hasFound = false
        for end in ends.sorted() where !aside.contains(end) && !holdsSignature(end) {
            let hash = changes[end].hash
            let isFollowed = changes.indices.contains {
                $0 > end && changes[$0].change.previous == hash && !aside.contains($0)
            }
            guard !isFollowed, let voucher = voucher(for: end) else { continue }
            isNeeded[voucher] = true
            hasFound = true
        }
        return hasFound
    }

    /// Marks as needed what tells of the epochs that kept changes are sealed for, where that would be set aside: who is sent
    /// them without it does not keep their secret. All that tells of one, for who was told by which differs. Says whether
    /// there was any.
    private func needEpochs(_ isNeeded: inout [Bool], _ aside: Set<Int>) -> Bool {
        let beginnings = membership.epochFacts.filter { $0.beginsEpoch && aside.contains($0.place) }
        guard !beginnings.isEmpty else { return false }
        let used = Set(
            changes.indices.filter { !aside.contains($0) }.compactMap {
                SignedChange.epochID(ofSealed: changes[$0].sealed)
            })
        let needed = beginnings.filter { used.contains($0.epoch) }
        for beginning in needed { isNeeded[beginning.place] = true }
        return !needed.isEmpty
    }

    /// Whether a change is sealed for an epoch of which something tells that is set aside.
    func isOfEpochSetAside(_ signed: SignedChange) -> Bool {
        guard let id = SignedChange.epochID(ofSealed: signed.sealed) else { return false }
        return membership.epochFacts.contains { $0.beginsEpoch && $0.epoch == id && setAside.contains($0.place) }
    }

    /// The next change that follows one in its replica's log and has a signature that holds; of several, the one with the
    /// lowest hash, whichever came first.
    private mutating func voucher(for place: Int) -> Int? {
        var chain: Set<Bytes32> = [changes[place].hash]
        var followers: [Int] = []
        for later in (place + 1)..<changes.count {
            guard let previous = changes[later].change.previous, chain.contains(previous) else { continue }
            chain.insert(changes[later].hash)
            followers.append(later)
        }
        followers.sort {
            (changes[$0].change.counter, changes[$0].hash) < (changes[$1].change.counter, changes[$1].hash)
        }
        return followers.first { holdsSignature($0) }
    }

    /// What was set aside and is kept again since this was last asked: peers were passed over with it.
    package mutating func takeKeptAgain() -> Set<Int> {
        defer { keptAgain = [] }
        return keptAgain
    }

    /// Takes back what was set aside and these stand on, and what that stands on. O(changes) where there is any.
    mutating func keepPast(of fresh: [SignedChange]) {
        guard !setAside.isEmpty else { return }
        var waiting = fresh.flatMap { predecessors(of: $0.change) }.filter { setAside.contains($0) }
        guard !waiting.isEmpty else { return }
        mustRecount = true
        haveKept = true
        while let place = waiting.popLast() {
            guard setAside.remove(place) != nil else { continue }
            keptAgain.insert(place)
            idle.insert(place)
            waiting += predecessors(of: place)
        }
        deriveBranchesAnew()
    }

    /// The changes that a change names as what its author had seen last.
    fileprivate func predecessors(of place: Int) -> [Int] { predecessors(of: changes[place].change) }

    private func predecessors(of change: Change) -> [Int] {
        ([change.previous].compactMap { $0 } + change.heads).compactMap { self.place(of: $0) }
    }

    /// The whole derivation of branches, and of all that follows from them.
    private mutating func deriveBranchesAnew() {
        var branches = Branches()
        var isCovered = [Bool](repeating: false, count: changes.count)
        for place in changes.indices {
            guard isKept(place) else {
                branches.skip()
                continue
            }
            let previous = changes[place].change.previous.flatMap { self.place(of: $0) }
            branches.append(changes[place], previousPlace: previous)
            for before in predecessors(of: place) { isCovered[before] = true }
        }
        self.branches = branches
        maximal = changes.indices.filter { isKept($0) && !isCovered[$0] }.map { Int32($0) }
        derivePastsAnew()
    }

    private mutating func derivePastsAnew() {
        for place in changes.indices {
            guard isKept(place) else {
                pasts[place] = Past()
                continue
            }
            let change = changes[place].change
            var past = Past()
            if let previous = change.previous.flatMap({ self.place(of: $0) }) { include(previous, in: &past) }
            for head in change.heads { if let place = self.place(of: head) { include(place, in: &past) } }
            past.settle(in: branches)
            pasts[place] = past.without(branches.branchOfPlace[place])
        }
    }
}

/// Which change is in whose past, of all that are held: what counts must not depend on what was set aside before.
private struct Ancestry {
    let log: TripLog
    /// Of changes that are set aside: those in their past that are too, and those that these stand on and are not.
    private var walks: [Int: (aside: Set<Int>, kept: [Int])] = [:]

    init(log: TripLog) {
        self.log = log
    }

    /// Whether the change at `place` is, or is in the past of, the change at `later`. O(log branches); where that is set
    /// aside, once O(changes that are).
    mutating func isPast(_ place: Int, of later: Int) -> Bool {
        // What is kept stands on nothing that is not.
        if log.isKept(later) { return log.isPast(place, of: later) }
        let walk = walk(from: later)
        if !log.isKept(place) { return walk.aside.contains(place) }
        return walk.kept.contains { log.isPast(place, of: $0) }
    }

    private mutating func walk(from later: Int) -> (aside: Set<Int>, kept: [Int]) {
        if let walk = walks[later] { return walk }
        var aside: Set<Int> = [later]
        var kept: Set<Int> = []
        var waiting = [later]
        while let place = waiting.popLast() {
            for before in log.predecessors(of: place) {
                if log.isKept(before) {
                    kept.insert(before)
                } else if aside.insert(before).inserted {
                    waiting.append(before)
                }
            }
        }
        let walk = (aside: aside, kept: kept.sorted())
        walks[later] = walk
        return walk
    }
}
