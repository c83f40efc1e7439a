extension Field {
    /// A value as people read it in a sentence: days and amounts in words, other values as they are.
    package func words(of value: String) -> String {
        switch kind {
        case .dates: DateSpan(value)?.words ?? value
        case .cost: Cost(value)?.words ?? value
        default: value
        }
    }
}

extension Cost {
    /// "€84.00 for 3 people", "50.00 CHF (€47.56) for 3 people", "€28.00" for a payment.
    package var words: String {
        let money = amount.words + (rate == nil ? "" : " (\(counted.words))")
        if payment != nil { return money }
        return "\(money) for \(shares.count == 1 ? "1 person" : "\(shares.count) people")"
    }
}
