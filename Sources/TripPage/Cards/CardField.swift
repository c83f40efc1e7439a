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
        CardField(field: .dates, label: "Dates", placeholder: "12–15 June 2026"),
        CardField(field: .due, label: "Due", placeholder: "3 June 2026"),
        CardField(field: .assignee, label: "Assigned to", placeholder: ""),
        CardField(field: .price, label: "Price", placeholder: "€90 a night"),
        CardField(field: .host, label: "Host", placeholder: "Who rents it out"),
        CardField(field: .phone, label: "Phone", placeholder: "+351 21 342 0000"),
        CardField(field: .rooms, label: "Rooms", placeholder: "2 bedrooms, a kitchen"),
        CardField(field: .beds, label: "Beds", placeholder: "3"),
        CardField(field: .address, label: "Address", placeholder: "Alfama, Lisbon"),
        CardField(field: .place, label: "Place", placeholder: "38.71,-9.14, or a map link"),
        CardField(field: .link, label: "Link", placeholder: "https://"),
        CardField(field: .itemKind, label: "Kind", placeholder: ""),
        CardField(field: .note, label: "Note", placeholder: "What friends should know"),
        CardField(field: .details, label: "Details", placeholder: "Check-in, house rules"),
    ]

    /// All but the title, which heads a card.
    static let rows = all.filter { $0.field != .title }

    /// All but the note, which has a box of its own.
    static let form = all.filter { $0.field != .note }

    var kind: FieldKind { field.kind }

    /// The keyboard that a phone shows; nil for that of letters.
    var inputMode: String? { field == .phone ? "tel" : kind == .link ? "url" : nil }

    /// A value as its control holds it: a time of a day in words, if they are read as the same value.
    func typed(_ value: String) -> String {
        guard kind == .dates || kind == .day, let span = DateSpan(value), DateSpan(typed: span.words) == span else {
            return value
        }
        return span.words
    }

    /// A value as people read it.
    func shown(_ value: String, in frame: CardFrame) -> HTML {
        if field == .phone, let number = PhoneNumber(value) {
            return tag(.a, .href(.phone(number)), .plain(.dir, "ltr")) { value }
        }
        if field == .itemKind, let known = ItemKind(rawValue: value) { return .text(known.label) }
        switch kind {
        case .person: return tag(.span, .plain(.dir, "auto")) { summary(value, in: frame) }
        case .dates, .day, .cost: return tag(.span, .plain(.dir, "auto")) { field.words(of: value, in: frame.year) }
        case .heading, .phrase, .flag, .word, .count, .question: return tag(.span, .plain(.dir, "auto")) { value }
        case .prose:
            return tag(.span, .class("prose"), .plain(.dir, "auto")) { TripPage.prose(value, mayJoin: frame.mayJoin) }
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
