import Foundation
import Testing
import TripModel
import TripService

@testable import TripPage

/// The views of people, doors, history and sync: their texts, and what each reader may do there.
@Suite struct ViewTests {
    private typealias Sample = SampleTrip

    @Test(
        "a face shows letters that tell names apart, in any script",
        arguments: [
            ("Mia", "Mi"), ("Anna Maria Lopes", "AL"), ("Jie (2)", "J2"), ("Tom (out)", "To"), ("小明", "小"),
            ("נועה", "נ"), ("o'Neil", "O"), ("👩‍👩‍👧 us", "👩‍👩‍👧U"), ("", "?"), (" ", "?"), ("7", "7"),
            ("\u{202E}abc", "Ab"),
        ])
    func initials(_ name: String, _ initials: String) {
        #expect(TripPage.initials(of: name) == initials)
    }

    @Test("a face says in words what it says by colour, edge and sign")
    func avatarInWords() {
        let face = TripPage.avatar(
            Sample.mia.id, name: "Mia", badge: .against, isHere: false, isYou: true, hasVoted: false)
        #expect(face.rendered.contains("aria-label=\"Mia (you), voted against, hasn’t voted, away\""))
        let decoration = TripPage.avatar(Sample.mia.id, name: "Mia", isDecoration: true)
        #expect(!decoration.rendered.contains("aria-label"))
        #expect(decoration.rendered.contains("aria-hidden=\"true\""))
    }

    @Test("an id has one of the hues that the tokens define, and each hue has ids")
    func hues() {
        let ids = (0..<100).map { ParticipantID(high: .max, low: .max - $0) }
        #expect(Set(ids.map(TripPage.hue)) == Set(0..<12))
    }

    @Test("a moment is written in the reader's zone, with the year where it is another, and never fails")
    func moments() {
        var state = Sample.state()
        #expect(TripPage.momentText(Sample.now, state: state) == "Wed 10 June, 12:00")
        state.secondsFromUTC = 14 * 3600
        #expect(TripPage.momentText(Sample.now, state: state) == "Thu 11 June, 02:00")
        #expect(TripPage.momentText(0, state: state) == "Thu 1 January 1970, 14:00")
        #expect(TripPage.momentText(.min, state: state).hasSuffix("00"))
        #expect(TripPage.momentText(.max, state: state).hasPrefix("Fri 31 December 9999"))
    }

    @Test("a QR code is drawn module by module, with a quiet zone of four")
    func qrCode() {
        let html = TripPage.qrPicture(CodePicture(rows: [[true, true, false], [false, true, true]]), label: "x")
        #expect(html.values(of: .viewBox) == ["0 0 11 11"])
        #expect(html.values(of: .d) == ["M4 4h2v1h-2zM5 5h2v1h-2z"])
        #expect(TripPage.qrPicture(CodePicture(rows: []), label: "x").values(of: .d) == [""])
    }

    @Test("only members below the viewer can be removed, and only after a second question")
    func takingOut() {
        let asJie = TripPage.membersView(Sample.state()).rendered
        #expect(asJie.contains("<details class=\"take-out\""))
        // What can't be undone is named, and what can be stands apart from it.
        #expect(asJie.contains("The removal can’t be undone. What they added stays, unless you remove it too."))
        #expect(asJie.contains("The removal can’t be undone. What they added stays, and so do people they invited."))
        #expect(
            formMembers(asJie) == [
                Sample.mia, Sample.ana, Sample.noa, Sample.noah, Sample.lea, Sample.max, Sample.ming,
            ])
        let asMia = TripPage.membersView(Sample.state { $0.viewer = Viewer(participant: Sample.mia.id) }).rendered
        #expect(formMembers(asMia) == [Sample.ana, Sample.noa])
        let asGuest = TripPage.membersView(
            Sample.state { $0.viewer = Viewer(participant: Sample.lea.id, isGuest: true) })
        #expect(!asGuest.rendered.contains("<form"))
        let out = TripPage.membersView(
            Sample.state { $0.status = Sample.status([], removal: RemovalView(.left, at: 0)) })
        #expect(!out.rendered.contains("<form"))
        // The password of a mailbox outlives a removal.
        let apart = TripPage.membersView(Sample.state { $0.status = Sample.status([], mailboxes: Sample.mailboxes) })
        #expect(apart.rendered.contains("change the passwords that they know, or end their access to the folder"))
        #expect(!asJie.contains("change the passwords that they know, or end their access to the folder"))
    }

    /// The people that a page's forms would remove.
    private func formMembers(_ markup: String) -> [SampleTrip.Person] {
        Sample.people.filter { markup.contains("name=\"member\" value=\"\($0.id)\"") }
            .sorted { first, second in place(first) < place(second) }
    }

    private func place(_ person: SampleTrip.Person) -> Int {
        Sample.members.people.firstIndex { $0.id == person.id.description } ?? 0
    }

    @Test("the sync word says who may lack what, and is spoken only where something needs a person")
    func syncWord() {
        let (mia, noah) = (Sample.mia, Sample.noah)
        let cases: [(StatusView, SyncWord.Tone, String, String)] = [
            (Sample.statusOfAll, .shared, "up to date with everyone", ""),
            (
                Sample.status([Sample.device(mia, lacks: 2), Sample.device(noah)]), .underway,
                "Mia is 2 changes behind", ""
            ),
            (
                Sample.status([Sample.device(mia, lacks: 2), Sample.device(noah, lacks: 1)]), .underway,
                "2 devices are behind", ""
            ),
            (
                Sample.status([Sample.device(mia, isHere: false, lacks: 2)]), .kept, "offline, saved on this computer",
                "offline, saved on this computer"
            ),
            // A mailbox counts for those who are away, and only if it has all that they lack.
            (
                Sample.status([Sample.device(mia, isHere: false, lacks: 2, inMailbox: 2), Sample.device(noah)]),
                .posted,
                "in the mailbox, not yet with Mia", ""
            ),
            (
                Sample.status([
                    Sample.device(mia, isHere: false, lacks: 2, inMailbox: 2),
                    Sample.device(noah, isHere: false, lacks: 1, inMailbox: 1),
                ]), .posted, "in the mailbox, not yet with 2 devices", ""
            ),
            (
                Sample.status([Sample.device(mia, isHere: false, lacks: 2, inMailbox: 1)]), .kept,
                "offline, saved on this computer", "offline, saved on this computer"
            ),
            // Of a device that this one never met, nobody here knows how much it has.
            (
                Sample.status([Sample.device(mia), unmet(lacks: 47)]), .shared, "up to date with everyone you’ve met",
                ""
            ),
            (
                Sample.status([Sample.device(mia, lacks: 2), unmet(lacks: 47)]), .underway, "Mia is 2 changes behind",
                ""
            ),
            (
                Sample.status([unmet(lacks: 47)]), .kept, "not met anyone yet, saved on this computer",
                "not met anyone yet, saved on this computer"
            ),
            (
                Sample.status([Sample.device(mia), unmet(lacks: 2, inMailbox: 2)]), .posted,
                "in the mailbox, not yet with Jie’s “Läptop”", ""
            ),
            (
                Sample.status([Sample.device(mia, isHere: false, lacks: 2)], discoveryProblem: "no D-Bus"), .kept,
                "can’t find the others, saved on this computer", "can’t find the others, saved on this computer"
            ),
            // A member who has everything may be away.
            (Sample.status([Sample.device(mia, isHere: false)]), .shared, "up to date with everyone", ""),
            (
                Sample.status([Sample.device(mia)], writingProblem: "the disk is full"), .stuck,
                "can’t save anything", "can’t save anything"
            ),
        ]
        for (status, tone, text, spoken) in cases {
            let word = SyncWord(status)
            #expect((word.tone, word.text, word.spoken) == (tone, text, spoken))
        }
    }

    /// A device that told this one nothing yet.
    private func unmet(lacks: Int, inMailbox: Int = 0) -> DeviceStatus {
        DeviceStatus(
            id: "77", label: "Jie's “Läptop”", isYours: false, isHere: false, lacks: lacks, lastHeard: nil,
            inMailbox: inMailbox)
    }

    @Test("the view of sync has no number for a device that was never met, and promises nothing if none can be found")
    func unmetDevices() {
        func text(_ status: StatusView) -> String {
            TripPage.statusView(Sample.state { $0.status = status }).rendered
        }
        let met = text(Sample.status([Sample.device(Sample.mia), unmet(lacks: 47)]))
        #expect(met.contains("Jie’s “Läptop”") && !met.contains("Jie's"))
        #expect(met.contains("not met yet") && !met.contains("47") && !met.contains("Every device in this trip"))
        let lost = text(
            Sample.status(
                [Sample.device(Sample.mia, lacks: 2)], discoveryProblem: "the D-Bus system bus does not answer"))
        #expect(lost.contains("Caravan can’t find new ones now") && !lost.contains("You don’t need to do anything"))
        #expect(text(Sample.status([Sample.device(Sample.mia, lacks: 2)])).contains("You don’t need to do anything"))
        // A friend who is invited can’t find this computer, either.
        let invite = TripPage.inviteView(
            Sample.state { $0.status = Sample.status([], discoveryProblem: "no D-Bus") }
        ).rendered
        #expect(invite.contains("may not find this computer"))
    }

    @Test("only the first device offers to remove another, and the others say so")
    func lostDevice() {
        func text(_ mayBeRemoved: Bool) -> String {
            let other = DeviceStatus(
                id: "78", label: "your device “Jie”", name: "Jie", isYours: true, mayBeRemoved: mayBeRemoved,
                isHere: true,
                lacks: 0, lastHeard: nil)
            return TripPage.safetyView(Sample.state { $0.status = Sample.status([other]) }).rendered
        }
        #expect(text(true).contains(">Your device “Jie”<"))
        #expect(text(true).contains("Lost one? Remove it") && text(true).contains("view=members"))
        #expect(!text(false).contains("view=members") && text(false).contains("Only your first device can remove"))
    }

    @Test(
        "who was removed can’t let guests in, nor anybody in an archived trip, and can close a door that is open",
        arguments: [
            (
                SampleTrip.status([], removal: RemovalView(.removed, by: "Jie", at: 0)),
                "Only members of the trip can let guests in."
            ),
            (SampleTrip.status([], isArchived: true), "This trip is archived, so you can’t let guests in."),
        ])
    func doorOfRemoved(removal: StatusView, words: String) {
        let closed = TripPage.guestsView(Sample.state { $0.status = removal }).rendered
        #expect(!closed.contains("open-to-guests") && closed.contains(words))
        let door = GuestDoor(link: "http://192.168.1.20:1/enter/x", code: nil, closes: nil, arrived: 1)
        let open = TripPage.guestsView(
            Sample.state {
                $0.status = removal
                $0.guests = door
            }
        ).rendered
        #expect(!open.contains("open-to-guests") && open.contains("close-to-guests"))
    }

    @Test("an invite and a link for a device say the same: open Caravan, and paste it on its page")
    func oneStory() {
        let invite = InviteView(
            number: 1, id: "ab12", link: "caravan:x", by: "Jie", uses: 10, left: 10, expires: nil, isForDevice: false,
            isAnswered: true)
        let text = TripPage.inviteView(Sample.state { $0.invite = invite }).rendered
        #expect(
            text.contains("Join a friend’s trip") && text.contains("caravan open") && !text.contains("caravan join"))
        // What is behind a closed line is found by that line.
        #expect(TripPage.startDocument(.asking, trips: []).contains("<summary>\(TripPage.moreHeading)</summary>"))
        let safety = TripPage.safetyView(Sample.state { $0.deviceInvite = invite }).rendered
        #expect(safety.split(separator: TripPage.moreHeading).count == 3, "the device and the backup name the line")
    }

    @Test("a toast takes back what was done and goes by itself; a problem is an alert that stays")
    func toasts() {
        let undo = Toast("Removed", undo: .act(.restore, on: ["b4e7"]))
        let done = TripPage.toast(Sample.state { $0.toast = undo }).html.rendered
        #expect(done.contains("class=\"toast shown done\" role=\"status\""))
        #expect(done.contains("name=\"do\" value=\"restore\"") && done.contains("data-key=\"z\""))
        let problem = TripPage.toast(Sample.state { $0.toast = Toast("No", isProblem: true) }).html.rendered
        #expect(problem.contains("role=\"alert\"") && !problem.contains("shown done"))
        #expect(TripPage.toast(Sample.state()).html.rendered.hasPrefix("<div id=\"toast\""))
        let added = TripPage.toast(Sample.state { $0.toast = Toast("Added", shows: "b4e7c0ffee01") }).html.rendered
        #expect(added.contains("open=b4e7c0ffee01") && added.contains(">Show</a>"))
    }

    @Test("the cheapest come first where somebody wrote a price, and nothing offers it where nobody did")
    func cheapest() {
        let tools = { (state: PageState) in TripPage.tools(state, count: 3).html.rendered }
        #expect(tools(Sample.state { _ in }).contains(">Cheapest per person<"))
        // By what it compares, and where the rest stands.
        let hint = "Prices that don’t say what each person pays come after"
        #expect(tools(Sample.state { $0.query.sort = .price }).contains(hint))
        #expect(!tools(Sample.state { $0.query.sort = .votes }).contains(hint))
        #expect(
            !tools(Sample.state { $0.trip = TripView(title: nil, participants: [], items: [], removedItems: []) })
                .contains("Cheapest"))
    }

    @Test(
        "where packing rows may come first, the list isn’t called what is proposed, for it has another number of rows")
    func newFirst() {
        let tools = { (priority: PageQuery.Priority?) in
            TripPage.tools(Sample.state { $0.query.priority = priority }, count: 3).html.rendered
        }
        #expect(tools(.new).contains("New first <span class=\"count\">3"))
        for priority in [nil, PageQuery.Priority.unvoted] {
            #expect(tools(priority).contains("Proposed <span class=\"count\">3"))
        }
    }

    @Test("who are you offers the faces of this host's guests that are in, and of nobody else")
    func whoAreYou() {
        let others = MembersView(
            people: Sample.members.people + [
                Sample.member(Sample.tom, depth: 2, sponsor: Sample.mia, isGuest: true),
                Sample.member(
                    Sample.noah, depth: 1, sponsor: Sample.jie, isGuest: true,
                    removal: RemovalView(.removed, by: "Jie", at: 0)),
            ], overshotInvites: [])
        let html = TripPage.whoView(
            Sample.state {
                $0.viewer = Viewer(participant: nil, isGuest: true)
                $0.members = others
            })
        let faces = html.values(of: .value)
        #expect(faces == [Sample.lea.id.description, Sample.max.id.description])
        #expect(html.values(of: .action) == Array(repeating: "/t/5eed0000000000000000000000000001/who", count: 2))
    }

    @Test(
        "a guest is here on their own page, is told whose guest they are above all else, and is offered nothing that they can’t do"
    )
    func guestPage() throws {
        let state = Sample.state {
            $0.viewer = Viewer(participant: Sample.lea.id, isGuest: true)
            $0.query.view = .map
            $0.trip = Sample.trip([Sample.idea, Sample.casaDoRio])
        }
        let header = TripPage.header(state).html.rendered
        #expect(!header.contains("avatar hue-\(TripPage.hue(of: Sample.lea.id)) away"))
        // Jie, Mia, Noah, and Lea herself.
        #expect(header.contains("8 people, 4 here"), "\(header)")
        let content = TripPage.content(state)
        let map = content.fragments.first { $0.id == "view" }?.html.rendered ?? ""
        #expect(!map.contains("add a place") && !map.contains("install Debian"), "\(map)")
        #expect(content.fragments.first { $0.id == "notice" }?.html.rendered.contains("You’re Jie’s guest.") == true)
        let document = TripPage.document(state)
        let notice = try #require(document.range(of: "You’re Jie’s guest."))
        let box = try #require(document.range(of: "id=\"add\""))
        #expect(notice.lowerBound < box.lowerBound)
    }

    @Test("the guests' door warns in words whether it is open or closed")
    func guestWarning() {
        let warning = "Anyone on this network can read this page while it is open."
        #expect(TripPage.guestsView(Sample.state()).rendered.contains(warning))
        let door = GuestDoor(link: "http://192.168.1.20:1/enter/x", code: nil, closes: Sample.now, arrived: 1)
        let open = TripPage.guestsView(Sample.state { $0.guests = door }).rendered
        #expect(open.contains(warning) && open.contains("One phone has joined."))
        #expect(open.contains("http://192.168.1.20:1/<wbr>enter/<wbr>x"))
        #expect(open.contains("Keep open for 30 minutes") && !open.contains("Close in 30 minutes"))
    }

    @Test("where guests can use another trip, every view says so with the way to end it, Members too")
    func guestsElsewhere() {
        let trip = TripEntry(id: "ab12", title: "<Porto>", problem: nil, isInUse: false, isOut: false, isRunning: true)
        for view in [PageQuery.View.cards, .members] {
            let state = Sample.state {
                $0.query.view = view
                $0.trips = [trip]
                $0.guestsElsewhere = DoorElsewhere(trip: "ab12", closes: view == .members ? nil : Sample.now)
            }
            let notice = TripPage.doorNotice(state)?.rendered ?? ""
            #expect(notice.contains("“&lt;Porto&gt;”</span> is ") && notice.contains("close-to-guests"))
            #expect(notice.contains("/t/ab12/?view=members#guests-title"))
            #expect(notice.contains("data-countdown") == (view == .cards))
        }
        let unread = Sample.state { $0.guestsElsewhere = DoorElsewhere(trip: "cd34", closes: nil) }
        #expect(unread.tripOfGuests == "“Untitled trip”")
    }

    @Test("the first steps are ticked once they are done")
    func firstSteps() {
        func ticks(_ change: (inout PageState) -> Void) -> Int {
            TripPage.firstRun(Sample.state(change)).rendered.split(separator: "step done").count - 1
        }
        let alone = MembersView(people: [Sample.member(Sample.jie, depth: 0, sponsor: nil)], overshotInvites: [])
        #expect(
            ticks {
                $0.trip = Sample.trip([])
                $0.members = alone
            } == 0)
        #expect(ticks { $0.trip = Sample.trip([Sample.idea]) } == 2)
        #expect(ticks { _ in } == 3)
    }

    @Test("a title from right to left doesn’t turn the heading of the first steps")
    func titleOfFirstSteps() {
        let trip = TripView(title: Sample.value("שלום"), participants: [], items: [], removedItems: [])
        let heading = TripPage.firstRun(Sample.state { $0.trip = trip }).rendered
        #expect(heading.contains("<h2 id=\"first-run-title\"><span dir=\"auto\">שלום</span> starts here</h2>"))
    }

    @Test("a trip is a link where a node runs it, and says why where none does")
    func trips() {
        let markup = TripPage.tripsView(
            Sample.state {
                $0.trips = [
                    TripEntry(id: "aa11", title: "Skiing", problem: nil, isInUse: true, isOut: false, isRunning: true),
                    TripEntry(id: "bb22", title: "Rome", problem: nil, isInUse: false, isOut: false, isRunning: false),
                    TripEntry(
                        id: "cc33", title: nil, problem: "it is locked", isInUse: false, isOut: true, isRunning: false),
                ]
            }
        ).rendered
        #expect(markup.contains("href=\"/t/aa11/\"") && !markup.contains("bb22") && markup.contains("it is locked"))
    }

    @Test("trips with the same title show the beginnings of their ids")
    func sameTitles() {
        let trips = [("aa1111", "Rome"), ("bb2222", "Rome"), ("cc3333", "Skiing")].map { id, title in
            TripEntry(id: id, title: title, problem: nil, isInUse: false, isOut: false, isRunning: true)
        }
        let markup = TripPage.tripsView(Sample.state { $0.trips = trips }).rendered
        #expect(["aa1111", "bb2222", "cc3333"].map { markup.contains(">\($0)<") } == [true, true, false])
    }
}

extension SampleTrip.Person: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.id == right.id }
}
