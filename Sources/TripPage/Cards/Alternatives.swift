import TripModel

extension TripPage {
    /// What was proposed for a field at the same time, each with the button that picks it. Nothing where one value stands.
    static func alternatives(
        of row: CardField, _ item: ItemView, in frame: CardFrame, _ target: PageTarget, mayPick: Bool, limit: Int
    ) -> HTML? {
        guard let view = item.fields[row.field], !view.alternatives.isEmpty else { return nil }
        let shown = view.alternatives.prefix(limit)
        return tag(.div, .class("also")) {
            for proposal in shown {
                let isYours = proposal.author == frame.you
                let what = row.field == .title ? ": " : " for \(row.label.lowercased()): "
                let sentence = HTML.group([
                    isYours ? HTML.text("You") : tag(.span, .plain(.dir, "auto")) { proposal.authorName },
                    .text((isYours ? " suggest" : " suggests") + what),
                    tag(.em, .plain(.dir, "auto")) { row.summary(proposal.value, in: frame) },
                ])
                if mayPick, !item.isRemoved {
                    actionForm(
                        PageAction.pick(proposal.value, for: row.field, of: item).fields, target, class: "also-one"
                    ) {
                        tag(.span) { sentence }
                        " "
                        tag(
                            .button, .class("text"),
                            .aria(
                                .label,
                                "use this: \((row.kind == .person ? row.summary(proposal.value, in: frame) : proposal.value).displayed(limit: 80))"
                            )
                        ) { "use this" }
                    }
                } else {
                    tag(.p, .class("also-one")) { tag(.span) { sentence } }
                }
            }
            if view.alternatives.count > limit {
                tag(.p, .class("also-one")) { "and \(view.alternatives.count - limit) more" }
            }
        }
    }
}

extension CardField {
    /// A value in a few words.
    func summary(_ value: String, in frame: CardFrame) -> String {
        if kind == .link, let address = WebAddress(value) { return address.title }
        if kind == .dates || kind == .day, let dates = DateSpan(value) { return dates.words(in: frame.year) }
        if kind == .person { return field.words(of: value, frame.group.name) }
        return value.displayed(limit: 120)
    }
}

extension PageAction {
    /// Makes one of several proposals the value that stands, in place of all that are shown.
    static func pick(_ value: String, for field: Field, of item: ItemView) -> PageAction {
        .act(.edit([field: value], shown: [field: item.standing(at: field)]), on: [item.shortID])
    }
}

extension ItemView {
    /// All values that stand at a field, the one that is shown first.
    func standing(at field: Field) -> [String] {
        guard let view = fields[field] else { return [] }
        return [view.value] + view.alternatives.map(\.value)
    }
}
