package import TripModel

extension TripJSON {
    /// The object of `caravan cost list --json`. Amounts are decimal texts, with the digits of their currency.
    package static func costs(_ view: TripView) -> JSONValue {
        let costs = view.costs
        return .object([
            "home": costs.home.map { .string($0.code) },
            "expenses": .array(costs.expenses.map { expense($0, view) }),
            "payments": .array(costs.payments.map { payment($0, view) }),
            "totals": .array(costs.totals.map(money)),
        ])
    }

    /// The object of `caravan balances --json`.
    package static func balances(_ view: TripView) -> JSONValue {
        let costs = view.costs
        return .object([
            "home": costs.home.map { .string($0.code) },
            "currencies": .array(
                costs.balances.map { currency, shares in
                    .object([
                        "currency": .string(currency.code),
                        "balances": .array(shares.map { amount($0, currency, view) }),
                        "settle": .array(
                            costs.transfers(in: currency).map { transfer in
                                .object([
                                    "from": .string(view.displayName(of: transfer.from)),
                                    "to": .string(view.displayName(of: transfer.to)),
                                    "amount": .string(Money(transfer.minorUnits, currency).digits),
                                ])
                            }),
                    ])
                }),
        ])
    }

    private static func expense(_ expense: ExpenseView, _ view: TripView) -> JSONValue {
        let (item, cost) = (expense.item, expense.cost)
        let currency = cost.amount.currency
        return .object([
            "id": .string(item.shortID), "number": .integer(Int64(item.number)), "title": .string(item.title),
            "amount": .string(cost.amount.digits), "currency": .string(currency.code),
            "rate": cost.rate.map { .string($0.digits) },
            "counted": cost.rate == nil ? nil : money(cost.counted),
            "paid_by": .array(cost.payers.map { amount($0, currency, view) }),
            "split": .string(cost.way.rawValue),
            "shares": .array(
                zip(cost.shares, cost.owed).map { share, owed in
                    .object([
                        "id": .string("\(share.person)"), "name": .string(view.displayName(of: share.person)),
                        "part": cost.way == .parts ? .integer(share.number) : JSONValue?.none,
                        "percent": cost.way == .percent
                            ? .string(TypedCost.percent(share.number)) : JSONValue?.none,
                        "owes": .string(Money(owed.number, cost.counted.currency).digits),
                    ])
                }),
            "versions": .integer(Int64(expense.versions)),
            "date": item.fields[.dates].map { .string($0.value) },
            "note": item.fields[.note].map { .string($0.value) },
            "category": item.fields[.category].map { .string($0.value) },
            "added_by": .string(item.addedByName),
        ])
    }

    private static func payment(_ payment: PaymentView, _ view: TripView) -> JSONValue {
        .object([
            "id": .string(payment.item.shortID), "number": .integer(Int64(payment.item.number)),
            "title": .string(payment.item.title), "from": .string(view.displayName(of: payment.from)),
            "to": .string(view.displayName(of: payment.to)), "amount": .string(payment.amount.digits),
            "currency": .string(payment.amount.currency.code), "disputed": .bool(payment.isDisputed),
            "date": payment.item.fields[.dates].map { .string($0.value) },
            "added_by": .string(payment.item.addedByName),
        ])
    }

    private static func amount(_ share: Share, _ currency: Currency, _ view: TripView) -> JSONValue {
        .object([
            "id": .string("\(share.person)"), "name": .string(view.displayName(of: share.person)),
            "amount": .string(Money(share.number, currency).digits),
        ])
    }

    private static func money(_ money: Money) -> JSONValue {
        .object(["amount": .string(money.digits), "currency": .string(money.currency.code)])
    }
}
