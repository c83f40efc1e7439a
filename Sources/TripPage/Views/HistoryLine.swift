package import TripModel

extension TripPage {
    /// What one change did, in a sentence for each kind of thing, with the face of who did it.
    package static func historyLine(_ entry: HistoryEntry, names: HistoryNames, state: PageState) -> HTML {
        let wording = HistoryWording(names, state: state)
        return historyLine(entry, wording: wording, state: state)
    }

    static func historyLine(_ entry: HistoryEntry, wording: HistoryWording, state: PageState) -> HTML {
        tag(.div, .class("deed")) {
            avatar(
                entry.participant, name: wording.name(of: entry.participant),
                isYou: entry.participant == state.viewer.participant, isDecoration: true)
            tag(.div, .class("deed-text")) {
                for (index, sentence) in wording.sentences(entry).enumerated() {
                    tag(.p) {
                        if index == 0 {
                            tag(.strong, .plain(.dir, "auto")) { wording.name(of: entry.participant) }
                            " "
                        }
                        sentence
                    }
                }
                tag(.p, .class("hint")) { moment(entry.wallTime, state: state) }
            }
        }
    }
}

extension Toast {
    /// Says what undoing did, as the history tells it.
    package init(undone view: HistoryView, state: PageState) {
        let told = "Undid your last change"
        guard let last = view.entries.last else {
            // What is undone of a wish list has no line in the history.
            self.init(told)
            return
        }
        // Of an import, all its parts.
        let deed = HistoryEntry(
            participant: last.participant, stamp: last.stamp, wallTime: last.wallTime,
            events: view.entries.flatMap(\.events).filter { $0 != .undid })
        let wording = HistoryWording(view.names, state: state)
        let sentences = wording.sentences(deed).map(\.words).joined(separator: "; ").displayed(limit: 200)
        self.init("\(told). \(wording.name(of: deed.participant)) \(sentences)")
    }
}

/// The words in which a history is told: `TerminalText.history` says the same in a terminal.
struct HistoryWording {
    private let people: [ParticipantID: ParticipantView]
    private let items: [ItemID: String]
    /// Of those items: the costs, and who is to do a task.
    private let costs: Set<ItemID>
    private let assignees: [ItemID: ParticipantID]
    private let state: PageState

    /// - Parameter trip: the whole trip, where the state has what is planned only. O(n) in its items.
    init(_ names: HistoryNames, state: PageState, trip: TripView? = nil) {
        people = Dictionary(names.people.map { ($0.id, $0) }) { first, _ in first }
        items = Dictionary(names.items.map { ($0.id, $0.shortID) }) { first, _ in first }
        let trip = trip ?? state.trip
        var costs: Set<ItemID> = []
        var assignees: [ItemID: ParticipantID] = [:]
        for list in [trip.items, trip.removedItems] {
            for item in list where items[item.id] != nil {
                if item.isOfCosts { costs.insert(item.id) }
                if let assignee = item.assignee { assignees[item.id] = assignee }
            }
        }
        (self.costs, self.assignees) = (costs, assignees)
        self.state = state
    }

    func name(of participant: ParticipantID) -> String { people[participant]?.displayName ?? "someone" }

    /// A newcomer may not have acted yet, but gave a name when they joined.
    private func name(of participant: ParticipantID, given: String) -> String {
        if let view = people[participant], view.name != nil { return view.displayName }
        return given.isBlank ? name(of: participant) : given.displayed(limit: 64)
    }

    /// Without who did it. Items of which the same is said share a sentence.
    func sentences(_ entry: HistoryEntry) -> [HTML] {
        var sentences: [HTML] = []
        var run: (event: ItemEvent, isBack: Bool)?
        var things: [Thing] = []
        func endRun() {
            if let ended = run {
                sentences.append(sentence(ended.event, things, by: entry.participant, broughtBack: ended.isBack))
            }
            (run, things) = (nil, [])
        }
        for event in entry.events {
            guard case .item(let id, let title, let deed, let isBack) = event else {
                endRun()
                sentences.append(sentence(event))
                continue
            }
            let lead = { (item: ItemID) in self.lead(deed, item, by: entry.participant) }
            if let current = run, let last = things.last,
                current.event != deed || current.isBack != isBack || lead(last.id) != lead(id)
            {
                endRun()
            }
            run = (deed, isBack)
            things.append((id, title))
        }
        endRun()
        return sentences
    }

    private typealias Thing = (id: ItemID, title: String)

    private func link(to item: ItemID, title: String) -> HTML {
        let text = title.isEmpty ? "something" : title.displayed(limit: 80)
        guard let shortID = items[item] else { return .text(text) }
        return tag(.a, .href(TripPage.address(.cards, state: state, open: shortID)), .plain(.dir, "auto")) { text }
    }

    /// How a vote on a cost is told, and the answer of the person who is to do a task: in the words of their buttons.
    private func lead(_ event: ItemEvent, _ item: ItemID, by author: ParticipantID?) -> String? {
        let isOwnTask = author != nil && assignees[item] == author
        return switch event {
        case .voted(vote: .against) where costs.contains(item): "disputed "
        case .unvoted where costs.contains(item): "withdrew their dispute of "
        case .answered(.notGoing) where isOwnTask: "can’t do "
        case .answered where isOwnTask: "will do "
        default: nil
        }
    }

    private func sentence(_ event: HistoryEvent) -> HTML {
        switch event {
        case .item(let id, let title, let deed, let isBack):
            sentence(deed, [(id, title)], by: nil, broughtBack: isBack)
        case .titled(let title, let old, let siblings, let omitted):
            .group(["named the trip ", quoted(title), circumstances(old, siblings, omitted)])
        case .named(let name, let old):
            if let old {
                .group(["changed their name from ", quoted(old), " to ", quoted(name)])
            } else {
                "joined"
            }
        case .list(_, let title, .added): .group(["created the list ", quoted(title)])
        case .list(_, let title, .edited(let edits)):
            .group(["changed the list ", quoted(title), ": "] + edits.flatMap { [.text("; "), part($0)] }.dropFirst())
        case .list(_, let title, .removed(let stays)):
            .group([
                "removed the list ", quoted(title),
                stays ? ", but somebody added something to it at the same time, so it stays" : .none,
            ])
        case .list(_, let title, .restored): .group(["restored the list ", quoted(title)])
        case .noted(let added, let removed): .group(["wrote in the trip’s note"] + noted(added, removed))
        case .undid: "undid an earlier change:"
        case .founded: "started the trip"
        case .letIn(let participant, let name, .participant):
            .group(["admitted ", TripPage.isolated(self.name(of: participant, given: name))])
        // Only its own person lets a device in.
        case .letIn(_, _, .device): "added another device"
        case .letIn(let participant, let name, .guest):
            .group(["admitted ", TripPage.isolated(self.name(of: participant, given: name)), " as a guest"])
        case .left: "left"
        case .tookOut(_, let name): .group(["removed ", TripPage.isolated(name.displayed(limit: 64))])
        case .endedDevice(let name): .group(["removed their device ", quoted(name.displayed(limit: 64))])
        case .invited(_, true): "made an invite for another device"
        case .invited(let uses, false): .text("made an invite for \(uses == 1 ? "one person" : "\(uses) people")")
        case .closedInvite: "canceled an invite"
        }
    }

    /// What came and what went in a note.
    private func noted(_ added: String, _ removed: String) -> [HTML] {
        let (added, removed) = (TextClasses.trimmed(added), TextClasses.trimmed(removed))
        return (added.isEmpty ? [] : [": ", quoted(added)]) + (removed.isEmpty ? [] : [", without ", quoted(removed)])
    }

    private func sentence(
        _ event: ItemEvent, _ things: [Thing], by author: ParticipantID?, broughtBack: Bool
    ) -> HTML {
        // Of thousands that were added at once, four are named.
        let named = things.prefix(things.count > 4 ? 3 : 4).map(link)
        let what = TripPage.series(named.count < things.count ? named + [.text("\(things.count - 3) more")] : named)
        let back = broughtBack ? ", which brought \(things.count == 1 ? "it" : "them") back" : ""
        if let lead = things.first.flatMap({ self.lead(event, $0.id, by: author) }) {
            return .group([.text(lead), what, .text(back)])
        }
        let told: HTML =
            switch event {
            case .added(let quantity, let list, let cost, let asks):
                .group([
                    asks ? "asked " : "added ", what, .text(quantity.map { " ×\($0)" } ?? ""),
                    .text(cost.map { ", " + Field.cost.words(of: $0) } ?? ""),
                    list.map { .group([" to ", quoted($0)]) } ?? .none,
                ])
            case .claimed(let count): .group([.text(count == 1 ? "is bringing " : "is bringing \(count) of "), what])
            case .unclaimed: .group(["is no longer bringing ", what])
            case .answered(let attendance): .group([.text(attendance.words + " "), what])
            case .unanswered: .group(["withdrew their answer for ", what])
            case .noted(let added, let removed): .group(["wrote in the note of ", what] + noted(added, removed))
            case .commented(let text): .group(["commented on ", what, ": ", quoted(text)])
            case .uncommented: .group(["deleted a comment on ", what])
            case .recommented(let text): .group(["restored a comment on ", what, ": ", quoted(text)])
            case .moved(let list, let isWithin):
                .group([
                    "moved ", what,
                    list.map { .group([isWithin == true ? " within " : " to ", quoted($0)]) } ?? .none,
                ])
            case .amenitiesChanged(let added, let removed):
                .group([
                    "noted that ", what, " ",
                    TripPage.series(
                        (added.map { "has \($0)" } + removed.map { "no longer has \($0)" }).map { .text($0) }),
                ])
            case .replied(let question, let answer?):
                .group([
                    "answered ", what,
                    .text(": " + (Question(question)?.words(of: answer, in: state.year) ?? "").displayed(limit: 160)),
                ])
            case .replied(_, nil): .group(["withdrew their answer to ", what])
            case .sealedReply: .group(["gave a hidden answer to ", what])
            case .revealed(let question, let answer):
                .group([
                    "answered ", what,
                    .text(
                        ": " + (Question(question)?.words(of: answer, in: state.year) ?? "").displayed(limit: 160)
                            + " (was hidden)"),
                ])
            case .optionsChanged(let added, let removed):
                .group([
                    "changed the options of ", what, ": ",
                    TripPage.series(
                        added.map { .group(["added ", quoted($0)]) } + removed.map { .group(["removed ", quoted($0)]) }),
                ])
            case .closed: .group(["closed ", what])
            case .reopened: .group(["opened ", what, " again"])
            case .removed(let upholders): .group(["removed ", what, upheld(upholders)])
            case .restored: .group(["restored ", what])
            case .voted(let vote):
                vote == .ifNeedBe
                    ? .group(["marked ", what, " as OK if need be"]) : .group([.text("voted \(vote.name) "), what])
            case .unvoted: .group(["withdrew their vote on ", what])
            case .counted(let step):
                .group(["changed the quantity of ", what, .text(" by \(step < 0 ? "−" : "+")\(step.magnitude)")])
            case .attached(let count): .group(["added ", .text(TripPage.photos(count)), " to ", what])
            case .detached(let count): .group(["removed ", .text(TripPage.photos(count)), " from ", what])
            case .edited(let edits): edited(what, edits, by: author)
            }
        return .group([told, .text(back)])
    }

    private func edited(_ what: HTML, _ edits: [FieldEdit], by author: ParticipantID?) -> HTML {
        if let task = FieldEdit.task(in: edits) {
            let isOwn = task.assignee.value == author?.description
            let person = HTML.group([" to ", TripPage.isolated(shown(task.assignee.value ?? "", of: .assignee))])
            return .group([
                isOwn ? "took " : "gave ", what, isOwn ? .none : person, circumstances(task.assignee),
                task.due.map { .group([.text(", due \(shown($0.value ?? "", of: .due))"), circumstances($0)]) }
                    ?? .none,
            ])
        }
        if let plan = FieldEdit.plan(in: edits) {
            return .group([
                "planned ", what, .text(" for \(shown(plan.value ?? "", of: plan.field))"), circumstances(plan),
            ])
        }
        if let edit = FieldEdit.withdrawal(in: edits) { return withdrawal(edit, of: what) }
        if let day = FieldEdit.unplan(in: edits) { return .group(["took ", what, " off its day", circumstances(day)]) }
        guard edits.count == 1, let edit = edits.first else {
            let parts = edits.flatMap { [.text("; "), part($0)] }.dropFirst()
            return .group(["edited ", what, ": "] + parts)
        }
        if edit.field == .done {
            return .group([.text(edit.value == nil ? "marked as not done: " : "marked as done: "), what])
        }
        if edit.field == .chosen {
            return .group([.text(edit.value == nil ? "no longer chooses " : "chose "), what])
        }
        guard let value = edit.value else {
            return .group([
                .text("cleared the \(edit.field.noun) of "), what, circumstances(edit),
            ])
        }
        let lead = edit.field == .title ? "renamed " : "set the \(edit.field.noun) of "
        return .group([.text(lead), what, " to ", quoted(shown(value, in: edit)), circumstances(edit)])
    }

    /// Of several values or marks of a field, one that was withdrawn, and what stays.
    private func withdrawal(_ edit: FieldEdit, of what: HTML) -> HTML {
        let name = edit.field.noun
        if edit.field.kind == .flag {
            return .group([.text("withdrew the mark “\(name)” of "), what, ", but ", marks(edit)])
        }
        let isDay = edit.field == .dates
        let words = { (value: String) -> HTML in
            isDay ? .text(shown(value, in: edit)) : quoted(shown(value, in: edit))
        }
        // Where others wrote the same value, nothing of it is gone.
        let isSame = edit.insteadOf.isEmpty
        let gone = TripPage.series(edit.insteadOf.map(words))
        let opening: [HTML] =
            isSame
            ? [.text("withdrew the \(isDay ? "day" : name) of ")]
            : isDay ? ["withdrew ", gone, " for "] : [.text("withdrew the \(name) "), gone, " of "]
        let ending = "; it \(isSame ? "stays" : "is") \(isDay ? "on " : "")"
        return .group(opening + [what, .text(ending), words(edit.siblings[0]), others(edit)])
    }

    /// Who gave the same mark: "Noah’s stays".
    private func marks(_ edit: FieldEdit) -> HTML {
        let authors = edit.siblingAuthors.map { author in
            HTML.group([TripPage.isolated(name(of: author)), "’s"])
        }
        return .group([
            authors.isEmpty ? "another one" : TripPage.series(authors), authors.count > 1 ? " stay" : " stays",
        ])
    }

    /// Who wrote the one value that stays: " (Noah)". Where several stay, the others.
    private func others(_ edit: FieldEdit) -> HTML {
        guard edit.siblings.count == 1, edit.omitted == nil, !edit.siblingAuthors.isEmpty else {
            let rest = edit.siblings.dropFirst().map { shown($0, in: edit) }
            return circumstances([], rest, edit.omitted, by: edit.siblingAuthors.map { name(of: $0) })
        }
        let authors = edit.siblingAuthors.map { TripPage.isolated(name(of: $0).displayed(limit: 64)) }
        return .group([" (", TripPage.series(authors), ")"])
    }

    private func part(_ edit: FieldEdit) -> HTML {
        if edit.field.kind == .flag {
            let name = edit.field.name
            if edit.isWithdrawal { return .group([.text("mark “\(name)” withdrawn, but "), marks(edit)]) }
            return .text((edit.value == nil ? "not " : "") + name)
        }
        if edit.isWithdrawal {
            let values = { (texts: [String]) in texts.map { quoted(shown($0, in: edit)) } }
            let gone = TripPage.series(values(edit.insteadOf))
            return .group([
                .text("\(edit.field.noun) "), gone, edit.insteadOf.isEmpty ? .none : " ", "withdrawn, now ",
                quoted(shown(edit.siblings[0], in: edit)), others(edit),
            ])
        }
        let value = edit.value.map { quoted(shown($0, in: edit)) } ?? "cleared"
        return .group([.text("\(edit.field.noun) "), value, circumstances(edit)])
    }

    private func upheld(_ upholders: [Upholder]) -> HTML {
        guard !upholders.isEmpty else { return .none }
        let deeds = upholders.map { upholder in
            HTML.group([
                TripPage.isolated(name(of: upholder.participant)),
                .text(
                    " had "
                        + (upholder.vote.map { $0 == .ifNeedBe ? "marked it as OK if need be" : "voted \($0.name) it" }
                            ?? "edited it")),
            ])
        }
        return .group([", but ", TripPage.series(deeds), " at the same time, so it stays"])
    }

    private func circumstances(_ edit: FieldEdit) -> HTML {
        let words = { (values: [String]) in values.map { shown($0, in: edit) } }
        return circumstances(
            words(edit.insteadOf), words(edit.siblings), edit.omitted, by: edit.siblingAuthors.map { name(of: $0) })
    }

    /// A value as people read it.
    private func shown(_ value: String, of field: Field) -> String {
        field.words(of: value, in: state.year) { name(of: $0) }
    }

    /// A value of an edit: of a cost, also who paid and who shares it where only that changed.
    private func shown(_ value: String, in edit: FieldEdit) -> String {
        let words = edit.words(in: state.year) { name(of: $0) }
        return words(value)
    }

    private func circumstances(
        _ old: [String], _ siblings: [String], _ omitted: Int?, by authors: [String] = []
    ) -> HTML {
        var parts: [[HTML]] = []
        if !old.isEmpty { parts.append(["was ", TripPage.series(old.map(quoted))]) }
        if !siblings.isEmpty {
            let writers: HTML =
                authors.isEmpty
                ? "somebody else" : TripPage.series(authors.map { TripPage.isolated($0.displayed(limit: 64)) })
            parts.append([writers, " also wrote ", TripPage.series(siblings.map(quoted))])
        }
        if let omitted { parts.append([.text("and \(omitted) more")]) }
        guard !parts.isEmpty else { return .none }
        return .group([" ("] + parts.joined(separator: ["; "]) + [")"])
    }

    /// A value in quotation marks, on one line and not longer than a line or two.
    private func quoted(_ text: String) -> HTML {
        .group(["“", TripPage.isolated(text.displayed(limit: 120)), "”"])
    }
}
