import Attachments
import Foundation
import Testing
import TripFixtures
import TripModel
import TripService

@testable import TripPage

private func collapsed(_ item: ItemView, notice: String? = nil, _ change: (inout PageState) -> Void = { _ in })
    -> String
{
    TripPage.card(CollapsedCard(item: item, frame: CardFrame(SampleTrip.state(change)), notice: notice)).html.rendered
}

private func expanded(_ item: ItemView, _ change: (inout PageState) -> Void = { _ in }) -> String {
    TripPage.expandedCard(item, id: "c-" + item.shortID, state: SampleTrip.state(change)).html.rendered
}

private let contested = SampleTrip.item(
    4,
    [
        .title: SampleTrip.value("Casa do Tejo", beside: [("Casa do Rio", SampleTrip.mia)]),
        .price: SampleTrip.value("€90", by: SampleTrip.noah),
    ])

@Suite struct CardTests {
    @Test("your vote is pressed, and pressing it again takes it back")
    func vote() {
        let card = collapsed(SampleTrip.casaDoRio)
        #expect(
            card.contains(
                #"<button class="for" name="vote" value="none" aria-pressed="true" aria-label="For Casa do Rio" data-key="f">▲</button>"#
            ))
        #expect(
            card.contains(
                #"<button class="against" name="vote" value="against" aria-pressed="false" aria-label="Against Casa do Rio" data-key="a">▼</button>"#
            ))
        #expect(card.contains(#"aria-label="3 in total">3</output>"#))
    }

    @Test("faces are yours first, then those who voted, then who has not, and how many more")
    func faces() throws {
        let card = collapsed(SampleTrip.casaDoRio)
        let initials = card.split(separator: #"<span class="initials">"#).dropFirst().map {
            String($0.prefix { $0 != "<" })
        }
        #expect(initials == ["Ji", "Mi", "No", "AL", "小"])
        #expect(card.contains("+3</span>"))
        #expect(card.contains("For: you, Mia, Ana Lopes, 小明 · Against: Noah · Haven’t voted: נועה, Lea, Max</p>"))
        #expect(!card.contains("Tom"))
    }

    @Test(
        "an address in a text is a link to itself, without the punctuation around it",
        arguments: [
            ("Book at https://a.example/b?c=1.", "https://a.example/b?c=1"),
            ("(HTTPS://a.example/b)", "HTTPS://a.example/b"),
            ("see “http://a.example”, or ask", "http://a.example"),
            ("https://a.example/Lisbon_(city)", "https://a.example/Lisbon_(city)"),
            ("x:https://a.example", "https://a.example"),
        ])
    func addresses(text: String, address: String) {
        let prose = TripPage.prose(text).rendered
        #expect(prose.contains(#"<a href="\#(address)" rel="noopener noreferrer">\#(address)</a>"#))
        #expect(prose.replacing(#/<[^>]*>/#, with: "") == text)
    }

    @Test(
        "an address that begins with www. and a mail address are links, which show what was written",
        arguments: [
            ("See www.example.org/Lisbon, please", "www.example.org/Lisbon", "https://www.example.org/Lisbon"),
            ("(WWW.example.org)", "WWW.example.org", "https://WWW.example.org"),
            (
                "write to ana.lopes+trip@mail.example.org.", "ana.lopes+trip@mail.example.org",
                "mailto:ana.lopes%2Btrip@mail.example.org"
            ),
            ("<ana@example.org>", "ana@example.org", "mailto:ana@example.org"),
            ("mailto:ana@example.org", "ana@example.org", "mailto:ana@example.org"),
        ])
    func barer(text: String, shown: String, address: String) {
        let prose = TripPage.prose(text).rendered
        #expect(prose.contains(#"<a href="\#(address)" rel="noopener noreferrer">\#(shown)</a>"#), "\(prose)")
        #expect(
            prose.replacing(#/<[^>]*>/#, with: "") == text.replacing("<", with: "&lt;").replacing(">", with: "&gt;"))
    }

    @Test(
        "what is no address stays text",
        arguments: [
            "https://", "http://)", "a.example/b", "javascript://x", "<b>", "", "www.", "www.x", "www..org", "@ana",
            "ana@",
            "ana@home", "ana@@example.org", "ana@example..org", "ana@.org", "a\"b@example.org", "é@example.org",
            "x@example.org@y",
            "ana@example.org?subject=x", "javascript:alert(1)@example.org/", "notwww.example", "ana@-.org",
            "www.good.example/@evil.example",
        ])
    func noAddresses(text: String) {
        #expect(!TripPage.prose(text).rendered.contains("<a"))
    }

    @Test("an invite link in a text is a button for people with a home of their own, and text for guests")
    func inviteLinks() {
        let link = "caravan:" + String(repeating: "ab27", count: 20)
        let text = "Porto! Come along: \(link)."
        #expect(
            TripPage.prose(text, mayJoin: true).rendered
                == #"Porto! Come along: <button class="button" form="come-along" name="link" value="\#(link)">Come along</button>."#
        )
        #expect(TripPage.prose(text).rendered == text)
        for other in ["caravan: list", "caravan:short", "xcaravan", "caravan"] {
            #expect(!TripPage.prose(other, mayJoin: true).rendered.contains("<button"), "\(other)")
        }
    }

    @Test("a row of things to bring has the faces of those who bring it")
    func bringers() throws {
        var world = World(participants: [0, 1])
        let tent = try world.add(ItemDraft(title: "Tent", fields: [.itemKind: "bring"]), on: 0)
        try world.sync(from: 0, to: 1)
        try world.perform(.act(.claim(1), on: [tent]), on: 1)
        let view = world.view(1)
        let state = SampleTrip.state { $0.trip = view }
        let item = try #require(view.items.first)
        let row = TripPage.bringLine(item, in: CardFrame(state), state).html.rendered
        #expect(row.contains(#"class="avatar"#) && !row.contains("×"), "\(row)")
        try world.perform(.act(.claim(6), on: [tent]), on: 1)
        let six = try #require(world.view(1).items.first)
        #expect(TripPage.bringLine(six, in: CardFrame(state), state).html.rendered.contains("×6</span>"))
    }

    @Test("amenities say that they are that")
    func amenities() {
        var item = SampleTrip.casaDoRio
        item.sayings.amenities = ["washing machine", "wifi"]
        #expect(expanded(item).contains("Amenities: washing machine, wifi"))
    }

    @Test("who is going has a heading before anybody answers, and a link may be typed without its beginning")
    func headings() {
        let text = expanded(SampleTrip.casaDoRio)
        #expect(text.contains("<h4>Are you going?</h4>"))
        let form = expanded(SampleTrip.casaDoRio) {
            ($0.query.open, $0.query.isEditing) = (SampleTrip.casaDoRio.shortID, true)
        }
        #expect(form.contains("inputmode=\"url\"") && !form.contains("type=\"url\""))
    }

    @Test("no two elements of an open card with photos and answers share an id")
    func ids() throws {
        let manifest = try PhotoManifest(
            bytes: (0..<3).flatMap { _ in [1, 2, 3, 5] + [UInt8](repeating: 0, count: 32) })
        let photo = PhotoView(
            id: PhotoID(operation: SampleTrip.boat.id.operation), manifest: manifest, author: SampleTrip.mia.id,
            authorName: "Mia")
        let item = SampleTrip.item(
            24, [.title: SampleTrip.value("Boat trip")], attendance: [(SampleTrip.jie, .going)], photos: [photo])
        let card = TripPage.expandedCard(item, id: "c-" + item.shortID, state: SampleTrip.state()).html
        let ids = card.values(of: .id)
        #expect(card.rendered.contains("gallery") && card.rendered.contains("attendance"))
        #expect(Set(ids).count == ids.count, "\(ids)")
    }

    @Test("two cards are equal where they are drawn alike, whatever else is open and said")
    func equality() {
        let card = { (change: (inout PageState) -> Void) in
            CollapsedCard(
                item: SampleTrip.hostel, frame: CardFrame(SampleTrip.state(change)).around(row: 3, id: "c"), notice: nil
            )
        }
        let plain = card { _ in }
        let later = card {
            $0.query.open = SampleTrip.stove.shortID
            $0.query.isEditing = true
            $0.now += 60_000
            $0.status = SampleTrip.status([])
        }
        #expect(plain == later)
        #expect(plain != card { $0.query.sort = .votes })
        #expect(plain != card { $0.viewer = Viewer(participant: SampleTrip.mia.id) })
        let frame = CardFrame(SampleTrip.state())
        #expect([59, 60, 119, 120].map { frame.around(row: $0, id: "c").target.query.at } == [nil, 60, 60, 120])
    }

    @Test("what was proposed beside a value is told with its author, and picked by one button")
    func alternatives() throws {
        let card = collapsed(contested)
        #expect(card.contains(#"<span dir="auto">Mia</span> suggests: <em dir="auto">Casa do Rio</em>"#))
        let own = collapsed(contested) { $0.viewer = Viewer(participant: SampleTrip.mia.id) }
        #expect(own.contains("You suggest: <em") && !own.contains("Mia</span> suggests"))
        let form = try #require(card.split(separator: #"<form class="also-one""#).last)
        for field in [
            ("do", "edit"), ("write", "title"), ("title", "Casa do Rio"), ("shown-title", "Casa do Tejo"),
            ("shown-title", "Casa do Rio"),
        ] {
            #expect(form.contains(#"<input type="hidden" name="\#(field.0)" value="\#(field.1)">"#))
        }
    }

    @Test("a guest votes and adds, and is offered nothing else")
    func guest() {
        let guest = { (state: inout PageState) in
            state.viewer = Viewer(participant: SampleTrip.lea.id, isGuest: true)
            state.query.open = contested.shortID
            state.query.isEditing = true
        }
        for card in [collapsed(contested, guest), expanded(contested, guest)] {
            #expect(card.contains(" suggests") && card.contains(#"value="for""#))
            #expect(!card.contains(#"value="edit""#) && !card.contains(#"value="remove""#))
        }
    }

    @Test("a closed card says whether its reader may edit it: the key that opens its form does nothing on others")
    func editable() {
        let mark = #"data-mark="editable""#
        #expect(collapsed(contested).contains(mark) && !expanded(contested).contains(mark))
        #expect(!collapsed(contested) { $0.status = SampleTrip.status([], isArchived: true) }.contains(mark))
        let guest = { (person: SampleTrip.Person) in
            collapsed(contested) { $0.viewer = Viewer(participant: person.id, isGuest: true) }
        }
        #expect(guest(SampleTrip.jie).contains(mark) && !guest(SampleTrip.lea).contains(mark))
    }

    @Test("a person who is out can read, and is offered no form")
    func out() {
        let out = { (state: inout PageState) in
            state.status = SampleTrip.status([], removal: RemovalView(.removed, by: "Mia", at: 0))
        }
        #expect(!collapsed(contested, out).contains("<form"))
        #expect(!expanded(contested, out).contains("<form"))
    }

    @Test(
        "the page asks of each invite that a removed person may know, of the first 8 with buttons; guests are asked nothing"
    )
    func exposedInvites() {
        let invites = (0..<10).map { number in
            InviteView(
                number: number, id: "a1b2c\(number)d4e5f6", link: "caravan:x", by: "Jie", uses: 5, left: 4,
                expires: nil,
                isForDevice: false, isAnswered: true, exposure: InviteExposure(removed: "Noah <b>", by: "Mia"))
        }
        let state = SampleTrip.state {
            $0.status = StatusView(
                title: "", you: "Jie", changes: 1, listening: nil, discoveryProblem: nil, writingProblem: nil,
                removal: nil,
                exposedInvites: invites, devices: [], inTwoPlaces: [])
        }
        let page = TripPage.inviteView(state).rendered
        #expect(page.components(separatedBy: #"value="keep-invite""#).count == 9)
        #expect(page.components(separatedBy: #"value="close-invite""#).count == 9)
        #expect(
            page.contains("Mia removed Noah &lt;b") && page.contains("who may know the link") && !page.contains("<b>"))
        #expect(page.contains("The same is asked of the invites a1b2c8, a1b2c9."))
        var guest = state
        guest.viewer = Viewer(participant: SampleTrip.lea.id, isGuest: true)
        #expect(!TripPage.inviteView(guest).rendered.contains("keep-invite"))
    }

    @Test("a person who waits acts in their own copy, where what they added is marked; their guests wait with them")
    func waiting() {
        let waits = { (state: inout PageState) in
            state.status = SampleTrip.status(
                [], removal: RemovalView(.removed, by: "Mia", at: 0, waiting: .init(host: "Mal", keeper: "Mia")))
        }
        #expect(collapsed(contested, waits).contains(#"value="for""#))
        #expect(expanded(contested, waits).contains(#"value="edit""#))
        let asGuest = { (state: inout PageState) in
            waits(&state)
            state.viewer = Viewer(participant: SampleTrip.lea.id, isGuest: true)
        }
        #expect(!collapsed(contested, asGuest).contains("<form"))
        let state = SampleTrip.state { waits(&$0) }
        #expect(SyncWord(state.status).text == "only you see what you do until Mia keeps you")
        #expect(!TripPage.statusView(state).rendered.contains("up to date"))
        #expect(!TripPage.inviteView(state).rendered.contains("<form"))
    }

    @Test(
        "an open card shows every field, and its address as a link of its domain that tells nobody where it came from")
    func expandedCard() {
        let card = expanded(SampleTrip.casaDoRio)
        #expect(
            card.contains(
                #"<a href="https://www.example.org/rooms/20417" rel="noopener noreferrer" dir="auto" title="https://www.example.org/rooms/20417">example.org</a>"#
            ))
        #expect(card.contains(#"<a href="geo:38.7139,-9.1334" dir="ltr">38.7139,-9.1334</a>"#))
        #expect(card.contains(#"data-copy="38.7139,-9.1334""#))
        for row in CardField.rows where SampleTrip.casaDoRio.fields[row.field] != nil && row.field != .note {
            #expect(card.contains("<dt>\(row.label)</dt>"))
        }
        #expect(card.contains(">Roof terrace, 8 minutes to the tram.\nBreakfast until eleven.</textarea>"))
        #expect(card.contains("<h4>Haven’t voted</h4>"))
    }

    @Test("a field that is edited says what it showed, and sends every value that stands")
    func editing() {
        let card = expanded(contested) {
            $0.query.open = contested.shortID
            $0.query.isEditing = true
        }
        let id = "f-\(contested.shortID)-title"
        #expect(
            card.contains(
                #"<div class="field field-title" id="\#(id)"><label for="\#(id)-input">Title</label><input id="\#(id)-input" aria-describedby="\#(id)-fault" name="title" value="Casa do Tejo""#
            ))
        #expect(
            card.contains(
                #"data-shown="Casa do Tejo" data-author="Jie"><input type="hidden" name="shown-title" value="Casa do Tejo"><input type="hidden" name="shown-title" value="Casa do Rio"><p id="\#(id)-fault" class="fault" data-mark="fault" dir="auto"></p><p class="theirs" data-mark="theirs" hidden><span data-mark="said" dir="auto"></span>"#
            ))
        #expect(card.contains(#"name="fields" value="title,dates,due,assignee,price,"#))
        #expect(card.contains(#"name="details" rows="3""#) && card.contains(#"data-shown="""#))
        #expect(!card.contains("id=\"f-\(contested.shortID)-note\""))
    }

    @Test("days are picked from calendars, and a time of day stays a text")
    func pickers() {
        let form = { (value: String) in
            let item = SampleTrip.item(
                25, [.title: SampleTrip.value("Casa"), .dates: SampleTrip.value(value)])
            return expanded(item) { ($0.query.open, $0.query.isEditing) = (item.shortID, true) }
        }
        let days = form("2026-06-12/2026-06-15")
        #expect(
            days.contains(
                #"name="dates-from" type="date" value="2026-06-12" aria-describedby="f-b4e725c0ffee-dates-fault" data-shown="2026-06-12""#
            ))
        #expect(days.contains(#"name="dates-to" type="date" value="2026-06-15""#))
        #expect(days.contains(#"name="shown-dates" value="2026-06-12/2026-06-15""#) && !days.contains(#"name="dates""#))
        #expect(form("2026-06-12").contains(#"name="dates-to" type="date" value="" "#))
        let time = form("2026-06-12T14:30+01:00[Europe/Lisbon]/PT2H")
        #expect(time.contains(#"name="dates" value="2026-06-12T14:30"#) && !time.contains("dates-from"))
        // A time is in words, if nothing is lost.
        let words = form("2026-06-12T14:30/PT1H30M")
        #expect(words.contains(#"name="dates" value="12 June 2026, 14:30, 1 h 30 min""#))
        #expect(words.contains(#"data-shown="12 June 2026, 14:30, 1 h 30 min""#))
        #expect(words.contains(#"name="shown-dates" value="2026-06-12T14:30/PT1H30M""#))
    }

    @Test("a photo opens large, with links to the one before and the next, round the end, and back")
    func photoView() throws {
        let item = try withPhotos(3)
        let shown = { (place: Int, viewer: Viewer) in
            expanded(item) {
                ($0.query.open, $0.query.photo, $0.viewer) = (item.shortID, item.photos[place].id, viewer)
            }
        }
        let path = "/t/5eed0000000000000000000000000001/?open=\(item.shortID)"
        let part = "#c-\(item.shortID)"
        let (photos, member) = (item.photos.map(\.id.description), SampleTrip.state().viewer)
        let first = shown(0, member)
        #expect(first.contains(#"aria-label="Photo 1 of 3, by Mia""#) && first.contains("1 of 3 · Mia"))
        #expect(first.contains("<a class=\"photo-step step-ArrowLeft\" href=\"\(path)&amp;photo=\(photos[2])\(part)\""))
        #expect(
            first.contains("<a class=\"photo-step step-ArrowRight\" href=\"\(path)&amp;photo=\(photos[1])\(part)\""))
        #expect(first.contains("<a class=\"button\" href=\"\(path)\(part)\" data-mark=\"close-photo\">Close</a>"))
        #expect(first.contains("Remove photo 1"))
        // A reader of the card cannot remove a photo by a slip.
        #expect(!expanded(item) { $0.query.open = item.shortID }.contains("Remove photo"))
        #expect(!shown(0, Viewer(participant: SampleTrip.lea.id, isGuest: true)).contains("Remove photo"))
        #expect(PageQuery([("open", item.shortID), ("photo", photos[1])]).text.contains("photo="))
    }

    private func withPhotos(_ count: UInt64) throws -> ItemView {
        let manifest = try PhotoManifest(
            bytes: (0..<3).flatMap { _ in [1, 2, 3, 5] + [UInt8](repeating: 0, count: 32) })
        let operation = SampleTrip.boat.id.operation
        let photos = try (0..<count).map { number in
            var digits = Array(PhotoID(operation: operation).description)
            digits[digits.count - 1] = Character(String(number))
            return PhotoView(
                id: try #require(PhotoID(String(digits))), manifest: manifest, author: SampleTrip.mia.id,
                authorName: "Mia")
        }
        return SampleTrip.item(26, [.title: SampleTrip.value("Boat trip")], photos: photos)
    }

    @Test("a card tells that its item came back, and who cared")
    func notice() {
        let entry = { (author: SampleTrip.Person, number: Int, event: ItemEvent, broughtBack: Bool) in
            HistoryEntry(
                participant: author.id, stamp: SampleTrip.stamp(number), wallTime: 0,
                events: [.item(id: SampleTrip.hostel.id, title: "Hostel", event: event, broughtBack: broughtBack)])
        }
        let notice = { (entries: [HistoryEntry], item: ItemView) in
            Notices(SampleTrip.state { $0.history = SampleTrip.history(entries) })[item]
        }
        let vote = entry(SampleTrip.noah, 2, .voted(vote: .for), true)
        #expect(notice([vote], SampleTrip.hostel) == "restored: Noah voted for it")
        #expect(notice([vote], SampleTrip.removedHostel) == nil)
        let removal = entry(
            SampleTrip.mia, 3, .removed(upheldBy: [Upholder(participant: SampleTrip.noah.id, vote: .for)]), false)
        #expect(notice([removal], SampleTrip.hostel) == "restored: Mia removed it while Noah voted for it")
        #expect(notice([vote, entry(SampleTrip.mia, 4, .restored, false)], SampleTrip.hostel) == nil)
    }
}
