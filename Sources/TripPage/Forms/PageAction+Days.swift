import TripModel

// Two days that are picked from calendars are one field of an item.
extension PageAction {
    static let firstDay = "dates-from"
    static let lastDay = "dates-to"

    /// The first and the last day of a field's value as pickers hold them; nil for what they cannot hold: a time of day, or words.
    static func days(of value: String) -> (first: String, last: String)? {
        if value.isEmpty { return ("", "") }
        guard let span = DateSpan(value), span.time == nil else { return nil }
        return (span.arrival.text, span.departure?.text ?? "")
    }

    /// What stands for the days of a stay; one day alone where it has no last day.
    static func stay(from first: String, to last: String?) -> String {
        guard let last, last != "none", last != first else { return first }
        return "\(first)/\(last)"
    }

    /// A form's fields, with what its pickers hold as the field that they stand for.
    static func joiningDays(_ fields: [(name: String, value: String)]) -> [(name: String, value: String)] {
        let picked = [firstDay, lastDay].compactMap { name in fields.first { $0.name == name }?.value }
        guard picked.count == 2, !fields.contains(where: { $0.name == Field.dates.name }) else { return fields }
        let days = picked.filter { !$0.isEmpty }
        // One day alone, whichever it is.
        let value = days.count == 2 && days[0] == days[1] ? days[0] : days.joined(separator: "/")
        return fields + [(Field.dates.name, value)]
    }
}
