/// A payment that one person makes to another, so that nobody owes anything.
package struct Transfer: Hashable, Sendable {
    package let from: ParticipantID
    package let to: ParticipantID
    package let minorUnits: Int64

    package init(from: ParticipantID, to: ParticipantID, minorUnits: Int64) {
        self.from = from
        self.to = to
        self.minorUnits = minorUnits
    }
}

package enum Settlement {
    /// Up to this many people, the fewest payments are found.
    package static let exactPeopleMax = 12

    /// The payments that settle balances, which sum to zero.
    ///
    /// n people whose balances sum to zero settle with n − 1 payments, and with fewer only if they fall apart into groups
    /// that each sum to zero. So the fewest payments are those of the most groups (Verhoeff: *Settling multiple debts
    /// efficiently*, 2004). Up to `exactPeopleMax` people, all groups are tried: O(n 2ⁿ). Beyond that, two people whose
    /// balances cancel are a group. The others are settled exactly if few enough are left, and are one group if not.
    /// - Parameter balances: ascending by person, each person once, none 0.
    package static func transfers(settling balances: [Share]) -> [Transfer] {
        var rest = balances
        var transfers: [Transfer] = []
        if rest.count > exactPeopleMax {
            for group in pairs(of: balances) { transfers += chain(group) }
            let paired = Set(transfers.flatMap { [$0.from, $0.to] })
            rest = balances.filter { !paired.contains($0.person) }
        }
        let groups = rest.count > exactPeopleMax ? [rest] : groups(of: rest)
        return transfers + groups.flatMap(chain)
    }

    /// The most debt is paid to the largest claim, until both are settled: at most one payment less than people.
    private static func chain(_ group: [Share]) -> [Transfer] {
        var debtors = group.filter { $0.number < 0 }.map { (person: $0.person, number: -$0.number) }
        var creditors = group.filter { $0.number > 0 }.map { (person: $0.person, number: $0.number) }
        debtors.sort { ($1.number, $0.person) < ($0.number, $1.person) }
        creditors.sort { ($1.number, $0.person) < ($0.number, $1.person) }
        var transfers: [Transfer] = []
        var (debtor, creditor) = (0, 0)
        while debtor < debtors.count, creditor < creditors.count {
            let amount = min(debtors[debtor].number, creditors[creditor].number)
            transfers.append(
                Transfer(from: debtors[debtor].person, to: creditors[creditor].person, minorUnits: amount))
            debtors[debtor].number -= amount
            creditors[creditor].number -= amount
            if debtors[debtor].number == 0 { debtor += 1 }
            if creditors[creditor].number == 0 { creditor += 1 }
        }
        return transfers
    }

    /// People whose balances cancel, each with one other person at most.
    private static func pairs(of balances: [Share]) -> [[Share]] {
        var waiting: [Int64: [Share]] = [:]
        var pairs: [[Share]] = []
        for share in balances {
            if let other = waiting[-share.number]?.first {
                waiting[-share.number]?.removeFirst()
                pairs.append([other, share])
            } else {
                waiting[share.number, default: []].append(share)
            }
        }
        return pairs
    }

    /// The most groups that each sum to zero, by dynamic programming over all sets of people.
    private static func groups(of balances: [Share]) -> [[Share]] {
        guard !balances.isEmpty else { return [] }
        let sets = 1 << balances.count
        var sums = [Int64](repeating: 0, count: sets)
        // In the best order of a set's people, the most beginnings that sum to zero, and who comes last in it.
        var most = [Int](repeating: 0, count: sets)
        var last = [Int](repeating: 0, count: sets)
        for set in 1..<sets {
            let lowest = set.trailingZeroBitCount
            sums[set] = sums[set & (set - 1)] + balances[lowest].number
            var best = -1
            for person in balances.indices where set & (1 << person) != 0 && most[set ^ (1 << person)] > best {
                best = most[set ^ (1 << person)]
                last[set] = person
            }
            most[set] = best + (sums[set] == 0 ? 1 : 0)
        }
        var groups: [[Share]] = []
        var group: [Share] = []
        var set = sets - 1
        while set != 0 {
            if sums[set] == 0, !group.isEmpty {
                groups.append(group)
                group = []
            }
            group.append(balances[last[set]])
            set ^= 1 << last[set]
        }
        groups.append(group)
        return groups
    }
}
