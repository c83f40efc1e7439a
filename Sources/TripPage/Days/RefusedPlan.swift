package import TripModel

/// A plan whose length says nothing, as somebody typed it.
package struct RefusedPlan: Hashable, Sendable {
    /// The short id.
    package let item: String
    let typed: TypedPlan
    /// What is wrong with its length.
    let reason: String

    private static let none = "none"

    /// - Parameter typed: with "none" for each field that the form left empty.
    /// - Returns: nil where the length is in order.
    package init?(item: String, _ typed: TypedPlan) {
        guard let length = typed.length, length != Self.none else { return nil }
        (self.item, self.typed) = (item, typed)
        if typed.start == Self.none {
            reason = "A length needs a time. Enter the time, or clear the length."
        } else if DayTime.length(typed: length) == nil {
            reason = PlainWords.told("the length \(length.quoted) is invalid; \(DayTime.lengthAdvice)") + "."
        } else {
            return nil
        }
    }

    /// What the form holds.
    var start: String { typed.start.flatMap { $0 == Self.none ? nil : $0 } ?? "" }
    var length: String { typed.length ?? "" }
    var day: String { typed.day ?? "" }
}

extension TripPage {
    static func planFaultID(_ shortID: String) -> String { "plan-\(shortID)-fault" }

    /// What is wrong with a plan, beneath its fields; empty where nothing is.
    static func planFault(_ shortID: String, _ refused: RefusedPlan?) -> HTML {
        tag(.p, .id(planFaultID(shortID)), .class("fault"), .data(.mark, "fault"), .plain(.dir, "auto")) {
            refused?.reason ?? ""
        }
    }

    /// The line beneath a form that was refused.
    package static func faultLine(_ refused: RefusedPlan) -> Fragment {
        Fragment(id: planFaultID(refused.item), html: planFault(refused.item, refused))
    }
}
