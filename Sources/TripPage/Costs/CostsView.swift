import TripModel
import TripService

extension TripPage {
    /// The view of costs: who is owed what, the payments that settle it, and what was paid.
    static func costsView(_ state: PageState, _ costs: Costs) -> HTML {
        let isEmpty = costs.expenses.isEmpty && costs.payments.isEmpty
        return tag(.div, .class("costs")) {
            if state.query.isEditing {
                expenseForm(state, costs)
            } else {
                if isEmpty {
                    tag(.p, .class("hint")) {
                        "No expenses yet."
                        if state.mayEdit { " Record who paid for what, and see what each person owes." }
                    }
                }
                if state.mayEdit {
                    tag(.p) {
                        tag(.a, .class("button", "primary"), .href(formLink(nil, state)), .data(.key, "n")) {
                            "Add an expense"
                        }
                    }
                }
            }
            costs.balances.map { balances($0.currency, $0.shares, costs, state) }
            if !isEmpty { paid(costs, state) }
        }
    }

    /// Expenses and payments, the latest first; more than the page shows are listed in a terminal.
    private static func paid(_ costs: Costs, _ state: PageState) -> HTML {
        let rows =
            costs.expenses.map { ($0.item, expenseRow($0, state)) }
            + costs.payments.map { ($0.item, paymentRow($0, state)) }
        return tag(.section, .class("view"), .aria(.labelledby, "paid")) {
            tag(.h2, .id("paid")) { "What was paid" }
            tag(.p, .class("hint")) { "In total " + costs.totals.map(\.words).joined(separator: ", ") }
            tag(.ul, .class("paid")) {
                rows.sorted { $1.0.number < $0.0.number }.prefix(costRowsMax).map { $0.1 }
            }
            if rows.count > costRowsMax {
                tag(.p, .class("hint")) {
                    "\(rows.count - costRowsMax) more: "
                    tag(.kbd) { "caravan cost" }
                }
            }
        }
    }

    /// Expenses and payments that the view lists.
    static let costRowsMax = 200
    /// People whose balances it draws.
    private static let balancesMax = 60

    private static func balances(
        _ currency: Currency, _ shares: [Share], _ costs: Costs, _ state: PageState
    ) -> HTML {
        let heading = "balances-" + currency.code
        let sorted = shares.sorted { ($1.number, $0.person) < ($0.number, $1.person) }
        let most = shares.map(\.number.magnitude).max() ?? 1
        let transfers = costs.transfers(in: currency)
        return tag(.section, .class("view"), .aria(.labelledby, heading)) {
            tag(.h2, .id(heading)) { "Balances in \(currency.code)" }
            if shares.isEmpty { tag(.p, .class("hint")) { "Everybody is even." } }
            tag(.ul, .class("balances")) {
                sorted.prefix(balancesMax).map { balance($0, currency, most, state) }
            }
            if !transfers.isEmpty {
                tag(.h3) { "Settle up" }
                tag(.ul, .class("settle")) {
                    transfers.prefix(balancesMax).map { transfer($0, currency, state) }
                }
            }
        }
    }

    private static func balance(_ share: Share, _ currency: Currency, _ most: UInt64, _ state: PageState) -> HTML {
        let money = Money(share.number, currency)
        // In hundredths of the longest bar, and never none.
        let width = min(100, max(1, Int(share.number.magnitude / max(1, most / 100))))
        return tag(.li, .class(share.number < 0 ? "owes" : "owed")) {
            person(share.person, state)
            tag(
                .svg, .class("balance-bar"), .plain(.viewBox, "0 0 100 8"), .plain(.preserveAspectRatio, "none"),
                .aria(.hidden, "true")
            ) {
                tag(.rect, .plain(.width, width), .plain(.height, 8), .plain(.rx, 1))
            }
            tag(.strong) { (share.number > 0 ? "+" : "") + money.words }
        }
    }

    /// A payment that settles something. Either of its two people records it with one tap.
    private static func transfer(_ transfer: Transfer, _ currency: Currency, _ state: PageState) -> HTML {
        let money = Money(transfer.minorUnits, currency)
        let you = state.viewer.participant
        let (from, to) = (costName(transfer.from, state), costName(transfer.to, state, isFirst: false))
        let cost = try? Cost(payment: money, from: transfer.from, to: transfer.to)
        return tag(.li) {
            tag(.span) {
                tag(.span, .plain(.dir, "auto")) { from }
                transfer.from == you ? " pay " : " pays "
                tag(.span, .plain(.dir, "auto")) { to }
                " "
                tag(.strong) { money.words }
            }
            if state.mayEdit, let cost, transfer.from == you || transfer.to == you {
                actionButton(
                    .add([
                        NewItem(
                            title: transfer.from == you ? "Payment to \(to)" : "Payment from \(from)",
                            fields: [.payment: cost.text, .itemKind: ItemView.paymentKind])
                    ]),
                    state: state, label: transfer.from == you ? "I paid" : "I was paid",
                    description:
                        "Record that \(costName(transfer.from, state, isFirst: false)) paid \(to) \(money.words)")
            }
        }
    }

    private static func expenseRow(_ expense: ExpenseView, _ state: PageState) -> HTML {
        let cost = expense.cost
        var facts = [paid(cost, state)]
        if cost.way != .equally { facts.append(.text(cost.way.words)) }
        if let rate = cost.rate { facts.append(.text("\(cost.counted.words) at \(rate.digits)")) }
        if let dates = expense.item.dates { facts.append(.text(dates.words(in: state.year))) }
        if let category = expense.item.fields[.category]?.value {
            facts.append(isolated(category.displayed(limit: 200)))
        }
        return row(
            expense.item, cost.amount, facts, mark: expense.versions > 1 ? "\(expense.versions) versions" : nil
        ) {
            if state.mayEdit {
                tag(
                    .a, .class("text"), .href(formLink(expense.item.shortID, state)),
                    .aria(.label, "Edit \(expense.item.title.displayed(limit: 80))")
                ) { "Edit" }
            }
            versions(expense, state)
        }
    }

    /// "You paid for yourself and Noah", "Mia paid for you and themself", "You and Mia paid for you", "… for yourselves and Noah".
    private static func paid(_ cost: Cost, _ state: PageState) -> HTML {
        let you = state.viewer.participant
        let payers = Set(cost.payers.map(\.person)), sharers = cost.shares.map(\.person)
        // Several payers who all share are named once.
        let isTheirs = payers.count > 1 && payers.isSubset(of: sharers)
        let named = isTheirs ? sharers.filter { !payers.contains($0) } : sharers
        let others = named.filter { $0 != you }
        let first = named.filter { $0 == you } + others.filter { payers != [$0] } + others.filter { payers == [$0] }
        var names = first.map { person in
            let isPayer = payers == [person]
            return person == you
                ? isPayer ? "yourself" : "you" : isPayer ? "themself" : state.trip.displayName(of: person)
        }
        if isTheirs {
            let areYou = you.map { payers.contains($0) } ?? false
            names.insert(areYou ? "yourselves" : "themselves", at: areYou ? 0 : names.count)
        }
        let paying = cost.payers.map(\.person)
        let youFirst = paying.filter { $0 == you } + paying.filter { $0 != you }
        let few = { (names: [String], count: Int) -> HTML in
            names.count <= 4 ? isolated(names) : .text("\(count) people")
        }
        return .group([
            few(youFirst.map { costName($0, state) }, paying.count), " paid for ", few(names, sharers.count),
        ])
    }

    private static let versionsMax = 8

    /// The costs that were written at the same moment, each with the button that keeps it.
    private static func versions(_ expense: ExpenseView, _ state: PageState) -> HTML? {
        guard expense.versions > 1, let field = expense.item.fields[.cost] else { return nil }
        return tag(.ul, .class("versions")) {
            for version in ([field.shown] + field.alternatives).prefix(versionsMax) {
                let words = Cost(version.value).map { summary($0, state) } ?? "unreadable"
                let title = expense.item.title.displayed(limit: 80)
                tag(.li) {
                    tag(.span) {
                        isolated(version.authorName)
                        ": "
                        isolated(words)
                    }
                    if state.mayEdit {
                        actionButton(
                            .pick(version.value, for: .cost, of: expense.item), costsTarget(state), label: "Keep this",
                            description: "Keep this version of \(title): \(version.authorName): \(words)",
                            class: "text")
                    }
                }
            }
        }
    }

    private static func summary(_ cost: Cost, _ state: PageState) -> String {
        "\(cost.words), paid by "
            + joined(cost.payers.map { costName($0.person, state, isFirst: false) })
    }

    private static func paymentRow(_ payment: PaymentView, _ state: PageState) -> HTML {
        let (from, to) = (costName(payment.from, state), costName(payment.to, state, isFirst: false))
        var facts = [HTML.group([isolated(from), " paid ", isolated(to)])]
        if let dates = payment.item.dates { facts.append(.text(dates.words(in: state.year))) }
        let mark = payment.isDisputed ? "disputed" : payment.mayBeTwice ? "recorded by both?" : nil
        return row(payment.item, payment.amount, facts, mark: mark) {
            if state.mayEdit { paymentAct(payment, state) }
        }
    }

    /// Who recorded a payment removes it, and the other of its two people disputes it.
    private static func paymentAct(_ payment: PaymentView, _ state: PageState) -> HTML {
        let (item, you) = (payment.item, state.viewer.participant)
        let title = item.title.displayed(limit: 80)
        if item.addedBy == you {
            return actionButton(
                .act(.remove, on: [item.shortID]), costsTarget(state), label: "Remove", description: "Remove \(title)",
                class: "text")
        }
        guard let you, you == payment.from || you == payment.to else { return .none }
        let isDisputed = item.vote(of: you) == .against
        return actionButton(
            .act(.vote(isDisputed ? nil : .against), on: [item.shortID]), costsTarget(state),
            label: isDisputed ? "Withdraw dispute" : "Dispute",
            description: isDisputed ? "Withdraw your dispute of \(title)" : "Dispute \(title)", class: "text")
    }

    private static func row(
        _ item: ItemView, _ amount: Money, _ facts: [HTML], mark: String?, @HTMLBuilder acts: () -> HTML
    ) -> HTML {
        tag(.li) {
            tag(.div) {
                tag(.h3, .plain(.dir, "auto")) { item.title.displayed(limit: 120) }
                tag(.p, .class("facts")) {
                    facts.map { fact in tag(.span) { fact } }
                    if let mark { tag(.mark) { mark } }
                }
            }
            tag(.strong) { amount.words }
            acts()
        }
    }

    private static func person(_ id: ParticipantID, _ state: PageState) -> HTML {
        tag(.span, .class("balance-of")) {
            avatar(id, name: state.trip.displayName(of: id), isYou: id == state.viewer.participant, isDecoration: true)
            tag(.span, .plain(.dir, "auto")) { costName(id, state) }
        }
    }

    /// - Parameter isFirst: whether a sentence, a line or a label begins with it.
    static func costName(_ id: ParticipantID, _ state: PageState, isFirst: Bool = true) -> String {
        guard id == state.viewer.participant else { return state.trip.displayName(of: id) }
        return isFirst ? "You" : "you"
    }
}
