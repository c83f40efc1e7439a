/// An expense as people see it: an item with a cost.
package struct ExpenseView: Hashable, Sendable {
    package let item: ItemView
    /// The cost that is shown, which counts.
    package let cost: Cost
    /// How many costs stand beside each other, because people wrote them at the same moment: 1 unless somebody has to pick.
    package let versions: Int
}

/// A payment as people see it: an item that says that one person paid another.
package struct PaymentView: Hashable, Sendable {
    package let item: ItemView
    package let from: ParticipantID
    package let to: ParticipantID
    package let amount: Money
    /// Whether the other person disputes it: they voted against it. It counts all the same.
    package let isDisputed: Bool
    /// Whether the other person recorded a payment of the same amount too, so that one payment may count twice.
    package fileprivate(set) var mayBeTwice = false
}

/// What the trip cost, who paid for which people, and who owes: derived from the items that are there.
package struct Costs: Hashable, Sendable {
    /// In the order in which they were made.
    package private(set) var expenses: [ExpenseView] = []
    package private(set) var payments: [PaymentView] = []
    package private(set) var ledger = Ledger()

    /// The home currency: that in which the oldest expense counts. An amount without a currency is in this one.
    package var home: Currency? { expenses.first?.cost.counted.currency }

    /// O(n) in the items.
    package init(_ items: [ItemView]) {
        for item in items.sorted(by: { $0.number < $1.number }) {
            if let field = item.fields[.cost], let cost = Cost(field.value) {
                expenses.append(ExpenseView(item: item, cost: cost, versions: 1 + field.alternatives.count))
                ledger.count(cost)
            }
            if let cost = item.fields[.payment].flatMap({ Cost($0.value) }), let (from, to) = cost.payment {
                let isDisputed = item.votes.contains {
                    $0.word == .against && $0.participant != item.addedBy && [from, to].contains($0.participant)
                }
                payments.append(
                    PaymentView(item: item, from: from, to: to, amount: cost.amount, isDisputed: isDisputed))
                ledger.count(cost)
            }
        }
        markTwins()
    }

    /// One payment may have been recorded by each of its two people at the same moment.
    private mutating func markTwins() {
        struct Terms: Hashable {
            let from: ParticipantID
            let to: ParticipantID
            let amount: Money
        }
        let twins = Dictionary(grouping: payments.indices) { index in
            Terms(from: payments[index].from, to: payments[index].to, amount: payments[index].amount)
        }
        for (terms, indices) in twins where indices.count > 1 {
            let recorders = Set(indices.map { payments[$0].item.addedBy })
            guard recorders.isSuperset(of: [terms.from, terms.to]) else { continue }
            for index in indices { payments[index].mayBeTwice = true }
        }
    }

    /// The payments that settle a currency's balances.
    package func transfers(in currency: Currency) -> [Transfer] {
        Settlement.transfers(settling: ledger.balances(in: currency))
    }

    /// What all expenses cost together, by currency; ascending by code.
    package var totals: [Money] {
        var sums: [Currency: Int64] = [:]
        // As many as count in balances: nothing overflows.
        for expense in expenses.prefix(Limits.costsCounted) {
            sums[expense.cost.counted.currency, default: 0] += expense.cost.counted.minorUnits
        }
        return sums.sorted { $0.key < $1.key }.map { Money($0.value, $0.key) }
    }

    /// What each person is owed, below 0 if they owe, by currency; ascending by code and person.
    package var balances: [(currency: Currency, shares: [Share])] {
        ledger.currencies.map { ($0, ledger.balances(in: $0)) }
    }
}

extension TripView {
    /// What the trip cost and who owes. O(n) in the items.
    package var costs: Costs { Costs(items) }

    /// The trip without the items that are shown among the costs or the questions only. O(n) in the items.
    package var plan: TripView {
        TripView(
            title: title, note: note, participants: participants, items: items.filter(\.isOfPlan),
            removedItems: removedItems.filter(\.isOfPlan), lists: lists, removedLists: removedLists,
            unlistedOrder: unlistedOrder, partOf: whole)
    }
}

extension ItemView {
    /// The kinds of items that are shown among the costs and not in lists: words in the field `kind`.
    package static let expenseKind = "expense"
    package static let paymentKind = "payment"

    /// The expense or the payment that is shown, as its field holds it.
    package var costText: String? { (fields[.payment] ?? fields[.cost])?.value }

    /// Whether it is shown in lists: it is neither a cost nor a question.
    package var isOfPlan: Bool { !isOfCosts && question == nil }

    /// Whether it is shown among the costs only.
    package var isOfCosts: Bool {
        fields[.payment] != nil || fields[.itemKind]?.value == Self.expenseKind && fields[.cost] != nil
    }
}
