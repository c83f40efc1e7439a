package import TripModel

extension TerminalText {
    /// The text of `caravan cost list`.
    ///
    ///     12  Dinner    €84.00     Noah paid for 3 people · 12 June 2026 · food
    ///     14  Payment   €28.00     Jie paid Noah · disputed
    package static func costs(_ view: TripView, style: TextStyle = TextStyle()) -> String {
        let costs = view.costs
        guard !costs.expenses.isEmpty || !costs.payments.isEmpty else {
            return "No expenses yet. Add one with `caravan cost add TITLE AMOUNT`.\n"
        }
        let rows =
            costs.expenses.map { ($0.item, $0.cost.amount.words, facts($0, view)) }
            + costs.payments.map { ($0.item, $0.amount.words, facts($0, view)) }
        let numbers = rows.map { String($0.0.number).utf8.count }.max() ?? 1
        let amounts = rows.map { DisplayWidth.of($0.1) }.max() ?? 0
        // What people read behind the amount needs 16 columns. Where a title would have fewer than 8 then, it stands below.
        let beside = style.width.map { $0 - numbers - amounts - 6 - 16 } ?? 40
        let isBelow = beside < 8
        let room = isBelow ? max(8, beside + 18) : beside
        let titles = min(40, room, rows.map { DisplayWidth.of(plain($0.0.title)) }.max() ?? 0)
        var lines: [String] = []
        for (item, amount, facts) in rows.sorted(by: { $0.0.number < $1.0.number }) {
            let number = String(item.number)
            let head =
                String(repeating: " ", count: numbers - number.utf8.count) + number + "  "
                + DisplayWidth.fit(plain(item.title), to: titles) + "  "
                + String(repeating: " ", count: amounts - DisplayWidth.of(amount)) + amount
            let text = facts.joined(separator: " · ")
            if isBelow {
                lines += [head] + indented(text, by: numbers + 2, style)
            } else {
                lines += tableRow(head, to: numbers + titles + amounts + 4, text, style)
            }
        }
        if !costs.totals.isEmpty { lines.append("Total " + joined(costs.totals.map(\.words))) }
        return text(lines)
    }

    private static func facts(_ expense: ExpenseView, _ view: TripView) -> [String] {
        let cost = expense.cost
        let payers = joined(cost.payers.map { plain(view.displayName(of: $0.person)) })
        let sharers =
            cost.shares.count <= 3
            ? joined(cost.shares.map { plain(view.displayName(of: $0.person)) }) : "\(cost.shares.count) people"
        var facts = ["\(payers) paid for \(sharers)"]
        if cost.way != .equally { facts.append(cost.way.words) }
        if let rate = cost.rate { facts.append("\(cost.counted.words) at \(rate.digits)") }
        if let date = expense.item.dates { facts.append(date.words) }
        if let category = expense.item.fields[.category] { facts.append(plain(category.value)) }
        if expense.versions > 1 {
            facts.append("\(expense.versions) versions: see `caravan show \(expense.item.number)`")
        }
        return facts
    }

    private static func facts(_ payment: PaymentView, _ view: TripView) -> [String] {
        let (from, to) = (view.displayName(of: payment.from), view.displayName(of: payment.to))
        return ["\(plain(from)) paid \(plain(to))"] + (payment.isDisputed ? ["disputed"] : [])
            + (payment.mayBeTwice ? ["recorded by both?"] : []) + (payment.item.dates.map { [$0.words] } ?? [])
    }

    /// ", disputed" behind a payment that its other person disputes.
    static func dispute(_ item: ItemView) -> String {
        Costs([item]).payments.first?.isDisputed == true ? ", disputed" : ""
    }

    /// The text of `caravan balances`.
    /// - Parameter reader: who is told how to record a payment of theirs; nil if nobody is.
    package static func balances(
        _ view: TripView, for reader: ParticipantID? = nil, style: TextStyle = TextStyle()
    ) -> String {
        let costs = view.costs
        guard !costs.balances.isEmpty else {
            return "No expenses yet. Add one with `caravan cost add TITLE AMOUNT`.\n"
        }
        var lines: [String] = []
        for (currency, shares) in costs.balances {
            lines += (lines.isEmpty ? [] : [""]) + [style.bold("Balances in \(currency.code)")]
            let rows = shares.sorted { ($1.number, $0.person) < ($0.number, $1.person) }.map { share in
                (plain(view.displayName(of: share.person)), share.number)
            }
            let names = min(40, style.width.map { $0 / 2 } ?? 40, rows.map { DisplayWidth.of($0.0) }.max() ?? 0)
            let amounts = rows.map { DisplayWidth.of(signed(Money($0.1, currency))) }.max() ?? 0
            let most = rows.map(\.1.magnitude).max() ?? 1
            let longest = min(20, style.width.map { max(1, $0 - names - amounts - 6) } ?? 20)
            for (name, number) in rows {
                let amount = signed(Money(number, currency))
                // At most 20 columns, and one for the least.
                let bar = min(longest, max(1, Int(number.magnitude / max(1, most / UInt64(longest)))))
                lines.append(
                    "  " + DisplayWidth.fit(name, to: names) + "  "
                        + String(repeating: " ", count: amounts - DisplayWidth.of(amount)) + amount + "  "
                        + String(repeating: number < 0 ? "░" : "█", count: bar))
            }
            let transfers = costs.transfers(in: currency)
            var settling = [transfers.isEmpty ? "  Everybody is even" : "To settle up:"]
            for transfer in transfers {
                let (from, to) = (view.displayName(of: transfer.from), view.displayName(of: transfer.to))
                let money = Money(transfer.minorUnits, currency)
                let command = reader.flatMap { settleCommand(transfer, money, by: $0, view) }
                settling.append(
                    "  \(plain(from)) pays \(plain(to)) \(money.words)"
                        + (command.map { " (record it with \($0))" } ?? ""))
            }
            lines += within(settling, style)
        }
        lines += within(rejoined(costs, view), style)
        let open = costs.expenses.filter { $0.versions > 1 }.map(\.item.number)
        if !open.isEmpty {
            let line = "Some expenses have several versions, and the one that is shown counts: "
            lines += within([line + joined(open.map(String.init))], style)
        }
        return text(lines)
    }

    /// The command by which the payer or the payee records a payment; nil for anybody else.
    package static func settleCommand(
        _ transfer: Transfer, _ money: Money, by me: ParticipantID, _ view: TripView
    ) -> String? {
        guard transfer.from == me || transfer.to == me else { return nil }
        let isReceived = transfer.to == me
        let other = plain(view.reference(to: isReceived ? transfer.from : transfer.to))
        return "`caravan settle \"\(other)\" \"\(money.typed)\"\(isReceived ? " --received" : "")`"
    }

    /// A person who joined again is another one in the balances: what they owed before stays with the name that is out.
    private static func rejoined(_ costs: Costs, _ view: TripView) -> [String] {
        let open = Set(costs.balances.flatMap { $0.1.map(\.person) })
        return view.participants.compactMap { gone in
            guard gone.isOut, open.contains(gone.id), let name = gone.name,
                let back = view.participants.first(where: { !$0.isOut && $0.name?.appearance == name.appearance })
            else { return nil }
            let (old, new) = (plain(gone.displayName), plain(back.displayName))
            return
                "“\(old)” and “\(new)” are two people here. Other members settle with the first: `caravan settle \"\(old)\"`"
        }
    }

    private static func signed(_ money: Money) -> String { (money.minorUnits > 0 ? "+" : "") + money.words }
}
