extension Field {
    /// A value as people read it in a sentence: days and amounts in words, other values as they are.
    /// - Parameter year: the year in which the reader is, which dates leave out; nil where it isn't known.
    package func words(of value: String, in year: Int? = nil) -> String {
        switch kind {
        case .dates, .day: DateSpan(value)?.words(in: year) ?? value
        case .cost: Cost(value)?.words ?? value
        default: value
        }
    }

    /// The same, with a person's name for their id.
    package func words(of value: String, in year: Int? = nil, _ name: (ParticipantID) -> String) -> String {
        kind == .person ? ParticipantID(value).map(name) ?? value : words(of: value, in: year)
    }

    /// The field's name in a sentence: "the due date".
    package var noun: String { self == .due ? "due date" : name }
}

extension Cost {
    /// "€84.00 for 3 people", "50.00 CHF (€47.56) for 3 people", "€28.00" for a payment.
    package var words: String {
        let money = amount.words + (rate == nil ? "" : " (\(counted.words))")
        if payment != nil { return money }
        return "\(money) for \(shares.count == 1 ? "1 person" : "\(shares.count) people")"
    }

    /// The same, and who paid and who shares it: "€84.00 for 2 people; paid by Noah; shared by Mia (2 parts), Noah (1 part)".
    func told(naming name: (ParticipantID) -> String) -> String {
        let money = { (number: Int64) in " (\(Money(number, amount.currency).words))" }
        let paid = payers.map { name($0.person) + (payers.count == 1 ? "" : money($0.number)) }
        let shared = shares.map { share in
            let part =
                switch way {
                case .equally: ""
                case .parts: share.number == 1 ? " (1 part)" : " (\(share.number) parts)"
                case .exactly: money(share.number)
                case .percent: " (\(TypedCost.percent(share.number)) %)"
                }
            return name(share.person) + part
        }
        return "\(words); paid by \(paid.joined(separator: ", ")); shared by \(shared.joined(separator: ", "))"
    }
}
