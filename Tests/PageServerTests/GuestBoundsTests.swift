import Attachments
import CaravanNode
import Foundation
import Testing
import TripModel
import TripPage
import TripService

@testable import PageServer

/// What one guest can ask for, at most: the rest is the owner's.
struct GuestBoundsTests {
    private func phone(_ door: GuestDoor) async throws -> Browser {
        let port = try #require(door.link.split(separator: "/")[1].split(separator: ":").last.flatMap { UInt16($0) })
        var phone = Browser(port: port)
        try #require(try await phone.enter(door.link).status == 303)
        return phone
    }

    /// A guest who said that they are Mia.
    private func guest(_ house: PageHouse, minutes: Int = 10) async throws -> Browser {
        let phone = try await phone(try await house.server.openDoor(toTrip: house.trip, minutes: minutes))
        try #require(try await phone.post("/t/\(house.trip)/who", [("name", "Mia")]).status == 303)
        return phone
    }

    private func guests(_ house: PageHouse) async throws -> [MemberView] {
        guard case .members(let members) = try await house.service.answer(.members) else { return [] }
        return members.people.filter(\.isGuest)
    }

    @Test("one phone is one guest, however many introductions it sends at once")
    func introductions() async throws {
        let house = try await PageHouse()
        let phone = try await phone(try await house.server.openDoor(toTrip: house.trip, minutes: 10))
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...12 {
                group.addTask {
                    try await phone.post("/t/\(house.trip)/who", [("name", "Ghost \(number)")]).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(try await guests(house).count == 1)
        #expect(statuses.allSatisfy { $0 == 303 }, "\(statuses)")
        #expect(try await phone.get("/t/\(house.trip)/").status == 200)
        await house.close()
    }

    @Test("a guest has one place to send photos, and takes none of the owner's")
    func uploads() async throws {
        let house = try await PageHouse {
            $0.photo = { file, _ throws(ServiceError) in
                let picture = NewPhoto.Picture(type: .jpeg, width: 3, height: 2, bytes: [0xFF, 0xD8, 0xFF] + file)
                return NewPhoto(sharp: picture, card: picture, thumbnail: picture)
            }
        }
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        let (guest, owner) = (try await guest(house), try await house.browser())
        func begin(_ browser: Browser) async throws -> RawConnection {
            let connection = try await RawConnection(port: browser.port)
            let headers = [
                "Origin": "http://127.0.0.1:\(browser.port)", "Content-Type": "multipart/form-data; boundary=XX",
                "Content-Length": "30000000",
            ]
            try await connection.send(browser.head("POST", "/t/\(house.trip)/photo", headers: headers) + "--XX\r\n")
            return connection
        }
        let first = try await begin(guest)
        // The owner's below shows that it was looked at.
        _ = try await guest.get("/t/\(house.trip)/")
        for _ in 0..<3 {
            let refused = try await begin(guest)
            let text = try await refused.received { $0.contains("try again") }
            #expect(text.hasPrefix("HTTP/1.1 429") && text.contains("wait a moment and try again"), "\(text)")
            #expect(!text.contains("kB"))
        }
        let body =
            "--XX\r\nContent-Disposition: form-data; name=\"item\"\r\n\r\n\(id)\r\n--XX\r\n"
            + "Content-Disposition: form-data; name=\"photo\"; filename=\"a\"\r\n\r\n"
            + String(repeating: "x", count: 300_000) + "\r\n--XX--\r\n"
        let answer = try await owner.ask(
            "POST", "/t/\(house.trip)/photo",
            headers: [
                "Origin": "http://127.0.0.1:\(owner.port)", "Content-Type": "multipart/form-data; boundary=XX",
            ], body: body)
        #expect(answer.status == 303)
        #expect(!first.hasEnded)
        // The owner has four.
        var uploads: [RawConnection] = []
        for _ in 0..<5 { uploads.append(try await begin(owner)) }
        #expect(try await eventually { uploads.contains(where: \.hasEnded) })
        let refused = uploads.filter(\.hasEnded)
        #expect(refused.map { $0.received.prefix(12) } == ["HTTP/1.1 429"])
        await house.close()
    }

    @Test(
        "a guest adds 100 items while the page is open to guests, however many forms that takes, and is told what helps"
    )
    func items() async throws {
        let house = try await PageHouse()
        let phone = try await guest(house)
        let act = "/t/\(house.trip)/act"
        func add(_ count: Int) async throws -> Answer {
            let lines = (0..<count).map { _ in "Item \(UUID())" }.joined(separator: "\n")
            return try await phone.post(act, [("do", "add"), ("lines", lines), ("stream", "x")])
        }
        #expect(try await add(60).status == 200)
        let tooMany = try await add(60)
        #expect(
            tooMany.status == 422 && tooMany.body.contains("ou can add 40 more items or comments: send fewer at once"))
        #expect(try await add(40).status == 200)
        let over = try await add(1)
        #expect(over.status == 422 && over.body.contains(" guest can add 100 items or comments at most: ask Jie to"))
        #expect(try await house.view().items.count == 100)
        // A code that is shown again is the same opening.
        _ = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        #expect(try await add(1).status == 422)
        await house.server.closeToGuests()
        _ = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        #expect(try await add(1).status == 200)
        await house.close()
    }

    @Test("photos and votes of a guest are counted one by one")
    func allowance() throws {
        var allowance = GuestAllowance()
        try allowance.take(16, .photos, host: "Jie")
        try allowance.take(33, .photos, host: "Jie")
        #expect(throws: ServiceError("you can send 1 more photo: send fewer at once")) {
            try allowance.take(2, .photos, host: "Jie")
        }
        try allowance.take(1, .photos, host: "Jie")
        #expect(
            throws: ServiceError(
                "a guest can send 50 photos at most: ask Jie to close this page to guests and open it again")
        ) {
            try allowance.take(1, .photos, host: "Jie")
        }
        for _ in 0..<1_000 { try allowance.take(1, .votes, host: "Jie") }
        #expect(throws: ServiceError.self) { try allowance.take(1, .votes, host: "Jie") }
        try allowance.take(100, .items, host: "Jie")
    }

    @Test("photos that a guest sends are counted, whether or not they can be read, and read as a guest's")
    func photos() async throws {
        let house = try await PageHouse {
            $0.photo = { _, sender throws(ServiceError) in throw ServiceError("unreadable, of the \(sender)") }
        }
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        let phone = try await guest(house)
        let file = "Content-Disposition: form-data; name=\"photo\"; filename=\"a\"\r\n\r\nx\r\n--XX\r\n"
        func send(_ count: Int) async throws -> Answer {
            let body =
                "--XX\r\n" + String(repeating: file, count: count)
                + "Content-Disposition: form-data; name=\"item\"\r\n\r\n\(id)\r\n--XX\r\n"
                + "Content-Disposition: form-data; name=\"stream\"\r\n\r\nx\r\n--XX--\r\n"
            return try await phone.ask(
                "POST", "/t/\(house.trip)/photo",
                headers: [
                    "Origin": "http://127.0.0.1:\(phone.port)", "Content-Type": "multipart/form-data; boundary=XX",
                ], body: body)
        }
        for _ in 0..<3 { #expect(try await send(16).body.contains("nreadable, of the guest")) }
        #expect(try await send(3).body.contains("ou can send 2 more photos"))
        #expect(try await send(2).body.contains("nreadable, of the guest"))
        #expect(try await send(1).body.contains(" guest can send 50 photos at most"))
        await house.close()
    }

    @Test("a phone holds four streams; a fifth ends the oldest")
    func streams() async throws {
        let house = try await PageHouse()
        try await house.add([NewItem(title: "Casa do Rio")])
        let phone = try await guest(house)
        var streams: [RawConnection] = []
        for _ in 0..<5 {
            let stream = try await RawConnection(port: phone.port)
            try await stream.send(phone.head("GET", "/t/\(house.trip)/stream"))
            try await stream.receives("Casa do Rio")
            streams.append(stream)
        }
        #expect(try await eventually(within: .seconds(10)) { streams[0].hasEnded })
        #expect(streams.dropFirst().allSatisfy { !$0.hasEnded })
        #expect(await house.server.openStreams == 4)
        await house.close()
    }

    @Test("a guest reads pages as often as people do, and the owner as often as they like")
    func pages() async throws {
        let house = try await PageHouse()
        let (phone, owner) = (try await guest(house), try await house.browser())
        let page = "/t/\(house.trip)/"
        var refused = 0
        for _ in 0..<200 where refused == 0 {
            let answer = try await phone.get(page + "?find=x")
            guard answer.status != 200 else { continue }
            refused += 1
            #expect(answer.status == 429 && answer.headers["retry-after"] == "1")
        }
        #expect(refused == 1)
        for _ in 0..<50 { #expect(try await owner.get(page).status == 200) }
        #expect(try await eventually { try await phone.get(page).status == 200 })
        await house.close()
    }

    @Test("a code of a door that closed lets nobody in, used or not, and a person may type a code in capitals")
    func supersededCode() async throws {
        let house = try await PageHouse()
        let first = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        await house.server.closeToGuests()
        let second = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let port = try #require(second.link.split(separator: "/")[1].split(separator: ":").last.flatMap { UInt16($0) })
        var phone = Browser(port: port)
        let refusal = try await phone.enter(first.link)
        #expect(refusal.status == 403 && refusal.body.contains("scan the one that your host shows now"))
        let typed = second.link.split(separator: "/").dropLast().joined(separator: "/")
        let code = try #require(second.link.split(separator: "/").last).uppercased()
        #expect(try await phone.enter(typed.replacing("http:/", with: "http://") + "/" + code).status == 303)
        await house.close()
    }

    @Test("the owner removes a guest with everything they added, and undoes that of what they added")
    func removedWithContributions() async throws {
        let house = try await PageHouse()
        try await house.add([NewItem(title: "Casa do Rio")])
        let (phone, owner) = (try await guest(house), try await house.browser())
        let act = "/t/\(house.trip)/act"
        _ = try await phone.post(act, [("do", "add"), ("lines", "Junk 1\nJunk 2"), ("stream", "x")])
        let id = try #require(try await guests(house).first?.id)
        let members = try await owner.get("/t/\(house.trip)/?view=members").body
        #expect(members.contains("Remove Mia and everything they added"))
        let answer = try await owner.post(
            act, [("do", "take-out"), ("member", id), ("contributions", "yes"), ("stream", "x")])
        #expect(answer.status == 200 && answer.body.contains("Mia was removed with everything they added"))
        #expect(try await house.view().items.map(\.title) == ["Casa do Rio"])
        #expect(try await eventually { try await phone.get("/t/\(house.trip)/").status == 403 })
        #expect(try await owner.post(act, [("do", "undo"), ("stream", "x")]).status == 200)
        #expect(try await house.view().items.map(\.title).sorted() == ["Casa do Rio", "Junk 1", "Junk 2"])
        #expect(try await guests(house).first?.removal?.by == "Jie")
        await house.close()
    }
}
