package import TripModel

/// An edit of a card with values that its fields can't hold, and what is wrong with each.
package struct RefusedEdit: Hashable, Sendable {
    /// The short id.
    let item: String
    let faults: [Field: String]

    /// Nil for an edit whose values are in order, and for any other action.
    ///
    /// - Parameter today: the first day that a deadline may be; nil for any, as where an edit is undone.
    package init?(_ action: PageAction, today: Day? = nil) {
        guard case .act(.edit(let fields, _), let items) = action, items.count == 1 else { return nil }
        var faults: [Field: String] = [:]
        for (field, text) in fields {
            // A title can't be cleared.
            guard let text = text ?? (field == .title ? "" : nil) else { continue }
            faults[field] =
                Self.fault(of: text, in: field)
                ?? (field == .due ? today.flatMap { Deadline.fault(text, today: $0) } : nil)
        }
        guard !faults.isEmpty else { return nil }
        (item, self.faults) = (items[0], faults)
    }

    private static func fault(of text: String, in field: Field) -> String? {
        // Noughts alone would clear the field.
        if field.kind == .count, TextClasses.trimmed(text).allSatisfy({ $0 == "0" }) {
            return "the number of \(field.name) must be between 1 and \(Limits.countMax)"
        }
        // A name is read as an id where the trip knows its people.
        guard field != .assignee else { return nil }
        let value = field.normalized(text)
        guard !value.isEmpty || field == .title else { return nil }
        do throws(TripError) {
            try field.check(value)
            try field.checkMeaning(value)
        } catch { return error.message }
        return nil
    }

    /// The first fault in the order of a card.
    package var message: String { CardField.all.lazy.compactMap { faults[$0.field] }.first ?? "" }
}

extension TripPage {
    static func editFaultID(_ field: Field, ofItem item: String) -> String { "f-\(item)-\(field.name)-fault" }

    /// What is wrong with a value, beneath its control; empty where nothing is.
    static func editFault(_ field: Field, ofItem item: String, _ fault: String? = nil) -> HTML {
        tag(
            .p, .id(editFaultID(field, ofItem: item)), .class("fault"), .data(.mark, "fault"), .plain(.dir, "auto")
        ) { fault.map(PlainWords.told) ?? "" }
    }

    /// The lines beneath the controls of a form that was refused.
    package static func faultLines(_ refused: RefusedEdit) -> [Fragment] {
        refused.faults.sorted { $0.key < $1.key }.map { field, fault in
            Fragment(
                id: editFaultID(field, ofItem: refused.item), html: editFault(field, ofItem: refused.item, fault))
        }
    }
}
