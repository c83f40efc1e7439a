import DeltaCRDT

/// Which changes' bodies are needed although they don't count, and which of those that are needed are absent (Documentation/Protocol.md,
/// section 5).
struct Bodies: Sendable {
    /// Of what does not count, the changes that one that counts names as its subjects, by index.
    private(set) var upheld: Set<Int> = []
    /// The changes whose bodies are needed and absent, by index.
    private(set) var lacking: Set<Int> = []
    /// The lowest of these, ascending: as many as are named, and some for later. They are asked for after each message.
    private var lowest: [Int] = []

    private static let lowestMax = 2 * AbsentBodies.namedMax

    /// The lowest indices of changes whose bodies are needed and absent, ascending, as many as are named. O(`namedMax`).
    var named: ArraySlice<Int> { lowest.prefix(AbsentBodies.namedMax) }

    /// Derives both from the whole. O(changes and their subjects).
    mutating func derive(_ membership: Membership, _ graph: ChangeGraph) {
        self = Bodies()
        take(graph.changes.indices, membership, graph)
    }

    /// Takes in changes that are new. O(those and their subjects).
    /// - Returns: what is upheld now that was not, by index.
    @discardableResult
    mutating func take(_ indices: Range<Int>, _ membership: Membership, _ graph: ChangeGraph) -> [Int] {
        var fresh: [Int] = []
        for index in indices where membership.isEffective(index, in: graph) {
            if !graph[index].isWhole { lack(index) }
            for subject in graph[index].change.subjects {
                guard let subject = graph.index(of: subject), !membership.isEffective(subject, in: graph) else {
                    continue
                }
                if upheld.insert(subject).inserted { fresh.append(subject) }
                if !graph[subject].isWhole { lack(subject) }
            }
        }
        return fresh
    }

    private mutating func lack(_ index: Int) {
        let areAllLowest = lowest.count == lacking.count
        guard lacking.insert(index).inserted, areAllLowest || lowest.last.map({ index < $0 }) ?? false else { return }
        lowest.insert(index, at: lowest.partitioningIndex { $0 > index })
        if lowest.count > Self.lowestMax { lowest.removeLast() }
    }

    /// Takes in that a body has come. O(1), and once in `namedMax` times O(absent bodies · log absent bodies).
    mutating func fill(_ index: Int) {
        let wasLacking = lacking.remove(index) != nil
        precondition(wasLacking, "the body of the change at index \(index) was not absent")
        let position = lowest.partitioningIndex { $0 >= index }
        guard position < lowest.count, lowest[position] == index else { return }
        lowest.remove(at: position)
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
    /// The changes whose bodies are needed and absent, by index.
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
            let count = branch.indices.partitioningIndex { index in
                !isRetained(Int(index)) || below.contains { graph.isPast($0, of: Int(index)) }
            }
            return count > 0 ? Int(branch.indices[count - 1]) : nil
        }
        return graph.heads(of: ends, limit: ChangeBounds.keptMax).map { graph[$0].hash }.sorted()
    }

    /// What is sent of a change to those who are in: no body where it does not count, for they would not keep it.
    package func recordToSend(_ index: Int) -> [UInt8] {
        isEffective(index) || isUpheld(index) ? graph[index].record : graph[index].head
    }

    /// The records of all that is retained and stands below an index, each after its past. O(changes).
    package func retainedRecords(before end: Int) -> [[UInt8]] {
        graph.changes.indices.prefix(end).filter { isRetained($0) }.map { recordToSend($0) }
    }

    /// The changes from an index on whose bodies nobody will need again: a removal by the founder cuts them, and nothing that may ever
    /// count refers to them. O(changes).
    /// - Parameter owner: the participant whose copy this is, which shows what is pending of theirs.
    func droppableBodies(from start: Int, ownedBy owner: Bytes32? = nil) -> [Int] {
        guard hasRemovals else { return [] }
        func isCutForGood(_ index: Int) -> Bool {
            !isEffective(index)
                && facts.index(ofDevice: graph[index].change.replica).map {
                    membership.roster.cutsForGood(index, by: $0, graph)
                } ?? false
        }
        let cut = (start..<graph.count).filter { index in
            isCutForGood(index) && graph[index].digest != nil && graph[index].isWhole && !isUpheld(index)
                && !(isPending(index) && facts.participant(of: graph[index].change.replica) == owner)
        }
        guard let first = cut.first else { return [] }
        let referring = (first..<graph.count).lazy.filter { !graph[$0].change.subjects.isEmpty && !isCutForGood($0) }
        let referred = Set(referring.flatMap { graph[$0].change.subjects })
        return cut.filter { !referred.contains(graph[$0].hash) }
    }
}
