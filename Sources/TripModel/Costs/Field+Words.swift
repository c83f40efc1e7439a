extension Field {
    /// A value as people read it in a sentence: days and amounts in words, other values as they are.
    package func words(of value: String) -> String {
        switch kind {
        case .dates, .day: DateSpan(value)?.words ?? value
        case .cost: Cost(value)?.words ?? value
        default: value
        }
    }

    /// The same, with a person's name for their id.
    package func words(of value: String, _ name: (ParticipantID) -> String) -> String {
        kind == .person ? ParticipantID(value).map(name) ?? value : words(of: value)
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
}
