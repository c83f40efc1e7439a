import ChangeLog
import DeltaCRDT

/// Which peers use a node's connections, by branches of the invitation tree. So no person, with all the people they invited,
/// crowds out others.
///
/// If there is one peer too many, it is in the largest branch: max-min fairness at every fork of the tree (Bertsekas and Gallager:
/// *Data Networks*, 1992, section 6.5). So the people that a person invites share that person's part.
struct InvitationBranches<Holder: Hashable>: Sendable where Holder: Sendable {
    /// Each with the persons above them, from the founder down to their own.
    private var lines: [(holder: Holder, line: [Bytes32])] = []

    /// The depth to which persons of a line are distinguished. Everything further down is one branch.
    static var depthMax: Int { 64 }

    mutating func add(_ holder: Holder, line: [Bytes32]) { lines.append((holder, line)) }

    /// The peers of which one must make room. From the founder down, this is the largest group among a person's own devices and
    /// the branches below them; of several equal groups, all of their peers. In the order in which they were added.
    /// O(holders × depth).
    var overrepresented: [Holder] {
        var members = lines
        for depth in 0..<Self.depthMax {
            var counts: [Bytes32?: Int] = [:]
            func branch(_ line: [Bytes32]) -> Bytes32? { depth < line.count ? line[depth] : nil }
            for (_, line) in members { counts[branch(line), default: 0] += 1 }
            let most = counts.values.max() ?? 0
            members.removeAll { counts[branch($0.line)] != most }
            let isOneBranch = counts.values.count { $0 == most } == 1
            if !isOneBranch || counts[.none] == most { break }
        }
        return members.map(\.holder)
    }

    /// All, in turn: at every fork of the tree one of each branch after the other, and a person's own devices as one branch. So
    /// however many people a person invites, they come in that person's turns. O(holders × depth).
    var inTurn: [Holder] { Self.inTurn(lines, below: 0) }

    private static func inTurn(_ lines: [(holder: Holder, line: [Bytes32])], below depth: Int) -> [Holder] {
        guard lines.count > 1, depth < depthMax else { return lines.map(\.holder) }
        var own: [Holder] = []
        var places: [Bytes32: Int] = [:]
        var branches: [[(holder: Holder, line: [Bytes32])]] = []
        for entry in lines {
            guard depth < entry.line.count else {
                own.append(entry.holder)
                continue
            }
            let place = places[entry.line[depth], default: branches.count]
            if place == branches.count {
                places[entry.line[depth]] = place
                branches.append([])
            }
            branches[place].append(entry)
        }
        var waiting = [own] + branches.map { inTurn($0, below: depth + 1) }
        var ordered: [Holder] = []
        var round = 0
        while ordered.count < lines.count {
            waiting.removeAll { $0.count <= round }
            ordered += waiting.map { $0[round] }
            round += 1
        }
        return ordered
    }

    /// The path from the founder to the smallest branch that holds more than half of the peers. O(holders × depth).
    var majority: [Bytes32] {
        var majority: [Bytes32] = []
        var members = lines
        for depth in 0..<Self.depthMax {
            members.removeAll { depth >= $0.line.count }
            var counts: [Bytes32: Int] = [:]
            for (_, line) in members { counts[line[depth], default: 0] += 1 }
            guard let person = counts.first(where: { $0.value * 2 > lines.count })?.key else { break }
            majority.append(person)
            members.removeAll { $0.line[depth] != person }
        }
        return majority
    }

    /// How many holders there are in the branches of a line, from the founder down: the lower in this order, the less its
    /// branch has.
    func counts(along line: [Bytes32]) -> [Int] {
        line.indices.map { depth in lines.count { depth < $0.line.count && $0.line[depth] == line[depth] } }
    }
}

extension TripLog {
    /// The people from the founder down to the person whose device it is.
    func line(of replica: ReplicaID) -> [Bytes32] { device(replica).map { line(of: $0.participant) } ?? [] }
}
