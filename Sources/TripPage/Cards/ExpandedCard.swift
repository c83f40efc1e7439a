import TripExchange
import TripModel
import TripService

extension TripPage {
    /// A card with all that is known of its item, and what can be done with it; its form where it is being edited.
    ///
    /// - Parameter id: the fragment's; a card is drawn once on a page, in one list or another.
    static func expandedCard(_ item: ItemView, id: String, notice: String? = nil, state: PageState) -> Fragment {
        let state = state.within(id)
        let frame = CardFrame(state, open: item)
        let isEditing = state.query.isEditing && state.mayEdit(item)
        return Fragment(
            id: id,
            html: tag(.article, .id(id), .class("card", "expanded"), .data(.card, item.shortID)) {
                tag(.header, .class("card-head")) {
                    picture(of: item, inTrip: state.tripID)
                    tag(.h3, .plain(.dir, "auto")) {
                        tag(
                            .a, .href(frame.target.link { $0.open = nil }), .data(.key, "Enter"),
                            .aria(.expanded, "true")
                        ) { item.title }
                        marks(of: item)
                        if item.isRemoved { tag(.span, .class("tag")) { "removed" } }
                    }
                    votesFragment(item, "card-votes") {
                        votePill(item, in: frame)
                        if !isEditing { ifNeedBeButton(item, in: frame) }
                    }
                }
                if let notice { tag(.p, .class("notice"), .plain(.dir, "auto")) { notice } }
                if isEditing {
                    editForm(item, state: state)
                    if item.isRemoved { removedBar(item, state: state) }
                    noteBox(of: item, state) ?? .none
                } else {
                    gallery(of: item, state: state)
                    photoView(of: item, state: state)
                    fieldRows(item, state: state)
                    placeCrop(item, state) ?? .none
                    noteBox(of: item, state) ?? .none
                    task(of: item, in: frame, state)
                    if !frame.people.isEmpty {
                        ballot(of: item, in: frame)
                        attendance(of: item, in: frame, PageTarget(state))
                    }
                    sayings(of: item, in: frame, state: state)
                    if item.quantity != nil {
                        stepper(item, PageTarget(state), mayEdit: state.mayEdit(item))
                        if state.mayEdit(item), !item.isRemoved { quantityForm(item, PageTarget(state)) }
                    }
                    photoForm(for: item, state: state)
                    if state.mayEdit(item) { actions(item, state: state) }
                }
                tag(.p, .class("origin")) {
                    "added by "
                    tag(.span, .plain(.dir, "auto")) { item.addedByName }
                    ", "
                    moment(item.addedAt, state: state)
                }
            })
    }

    /// The note as a box to write in; nil where its reader can't, and reads it among the fields.
    private static func noteBox(of item: ItemView, _ state: PageState) -> HTML? {
        guard state.mayWriteNote(of: item), let field = CardField.all.first(where: { $0.field == .note }) else {
            return nil
        }
        return noteBox(NoteText(item), label: field.label, placeholder: field.placeholder, state: state)
    }

    private static func fieldRows(_ item: ItemView, state: PageState) -> HTML {
        let (target, frame) = (PageTarget(state), CardFrame(state, open: item))
        let mayEdit = state.mayEdit(item) && !item.isRemoved
        let rows = state.mayWriteNote(of: item) ? CardField.rows.filter { $0.field != .note } : CardField.rows
        return .group([
            CardField.all.first.flatMap { alternatives(of: $0, item, in: frame, target, mayPick: mayEdit, limit: 20) }
                ?? .none,
            tag(.dl, .class("fields")) {
                for row in rows {
                    if let view = item.fields[row.field] {
                        tag(.div, .class("row", "row-" + row.field.name)) {
                            tag(.dt) { row.label }
                            tag(.dd) {
                                row.shown(view.value, in: frame)
                                if row.field == .price { each(of: item, in: frame) }
                                if mayEdit { pencil(row, item, target) }
                                alternatives(of: row, item, in: frame, target, mayPick: mayEdit, limit: 20)
                            }
                        }
                    }
                }
            },
        ])
    }

    private static func pencil(_ row: CardField, _ item: ItemView, _ target: PageTarget) -> HTML {
        let control = target.link(part: fieldID(row, item)) {
            $0.open = item.shortID
            $0.isEditing = true
        }
        return tag(
            .a, .class("pencil"), .href(control), .aria(.label, "Edit \(row.label.lowercased())")
        ) { "✎" }
    }

    private static func actions(_ item: ItemView, state: PageState) -> HTML {
        let target = PageTarget(state)
        return tag(.div, .class("actions")) {
            if item.isRemoved {
                actionButton(
                    .act(.restore, on: [item.shortID]), state: state, label: "Restore", class: "button primary")
            } else {
                tag(
                    .a, .class("button"), .data(.key, "e"),
                    .href(
                        target.link {
                            $0.open = item.shortID
                            $0.isEditing = true
                        })
                ) { "Edit" }
                if item.isToBring || item.isDone { tick(item, target, class: "button") }
                if state.mayEdit, !item.isToBring || item.isChosen { choice(item, target) }
                if item.quantity == nil, item.kind == .bring {
                    actionButton(
                        .act(.changeQuantity(by: 1), on: [item.shortID]), state: state, label: "Set a quantity")
                }
                if state.mayEdit, item.lacksDetails {
                    actionButton(.fetch(item.shortID), state: state, label: "Fetch details")
                    if !state.status.fetchesLinks {
                        actionButton(
                            .fetchLinks(true), state: state, label: "Always fetch",
                            description: "Always fetch details of links that you add", class: "button quiet")
                    }
                }
                actionButton(.act(.remove, on: [item.shortID]), state: state, label: "Remove", class: "button quiet")
            }
        }
    }

    // MARK: - Done, and how many

    /// The button that says that an item is done, or takes that back.
    static func tick(_ item: ItemView, _ target: PageTarget, class name: String) -> HTML {
        let action = PageAction.act(
            .edit([.done: item.isDone ? nil : Field.setValue], shown: [.done: item.standing(at: .done)]),
            on: [item.shortID])
        return actionForm(action.fields, target) {
            tag(
                .button, .class(name, "tick"), .plain(.type, "submit"), .aria(.pressed, item.isDone ? "true" : "false"),
                .aria(.label, "Done: \(item.title.displayed(limit: 80))")
            ) {
                tag(.span, .class("box"), .aria(.hidden, "true")) { item.isDone ? "✓" : "" }
                "Done"
            }
        }
    }

    /// How many there are, between a button for one less and one for one more.
    static func stepper(_ item: ItemView, _ target: PageTarget, mayEdit: Bool) -> HTML {
        let quantity = item.quantity ?? 0
        let hasSteps = mayEdit && !item.isRemoved
        return tag(.div, .class("stepper")) {
            if hasSteps { step(-1, "−", "One less of", item, target, isOff: quantity <= 0) }
            tag(hasSteps ? .output : .span, hasSteps ? .aria(.label, "How many") : nil) {
                hasSteps ? signed(Int(clamping: quantity)) : "×" + signed(Int(clamping: quantity))
            }
            if hasSteps { step(1, "+", "One more of", item, target, isOff: false) }
            if quantity < 0 { tag(.span, .class("notice")) { shortfall(quantity) } }
        }
    }

    /// A number to set in place of many steps.
    private static func quantityForm(_ item: ItemView, _ target: PageTarget) -> HTML {
        actionForm([("do", "set-quantity"), ("item", item.shortID)], target, class: "add") {
            tag(
                .input, .plain(.name, "quantity"), .plain(.type, "number"), .plain(.min, 0),
                .plain(.max, Int(Limits.quantityStep)), .plain(.value, String(max(item.quantity ?? 0, 0))),
                .flag(.required),
                .aria(.label, "Quantity of \(item.title.displayed(limit: 80))"))
            tag(.button, .class("button"), .plain(.type, "submit")) { "Set" }
        }
    }

    /// What a quantity below nothing means.
    private static func shortfall(_ quantity: Int64) -> String {
        quantity == -1 ? "One too many was taken" : "\(quantity.magnitude) too many were taken"
    }

    private static func step(
        _ by: Int64, _ sign: String, _ label: String, _ item: ItemView, _ target: PageTarget, isOff: Bool
    ) -> HTML {
        actionForm(PageAction.act(.changeQuantity(by: by), on: [item.shortID]).fields, target) {
            tag(
                .button, .plain(.type, "submit"), .flag(.disabled, isOff),
                .aria(.label, "\(label) \(item.title.displayed(limit: 80))")
            ) { sign }
        }
    }

    // MARK: - Editing

    /// All fields of an item as controls; each says what it showed, so that an edit replaces that and nothing else.
    private static func editForm(_ item: ItemView, state: PageState) -> HTML {
        let target = PageTarget(state)
        let done = target.link { $0.isEditing = false }
        var after = target
        after.query.isEditing = false
        let fields = [
            ("do", "edit"), ("item", item.shortID),
            ("fields", CardField.form.map(\.field.name).joined(separator: ",")),
        ]
        return actionForm(fields, after, class: "edit") {
            for row in CardField.form {
                switch row.field {
                case .dates: datePickers(row, item, state) ?? control(row, item, state)
                case .assignee: personPicker(row, item, state)
                default: control(row, item, state)
                }
            }
            // A removed item has another bar, with the button that restores it (`removedBar`).
            if !item.isRemoved {
                tag(.div, .class("actions", "save-bar")) {
                    tag(.button, .class("button", "primary"), .plain(.type, "submit")) { "Save" }
                    tag(.a, .class("button"), .href(done), .data(.mark, "cancel")) { "Cancel" }
                }
            }
        }
    }

    private static func fieldID(_ row: CardField, _ item: ItemView) -> String { "f-\(item.shortID)-\(row.field.name)" }

    /// What a control holds: the value of its field, or what was typed there and refused.
    private static func held(_ row: CardField, _ item: ItemView, _ state: PageState) -> String {
        let typed = state.typed(in: "edit", of: item.shortID)
        let days = [PageAction.firstDay, PageAction.lastDay].compactMap { typed?[$0]?.first }
        if row.field == .dates, days.count == 2 {
            return PageAction.joiningDays([(PageAction.firstDay, days[0]), (PageAction.lastDay, days[1])])[2].value
        }
        return typed?[row.field.name]?.first ?? item.fields[row.field]?.value ?? ""
    }

    /// The values that an edit of a field replaces.
    private static func shownValues(_ row: CardField, _ item: ItemView, _ state: PageState) -> [HTML] {
        let name = "shown-" + row.field.name
        let typed = state.typed(in: "edit", of: item.shortID)
        return (typed.map { $0[name] ?? [] } ?? item.standing(at: row.field)).map { hidden(name, $0) }
    }

    private static func fault(_ row: CardField, _ item: ItemView, _ state: PageState) -> HTML {
        let refused = state.toast?.refusedEdit
        return editFault(
            row.field, ofItem: item.shortID, refused?.item == item.shortID ? refused?.faults[row.field] : nil)
    }

    private static func control(_ row: CardField, _ item: ItemView, _ state: PageState) -> HTML {
        let view = item.fields[row.field]
        let id = fieldID(row, item)
        let value = held(row, item, state)
        let fault = Attribute.aria(.describedby, editFaultID(row.field, ofItem: item.shortID))
        return field(row, id: id, label: row.label, fault: Self.fault(row, item, state)) {
            if row.kind == .prose {
                tag(
                    .textarea, .id(id + "-input"), fault, .plain(.name, row.field.name), .plain(.rows, 3),
                    .plain(.placeholder, row.placeholder), .plain(.dir, "auto"),
                    .data(.shown, value), view.map { .data(.author, $0.shown.authorName) }
                ) { value }
            } else if row.field == .itemKind {
                kindPicker(value, row, id: id, author: view?.shown.authorName)
            } else {
                let isCalendar = row.kind == .day && isDay(value)
                let text = isCalendar ? value : row.typed(value)
                tag(
                    .input, .id(id + "-input"), fault, .plain(.name, row.field.name), .plain(.value, text),
                    .plain(.type, isCalendar ? "date" : "text"), row.inputMode.map { .plain(.inputmode, $0) },
                    isCalendar ? nil : .plain(.placeholder, row.placeholder), .plain(.autocomplete, "off"),
                    .plain(.dir, row.kind == .link || row.kind == .place ? "ltr" : "auto"),
                    .flag(.required, row.field == .title), .data(.shown, text),
                    view.map { .data(.author, $0.shown.authorName) })
            }
            shownValues(row, item, state)
        }
    }

    /// A calendar for the first day and one for the last; nil where the field holds what calendars cannot show.
    private static func datePickers(_ row: CardField, _ item: ItemView, _ state: PageState) -> HTML? {
        let view = item.fields[row.field]
        guard let days = PageAction.days(of: held(row, item, state)) else { return nil }
        let id = fieldID(row, item)
        let picker = { (id: String, name: String, value: String) in
            tag(
                .input, .id(id + "-input"), .plain(.name, name), .plain(.type, "date"), .plain(.value, value),
                .aria(.describedby, editFaultID(row.field, ofItem: item.shortID)), .data(.shown, value),
                view.map { .data(.author, $0.shown.authorName) })
        }
        return tag(.div, .class("field-pair")) {
            field(row, id: id, label: "First day", fault: fault(row, item, state)) {
                picker(id, PageAction.firstDay, days.first)
                shownValues(row, item, state)
            }
            field(row, id: id + "-to", label: "Last day") { picker(id + "-to", PageAction.lastDay, days.last) }
        }
    }

    /// A control with its label, and the lines that say what others wrote and what was left unsaved.
    private static func field(
        _ row: CardField, id: String, label: String, fault: HTML = .none, @HTMLBuilder control: () -> HTML
    ) -> HTML {
        tag(.div, .class("field", "field-" + row.field.name), .id(id)) {
            tag(.label, .plain(.for, id + "-input")) { label }
            control()
            fault
            tag(.p, .class("theirs"), .data(.mark, "theirs"), .flag(.hidden)) {
                tag(.span, .data(.mark, "said"), .plain(.dir, "auto"))
                " "
                tag(.button, .class("text"), .plain(.type, "button"), .data(.mark, "keep")) { "keep mine" }
                " "
                tag(.button, .class("text"), .plain(.type, "button"), .data(.mark, "take")) { "use theirs" }
            }
            tag(.p, .class("theirs"), .data(.mark, "left"), .flag(.hidden)) {
                tag(.span, .data(.mark, "unsaved"), .plain(.dir, "auto"))
                " "
                tag(.button, .class("text"), .plain(.type, "button"), .data(.mark, "keep-left")) { "keep" }
                " "
                tag(.button, .class("text"), .plain(.type, "button"), .data(.mark, "discard")) { "discard" }
            }
        }
    }

    /// Whether a calendar can show a value: no time of day.
    private static func isDay(_ value: String) -> Bool { value.isEmpty || Day(value) != nil }

    /// Those who are in to choose from, nobody, and the present assignee, who may be out.
    private static func personPicker(_ row: CardField, _ item: ItemView, _ state: PageState) -> HTML {
        let (group, view) = (state.trip.group, item.fields[row.field])
        let value = held(row, item, state)
        let people = group.members.map { (value: $0.id.description, label: $0.displayName) }
        let isThere = value.isEmpty || people.contains { $0.value == value }
        let other = isThere ? [] : [(value: value, label: row.field.words(of: value, group.name))]
        let id = fieldID(row, item)
        return field(row, id: id, label: row.label) {
            select(
                [(value: "", label: "Nobody")] + people + other, chosen: value, row, id: id,
                author: view?.shown.authorName)
            shownValues(row, item, state)
        }
    }

    /// The kinds to choose from, and none. A kind that this version does not know stays as it is unless another is chosen.
    private static func kindPicker(_ value: String, _ row: CardField, id: String, author: String?) -> HTML {
        let known = ItemKind.allCases.map { (value: $0.rawValue, label: $0.label) }
        let isKnown = value.isEmpty || known.contains { $0.value == value }
        let options = [(value: "", label: "No kind")] + known + (isKnown ? [] : [(value: value, label: value)])
        return select(options, chosen: value, row, id: id, author: author)
    }

    private static func select(
        _ options: [(value: String, label: String)], chosen value: String, _ row: CardField, id: String,
        author: String?
    ) -> HTML {
        tag(
            .select, .id(id + "-input"), .plain(.name, row.field.name), .data(.shown, value),
            author.map { .data(.author, $0) }
        ) {
            for option in options {
                tag(.option, .plain(.value, option.value), .flag(.selected, option.value == value)) { option.label }
            }
        }
    }
}

extension ItemKind {
    /// As people choose it.
    var label: String {
        switch self {
        case .stay: "Stay"
        case .activity: "Activity"
        case .bring: "Packing list"
        case .idea: "Idea"
        case .dates: "Dates"
        }
    }
}
