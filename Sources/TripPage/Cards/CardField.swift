import TripModel

/// How a field of an item is shown and edited. `all` is the one table that cards, their forms, the comparison and the
/// search are drawn from: a field that is added to the model is added to the page by a line here.
struct CardField: Sendable {
    let field: Field
    let label: String
    /// What an empty field says.
    let placeholder: String

    /// In the order of a card.
    static let all = [
        CardField(field: .title, label: "Title", placeholder: "Casa do Rio"),
        CardField(field: .price, label: "Price", placeholder: "€90 a night"),
        CardField(field: .host, label: "Host", placeholder: "Who rents it out"),
        CardField(field: .rooms, label: "Rooms", placeholder: "2 bedrooms, 3 beds"),
        CardField(field: .place, label: "Place", placeholder: "38.7110,-9.1430"),
        CardField(field: .link, label: "Link", placeholder: "https://"),
        CardField(field: .note, label: "Note", placeholder: "What friends should know"),
        CardField(field: .details, label: "Details", placeholder: "Check-in, house rules"),
    ]

    /// All but the title, which heads a card.
    static let rows = all.filter { $0.field != .title }

    var kind: FieldKind { field.kind }

    /// The most characters that a control takes.
    var limit: Int { kind.charactersMax }

    /// A value as people read it.
    func shown(_ value: String) -> HTML {
        switch kind {
        case .heading, .phrase, .flag: return tag(.span, .plain(.dir, "auto")) { value }
        case .prose: return tag(.span, .class("prose"), .plain(.dir, "auto")) { value }
        case .link:
            guard let address = WebAddress(value) else { return tag(.span, .plain(.dir, "auto")) { value } }
            return tag(
                .a, .href(.web(address)), .plain(.rel, "noopener noreferrer"), .plain(.dir, "auto"),
                .plain(.title, value)
            ) { address.domain }
        case .place:
            guard let place = Land.Point(place: value) else { return tag(.span, .plain(.dir, "auto")) { value } }
            return .group([
                tag(.a, .href(.place(latitude: place.latitude, longitude: place.longitude)), .plain(.dir, "ltr")) {
                    value
                },
                " ",
                tag(.button, .class("text"), .plain(.type, "button"), .data(.copy, value)) { "copy" },
            ])
        }
    }
}

/// A price that can be compared with another: a number, and what it is a number of.
struct Price: Hashable, Sendable {
    let amount: Double
    /// All but the number, in lower case: "€ a night". Prices of other units are not compared.
    let unit: String

    /// Reads "€90", "1.200,50 EUR" or "$1,200 a night"; nil where no number or several stand in it.
    init?(_ text: String) {
        let isNumber = { (character: Character) in character.isASCII && character.isNumber || ".,".contains(character) }
        let runs = text.split(whereSeparator: { !isNumber($0) }).filter { $0.contains { $0.isNumber } }
        guard runs.count == 1, let run = runs.first, let amount = Self.amount(run) else { return nil }
        self.amount = amount
        unit = text.filter { !isNumber($0) }.lowercased().split(separator: " ").joined(separator: " ")
    }

    /// The last separator is a decimal one where one or two digits follow it; others part thousands.
    private static func amount(_ run: Substring) -> Double? {
        let trimmed = run.drop { !$0.isNumber }.reversed().drop { !$0.isNumber }.reversed()
        let parts = trimmed.split(whereSeparator: { !$0.isNumber })
        guard let last = parts.last, let first = parts.first, first.count <= 12 else { return nil }
        if parts.count == 1 { return Double(String(last)) }
        guard (1...3).contains(first.count) || last.count <= 2 else { return nil }
        let whole = last.count <= 2 ? parts.dropLast() : parts[...]
        guard whole.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
        let digits = whole.joined().map(String.init).joined() + (last.count <= 2 ? "." + String(last) : "")
        return Double(digits)
    }
}
