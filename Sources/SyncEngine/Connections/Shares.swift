import ChangeLog
import DeltaCRDT

/// What people have cost a node lately, by branches of the tree of admissions: the branch that cost least goes first.
///
/// Max-min fairness at every fork of the tree (Bertsekas and Gallager: *Data Networks*, 1992, section 6.5): whatever people a member
/// admits, they cost that member's share, and a share that nobody uses goes round.
struct Shares: Sendable {
    private var costs: [Bytes32: Cost] = [:]
    private var agedAt: UInt64 = 0

    private struct Cost {
        /// Of a person alone, and with all the people below.
        var own = 0
        var branch = 0
        /// Of the branch: what its people wrote, in all sessions.
        var written = 0
    }

    /// What was a cost before so long counts half, in milliseconds.
    private static let halfLife: UInt64 = 1_000

    /// - Parameter isAuthor: whether it is for what they wrote, and not for what they handed in.
    mutating func charge(_ cost: Int, to line: [Bytes32], isAuthor: Bool = false) {
        for person in line {
            costs[person, default: Cost()].branch += cost
            if isAuthor { costs[person, default: Cost()].written += cost }
        }
        if let last = line.last { costs[last, default: Cost()].own += cost }
    }

    /// What a person and all the people below wrote lately.
    func written(inBranchOf person: Bytes32) -> Int { costs[person]?.written ?? 0 }

    /// What the branches of a line cost, from the founder down: of two, the lower in this order goes first.
    func costs(along line: [Bytes32]) -> [Int] {
        line.map { costs[$0]?.branch ?? 0 } + [line.last.flatMap { costs[$0]?.own } ?? 0]
    }

    /// Lets what was forgive itself with time.
    mutating func age(to now: UInt64) {
        guard now >= agedAt + Self.halfLife else { return }
        let halvings = (now - agedAt) / Self.halfLife
        agedAt += halvings * Self.halfLife
        costs = costs.compactMapValues { cost in
            let rest = Cost(
                own: cost.own >> halvings, branch: cost.branch >> halvings, written: cost.written >> halvings)
            return rest.branch > 0 ? rest : nil
        }
    }

    func checkInvariants() {
        for cost in costs.values {
            precondition(
                cost.own <= cost.branch && cost.written <= cost.branch,
                "a person cost \(cost.own) and wrote \(cost.written), and their branch cost \(cost.branch)")
        }
    }
}
