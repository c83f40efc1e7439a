package import TripModel

/// Something that somebody else did and a person may want to be told of while they look elsewhere: who, and the sentence.
package struct News: Hashable, Sendable {
    package let person: String
    /// One line, at most 160 characters: "Noah voted for “Casa do Rio”".
    package let sentence: String

    package init(person: String, sentence: String) {
        self.person = person.displayed(limit: 40)
        self.sentence = sentence.displayed(limit: 160, marksIdle: true)
    }
}

/// Picks out of what happens what concerns one person: what others add, vote, remove or change of what this person wrote, what
/// they write in the trip's note and in notes of this person's, and who joins.
package struct NewsFilter: Sendable {
    private let me: ParticipantID
    /// The fields that this person wrote last, of each item.
    private var mine: [ItemID: Set<Field>] = [:]
    private var notes = ToldNotes()

    package init(for me: ParticipantID) {
        self.me = me
    }

    /// Learns from what happened before who wrote what, and tells nothing of it.
    package mutating func learn(_ history: HistoryView) {
        for entry in history.entries { note(entry) }
    }

    /// What of this is news. Of what a person writes in one note, the first in some minutes is.
    /// - Parameter now: milliseconds since 1970.
    package mutating func news(in view: HistoryView, at now: Int64) -> [News] {
        let names = Names(view.names)
        var news: [News] = []
        for entry in view.entries {
            var deeds: [Deed] = []
            for event in entry.events {
                guard let deed = told(event, by: entry.participant, names) else { continue }
                if let writer = event.noteAuthor(entry.participant), !notes.tells(writer, at: now) { continue }
                deeds.append(deed)
            }
            note(entry)
            news += merged(deeds)
        }
        return news
    }

    /// One thing done: who did it, and the words around the titles of what it was done with.
    private struct Deed {
        let person: String
        let opening: String
        var titles: [String]
        let ending: String
    }

    private func told(_ event: HistoryEvent, by author: ParticipantID, _ names: Names) -> Deed? {
        // The author is told too, because their node may have admitted the newcomer by itself.
        if case .letIn(let id, let name, let role) = event, role != .device, id != me {
            let newcomer = names.name(of: id, given: name)
            return Deed(
                person: newcomer, opening: role == .guest ? "joined as a guest" : "joined", titles: [], ending: "")
        }
        guard author != me else { return nil }
        let person = names[author]
        switch event {
        case .item(_, let title, .added(_, _, _, let asks), _):
            return Deed(person: person, opening: asks ? "asked " : "added ", titles: [title], ending: "")
        case .item(_, let title, .replied(_, .some), _), .item(_, let title, .sealedReply, _):
            return Deed(person: person, opening: "answered ", titles: [title], ending: "")
        case .item(_, let title, .closed, _):
            return Deed(person: person, opening: "closed ", titles: [title], ending: "")
        case .item(_, let title, .voted(let vote), _):
            return Deed(person: person, opening: "voted \(vote.words) ", titles: [title], ending: "")
        case .item(_, let title, .answered(let attendance), _):
            return Deed(person: person, opening: attendance.words + " ", titles: [title], ending: "")
        case .item(_, let title, .removed, _):
            return Deed(person: person, opening: "removed ", titles: [title], ending: "")
        case .item(_, let title, .edited(let edits), _) where Self.gives(edits, to: me):
            let due = edits.first { $0.field == .due }?.value.map { ", due \(Field.due.words(of: $0))" } ?? ""
            return Deed(person: person, opening: "gave ", titles: [title], ending: " to you\(due)")
        case .item(let id, let title, .edited(let edits), _):
            let fields = edits.filter {
                mine[id]?.contains($0.field) == true && !$0.insteadOf.isEmpty && !$0.isWithdrawal
            }.map(\.field.noun)
            guard !fields.isEmpty else { return nil }
            return Deed(
                person: person, opening: "changed the \(TerminalText.joined(fields)) you gave ",
                titles: [title], ending: "")
        case .item(let id, let title, .noted, _) where mine[id]?.contains(.note) == true:
            return Deed(person: person, opening: "wrote in the note of ", titles: [title], ending: "")
        case .noted:
            return Deed(person: person, opening: "wrote in the note of the trip", titles: [], ending: "")
        case .tookOut(let id, let name):
            return Deed(
                person: person, opening: "removed \(id == me ? "you" : names.nameOfRemoved(id, given: name))",
                titles: [], ending: "")
        case .left: return Deed(person: person, opening: "left the trip", titles: [], ending: "")
        default: return nil
        }
    }

    private static func gives(_ edits: [FieldEdit], to me: ParticipantID) -> Bool {
        edits.contains { $0.field == .assignee && $0.value == me.description }
    }

    /// What was done alike to several items, in one sentence.
    private func merged(_ deeds: [Deed]) -> [News] {
        var merged: [Deed] = []
        for deed in deeds {
            if let last = merged.last, last.person == deed.person, last.opening == deed.opening,
                last.ending == deed.ending, !deed.titles.isEmpty
            {
                merged[merged.count - 1].titles += deed.titles
            } else {
                merged.append(deed)
            }
        }
        return merged.map { deed in
            var titles = deed.titles.prefix(2).map { "“\($0.displayed(limit: 40))”" }
            if deed.titles.count > titles.count { titles.append("\(deed.titles.count - titles.count) more") }
            return News(
                person: deed.person,
                sentence: "\(deed.person) \(deed.opening)\(TerminalText.joined(titles))\(deed.ending)")
        }
    }

    private mutating func note(_ entry: HistoryEntry) {
        for event in entry.events {
            guard case .item(let id, _, let event, _) = event else { continue }
            switch event {
            case .added where entry.participant == me: mine[id] = Set(Field.allCases)
            // What others write in it too is theirs and mine.
            case .noted where entry.participant == me: mine[id, default: []].insert(.note)
            case .edited(let edits):
                for edit in edits {
                    if entry.participant == me {
                        mine[id, default: []].insert(edit.field)
                    } else if edit.siblings.isEmpty {
                        mine[id]?.remove(edit.field)
                    }
                }
            default: continue
            }
        }
    }
}
