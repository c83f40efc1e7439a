package import TripModel
import TripService

/// An expense as it is typed into its form: texts, and people by their ids.
package struct ExpenseForm: Hashable, Sendable {
    /// A person of the form, and the number beside them; empty for none.
    package struct Person: Hashable, Sendable {
        package let id: String
        package var number: String

        package init(_ id: String, _ number: String = "") {
            self.id = id
            self.number = number
        }
    }

    /// What can be wrong by itself: each has a line beneath it.
    package enum Part: String, CaseIterable, Hashable, Sendable {
        case title, amount, payers, sharers, dates, rate
    }

    /// The short id of the item that is edited; nil for a new one.
    package var item: String?
    package var title = ""
    package var amount = ""
    /// Of an amount that has none.
    package var currency = ""
    package var rate = ""
    /// Those who are ticked.
    package var payers: [Person] = []
    package var way = Cost.Way.equally
    package var sharers: [Person] = []
    package var dates = ""
    package var category = ""
    package var note = ""
    /// What its fields showed when it was drawn: an edit replaces that and nothing else.
    package var shown: [Field: [String]] = [:]

    /// The fields beside the cost.
    static let texts: [Field] = [.title, .dates, .category, .note]

    package init() {}

    /// What stands in the form of an expense.
    init(_ expense: ExpenseView) {
        let (item, cost) = (expense.item, expense.cost)
        let typed = TypedCost(cost)
        self.item = item.shortID
        title = item.title
        (amount, currency) = (cost.amount.digits, cost.amount.currency.code)
        rate = typed.rate ?? ""
        payers = typed.payers.map(Self.person)
        way = cost.way
        sharers = typed.sharers.map(Self.person)
        dates = item.fields[.dates]?.value ?? ""
        category = item.fields[.category]?.value ?? ""
        note = item.fields[.note]?.value ?? ""
        for field in Self.texts + [.cost] { shown[field] = item.standing(at: field) }
    }

    /// "ID=NUMBER", or "ID".
    private static func person(_ typed: String) -> Person {
        let parts = typed.split(separator: "=", maxSplits: 1)
        return Person(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }

    package func text(of field: Field) -> String {
        switch field {
        case .title: title
        case .dates: dates
        case .category: category
        default: note
        }
    }
}

/// A form that can't be saved: what was typed, and what is wrong with which part of it.
package struct RefusedExpense: Error, Hashable, Sendable {
    package let form: ExpenseForm
    package let faults: [ExpenseForm.Part: String]

    /// The page with this form.
    package var query: PageQuery {
        var query = PageQuery()
        (query.view, query.open, query.isEditing) = (.costs, form.item, true)
        return query
    }
}

// What a form asks of the trip.
extension ExpenseForm {
    /// Adds the expense, or writes what differs from what was shown.
    ///
    /// - Parameter me: who typed; nil for somebody who isn't in.
    package func action(in trip: TripView, by me: ParticipantID?) throws(RefusedExpense) -> PageAction {
        guard let me else { throw RefusedExpense(form: self, faults: [.title: "Only members add expenses."]) }
        var faults: [Part: String] = [:]
        if title.isBlank { faults[.title] = "The expense has no name. Write what it was for." }
        if !dates.isEmpty, DateSpan(dates) == nil { faults[.dates] = "That isn’t a date. Write it like 2026-06-12." }
        var cost: Cost?
        do { cost = try self.cost(in: trip, by: me) } catch { faults[error.part] = error.text }
        guard faults.isEmpty, let cost else { throw RefusedExpense(form: self, faults: faults) }
        guard let item else {
            var fields: [Field: String] = [.cost: cost.text, .itemKind: ItemView.expenseKind]
            for field in Self.texts where field != .title && !text(of: field).isBlank {
                fields[field] = text(of: field)
            }
            return .add([NewItem(title: title, fields: fields)])
        }
        var edits: [Field: String?] = [:]
        for field in Self.texts where text(of: field) != shown[field]?.first ?? "" {
            edits[field] = text(of: field).isBlank ? .some(nil) : text(of: field)
        }
        // Who saves a form of which several versions stand picks one of them.
        if cost.text != shown[.cost]?.first || shown[.cost]?.count ?? 0 > 1 { edits[.cost] = cost.text }
        return .act(.edit(edits, shown: shown.filter { edits[$0.key] != nil }), on: [item])
    }

    private struct Fault: Error {
        let part: Part
        let text: String

        init(_ part: Part, _ text: String) {
            self.part = part
            self.text = PlainWords.told(text) + "."
        }
    }

    /// Reads the cost a part at a time, so that each fault is said where it is.
    private func cost(in trip: TripView, by me: ParticipantID) throws(Fault) -> Cost {
        guard !amount.isBlank else { throw Fault(.amount, "write the amount") }
        guard !Self.isZero(amount) else { throw Fault(.amount, "the amount must be more than 0") }
        try checkCurrency()
        var typed = TypedCost(amount: money, sharers: ["\(me)"])
        _ = try read(typed, .amount, in: trip, by: me)
        typed.rate = rate.isBlank ? nil : rate
        _ = try read(typed, .rate, in: trip, by: me)
        guard !payers.isEmpty else { throw Fault(.payers, "nobody paid; choose who did") }
        // Of one payer the number says nothing: they paid all of it.
        typed.payers =
            try payers.count == 1
            ? [payers[0].id]
            : payers.map { person throws(Fault) in
                try Self.word(person, .payers, isWanted: payers.contains { !$0.number.isBlank })
            }
        try Self.require(payers, in: try read(typed, .payers, in: trip, by: me).payers, .payers)
        guard !sharers.isEmpty else { throw Fault(.sharers, "nobody shares it; choose who does") }
        typed.way = way
        typed.sharers = try sharers.map { person throws(Fault) in
            try Self.word(person, .sharers, isWanted: way != .equally)
        }
        try checkShares()
        let cost = try read(typed, .sharers, in: trip, by: me)
        try Self.require(sharers, in: cost.shares, .sharers)
        return cost
    }

    /// Throws if the amount is in another currency than the one beside it.
    private func checkCurrency() throws(Fault) {
        guard !currency.isBlank, let own = (try? Money(typed: amount, home: nil))?.currency,
            Currency(typed: currency) != own
        else { return }
        throw Fault(
            .amount, "the amount is in \(own.code), but Currency says \(currency.quoted); change one of them")
    }

    /// Says of shares what the command line can't know: who has none is unticked here.
    private func checkShares() throws(Fault) {
        guard way != .equally else { return }
        guard !sharers.contains(where: { Self.isZero($0.number) }) else {
            throw Fault(.sharers, "nobody can have a share of 0. Untick people who don’t share it")
        }
        guard way == .exactly, let all = try? Money(typed: money, home: nil) else { return }
        let shares = sharers.map { (try? Money(typed: $0.number, home: all.currency)) }
        guard !shares.contains(where: { $0?.currency != all.currency }) else { return }
        let sum = shares.reduce(into: Int64(0)) { $0 = $0.addingReportingOverflow($1?.minorUnits ?? 0).partialValue }
        guard sum != all.minorUnits else { return }
        let difference = Money(abs(sum - all.minorUnits), all.currency).words
        throw Fault(
            .sharers,
            "the shares add up to \(Money(sum, all.currency).words), \(difference) \(sum < all.minorUnits ? "less" : "more") than "
                + all.words)
    }

    private static func isZero(_ number: String) -> Bool {
        number.contains("0") && number.allSatisfy { "0., ".contains($0) }
    }

    /// Throws if a cost is about other people than the form: somebody may be called like another person's id.
    private static func require(_ people: [Person], in shares: [Share], _ part: Part) throws(Fault) {
        guard Set(shares.map { "\($0.person)" }) == Set(people.map(\.id)) else {
            throw Fault(part, "these people can’t be told apart; one of them must change their name")
        }
    }

    /// The amount with a currency, if it has none of its own.
    private var money: String {
        (try? Money(typed: amount, home: nil)) == nil && !currency.isBlank ? "\(amount) \(currency)" : amount
    }

    private static func word(_ person: Person, _ part: Part, isWanted: Bool) throws(Fault) -> String {
        guard isWanted else { return person.id }
        guard !person.number.isBlank else { throw Fault(part, "a person has no number; write one beside each name") }
        guard !person.number.contains("=") else {
            throw Fault(part, "“\(person.number)” isn’t a number; write another")
        }
        return "\(person.id)=\(person.number)"
    }

    private func read(
        _ typed: TypedCost, _ part: Part, in trip: TripView, by me: ParticipantID
    ) throws(Fault) -> Cost {
        do { return try typed.cost(in: trip, by: me) } catch { throw Fault(part, error.message) }
    }
}
