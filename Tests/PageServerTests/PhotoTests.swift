import Attachments
import Foundation
import Testing
import TripModel
import TripPage
import TripService

@testable import PageServer

/// Photos over HTTP: sent by forms with files, and shown to admitted people.
struct PhotoTests {
    /// A house that takes every file for a JPEG.
    private func house() async throws -> PageHouse {
        try await PageHouse { options in
            options.photo = { file, _ throws(ServiceError) in
                guard file != Array("no picture".utf8) else { throw ServiceError("this is no picture: take another") }
                let bytes = [0xFF, 0xD8, 0xFF] + file
                let sharp = NewPhoto.Picture(type: .jpeg, width: 300, height: 200, bytes: bytes)
                let small = NewPhoto.Picture(type: .jpeg, width: 300, height: 200, bytes: Array(bytes.prefix(999)))
                return NewPhoto(sharp: sharp, card: small, thumbnail: small)
            }
        }
    }

    private func body(_ fields: [(String, String)], _ files: [String]) -> String {
        let parts =
            fields.map { "Content-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)" }
            + files.map {
                "Content-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n\($0)"
            }
        return parts.map { "--XX\r\n\($0)\r\n" }.joined() + "--XX--\r\n"
    }

    private func send(
        _ browser: Browser, _ house: PageHouse, _ fields: [(String, String)], _ files: [String],
        headers: [String: String] = [:]
    ) async throws -> Answer {
        try await browser.ask(
            "POST", "/t/\(house.trip)/photo",
            headers: [
                "Origin": "http://127.0.0.1:\(browser.port)", "Content-Type": "multipart/form-data; boundary=XX",
            ].merging(headers) { $1 }, body: body(fields, files))
    }

    /// The addresses of pictures on a page.
    private func addresses(_ page: String) -> [String] {
        page.split(separator: "\"").map(String.init).filter {
            $0.hasPrefix("/t/") && $0.contains("/photo/") && !$0.contains(" ")
        }
    }

    @Test("photos that are sent are shown in the card, and their pictures are served to be kept")
    func sent() async throws {
        let house = try await house()
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        let answer = try await send(browser, house, [("item", id), ("back", "open=\(id)")], ["one", "two\r\n--X"])
        #expect(answer.status == 303 && answer.headers["location"] == "/t/\(house.trip)/?open=\(id)")
        #expect(try await house.view().items[0].photos.count == 2)
        let page = try await browser.get("/t/\(house.trip)/?open=\(id)").body
        #expect(page.contains("2 photos added to"))
        let addresses = addresses(page)
        #expect(Set(addresses).count == 2, "of each the thumbnail")
        let first = try await house.view().items[0].photos[0].id
        let large = try await browser.get("/t/\(house.trip)/?open=\(id)&photo=\(first)").body
        #expect(large.contains("class=\"photo-view\"") && large.contains("/photo/\(id)/\(first)/sharp"))
        let thumbnail = try #require(addresses.first)
        let picture = try await browser.get(thumbnail)
        #expect(picture.status == 200 && picture.body.hasSuffix("one"))
        #expect(picture.headers["content-type"] == "image/jpeg")
        #expect(picture.headers["x-content-type-options"] == "nosniff")
        #expect(picture.headers["cache-control"] == "private, max-age=31536000, immutable")
        let tag = try #require(picture.headers["etag"])
        #expect(try await browser.get(thumbnail, ["If-None-Match": tag]).status == 304)
        #expect(try await browser.ask("HEAD", thumbnail).status == 200)
        var stranger = browser
        stranger.cookie = nil
        #expect(try await stranger.get(thumbnail).status == 403)
        for wrong in [
            "/photo/\(id)", "/photo/\(id)/x/card", "/photo/\(id)/\(String(repeating: "a", count: 64)).0/card",
        ] {
            #expect(try await browser.get("/t/\(house.trip)\(wrong)").status == 404, "\(wrong)")
        }
        await house.close()
    }

    @Test("the toast of photos that were sent removes these and no other")
    func sentUndone() async throws {
        let house = try await house()
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        _ = try await send(browser, house, [("item", id)], ["one"])
        let first = try #require(try await house.view().items[0].photos.first)
        // The page has read the first one by the time that it shows it.
        let isRead = try await eventually {
            try await browser.get("/t/\(house.trip)/?open=\(id)").body.contains(first.id.description)
        }
        #expect(isRead)
        let answer = try await send(browser, house, [("item", id), ("stream", "x")], ["two", "three"])
        let new = try await house.view().items[0].photos.map(\.id).filter { $0 != first.id }
        #expect(new.count == 2 && answer.status == 200 && answer.body.contains("Undo"), "\(answer.body)")
        let toast = try JSONDecoder().decode(Patch.self, from: Data(answer.body.utf8)).put["toast"] ?? ""
        #expect(new.allSatisfy { toast.contains($0.description) } && !toast.contains(first.id.description), "\(toast)")
        let undone = try await browser.post(
            "/t/\(house.trip)/act",
            [("do", "detach"), ("item", id)] + new.map { ("photo", $0.description) } + [("stream", "x")])
        #expect(undone.status == 200)
        #expect(try await house.view().items[0].photos.map(\.id) == [first.id])
        await house.close()
    }

    @Test("a photo that is taken away is gone, and the toast brings it back")
    func takenAway() async throws {
        let house = try await house()
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        _ = try await send(browser, house, [("item", id)], ["one"])
        let photo = try #require(try await house.view().items[0].photos.first)
        let act = "/t/\(house.trip)/act"
        let gone = try await browser.post(
            act, [("do", "detach"), ("item", id), ("photo", photo.id.description), ("stream", "x")])
        #expect(gone.status == 200 && gone.body.contains(photo.manifest.digits))
        #expect(try await house.view().items[0].photos.isEmpty)
        let back = try await browser.post(
            act, [("do", "put-back"), ("item", id), ("photo", photo.manifest.digits), ("stream", "x")])
        #expect(back.status == 200)
        let shown = try #require(try await house.view().items[0].photos.first)
        #expect(shown.manifest == photo.manifest)
        #expect(try await browser.get("/t/\(house.trip)/photo/\(id)/\(shown.id)/sharp").body.hasSuffix("one"))
        await house.close()
    }

    @Test("what is no photo, no form or no item is refused in a line, and changes nothing")
    func refused() async throws {
        let house = try await house()
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        for (fields, files) in [
            ([("item", id)], ["one", "no picture"]), ([("item", id)], []), ([("item", id)], [""]), ([], ["one"]),
            ([("item", "abcdefabcdef")], ["one"]), ([("item", id)], [String](repeating: "x", count: 17)),
        ] {
            let answer = try await send(browser, house, fields + [("stream", "x")], files)
            #expect(answer.status == 422 && answer.body.contains("alert"))
        }
        #expect(
            try await send(browser, house, [("item", id)], ["x"], headers: ["Content-Type": "text/plain"]).status == 400
        )
        #expect(
            try await send(browser, house, [("item", id)], ["x"], headers: ["Origin": "http://evil.test"]).status == 403
        )
        #expect(try await browser.get("/t/\(house.trip)/photo").status == 405)
        #expect(try await house.view().items[0].photos.isEmpty)
        await house.close()
    }

    @Test("a long body is accepted only from admitted people, and only for photos")
    func long() async throws {
        let house = try await house()
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        let photo = String(repeating: "x", count: 400_000)
        #expect(try await send(browser, house, [("item", id)], [photo]).status == 303)
        var stranger = browser
        stranger.cookie = "caravan=1"
        #expect(try await send(stranger, house, [("item", id)], [photo]).status == 413)
        #expect(
            try await send(browser, house, [("item", id)], [photo], headers: ["Origin": "http://evil.test"]).status
                == 413)
        let act = try await browser.post("/t/\(house.trip)/act", [("do", "add"), ("title", photo)])
        #expect(act.status == 413)
        #expect(try await house.view().items[0].photos.count == 1)
        await house.close()
    }

    @Test("a form that is sent twice attaches once")
    func once() async throws {
        let house = try await house()
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        for _ in 0..<2 {
            let answer = try await send(browser, house, [("item", id), ("action", "1-2"), ("stream", "x")], ["one"])
            #expect(answer.status == 200 && answer.body.contains("added"))
        }
        #expect(try await house.view().items[0].photos.count == 1)
        await house.close()
    }

    @Test("guests photograph as themselves, and take nothing away")
    func guests() async throws {
        let house = try await house()
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let port = try #require(door.link.split(separator: "/")[1].split(separator: ":").last.flatMap { UInt16($0) })
        var phone = Browser(port: port)
        try #require(try await phone.enter(door.link).status == 303)
        let photo = String(repeating: "x", count: 100_000)
        #expect(
            try await send(phone, house, [("item", id)], [photo]).status == 413, "a guest who has not given a name")
        try #require(try await phone.post("/t/\(house.trip)/who", [("name", "Mia")]).status == 303)
        #expect(try await send(phone, house, [("item", id)], [photo]).status == 303)
        let shown = try #require(try await house.view().items[0].photos.first)
        #expect(shown.authorName.contains("Mia"))
        #expect(try await phone.get("/t/\(house.trip)/photo/\(id)/\(shown.id)/card").status == 200)
        let page = try await phone.get("/t/\(house.trip)/?open=\(id)").body
        #expect(page.contains("Add photos") && !page.contains("Remove photo"))
        let taken = try await phone.post(
            "/t/\(house.trip)/act", [("do", "detach"), ("item", id), ("photo", shown.id.description), ("stream", "x")])
        #expect(taken.status == 422)
        #expect(try await house.view().items[0].photos.count == 1)
        await house.close()
    }
}
