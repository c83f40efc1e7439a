import TripModel
import TripService

/// A sort of item of which some of what is said of plans means nothing.
enum ItemSort {
    case question, expense, payment

    /// Nil for a plan.
    init?(_ item: ItemView) {
        if item.question != nil {
            self = .question
        } else if item.isOfCosts {
            self = item.fields[.payment] == nil ? .expense : .payment
        } else {
            return nil
        }
    }

    private var name: String {
        switch self {
        case .question: "a question"
        case .expense: "an expense"
        case .payment: "a payment"
        }
    }

    /// What it is and what to do instead, if an action would say something that means nothing of it; nil if not. What stands may be
    /// cleared.
    func refusal(of action: ItemAction) -> String? {
        switch (self, action) {
        case (.question, .vote(.some)), (.question, .claim(.some)), (.question, .attend(.some)),
            (.question, .changeQuantity), (.question, .setQuantity):
            "\(name); answer it with `caravan answer`"
        case (.question, .edit(let fields, _)):
            strayField(in: fields).map { _ in "\(name); answer it with `caravan answer`" }
        case (_, .edit(let fields, _)):
            strayField(in: fields).map { field in
                switch (self, field) {
                case (_, .done): "\(name), and cannot be marked as done"
                case (.expense, .price): "\(name), and has no price; change its amount with `caravan cost edit`"
                default: "\(name), and has no \(field.noun)"
                }
            }
        case (_, .attend(.some)): "\(name): nobody goes to it; see `caravan help cost`"
        case (_, .changeQuantity), (_, .setQuantity): "\(name), and has no quantity"
        case (.expense, .changeAmenities(let added, _)), (.payment, .changeAmenities(let added, _)):
            added.isEmpty ? nil : "\(name), and has no amenities"
        default: nil
        }
    }

    /// What it is and where it is shown: no list has a place for it.
    var refusalOfLists: String {
        "\(name), and in no list; see `\(self == .question ? "caravan questions" : "caravan cost list")`"
    }

    /// The first field that is written and means nothing of it.
    private func strayField(in fields: [Field: String?]) -> Field? {
        // Of another kind or none, an expense would be an item of the plan without an amount, and still count.
        if self == .expense, fields.keys.contains(.itemKind) { return .itemKind }
        let ofStays: [Field] = [.price, .beds, .rooms, .host]
        let strays = self == .question ? [.itemKind] + ofStays + [.dates] : ofStays + [.done, .assignee, .due]
        return strays.first { fields[$0].flatMap { $0 } != nil }
    }
}

extension ItemAction {
    /// Throws if it would say something of a question, an expense or a payment that means nothing there, such as the fifth rank of three
    /// options, or take a quantity beyond what one can be set to. What stands may be cleared, and several people's steps at one moment
    /// still may go beyond it.
    func requireSense(on items: [ItemView]) throws(ServiceError) {
        for item in items {
            if let refusal = ItemSort(item)?.refusal(of: self) {
                throw ServiceError("\(item.title.quoted) is \(refusal)")
            }
            if case .answer(let answer?) = self, let fault = item.faultyRank(in: answer) { throw ServiceError(fault) }
        }
        guard case .changeQuantity(let step) = self, step > 0 else { return }
        for item in items {
            let (sum, isOver) = (item.quantity ?? 0).addingReportingOverflow(step)
            guard isOver || sum > Limits.quantityStep else { continue }
            throw ServiceError(
                "a quantity is at most \(Limits.quantityStep), and there are \(item.quantity ?? 0) of "
                    + "\(item.title.quoted); give another number")
        }
    }
}

extension ItemView {
    /// What is wrong with an answer that ranks an option below all that there are; nil where nothing is. Such an answer still counts if
    /// an earlier version wrote it.
    fileprivate func faultyRank(in answer: Answer) -> String? {
        guard question?.method == .ranked, let last = answer.choices.map(\.number).max() else { return nil }
        // An option that is removed stays while somebody's answer has it.
        let answered = sayings.answers.flatMap { ($0.word.counted?.choices ?? []).map(\.option) }
        let options = sayings.options + answered + answer.choices.map(\.option)
        let count = Set(options.map { Array($0.utf8) }).count
        guard last > count else { return nil }
        return "\(title.quoted) has \(count == 1 ? "1 option" : "\(count) options"); give ranks from 1 to \(count)"
    }
}
