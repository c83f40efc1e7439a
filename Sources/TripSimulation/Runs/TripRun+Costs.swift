import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripModel
import TripRules

// Payments and shares: what people write of them, what must hold of them, and what mutants do to them.
extension TripRun {

    /// Nil where there is nothing to do it with. Draws nothing from the run's own chances.
    func planCosts(on id: World.NodeID, _ number: Int, draw: UInt64) -> (TripAction, TripSpecification.Meaning)? {
        var generator = SeededGenerator(seed: draw ^ 0x6361_7368)
        let kind = generator.below(10)
        let expenses = people[id].items.suffix(60).filter { specification.isExpense($0.name) }
        let payments = people[id].items.suffix(60).filter { specification.isPayment($0.name) }
        switch kind {
        case ..<3: return addCost(.cost, cost(by: id, number, &generator), number)
        case ..<5:
            // What an older version makes of a payment depends on what it cannot read.
            guard !conditions.isMixed, let text = payment(by: id, number, &generator) else { return nil }
            return addCost(.payment, text, number)
        case ..<8:
            guard let item = expenses.last(where: { _ in generator.oneIn(2) }) else { return nil }
            let fields: [Field: String?] = [.cost: cost(by: id, number, &generator)]
            return (.edit(item.id, fields), .edit(item: item.name, fields: fields))
        case 8:
            // Everybody tries to remove everybody's payments.
            guard let item = payments.last(where: { _ in generator.oneIn(2) }) else { return nil }
            return (.remove([item.id]), .remove(item: item.name))
        default:
            guard let item = payments.last else { return nil }
            return (.vote([item.id], .against), .vote(item: item.name, .against))
        }
    }

    private func addCost(_ field: Field, _ text: String, _ number: Int) -> Planned {
        let draft = ItemDraft(title: "Paid \(number)", fields: [field: text])
        return (.add([draft]), .add(fields: draft.fields, quantity: 0))
    }

    private func cost(by id: World.NodeID, _ number: Int, _ generator: inout SeededGenerator) -> String {
        let group = Set(people.map { ParticipantID($0.participant) }).sorted()
        let some = group.filter { _ in !generator.oneIn(3) }
        let sharers = some.isEmpty ? group : some
        let payer = generator.oneIn(3) ? ParticipantID(people[id].participant) : group[number % group.count]
        let amount = number + 1 + Int(generator.below(100))
        let shares = sharers.map { generator.oneIn(2) ? "\($0):1" : "\($0):2" }.joined(separator: " ")
        return "EUR \(amount) by \(payer):\(amount) for parts \(shares)"
    }

    private func payment(by id: World.NodeID, _ number: Int, _ generator: inout SeededGenerator) -> String? {
        let me = ParticipantID(people[id].participant)
        let others = Set(people.map { ParticipantID($0.participant) }).subtracting([me]).sorted()
        guard !others.isEmpty else { return nil }
        let other = others[number % others.count]
        let (payer, receiver) = generator.oneIn(2) ? (me, other) : (other, me)
        return "EUR \(number + 1) by \(payer):\(number + 1) for exactly \(receiver):\(number + 1)"
    }

    // MARK: - What holds

    /// What people at a machine are owed and owe, by currency.
    private func balances(on id: World.NodeID) -> [Currency: [ParticipantID: Int64]] {
        let items = view(on: id).items
        var sums: [Currency: [ParticipantID: Int64]] = [:]
        func count(_ cost: Cost) {
            for share in cost.paid {
                sums[cost.counted.currency, default: [:]][share.person, default: 0] += share.number
            }
            var owed = cost.owed
            if conditions.mutation == .lostCents {
                let whole = cost.shares.reduce(0) { $0 + $1.number }
                owed = cost.shares.map { Share($0.person, cost.counted.minorUnits * $0.number / whole) }
            }
            for share in owed { sums[cost.counted.currency, default: [:]][share.person, default: 0] -= share.number }
        }
        if conditions.mutation == .lostCents || conditions.mutation == .countedVersions {
            for item in items {
                for field in [Field.cost, .payment] {
                    guard let view = item.fields[field] else { continue }
                    let others = conditions.mutation == .countedVersions ? view.alternatives.map(\.value) : []
                    for text in [view.value] + others { if let cost = Cost(text) { count(cost) } }
                }
            }
        } else {
            for (currency, shares) in Costs(items).balances {
                sums[currency] = Dictionary(uniqueKeysWithValues: shares.map { ($0.person, $0.number) })
            }
        }
        return sums.mapValues { $0.filter { $0.value != 0 } }.filter { !$0.value.isEmpty }
    }

    /// Balances sum to zero at every step that changes them; in large groups, at one in 32 of these steps.
    mutating func checkBalances(after changes: [Bytes32], on id: World.NodeID) throws(Violation) {
        let isSampled = world.machines.count > Self.wholeGroupMax
        let mayAlter = changes.contains { change in
            guard let index = ledger.indexOf[change] else { return false }
            return (!isSampled || index.isMultiple(of: 32)) && specification.isOfCosts(index)
        }
        guard mayAlter else { return }
        outcome.checks[.balances, default: 0] += 1
        for (currency, balances) in balances(on: id) {
            let sum = balances.values.reduce(0, +)
            guard sum != 0 else { continue }
            throw Violation(.balances, "at machine \(id) balances in \(currency.code) sum to \(sum)")
        }
    }

    /// Balances are those of an observer: each expense that is there counts once, with the cost that is shown.
    mutating func checkBalances(_ id: World.NodeID, _ order: SpecifiedOrder, as version: Version) throws(Violation) {
        outcome.checks[.balances, default: 0] += 1
        var expected: [Currency: [ParticipantID: Int64]] = [:]
        for item in specification.items where order.held.contains(item.change) {
            guard specification.isExpense(item) || specification.isPayment(item) else { continue }
            guard version == .newer, specification.exists(item, order) else { continue }
            for field in [Field.cost, .payment] {
                guard let cost = specification.values(field, of: item, order.held).first.flatMap({ Cost($0) }) else {
                    continue
                }
                let currency = cost.counted.currency
                for share in cost.paid { expected[currency, default: [:]][share.person, default: 0] += share.number }
                for share in cost.owed { expected[currency, default: [:]][share.person, default: 0] -= share.number }
            }
        }
        let shown = balances(on: id)
        expected = expected.mapValues { $0.filter { $0.value != 0 } }.filter { !$0.value.isEmpty }
        guard shown != expected else { return }
        let people = Set(shown.values.flatMap(\.keys) + expected.values.flatMap(\.keys)).sorted()
        let differing = people.first { person in
            Currency(code: "EUR").map { shown[$0]?[person] != expected[$0]?[person] } ?? true
        }
        throw Violation(
            .balances, "machine \(id) shows another balance of \(differing.map { "\($0)" } ?? "somebody") than is due")
    }
}

extension TripSpecification {
    /// Whether an item was made with a cost.
    func isExpense(_ item: Name) -> Bool { costs.contains(item) }

    /// Whether it was made as a payment: then only the person who recorded it says whether it is there.
    func isPayment(_ item: Name) -> Bool { payments.contains(item) }

    /// Whether a change may alter balances.
    func isOfCosts(_ change: Int) -> Bool {
        deeds(ofChange: change).contains { deed in
            switch deed.kind {
            case .write(_, let field, _, _): field == .cost || field == .payment
            case .remove(let name), .restore(let name): isExpense(name) || isPayment(name)
            default: false
            }
        }
    }
}
