package import TripModel

extension TerminalText {
    /// The text of `caravan history`: a line for each thing done, oldest first. What one person writes in a note is one.
    package static func history(
        _ entries: [HistoryEntry], _ names: HistoryNames, style: TextStyle = TextStyle()
    ) -> String {
        if entries.isEmpty { return "No change matches.\n" }
        let names = Names(names)
        var lines: [String] = []
        for entry in entries.joiningNotes() {
            let time = style.time(entry.wallTime)
            for (index, sentence) in sentences(entry, names).enumerated() {
                let lead = index == 0 ? "\(time)  " : String(repeating: " ", count: time.utf8.count + 2)
                let wrapped = style.wrap(sentence, beside: time.utf8.count + 4)
                lines.append(lead + (wrapped.first ?? ""))
                lines += wrapped.dropFirst().map { String(repeating: " ", count: time.utf8.count + 4) + $0 }
            }
        }
        return text(lines)
    }

    /// What one change did, in sentences: "Jie added “Cabin”, “Hut” and 3 more". Each on one line.
    package static func sentences(_ entry: HistoryEntry, _ names: HistoryNames) -> [String] {
        sentences(entry, Names(names))
    }

    private static func sentences(_ entry: HistoryEntry, _ names: Names) -> [String] {
        let names = names.of(entry.participant)
        var sentences: [String] = []
        var run: ItemRun?
        for event in entry.events {
            if case .item(_, let title, let event, let broughtBack) = event {
                let next = ItemRun(event, broughtBack: broughtBack, title: title, names)
                if run?.isLike(next) ?? false {
                    run?.titles.append(title)
                } else {
                    if let run { sentences.append(run.sentence) }
                    run = next
                }
            } else {
                if let run { sentences.append(run.sentence) }
                run = nil
                sentences.append(sentence(event, names))
            }
        }
        if let run { sentences.append(run.sentence) }
        let name = names[entry.participant]
        return sentences.map { "\(name) \($0)".displayed() }
    }

    private static func sentence(_ event: HistoryEvent, _ names: Names) -> String {
        switch event {
        case .titled(let title, let old, let siblings, let omitted):
            "\(old.isEmpty ? "named the trip" : "renamed the trip to") \(quoted(title))"
                + circumstances(old, siblings, omitted)
        case .named(let name, let old):
            old.map { "changed their name from \(quoted($0)) to \(quoted(name))" } ?? "joined as \(quoted(name))"
        case .item(_, let title, let event, let broughtBack):
            ItemRun(event, broughtBack: broughtBack, title: title, names).sentence
        case .list(_, let title, .added): "created the list \(quoted(title))"
        case .list(_, let title, .edited(let edits)):
            "edited the list \(quoted(title)): " + edits.map { ItemRun.sentence($0, names) }.joined(separator: "; ")
        case .list(_, let title, .removed(let stays)):
            "removed the list \(quoted(title))"
                + (stays ? ", but it stays, because someone added an item to it at the same time" : "")
        case .list(_, let title, .restored): "restored the list \(quoted(title))"
        case .noted(let added, let removed): "edited the note of the trip" + ItemRun.noted(added, removed)
        case .undid: "undid a change:"
        case .founded: "created the trip"
        case .letIn(let participant, let name, .participant): "admitted \(names.name(of: participant, given: name))"
        case .letIn(let participant, let name, .device):
            "admitted another device of \(names.name(of: participant, given: name))"
        case .letIn(let participant, let name, .guest):
            "admitted \(names.name(of: participant, given: name)) as a guest"
        case .left: "left the trip"
        case .tookOut(let id, let name): "removed \(names.nameOfRemoved(id, given: name))"
        case .endedDevice(let name): "removed their device \(quoted(name))"
        case .invited(_, true): "created an invite for another device"
        case .invited(let uses, false): "created an invite for \(uses == 1 ? "one person" : "\(uses) people")"
        case .closedInvite: "revoked an invite"
        }
    }

    static func circumstances(_ edit: FieldEdit, _ words: (String) -> String) -> String {
        circumstances(edit.insteadOf.map(words), edit.siblings.map(words), edit.omitted)
    }

    static func circumstances(_ old: [String], _ siblings: [String], _ omitted: Int?) -> String {
        var parts: [String] = []
        if !old.isEmpty { parts.append("was \(joined(old.map(quoted)))") }
        if !siblings.isEmpty { parts.append("also proposed: \(joined(siblings.map(quoted)))") }
        if let omitted { parts.append("and \(omitted) more") }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: "; ")))"
    }

    /// A whole value in quotation marks.
    static func quoted(_ text: String) -> String { "“\(text.displayed(marksIdle: true))”" }

    /// "a, b and c".
    package static func joined(_ texts: [String]) -> String {
        guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
        return texts.dropLast().joined(separator: ", ") + " and " + last
    }
}

/// Things of one kind that a change did to several items.
private struct ItemRun {
    private let opening: String
    var titles: [String]
    private let ending: String
    private let broughtBack: Bool

    init(_ event: ItemEvent, broughtBack: Bool, title: String, _ names: Names) {
        (opening, ending) = Self.withdrawal(event, names) ?? Self.frame(of: event, names)
        self.broughtBack = broughtBack
        titles = [title]
    }

    func isLike(_ other: ItemRun) -> Bool {
        opening == other.opening && ending == other.ending && broughtBack == other.broughtBack
    }

    var sentence: String {
        var shown = titles.prefix(titles.count > 4 ? 3 : 4).map(TerminalText.quoted)
        if titles.count > shown.count { shown.append("\(titles.count - shown.count) more") }
        let back = broughtBack ? ", which restored \(titles.count == 1 ? "it" : "them")" : ""
        return "\(opening) \(TerminalText.joined(shown))\(ending)\(back)"
    }

    /// What came and what went in a note.
    static func noted(_ added: String, _ removed: String) -> String {
        let parts = [("+", added), ("−", removed)].compactMap { sign, text -> String? in
            let words = TextClasses.trimmed(text)
            return words.isEmpty ? nil : sign + TerminalText.quoted(words)
        }
        return parts.isEmpty ? "" : ": " + parts.joined(separator: " ")
    }

    private static func frame(of event: ItemEvent, _ names: Names) -> (opening: String, ending: String) {
        switch event {
        case .added(let quantity, let list, let cost, let asks):
            (
                asks ? "asked" : "added",
                (quantity.map { " ×\($0)" } ?? "") + (cost.map { ", \(Field.cost.words(of: $0))" } ?? "")
                    + (list.map { " to \(TerminalText.quoted($0))" } ?? "")
            )
        case .claimed(let count): (count == 1 ? "brings" : "brings \(count) of", "")
        case .unclaimed: ("no longer brings", "")
        case .answered(let attendance): (attendance.words, "")
        case .unanswered: ("withdrew their answer for", "")
        case .replied(let question, let answer):
            (
                answer == nil ? "withdrew their answer to" : "answered",
                answer.map { ": " + (Question(question)?.words(of: $0) ?? "").displayed(marksIdle: true) } ?? ""
            )
        case .sealedReply: ("gave a hidden answer to", "")
        case .revealed(let question, let answer):
            (
                "answered",
                ": " + (Question(question)?.words(of: answer) ?? "").displayed(marksIdle: true) + " (was hidden)"
            )
        case .noted(let added, let removed): ("edited the note of", noted(added, removed))
        case .optionsChanged(let added, let removed): ("changed the options of", Self.words(added, removed))
        case .closed: ("closed", "")
        case .reopened: ("opened", " again")
        case .commented(let text): ("commented on", ": \(TerminalText.quoted(text))")
        case .uncommented: ("deleted a comment on", "")
        case .recommented(let text): ("restored a comment on", ": \(TerminalText.quoted(text))")
        case .moved(let list, let isWithin):
            ("moved", list.map { " \(isWithin == true ? "within" : "to") \(TerminalText.quoted($0))" } ?? "")
        case .amenitiesChanged(let added, let removed):
            ("changed the amenities of", Self.words(added, removed))
        case .removed(let upholders): ("removed", Self.sentence(upholders, names))
        case .restored: ("restored", "")
        case .voted(let vote): ("voted \(vote.words)", "")
        case .unvoted: ("withdrew their vote on", "")
        case .counted(let step): ("changed the quantity of", " by \(step > 0 ? "+" : "")\(step)")
        case .attached(let count): ("attached \(TerminalText.photos(count)) to", "")
        case .detached(let count): ("removed \(TerminalText.photos(count)) from", "")
        case .edited(let edits) where edits.count == 1 && edits[0].field.kind == .flag:
            ("marked", " as \(sentence(edits[0], names))")
        case .edited(let edits) where FieldEdit.plan(in: edits) != nil:
            ("planned", FieldEdit.plan(in: edits).map(Self.day) ?? "")
        case .edited(let edits) where FieldEdit.unplan(in: edits) != nil:
            ("took", " off its day" + (FieldEdit.unplan(in: edits).map(Self.day) ?? ""))
        case .edited(let edits):
            FieldEdit.task(in: edits).map { task($0.assignee, due: $0.due, names) }
                ?? ("edited", ": " + edits.map { sentence($0, names) }.joined(separator: "; "))
        }
    }

    /// ": added wifi and sauna; removed pool".
    private static func words(_ added: [String], _ removed: [String]) -> String {
        ": "
            + [("added", added), ("removed", removed)].filter { !$1.isEmpty }
            .map { "\($0) \(TerminalText.joined($1.map { $0.displayed(marksIdle: true) }))" }.joined(separator: "; ")
    }

    /// "gave" and " to Noah, due 3 June 2026"; "took" and ", due 3 June 2026".
    private static func task(
        _ assignee: FieldEdit, due: FieldEdit?, _ names: Names
    ) -> (opening: String, ending: String) {
        let parts = [assignee, due].compactMap(\.self).map { edit in
            let words = { (value: String) in edit.field.words(of: value) { names[$0] } }
            let isOwn = edit.value != nil && edit.value == names.author?.description
            return (edit.value.map { isOwn ? "" : (edit.field == .due ? ", due " : " to ") + words($0) } ?? "")
                + TerminalText.circumstances(edit, words)
        }
        return (assignee.value == names.author?.description ? "took" : "gave", parts.joined())
    }

    private static func sentence(_ upholders: [Upholder], _ names: Names) -> String {
        guard !upholders.isEmpty else { return "" }
        let deeds = upholders.map { upholder in
            "\(names[upholder.participant]) " + (upholder.vote.map { "voted \($0.words) it" } ?? "changed it")
        }
        return ", but it stays, because \(TerminalText.joined(deeds)) at the same time"
    }

    /// " for 12 June 2026, 14:30".
    private static func day(_ edit: FieldEdit) -> String {
        let words = { (value: String) in edit.field.words(of: value) }
        return (edit.value.map { " for \(words($0))" } ?? "")
            + TerminalText.circumstances(edit, words)
    }

    /// An edit that withdrew one of several values, and did nothing else: "withdrew the price “€70” of", "; it is “€60” (Noah)". Nil
    /// for other events.
    private static func withdrawal(_ event: ItemEvent, _ names: Names) -> (opening: String, ending: String)? {
        guard case .edited(let edits) = event, let edit = FieldEdit.withdrawal(in: edits) else { return nil }
        let name = edit.field.noun
        if edit.field.kind == .flag { return ("withdrew the mark “\(name)” of", ", but \(marks(edit, names))") }
        let words = edit.words { names[$0] }
        let isDay = edit.field == .dates
        let shown = { (value: String) in isDay ? words(value) : TerminalText.quoted(words(value)) }
        let gone = TerminalText.joined(edit.insteadOf.map(shown))
        // Where others wrote the same value, nothing of it is gone.
        let opening =
            gone.isEmpty ? "the \(isDay ? "day" : name) of" : isDay ? "\(gone) for" : "the \(name) \(gone) of"
        let verb = gone.isEmpty ? "stays" : "is"
        let rest = shown(edit.siblings[0]) + others(edit, words, names)
        return ("withdrew \(opening)", "; it \(verb) \(isDay ? "on " : "")\(rest)")
    }

    /// Who gave the same mark: "Noah's stays".
    private static func marks(_ edit: FieldEdit, _ names: Names) -> String {
        let authors = edit.siblingAuthors.map { "\(names[$0])'s" }
        let verb = authors.count > 1 ? "stay" : "stays"
        return "\(authors.isEmpty ? "another one" : TerminalText.joined(authors)) \(verb)"
    }

    /// Who wrote the one value that stays: " (Noah)". Where several stay, the others.
    private static func others(_ edit: FieldEdit, _ words: (String) -> String, _ names: Names) -> String {
        guard edit.siblings.count == 1, edit.omitted == nil, !edit.siblingAuthors.isEmpty else {
            return TerminalText.circumstances([], edit.siblings.dropFirst().map(words), edit.omitted)
        }
        return " (\(TerminalText.joined(edit.siblingAuthors.map { names[$0] })))"
    }

    static func sentence(_ edit: FieldEdit, _ names: Names) -> String {
        if edit.field.kind == .flag {
            let name = edit.field.name
            if edit.isWithdrawal { return "mark “\(name)” withdrawn, but \(marks(edit, names))" }
            return (edit.value == nil ? "not " : "") + name
        }
        let words = edit.words { names[$0] }
        if edit.isWithdrawal {
            let gone = TerminalText.joined(edit.insteadOf.map { TerminalText.quoted(words($0)) })
            let rest = TerminalText.quoted(words(edit.siblings[0])) + others(edit, words, names)
            return "\(edit.field.noun) \(gone.isEmpty ? "" : gone + " ")withdrawn, now \(rest)"
        }
        let value = edit.value.map { TerminalText.quoted(words($0)) } ?? "cleared"
        let circumstances = TerminalText.circumstances(edit, words)
        return "\(edit.field.noun) \(value)\(circumstances)"
    }
}
