import Foundation
import Testing
import TripModel
import TripService

@testable import TripPage

/// The history and the latest changes beside the cards: their order, their words, and what they offer to restore.
@Suite struct HistoryViewTests {
    private typealias Sample = SampleTrip

    private func lines(of list: FragmentList) -> String { list.fragments.map(\.html.rendered).joined() }

    @Test("the history offers to restore what is removed now, and nothing else, and nothing to guests")
    func restoring() {
        func restores(_ change: (inout PageState) -> Void) -> Int {
            let markup = lines(of: TripPage.history(Sample.state(change)))
            return markup.split(separator: "value=\"restore\"").count - 1
        }
        let removed = Sample.trip([Sample.casaDoRio], removed: [Sample.removedHostel])
        #expect(restores { _ in } == 0)
        #expect(restores { $0.trip = removed } == 1)
        #expect(
            restores {
                $0.trip = removed
                $0.viewer = Viewer(participant: Sample.lea.id, isGuest: true)
            } == 0)
    }

    @Test("each of several buttons that restore says what")
    func restoringSeveral() {
        let other = Sample.item(9, [.title: Sample.value("Kites")], isRemoved: true)
        let entry = HistoryEntry(
            participant: Sample.mia.id, stamp: Sample.stamp(1), wallTime: Sample.now,
            events: [Sample.removedHostel, other].map {
                .item(id: $0.id, title: $0.title, event: .removed(upheldBy: []), broughtBack: false)
            })
        let markup = lines(
            of: TripPage.history(
                Sample.state {
                    $0.trip = Sample.trip([], removed: [Sample.removedHostel, other])
                    $0.history = Sample.history([entry])
                }))
        #expect(markup.contains(">Restore “Kites”</button>") && !markup.contains(">Restore</button>"))
    }

    @Test("the history is told newest first, day by day, the last 200 changes alone")
    func historyOrder() {
        let entries = (0..<300).map { index in
            HistoryEntry(
                participant: Sample.jie.id, stamp: Sample.stamp(index % 100),
                wallTime: Sample.now - Int64(300 - index) * Sample.minute,
                events: [.titled(title: "Title \(index)", insteadOf: [], siblings: [])])
        }
        let markup = lines(of: TripPage.history(Sample.state { $0.history = Sample.history(entries) }))
        #expect(markup.contains("Title 299<") && markup.contains("Title 100<") && !markup.contains("Title 99<"))
        let newest = markup.range(of: "Title 299<"), oldest = markup.range(of: "Title 100<")
        #expect(newest.map { new in oldest.map { new.lowerBound < $0.lowerBound } ?? false } ?? false)
        #expect(markup.contains("<h3>Today</h3>"))
    }

    @Test("of votes of one person on one item in a row the last is told; others between them are told all")
    func flips() {
        let (casa, hostel) = (Sample.casaDoRio, Sample.hostel)
        let votes: [(Sample.Person, ItemView, ItemEvent)] = [
            (Sample.mia, casa, .voted(vote: .for)), (Sample.mia, casa, .unvoted),
            (Sample.mia, casa, .voted(vote: .against)),
            (Sample.noah, casa, .voted(vote: .for)), (Sample.mia, casa, .voted(vote: .for)),
            (Sample.mia, hostel, .voted(vote: .for)), (Sample.mia, hostel, .added(quantity: nil)),
        ]
        let entries = votes.enumerated().map { index, vote in
            HistoryEntry(
                participant: vote.0.id, stamp: Sample.stamp(index), wallTime: Sample.now,
                events: [.item(id: vote.1.id, title: vote.1.title, event: vote.2, broughtBack: false)])
        }
        let list = TripPage.history(Sample.state { $0.history = Sample.history(entries) })
        let told = [6, 5, 4, 3, 2].map { "h-\(Sample.stamp($0).label)" }
        #expect(list.fragments.map(\.id).filter { $0.hasPrefix("h-") } == told)
    }

    @Test("a name from right to left stands within a sentence that runs from left to right")
    func nameWithinSentence() {
        let entry = HistoryEntry(
            participant: Sample.noa.id, stamp: Sample.stamp(1), wallTime: Sample.now,
            events: [.letIn(participant: Sample.noa.id, name: "נועה", as: .participant)])
        let state = Sample.state { $0.history = Sample.history([entry]) }
        let line = TripPage.historyLine(entry, names: state.history.names, state: state).rendered
        #expect(
            line.contains(
                "<p><strong dir=\"auto\">נועה</strong> admitted <span dir=\"auto\">נועה</span></p>"), "\(line)")
    }

    @Test("a vote on a cost is told as a dispute, and an answer to a task by the person who is to do it as its button")
    func wordsOfButtons() {
        let payment = Sample.item(1, [.title: Sample.value("Payment to Jie"), .payment: Sample.value("5 EUR")])
        let surf = Sample.item(
            2, [.title: Sample.value("Surf"), .assignee: Sample.value(Sample.mia.id.description)])
        let told: [(item: ItemView, by: Sample.Person, event: ItemEvent, words: String)] = [
            (payment, Sample.mia, .voted(vote: .against), "disputed"),
            (payment, Sample.noah, .unvoted, "withdrew their dispute of"),
            (surf, Sample.mia, .answered(.notGoing), "can’t do"),
            (surf, Sample.noah, .answered(.notGoing), "is not going to"),
        ]
        let entries = told.enumerated().map { index, one in
            HistoryEntry(
                participant: one.by.id, stamp: Sample.stamp(index), wallTime: Sample.now,
                events: [.item(id: one.item.id, title: one.item.title, event: one.event, broughtBack: false)])
        }
        for view in [PageQuery.View.cards, .history] {
            let content = TripPage.content(
                Sample.state {
                    $0.trip = Sample.trip([payment, surf])
                    $0.history = Sample.history(entries)
                    $0.query.view = view
                })
            let listed = content.lists.first { $0.id == (view == .history ? "history" : "just-now") }
            let text = listed.map { lines(of: $0) } ?? ""
            for one in told {
                #expect(text.contains("\(one.by.name)</strong> \(one.words) <a"), "\(one.words): \(text)")
            }
        }
    }

    @Test("a value beside another one names its writer, also where the item has neither any more")
    func writersOfSiblings() {
        let edit = FieldEdit(
            field: .cost, value: "EUR 8.00", insteadOf: [], siblings: ["EUR 9.00"], by: [Sample.noah.id])
        let entry = HistoryEntry(
            participant: Sample.jie.id, stamp: Sample.stamp(1), wallTime: Sample.now,
            events: [.item(id: Sample.itemID(1), title: "Taxi", event: .edited(fields: [edit]), broughtBack: false)])
        let content = TripPage.content(
            Sample.state {
                $0.history = Sample.history([entry])
                $0.query.view = .history
            })
        let text = content.lists.first { $0.id == "history" }.map { lines(of: $0) } ?? ""
        #expect(text.contains("Noah</span> also wrote") && !text.contains("somebody else"), "\(text)")
    }

    @Test("where one of several values or marks is withdrawn, the line tells what stays, and not that nothing does")
    func withdrawal() {
        let edits = [
            FieldEdit(field: .price, value: nil, insteadOf: ["€14"], siblings: ["€12"], by: [Sample.noah.id]),
            FieldEdit(field: .price, value: nil, insteadOf: [], siblings: ["€12"], by: [Sample.noah.id]),
            FieldEdit(
                field: .dates, value: nil, insteadOf: ["2026-06-17"], siblings: ["2026-06-16"], by: [Sample.noah.id]),
            FieldEdit(
                field: .chosen, value: nil, insteadOf: [], siblings: [Field.setValue], by: [Sample.noah.id]),
        ]
        let lines = edits.map { edit in
            let entry = HistoryEntry(
                participant: Sample.jie.id, stamp: Sample.stamp(1), wallTime: Sample.now,
                events: [
                    .item(id: Sample.itemID(1), title: "Castle", event: .edited(fields: [edit]), broughtBack: false)
                ])
            let state = Sample.state { $0.history = Sample.history([entry]) }
            return TripPage.historyLine(entry, names: state.history.names, state: state).words
        }
        #expect(lines[0].contains("Jie withdrew the price “€14” of Castle; it is “€12” (Noah)"), "\(lines[0])")
        #expect(lines[1].contains("Jie withdrew the price of Castle; it stays “€12” (Noah)"), "\(lines[1])")
        #expect(lines[2].contains(" for Castle; it is on "), "\(lines[2])")
        #expect(lines[3].contains("Jie withdrew the mark “chosen” of Castle, but Noah’s stays"), "\(lines[3])")
    }

    @Test("the rail has the last five changes, and of a person's votes on one item the last alone")
    func rail() {
        let vote = { (index: Int, person: ParticipantID, item: Int, events: [ItemEvent], isUndo: Bool) in
            HistoryEntry(
                participant: person, stamp: Sample.stamp(index), wallTime: Sample.now,
                events: (isUndo ? [.undid] : [])
                    + events.map { .item(id: Sample.itemID(item), title: "T\(item)", event: $0, broughtBack: false) })
        }
        let (jie, mia) = (Sample.jie.id, Sample.mia.id)
        let entries = [
            vote(1, mia, 9, [.commented(text: "old")], false), vote(2, mia, 1, [.commented(text: "hm")], false),
            vote(3, jie, 1, [.voted(vote: .for)], false), vote(4, jie, 1, [.unvoted], false),
            vote(5, mia, 1, [.voted(vote: .for)], false), vote(6, jie, 2, [.voted(vote: .against)], false),
            vote(7, jie, 1, [.voted(vote: .for)], false), vote(8, jie, 1, [.unvoted], true),
            vote(9, jie, 2, [.voted(vote: .for), .commented(text: "ok")], false),
        ]
        let rail = TripPage.justNow(Sample.state { $0.history = Sample.history(entries) })
        #expect(rail.fragments.map(\.id) == [9, 8, 6, 5, 2].map { "n-\(Sample.stamp($0).label)" })
    }
}
