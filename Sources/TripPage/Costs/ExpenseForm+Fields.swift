import TripModel

// The form's names and values, and what a browser sent back.
extension ExpenseForm {
    var fields: [(name: String, value: String)] {
        hiddenFields
            + [
                ("title", title), ("amount", amount), ("currency", currency), ("rate", rate), ("way", way.rawValue),
                ("dates", dates), ("category", category), ("note", note),
            ]
            + payers.flatMap { [("payer", $0.id), ("paid-" + $0.id, $0.number)] }
            + sharers.flatMap { [("sharer", $0.id), ("share-" + $0.id, $0.number)] }
    }

    /// What nobody types.
    var hiddenFields: [(name: String, value: String)] {
        [("do", "expense")] + (item.map { [("item", $0)] } ?? [])
            + shown.sorted { $0.key < $1.key }.flatMap { field, values in
                values.map { ("shown-" + field.name, $0) }
            }
    }

    /// Reads a form. What isn't in it is empty.
    ///
    /// - Parameter pairs: of a form that edits something, `item` among them, checked already.
    init(pairs: [(name: String, value: String)], item: String?) {
        let values = Dictionary(pairs) { first, _ in first }
        func value(_ name: String) -> String { TextClasses.trimmed((values[name] ?? "").withLineFeeds) }
        func people(_ name: String, _ number: String) -> [Person] {
            pairs.filter { $0.name == name }.prefix(Limits.sharersMax + 1).map {
                Person($0.value, value(number + $0.value))
            }
        }
        self.item = item
        (title, amount, currency, rate) = (value("title"), value("amount"), value("currency"), value("rate"))
        way = Cost.Way(rawValue: value("way")) ?? .equally
        (payers, sharers) = (people("payer", "paid-"), people("sharer", "share-"))
        (dates, category, note) = (value("dates"), value("category"), value("note"))
        guard item != nil else { return }
        for field in Self.texts + [.cost] {
            shown[field] = pairs.filter { $0.name == "shown-" + field.name }.map(\.value.withLineFeeds)
        }
    }
}
