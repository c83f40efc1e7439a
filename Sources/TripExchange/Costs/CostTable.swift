package import TripModel

/// Expenses and payments as a table in comma-separated values (RFC 4180), with people by their names. `CostFile` reads it again.
package enum CostTable {
    static let columns = [
        "date", "title", "category", "amount", "currency", "rate", "paid_by", "split", "shares", "note",
    ]

    /// The word in the column `split` of a payment.
    static let payment = "payment"

    /// In the order in which they were made. O(n).
    package static func write(_ view: TripView) -> String {
        let costs = view.costs
        var rows = costs.expenses.map {
            ($0.item.number, row($0.item, TypedCost($0.cost), $0.cost, $0.cost.way.rawValue, view))
        }
        rows += costs.payments.compactMap { payment in
            payment.item.fields[.payment].flatMap { Cost($0.value) }.map { cost in
                (payment.item.number, row(payment.item, TypedCost(cost), cost, Self.payment, view))
            }
        }
        let sorted = rows.sorted { $0.0 < $1.0 }.map { $0.1.map(SpreadsheetText.write) }
        return ([columns] + sorted).map { $0.map(quoted).joined(separator: ",") + "\r\n" }.joined()
    }

    private static func row(
        _ item: ItemView, _ typed: TypedCost, _ cost: Cost, _ split: String, _ view: TripView
    ) -> [String] {
        let named = { (texts: [String], shares: [Share]) in
            // What is typed begins with the id.
            zip(texts, shares).map { text, share in
                view.displayName(of: share.person) + text.dropFirst(share.person.description.count)
            }.joined(separator: "; ")
        }
        return [
            item.fields[.dates]?.value ?? "", item.title, item.fields[.category]?.value ?? "", cost.amount.digits,
            cost.amount.currency.code, typed.rate ?? "", named(typed.payers, cost.payers), split,
            named(typed.sharers, cost.shares), item.fields[.note]?.value ?? "",
        ]
    }

    private static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D, 0x3B, 0x09].contains($0) }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
