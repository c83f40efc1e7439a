import CaravanNode
import Foundation
import PageServer
import Testing
import TripModel
import TripPage
import TripService

/// Phones without anything installed: what they reach, and for how long.
struct GuestTests {
    /// A phone that joined by a link, over the guests' own port.
    private func phone(_ door: GuestDoor) async throws -> Browser {
        let port = try #require(door.link.split(separator: "/")[1].split(separator: ":").last.flatMap { UInt16($0) })
        var phone = Browser(port: port)
        try #require(try await phone.enter(door.link).status == 303)
        return phone
    }

    /// A guest who said who they are.
    private func guest(_ house: PageHouse, _ door: GuestDoor, name: String) async throws -> Browser {
        let phone = try await phone(door)
        try #require(try await phone.post("/t/\(house.trip)/who", [("name", name)]).status == 303)
        return phone
    }

    @Test("a guest says who they are, adds and votes as themselves")
    func addsAndVotes() async throws {
        let house = try await PageHouse()
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let phone = try await phone(door)
        let page = "/t/\(house.trip)/"
        let question = try await phone.get(page).body
        #expect(question.contains("Who are you?") && !question.contains("Casa do Rio"))
        #expect(try await phone.get(page + "stream").status == 403)
        #expect(try await phone.post(page + "act", [("do", "add"), ("title", "x")]).status == 403)
        #expect(try await phone.post(page + "who", [("name", "")]).status == 422)
        #expect(try await phone.post(page + "who", [("name", "Mia")]).status == 303)
        #expect(try await phone.get(page).body.contains("Casa do Rio"))
        #expect(
            try await phone.post(page + "act", [("do", "vote"), ("item", id), ("vote", "for"), ("stream", "x")]).status
                == 200)
        #expect(
            try await phone.post(page + "act", [("do", "add"), ("title", "Casa da Mia"), ("stream", "x")]).status == 200
        )
        let view = try await house.view()
        #expect(view.items.map(\.addedByName).last?.contains("Mia") == true)
        #expect(view.items.first?.votes.map(\.name).first?.contains("Mia") == true)
        let answer = { (word: String) in [("do", "attend"), ("item", id), ("attendance", word), ("stream", "x")] }
        #expect(try await phone.post(page + "act", answer("maybe")).status == 200)
        _ = try await phone.post(page + "act", answer("sure"))
        let answers = try await house.view().items.first?.sayings.attendance ?? []
        #expect(answers.count == 1 && answers.first?.name.contains("Mia") == true && answers.first?.word == .maybe)
        await house.close()
    }

    @Test("a guest comments, takes that back, says what they bring, and sees who is in")
    func commentsAndBrings() async throws {
        let house = try await PageHouse()
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let mia = try await guest(house, door, name: "Mia")
        let noah = try await guest(
            house, try await house.server.openDoor(toTrip: house.trip, minutes: 10), name: "Noah")
        let page = "/t/\(house.trip)/"
        for form in [[("do", "comment"), ("text", "lovely")], [("do", "claim"), ("mine", "yes")]] {
            let answer = try await mia.post(page + "act", form + [("item", id), ("stream", "x")])
            #expect(answer.status == 200 && answer.body.contains("Undo"), "\(answer.body)")
        }
        let item = try #require(try await house.view().items.first)
        #expect(item.sayings.comments.map(\.text) == ["lovely"] && item.sayings.claims.count == 1)
        let comment = try #require(item.sayings.comments.first)
        let uncomment = [("do", "uncomment"), ("item", id), ("comment", comment.id.digits), ("stream", "x")]
        #expect(try await noah.post(page + "act", uncomment).status == 422, "it is another guest's")
        #expect(try await mia.post(page + "act", uncomment).status == 200)
        #expect(try await house.view().items.first?.sayings.comments.isEmpty ?? false)
        #expect(try await mia.get(page).body.contains("faces-here"))
        await house.close()
    }

    @Test("a guest edits, removes and brings back what they added, and nothing of anybody else")
    func editsTheirOwn() async throws {
        let house = try await PageHouse()
        let other = try await house.add([NewItem(title: "Casa do Rio")])[0]
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let mia = try await guest(house, door, name: "Mia")
        let (page, act) = ("/t/\(house.trip)/", "/t/\(house.trip)/act")
        #expect(try await mia.post(act, [("do", "add"), ("title", "Casa da Mia"), ("stream", "x")]).status == 200)
        let own = try #require(try await house.view().items.last?.shortID)
        // A page is redrawn a moment after the act.
        let isForm = try await eventually {
            let form = try await mia.get(page + "?open=\(own)&edit=1").body
            return form.contains("name=\"price\"") && form.contains("type=\"date\"")
        }
        #expect(isForm)
        #expect(try await !mia.get(page + "?open=\(other)&edit=1").body.contains("name=\"price\""))
        let price = [("do", "edit"), ("write", "price"), ("price", "€90 a night"), ("stream", "x")]
        #expect(try await mia.post(act, price + [("item", own)]).status == 200)
        #expect(try await mia.post(act, price + [("item", other)]).status == 422)
        #expect(try await house.view().items.map { $0.fields[.price]?.value } == [nil, "€90 a night"])
        let choose = [("do", "edit"), ("write", "chosen"), ("chosen", "yes"), ("item", own), ("stream", "x")]
        #expect(try await mia.post(act, choose).status == 422)
        #expect(try await mia.post(act, [("do", "remove"), ("item", own), ("stream", "x")]).status == 200)
        #expect(try await house.view().items.map(\.title) == ["Casa do Rio"])
        #expect(try await mia.post(act, [("do", "restore"), ("item", own), ("stream", "x")]).status == 200)
        #expect(try await mia.post(act, [("do", "remove"), ("item", other), ("stream", "x")]).status == 422)
        #expect(try await house.view().items.count == 2)
        await house.close()
    }

    @Test("one code serves all phones while the door is open, 32 of them, and none once it closed")
    func oneCodeForAll() async throws {
        let house = try await PageHouse()
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let mia = try await phone(door)
        for _ in 1..<GuestDoor.phonesMax {
            var other = Browser(port: mia.port)
            #expect(try await other.enter(door.link).status == 303)
        }
        // Opened for longer, it is the same code.
        let longer = try await house.server.openDoor(toTrip: house.trip, minutes: 20)
        #expect(longer.link == door.link && longer.arrived == GuestDoor.phonesMax)
        var late = Browser(port: mia.port)
        let refusal = try await late.enter(door.link)
        #expect(refusal.status == 403 && refusal.body.contains("has admitted 32 phones"))
        await house.server.closeToGuests()
        let fresh = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        #expect(fresh.link != door.link && fresh.arrived == 0)
        #expect(try await late.enter(door.link).status == 403)
        #expect(try await late.enter(fresh.link).status == 303)
        await house.close()
    }

    @Test("a guest who is removed doesn't come back by the code that they know, and others use the new one")
    func removedGuestAndTheCode() async throws {
        let house = try await PageHouse()
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        var mal = try await guest(house, door, name: "Mal")
        _ = try await house.service.answer(.removeMember(name: "Mal"))
        #expect(try await mal.enter(door.link).status == 403)
        #expect(
            try await mal.get("/t/\(house.trip)/").body.contains("to join as a new one, scan the code that Jie shows"))
        var late = Browser(port: mal.port)
        #expect(try await late.enter(door.link).status == 403, "the code is known to somebody who is out")
        let fresh = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        #expect(fresh.link != door.link && fresh.arrived == 0)
        #expect(try await late.enter(fresh.link).status == 303)
        // Once, and not for each who comes later.
        var next = Browser(port: mal.port)
        #expect(try await next.enter(fresh.link).status == 303)
        await house.close()
    }

    @Test("nothing of a trip but its plan reaches a guest, and nothing of the owner's page")
    func reach() async throws {
        let house = try await PageHouse()
        let id = try await house.add([NewItem(title: "Casa do Rio", fields: [.note: "With a view"])])[0]
        let other = try await TripNode.create(title: "A secret trip", name: "Jie", in: house.place.home)
        try await house.node.run(other)
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let phone = try await guest(house, door, name: "Mia")
        let page = "/t/\(house.trip)/"
        for view in ["members", "history", "status", "trips", "costs"] {
            let answer = try await phone.get(page + "?view=" + view)
            #expect(answer.status == 303 && answer.headers["location"] == page)
        }
        for path in ["/t/\(other)/", "/components", page + "picture/card.png", page + "who"] {
            #expect(try await phone.get(path).status == 404, "\(path)")
        }
        #expect(try await !phone.get(page).body.contains("A secret trip"))
        let act = page + "act"
        let people = try await house.view().participants.map(\.id.description)
        let (jie, mia) = (try #require(people.first), try #require(people.last))
        let dinner = [("do", "add"), ("title", "Dinner"), ("cost", "EUR 8400 by \(jie):8400 for equally \(jie)")]
        for form in [
            [("do", "edit"), ("item", id), ("write", "host"), ("host", "x")], [("do", "remove"), ("item", id)],
            [("do", "count"), ("item", id), ("by", "1")], [("do", "invite")], [("do", "take-out"), ("member", "abcd")],
            [("do", "open-to-guests"), ("minutes", "60")], [("do", "close-to-guests")],
            dinner, [("do", "add"), ("title", "Payment"), ("payment", "EUR 1 by \(jie):1 for exactly \(mia):1")],
            [("do", "expense"), ("title", "Dinner"), ("amount", "84 EUR")],
            [("do", "test-mailboxes")], [("do", "remove-mailbox"), ("mailbox", "1")],
            [("do", "add-mailbox"), ("address", "/tmp")],
        ] {
            #expect(try await phone.post(act, form + [("stream", "x")]).status == 422, "\(form)")
        }
        #expect(try await house.view().items.first?.fields[.note]?.value == "With a view")
        // The owner's page takes the same form.
        #expect(try await house.view().costs.expenses.isEmpty)
        #expect(try await house.browser().post(act, dinner + [("stream", "x")]).status == 200)
        #expect(try await house.view().costs.expenses.count == 1)
        // A guest's cookie is nothing at the owner's door, and the owner's is nothing at the guests'.
        var owner = Browser(port: house.port)
        owner.cookie = phone.cookie?.replacingOccurrences(of: "caravan-guest-", with: "caravan-")
        #expect(try await owner.get(page).status == 403)
        var guest = Browser(port: phone.port)
        guest.cookie = try await house.browser().cookie?.replacingOccurrences(of: "caravan-", with: "caravan-guest-")
        #expect(try await guest.get(page).status == 403)
        // A foreign name, and a form from elsewhere.
        #expect(try await phone.get(page, ["Host": "evil.test:\(phone.port)"]).status == 421)
        #expect(
            try await phone.post(act, [("do", "vote"), ("item", id)], ["Origin": "http://evil.test"]).status == 403)
        await house.close()
    }

    @Test("a guest whose page is open is here for everybody, and away once it is closed")
    func presence() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let phone = try await guest(house, door, name: "Mia")
        let page = "/t/\(house.trip)/"
        func here() async throws -> String? {
            try await browser.get(page).body.firstMatch(of: /2 people, (\d) here/).map { String($0.1) }
        }
        #expect(try await eventually { try await here() == "1" })
        let stream = try await RawConnection(port: phone.port)
        try await stream.send(phone.head("GET", page + "stream"))
        try await stream.receives("Lisbon in June")
        #expect(try await here() == "2")
        #expect(try await browser.get(page + "?view=members").body.components(separatedBy: "here now").count == 3)
        await stream.close()
        #expect(try await eventually { try await here() == "1" })
        await house.close()
    }

    @Test("a removed guest is told, and sees nothing any more")
    func takenOut() async throws {
        let house = try await PageHouse()
        try await house.add([NewItem(title: "Casa do Rio")])
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let phone = try await guest(house, door, name: "Mia")
        let stream = try await RawConnection(port: phone.port)
        try await stream.send(phone.head("GET", "/t/\(house.trip)/stream"))
        try await stream.receives("Casa do Rio")
        let answer = try await house.service.answer(.members)
        guard case .members(let members) = answer, let id = members.people.first(where: \.isGuest)?.id else {
            return _ = Issue.record("no guest among \(answer)")
        }
        _ = try await house.service.answer(.removeMember(name: id))
        #expect(try await eventually { stream.hasEnded })
        #expect(stream.received.contains("event: bye\ndata: {\"text\":\"Jie removed you from this trip\""))
        let page = try await phone.get("/t/\(house.trip)/")
        #expect(page.status == 403 && !page.body.contains("Casa do Rio"))
        await house.close()
    }

    @Test("when the door closes all guests go, and when it opens a phone comes back as itself")
    func closingAndComingBack() async throws {
        let house = try await PageHouse()
        try await house.add([NewItem(title: "Casa do Rio")])
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let phone = try await guest(house, door, name: "Mia")
        let stream = try await RawConnection(port: phone.port)
        try await stream.send(phone.head("GET", "/t/\(house.trip)/stream"))
        try await stream.receives("Casa do Rio")
        await house.server.closeToGuests()
        #expect(try await eventually { stream.isClosed })
        #expect(stream.received.contains("event: bye\ndata: {\"text\":\"Jie stopped letting guests in"))
        // A phone that loads the page again reads why, and nothing of the trip; its style is there.
        let closed = try await phone.get("/t/\(house.trip)/", ["Accept": "text/html"])
        #expect(closed.status == 503 && closed.body.contains("Guests can’t use this page now.</h1>"))
        #expect(!closed.body.contains("Lisbon") && !closed.body.contains("Casa do Rio"))
        let style = try #require(closed.body.firstMatch(of: #/href="([^"]*page\.css[^"]*)"/#)?.1)
        #expect(try await phone.get(String(style)).status == 200)
        #expect(try await phone.post("/t/\(house.trip)/act", [("do", "add"), ("title", "x")]).status == 503)
        #expect(try await house.browser().get("/t/\(house.trip)/").status == 200)
        let again = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        #expect(again.arrived == 0 && again.link != door.link)
        // The same port, so that what a phone has open finds back.
        #expect(try await phone.get("/t/\(house.trip)/").body.contains("Casa do Rio"))
        await house.close()
    }

    @Test("guests can use one trip at a time: the pages of every trip say which, and that opening one closes the other")
    func oneTripAtATime() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let lisbon = "/t/\(house.trip)/"
        #expect(try await browser.get(lisbon).status == 200)
        let other = try await house.node.create(title: "Porto", name: "Jie")
        let porto = "/t/\(other)/"
        // Open before its trip's door is, as a tab in the background.
        #expect(try await !browser.get(porto).body.contains("open to guests"))
        let phone = try await guest(
            house, try await house.server.openDoor(toTrip: house.trip, minutes: 10), name: "Mia")
        let page = try await browser.get(porto).body
        #expect(page.contains("“Lisbon in June”</span> is open to guests.") && page.contains("close-to-guests"))
        #expect(try await browser.get(porto + "?view=members").body.contains("Guests can use one trip at a time."))
        #expect(try await !browser.get(lisbon + "?view=members").body.contains("Guests can use one trip at a time."))
        #expect(try await !phone.get(lisbon).body.contains("Porto"))
        let open = [("do", "open-to-guests"), ("minutes", "30"), ("stream", "x")]
        let opened = try await browser.post(porto + "act", open)
        #expect(opened.status == 200 && opened.body.contains("“Lisbon in June” is closed to them"), "\(opened.body)")
        #expect(try await browser.get(lisbon).body.contains("“Porto”</span> is open to guests."))
        for path in ["/", lisbon, lisbon + "stream"] { #expect(try await phone.get(path).status == 503) }
        _ = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        #expect(try await phone.get(lisbon).body.contains("You’re Jie’s guest."))
        // Any of its pages closes it.
        let closed = try await browser.post(lisbon + "act", [("do", "close-to-guests"), ("stream", "x")])
        #expect(closed.status == 200)
        for page in [lisbon, porto] { #expect(try await !browser.get(page).body.contains("pen to guests")) }
        await house.close()
    }

    @Test("what says that guests can't use the page ends after a while, and with the node")
    func closedEnds() async throws {
        let house = try await PageHouse { $0.closedPatience = .milliseconds(300) }
        let phone = try await phone(try await house.server.openDoor(toTrip: house.trip, minutes: 10))
        await house.server.closeToGuests()
        let isOver = try await eventually {
            do { _ = try await phone.get("/") } catch { return true }
            return false
        }
        #expect(isOver)
        let again = try await self.phone(try await house.server.openDoor(toTrip: house.trip, minutes: 10))
        try await Task.sleep(for: .milliseconds(500))
        #expect(try await again.get("/").status == 303, "the door that opened since stays open")
        await house.close()
        await #expect(throws: (any Error).self) { try await again.get("/") }
        let other = try await PageHouse()
        let guest = try await self.phone(try await other.server.openDoor(toTrip: other.trip, minutes: 10))
        await other.server.closeToGuests()
        await other.close()
        await #expect(throws: (any Error).self) { try await guest.get("/") }
    }

    @Test("a guest who was removed is marked at their comments as at everything else")
    func removedGuestsComments() async throws {
        let house = try await PageHouse()
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let mia = try await guest(house, door, name: "Mia")
        let said = try await mia.post(
            "/t/\(house.trip)/act", [("do", "comment"), ("text", "lovely"), ("item", id), ("stream", "x")])
        #expect(said.status == 200)
        let browser = try await house.browser()
        let page = "/t/\(house.trip)/?open=\(id)"
        let isSaid = try await eventually { try await browser.get(page).body.contains("lovely") }
        #expect(isSaid)
        guard case .members(let members) = try await house.service.answer(.members),
            let guest = members.people.first(where: \.isGuest)?.id
        else { return _ = Issue.record("no guest") }
        #expect(
            try await browser.post("/t/\(house.trip)/act", [("do", "take-out"), ("member", guest), ("stream", "x")])
                .status
                == 200)
        let isMarked = try await eventually {
            try await browser.get(page).body.contains("<strong dir=\"auto\">Mia (out)</strong>")
        }
        #expect(isMarked)
        await house.close()
    }

    @Test("a guest's page names the host and says when it closes")
    func hostAndTime() async throws {
        let house = try await PageHouse()
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let page = try await guest(house, door, name: "Zoë").get("/t/\(house.trip)/").body
        #expect(page.contains("You’re Jie’s guest.") && page.contains("hosted on Jie’s computer"))
        #expect(!page.contains("Zoë’s"))
        #expect(page.contains("data-moment=\"\(door.closes ?? 0)\" data-countdown"))
        await house.close()
    }

    @Test("an address that is no secure origin gets no header that browsers ignore there, with an error each time")
    func plainHeaders() async throws {
        let house = try await PageHouse { $0.addresses = { ["127.0.0.1", "192.0.2.17"] } }
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let phone = try await phone(door)
        let name = "cross-origin-opener-policy"
        let network = try await phone.get("/", ["Host": "192.0.2.17:\(phone.port)"])
        #expect(network.status == 303 && network.headers[name] == nil)
        #expect(try await phone.get("/").headers[name] == "same-origin")
        await house.close()
    }

    @Test("browsers that ask for an icon get one, let in or not")
    func icon() async throws {
        let house = try await PageHouse()
        let icon = try await Browser(port: house.port).get("/favicon.ico")
        #expect(icon.status == 200 && icon.headers["content-type"] == "image/svg+xml")
        await house.close()
    }

    @Test("a machine on no network opens no door")
    func noNetwork() async throws {
        let house = try await PageHouse { $0.addresses = { [] } }
        await #expect(throws: ServiceError.self) {
            try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        }
        await house.close()
    }
}
