import DeltaCRDT

/// What changes say of invites, and when one is open (Documentation/Protocol.md, section 5). Only ever added to.
struct InviteFacts: Sendable {
    /// A change that opens an invite. All of one invite are by one device and on the same terms, for its id commits to both.
    struct Opening: Sendable {
        let place: Int
        let author: ReplicaID
        let invite: Invite
    }

    /// By the invite's id, in the order in which they came.
    private(set) var openings: [Bytes32: [Opening]] = [:]
    private var closings: [Bytes32: Witnesses] = [:]
    /// The devices that were admitted by each invite.
    private var admitted: [Bytes32: [ReplicaID: Witnesses]] = [:]
    /// The removals and farewells of each branch that has any, by place, ascending.
    private var removals: [Int32: [Int]] = [:]

    mutating func record(
        _ statement: Statement, by author: ReplicaID, at place: Int, in graph: ChangeGraph,
        using cryptography: some Cryptography
    ) {
        switch statement {
        case .invite(let invite):
            let id = invite.id(openedBy: author, using: cryptography)
            openings[id, default: []].append(Opening(place: place, author: author, invite: invite))
        case .closeInvite(let id): closings[id, default: Witnesses()].add(place, in: graph)
        case .admit(let admission):
            guard let id = admission.invite else { return }
            admitted[id, default: [:]][admission.device.replica, default: Witnesses()].add(place, in: graph)
        case .remove: removals[graph.branchOfPlace[place], default: []].append(place)
        case .found, .beginEpoch, .grant: break
        }
    }

    /// The openings of an invite that are open in a set of changes, closed under pasts, for a device that comes by it.
    /// O(openings · branches that remove somebody · log removals, and devices that came by it).
    func openings(
        of id: Bytes32, openIn cut: CausalCut, for device: ReplicaID, of graph: ChangeGraph
    ) -> [Opening] {
        guard let known = openings[id], let uses = known.first?.invite.uses, !isClosed(id, in: cut, of: graph) else {
            return []
        }
        let others = devices(admittedBy: id, in: cut, of: graph).lazy.filter { $0 != device }.prefix(uses).count
        guard others < uses else { return [] }
        return known.filter { graph.contains($0.place, in: cut) && !isKnownOutside($0, in: cut, of: graph) }
    }

    func isClosed(_ id: Bytes32, in cut: CausalCut, of graph: ChangeGraph) -> Bool {
        closings[id]?.isHeld(in: cut, of: graph) ?? false
    }

    /// Whether a set of changes, closed under pasts, holds a removal or a farewell that an opening had not seen: whoever is out may
    /// know the secret. O(branches that remove somebody · log removals).
    func isKnownOutside(_ opening: Opening, in cut: CausalCut, of graph: ChangeGraph) -> Bool {
        removals.values.contains { removals in
            // Of one branch the last that is in the set tells, for the opening saw all before any that it saw.
            let end = removals.partitioningIndex { !graph.contains($0, in: cut) }
            return end > 0 && !graph.isPast(removals[end - 1], of: opening.place)
        }
    }

    /// The devices that changes of a set, closed under pasts, admit by an invite. O(devices that any change so admits).
    func devices(
        admittedBy id: Bytes32, in cut: CausalCut, of graph: ChangeGraph
    ) -> some Collection<ReplicaID> {
        (admitted[id] ?? [:]).lazy.filter { $0.value.isHeld(in: cut, of: graph) }.map(\.key)
    }

    /// Traps where openings of one invite differ, or places are out of order. For tests.
    func checkInvariants(_ graph: ChangeGraph) {
        for known in openings.values {
            precondition(
                Set(known.map(\.author)).count == 1 && Set(known.map(\.invite)).count == 1, "on one's own terms")
        }
        for (branch, places) in removals {
            precondition(zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "removals ascend")
            precondition(places.allSatisfy { graph.branchOfPlace[$0] == branch }, "on their branch")
        }
        for witnesses in closings.values { witnesses.checkInvariants(graph) }
        for witnesses in admitted.values.flatMap(\.values) { witnesses.checkInvariants(graph) }
    }
}
