import DeltaCRDT

/// Which changes' bodies are needed although they don't count, and which of those that are needed are absent (Documentation/Protocol.md,
/// section 5).
struct Bodies: Sendable {
    /// Of what does not count, the changes that one that counts names as its subjects, by place.
    private(set) var upheld: Set<Int> = []
    /// The changes whose bodies are needed and absent, by place.
    private(set) var lacking: Set<Int> = []
    /// The lowest of these, ascending: as many as are named, and some for later. They are asked for after each message.
    private var lowest: [Int] = []

    private static let lowestMax = 2 * AbsentBodies.namedMax

    /// The lowest places of changes whose bodies are needed and absent, ascending, as many as are named. O(`namedMax`).
    var named: ArraySlice<Int> { lowest.prefix(AbsentBodies.namedMax) }

    /// Derives both from the whole. O(changes and their subjects).
    mutating func derive(_ membership: Membership, _ graph: ChangeGraph) {
        self = Bodies()
        take(graph.changes.indices, membership, graph)
    }

    /// Takes in changes that are new. O(those and their subjects).
    /// - Returns: what is upheld now that was not, by place.
    @discardableResult
    mutating func take(_ places: Range<Int>, _ membership: Membership, _ graph: ChangeGraph) -> [Int] {
        var fresh: [Int] = []
        for place in places where membership.isEffective(place, in: graph) {
            if !graph[place].isWhole { lack(place) }
            for subject in graph[place].change.subjects {
                guard let subject = graph.place(of: subject), !membership.isEffective(subject, in: graph) else {
                    continue
                }
                if upheld.insert(subject).inserted { fresh.append(subject) }
                if !graph[subject].isWhole { lack(subject) }
            }
        }
        return fresh
    }

    private mutating func lack(_ place: Int) {
        let areAllLowest = lowest.count == lacking.count
        guard lacking.insert(place).inserted, areAllLowest || lowest.last.map({ place < $0 }) ?? false else { return }
        lowest.insert(place, at: lowest.partitioningIndex { $0 > place })
        if lowest.count > Self.lowestMax { lowest.removeLast() }
    }

    /// Takes in that a body has come. O(1), and once in `namedMax` times O(absent bodies · log absent bodies).
    mutating func fill(_ place: Int) {
        let wasLacking = lacking.remove(place) != nil
        precondition(wasLacking, "the body of the change at place \(place) was not absent")
        let index = lowest.partitioningIndex { $0 >= place }
        guard index < lowest.count, lowest[index] == place else { return }
        lowest.remove(at: index)
        if lowest.count < AbsentBodies.namedMax, lowest.count < lacking.count {
            lowest = Array(lacking.sorted().prefix(Self.lowestMax))
        }
    }

    func checkInvariants() {
        precondition(
            lowest.count >= min(lacking.count, AbsentBodies.namedMax)
                && lowest.elementsEqual(lacking.sorted().prefix(lowest.count)),
            "the lowest of \(lacking.count) absent bodies are said to be \(lowest)")
    }
}

/// How many of the lowest are kept follows from what came before.
extension Bodies: Hashable {
    static func == (left: Bodies, right: Bodies) -> Bool {
        left.upheld == right.upheld && left.lacking == right.lacking
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(upheld)
        hasher.combine(lacking)
    }
}

extension TripLog {
    /// The changes whose bodies are needed and absent, by place.
    package var lackingBodies: Set<Int> { bodies.lacking }

    /// Where bodies of a person or their guests are absent, the last changes of theirs that stand on none of these, of each branch, in
    /// order; nil where none is absent. At most `keptMax`, those that came last. O(branches of the person · absent bodies · log changes).
    package func changesBeforeAbsentBodies(of participant: Bytes32) -> [Bytes32]? {
        func isTheirs(_ replica: ReplicaID) -> Bool {
            guard let author = facts.participant(of: replica) else { return false }
            return author == participant || isGuest(author) && membership.persons[author]?.parent == participant
        }
        let absent = bodies.lacking.filter { isTheirs(graph[$0].change.replica) }
        guard !absent.isEmpty else { return nil }
        let ends = graph.branches.filter { isTheirs($0.replica) }.compactMap { branch -> Int? in
            let below = absent.filter { graph.isPast($0, of: branch.last) }
            let count = branch.places.partitioningIndex { place in
                !isRetained(Int(place)) || below.contains { graph.isPast($0, of: Int(place)) }
            }
            return count > 0 ? Int(branch.places[count - 1]) : nil
        }
        return graph.heads(of: ends, limit: ChangeBounds.keptMax).map { graph[$0].hash }.sorted()
    }

    /// What is sent of a change to those who are in: no body where it does not count, for they would not keep it.
    package func recordToSend(_ place: Int) -> [UInt8] {
        isEffective(place) || isUpheld(place) ? graph[place].record : graph[place].head
    }

    /// The records of all that is retained and stands below a place, each after its past. O(changes).
    package func retainedRecords(before end: Int) -> [[UInt8]] {
        graph.changes.indices.prefix(end).filter { isRetained($0) }.map { recordToSend($0) }
    }

    /// The changes from a place on whose bodies nobody will need again: a removal by the founder cuts them, and nothing that may ever
    /// count refers to them. O(changes).
    /// - Parameter owner: the participant whose copy this is, which shows what is pending of theirs.
    func droppableBodies(from start: Int, ownedBy owner: Bytes32? = nil) -> [Int] {
        guard hasRemovals else { return [] }
        func isCutForGood(_ place: Int) -> Bool {
            !isEffective(place)
                && facts.index(ofDevice: graph[place].change.replica).map {
                    membership.roster.cutsForGood(place, by: $0, graph)
                } ?? false
        }
        let cut = (start..<graph.count).filter { place in
            isCutForGood(place) && graph[place].digest != nil && graph[place].isWhole && !isUpheld(place)
                && !(isPending(place) && facts.participant(of: graph[place].change.replica) == owner)
        }
        guard let first = cut.first else { return [] }
        let referring = (first..<graph.count).lazy.filter { !graph[$0].change.subjects.isEmpty && !isCutForGood($0) }
        let referred = Set(referring.flatMap { graph[$0].change.subjects })
        return cut.filter { !referred.contains(graph[$0].hash) }
    }
}
