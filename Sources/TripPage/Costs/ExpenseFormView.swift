import TripModel
import TripService

extension TripPage {
    /// The form of a new expense, or of the one that the query opens; nothing if none is wanted.
    static func expenseForm(_ state: PageState, _ costs: Costs) -> HTML {
        guard state.query.isEditing, state.mayEdit else { return .none }
        let edited = state.query.open.flatMap { open in costs.expenses.first { $0.item.shortID == open } }
        if state.query.open != nil, edited == nil {
            return tag(.p, .class("note", "warning")) { "That expense is no longer there." }
        }
        let refused = state.toast?.refused.flatMap { $0.form.item == edited?.item.shortID ? $0 : nil }
        let form = refused?.form ?? edited.map { ExpenseForm($0) } ?? newExpense(state, costs)
        let id = formID(form.item)
        return tag(.section, .class("view", "expense"), .aria(.labelledby, id + "-heading")) {
            tag(.h2, .id(id + "-heading"), .plain(.dir, "auto")) {
                edited.map { "Edit \($0.item.title.displayed(limit: 120).quoted)" } ?? "Add an expense"
            }
            if let edited, edited.versions > 1 {
                tag(.p, .class("note", "warning")) {
                    "\(edited.versions) versions were written at the same time. Saving keeps what this form says."
                }
            }
            controls(form, refused?.faults ?? [:], state, costs)
            if let edited {
                // It closes what it stands in, as the form itself does.
                actionForm(
                    PageAction.act(.remove, on: [edited.item.shortID]).fields, costsTarget(state), mark: "whole"
                ) {
                    tag(.button, .class("button", "danger"), .plain(.type, "submit")) { "Remove this expense" }
                }
            }
        }
    }

    static func formID(_ item: String?) -> String { "cost-form" + (item.map { "-" + $0 } ?? "") }

    /// The view of costs without a form.
    static func costsTarget(_ state: PageState) -> PageTarget {
        var query = PageQuery()
        query.view = .costs
        return PageTarget(tripID: state.tripID, query: query)
    }

    /// Where the form of an expense is, or of a new one.
    static func formLink(_ item: String?, _ state: PageState) -> Link {
        costsTarget(state).link(part: formID(item)) {
            $0.open = item
            $0.isEditing = true
        }
    }

    /// Paid by its reader today, for everybody.
    private static func newExpense(_ state: PageState, _ costs: Costs) -> ExpenseForm {
        var form = ExpenseForm()
        form.currency = costs.home?.code ?? ""
        form.payers = state.viewer.participant.map { [ExpenseForm.Person("\($0)")] } ?? []
        form.sharers = people(of: form, state).map { ExpenseForm.Person($0.id) }
        form.dates = String(
            CivilTime(milliseconds: state.now, offset: state.secondsFromUTC).toTheMinute.prefix(dayCharacters))
        return form
    }

    private static let dayCharacters = 10

    /// Everybody who is in, the reader first, and those of the expense who left; as many as a cost may have.
    private static func people(of form: ExpenseForm, _ state: PageState) -> [(id: String, name: String)] {
        let members = state.trip.group.members.map(\.id)
        let you = state.viewer.participant
        let gone = (form.payers + form.sharers).compactMap { ParticipantID($0.id) }.filter { !members.contains($0) }
        let all = members.filter { $0 == you } + members.filter { $0 != you } + Set(gone).sorted()
        return all.prefix(Limits.sharersMax).map { ("\($0)", costName($0, state)) }
    }

    // MARK: - Its controls

    private static func controls(
        _ form: ExpenseForm, _ faults: [ExpenseForm.Part: String], _ state: PageState, _ costs: Costs
    ) -> HTML {
        let target = costsTarget(state)
        let id = formID(form.item)
        let everybody = people(of: form, state)
        return actionForm(form.hiddenFields, target, class: "expense-form", id: id, mark: "whole") {
            textControl(
                "What for", .title, "title", form.title, id, faults, isRequired: true,
                placeholder: "Dinner")
            tag(.div, .class("amount")) {
                textControl(
                    "Amount", .amount, "amount", form.amount, id, faults, isRequired: true,
                    placeholder: "84", mode: "decimal")
                textControl(
                    "Currency", .amount, "currency", form.currency, id, faults, hasLine: false)
            }
            peopleControl("Who paid", .payers, form.payers, everybody, id, faults) { "What \($0) paid" }
            peopleControl("Who shares it", .sharers, form.sharers, everybody, id, faults, way: form.way) {
                "\($0): share"
            }
            textControl(
                "Date", .dates, "dates", form.dates, id, faults,
                type: form.dates.isEmpty || form.dates.utf8.count == dayCharacters ? "date" : "text")
            tag(
                .details, .class("more"),
                .flag(.open, !(form.category + form.note + form.rate + (faults[.rate] ?? "")).isEmpty)
            ) {
                tag(.summary) { "Category, note, exchange rate" }
                tag(.div) {
                    textControl(
                        "Category", nil, "category", form.category, id, faults,
                        placeholder: "Food")
                    textControl(
                        "Exchange rate, to count it in another currency", .rate, "rate", form.rate, id,
                        faults, placeholder: "0.95 " + (costs.home?.code ?? "EUR"))
                    noteControl(form, id)
                }
            }
            tag(.div, .class("actions", "save-bar")) {
                tag(.button, .class("button", "primary"), .plain(.type, "submit")) { "Save" }
                tag(.a, .class("button"), .href(target.link { _ in }), .data(.mark, "cancel")) { "Cancel" }
            }
        }
    }

    private static func textControl(
        _ label: String, _ part: ExpenseForm.Part?, _ name: String, _ value: String, _ id: String,
        _ faults: [ExpenseForm.Part: String], isRequired: Bool = false, placeholder: String? = nil,
        type: String = "text", mode: String? = nil, hasLine: Bool = true
    ) -> HTML {
        let isFaulty = part.map { faults[$0] != nil } ?? false
        return tag(.div, .class("control", "control-" + name)) {
            tag(.label, .plain(.for, "\(id)-\(name)")) { label }
            tag(
                .input, .id("\(id)-\(name)"), .plain(.name, name), .plain(.type, type), .plain(.value, value),
                placeholder.map { .plain(.placeholder, $0) },
                mode.map { .plain(.inputmode, $0) }, .plain(.autocomplete, "off"), .plain(.dir, "auto"),
                .flag(.required, isRequired), part.map { .aria(.describedby, faultID($0, id)) },
                isFaulty ? .aria(.invalid, "true") : nil)
            if let part, hasLine { faultLine(part, id, faults) }
        }
    }

    private static func noteControl(_ form: ExpenseForm, _ id: String) -> HTML {
        tag(.div, .class("control", "control-note")) {
            tag(.label, .plain(.for, id + "-note")) { "Note" }
            tag(
                .textarea, .id(id + "-note"), .plain(.name, "note"), .plain(.rows, 2),
                .plain(.dir, "auto")
            ) { form.note }
        }
    }

    /// A tick for each person, and a number where it says something: the style sheet hides the others.
    private static func peopleControl(
        _ legend: String, _ part: ExpenseForm.Part, _ ticked: [ExpenseForm.Person],
        _ everybody: [(id: String, name: String)], _ id: String, _ faults: [ExpenseForm.Part: String],
        way: Cost.Way? = nil, label: (String) -> String
    ) -> HTML {
        let (name, number) = way == nil ? ("payer", "paid-") : ("sharer", "share-")
        let numbers = Dictionary(ticked.map { ($0.id, $0.number) }) { first, _ in first }
        return tag(.fieldset, .class(part.rawValue), .aria(.describedby, faultID(part, id))) {
            tag(.legend) { legend }
            if let way { wayPicker(way, id) }
            tag(.div, .class("tick-list")) {
                for person in everybody {
                    let personID = "\(id)-\(name)-\(person.id)"
                    tag(
                        .input, .id(personID), .plain(.type, "checkbox"), .plain(.name, name),
                        .plain(.value, person.id),
                        .flag(.checked, numbers[person.id] != nil))
                    tag(.label, .plain(.for, personID)) { isolated(person.name) }
                    tag(
                        .input, .class("number"), .plain(.type, "text"), .plain(.name, number + person.id),
                        .plain(.value, numbers[person.id] ?? ""), .plain(.inputmode, "decimal"),
                        .plain(.autocomplete, "off"),
                        .aria(.label, label(person.name)))
                }
            }
            faultLine(part, id, faults)
        }
    }

    private static func wayPicker(_ way: Cost.Way, _ id: String) -> HTML {
        tag(.div, .class("control")) {
            tag(.label, .class("unseen"), .plain(.for, id + "-way")) { "How it is shared" }
            tag(.select, .id(id + "-way"), .plain(.name, "way")) {
                for one in Cost.Way.allCases {
                    tag(.option, .plain(.value, one.rawValue), .flag(.selected, one == way)) { one.label }
                }
            }
        }
    }

    // MARK: - What is wrong

    private static func faultID(_ part: ExpenseForm.Part, _ id: String) -> String { "\(id)-fault-\(part.rawValue)" }

    private static func faultLine(
        _ part: ExpenseForm.Part, _ id: String, _ faults: [ExpenseForm.Part: String]
    ) -> HTML {
        tag(.p, .id(faultID(part, id)), .class("fault"), .data(.mark, "fault"), .plain(.dir, "auto")) { faults[part] }
    }

    /// The lines beneath all parts of a form that was refused.
    package static func faultLines(_ refused: RefusedExpense) -> [Fragment] {
        let id = formID(refused.form.item)
        return ExpenseForm.Part.allCases.map {
            Fragment(id: faultID($0, id), html: faultLine($0, id, refused.faults))
        }
    }
}

extension Cost.Way {
    fileprivate var label: String {
        switch self {
        case .equally: "Equally"
        case .parts: "By parts"
        case .exactly: "By exact amounts"
        case .percent: "By percent"
        }
    }
}
