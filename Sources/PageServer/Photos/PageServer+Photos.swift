import Attachments
import NIOHTTP1
import TripModel
import TripPage
import TripService

// Photos: sent by whoever was let in, and shown to them.
extension PageServer {
    /// How long the body of a request may be: long for photos, backups and long notes alone, of somebody who was let in.
    ///
    /// - Parameter session: of the browser; nil for one that was not let in.
    func room(for request: HTTPRequest, of session: BrowserSession?, in uploads: UploadPlaces) -> BodyRoom {
        var room = BodyRoom(bytes: options.limits.bodyBytes, isLetIn: session != nil)
        let isPhoto = request.path.count == 3 && request.path[0] == "t" && request.path[2] == "photo"
        let isBackup = request.path == ["start", "restore"] && session?.trip == nil
        // Of a note, a page with script sends pieces.
        let isNote = request.path.count == 3 && request.path[0] == "t" && request.path[2] == "note"
        let length = request.header("content-length").flatMap { Int($0) } ?? 0
        let isLongNote = isNote && length > options.limits.bodyBytes
        let isUpload = request.method == .POST && (isPhoto || isBackup || isLongNote)
        // A guest sends photos once they said who they are.
        guard isUpload, let session, session.trip == nil || session.guest != nil else { return room }
        if let place = uploads.take(for: session.token) {
            (room.bytes, room.place) = (isNote ? options.limits.noteBytes : options.limits.uploadBytes, place)
        } else {
            room.refusal = .line(
                .tooManyRequests, "other photos are still being sent: wait a moment and try again",
                [("Retry-After", "1")])
        }
        return room
    }

    /// Photos that one form may bring.
    private static let photosMax = 16

    /// Attaches the photos of a form to its item.
    func photograph(_ request: HTTPRequest, _ visit: Visit) async -> HTTPResponse {
        if let refusal = request.refusal(unless: .POST) ?? limited(visit) { return refusal }
        guard let form = MultipartForm(request) else { return Self.noForm }
        return await answer(request, { form[$0] }, visit) { await self.attach(form, visit) }
    }

    private func attach(_ form: MultipartForm, _ visit: Visit) async -> Toast {
        let files = form.files("photo")
        guard let item = form["item"], (4...64).contains(item.utf8.count) else {
            return Toast("this form is out of date: reload the page", isProblem: true)
        }
        guard !files.isEmpty else {
            return Toast("no photo was chosen, or its file is empty: choose another one", isProblem: true)
        }
        guard files.count <= Self.photosMax else {
            return Toast("at most \(Self.photosMax) photos fit in one go: send the rest separately", isProblem: true)
        }
        do throws(ServiceError) {
            try await charge(files.count, to: visit, .photos)
            let sender: PageOptions.PhotoSender = visit.guest == nil ? .owner : .guest
            var photos: [NewPhoto] = []
            for file in files { photos.append(try await options.photo(file, sender)) }
            var request = TripRequest.attach(item: .typed(item), photos: photos)
            if let guest = visit.guest { request = .asGuest(guest: guest, request) }
            let before = await visit.feed.item(item)
            guard case .done(let receipt) = try await visit.feed.service.answer(request) else { return Toast("Done") }
            return Toast(
                attached: receipt.photos ?? photos.count, receipt, new: await newPhotos(of: before, visit))
        } catch {
            return Toast(error.message, isProblem: true)
        }
    }

    /// The viewer's photos that an item got since it was read. Guests remove none, so none are theirs to take back.
    private func newPhotos(of before: ItemView?, _ visit: Visit) async -> [PhotoID] {
        guard let before, visit.guest == nil else { return [] }
        let known = Set(before.photos.map(\.id))
        let after = (try? await visit.feed.service.items([before.id]))?.first
        return (after?.photos ?? []).filter { $0.author == visit.viewer.participant && !known.contains($0.id) }.map(
            \.id)
    }

    /// A picture of a photo. What an address leads to never changes, so browsers keep it.
    func photo(_ request: HTTPRequest, _ visit: Visit) async -> HTTPResponse {
        if let refusal = request.refusal(unless: .GET) ?? limitedReading(visit, .guestPictures) { return refusal }
        guard let path = PhotoPath(request.path.dropFirst(3)), let item = await visit.feed.item(path.item) else {
            return Self.nowhere
        }
        let tag = "\"\(path.photo)-\(path.size.rawValue)\""
        let headers = [("Cache-Control", "private, max-age=31536000, immutable"), ("ETag", tag)]
        if request.header("if-none-match") == tag { return HTTPResponse(.notModified, headers, body: .whole([])) }
        do throws(ServiceError) {
            guard let file = try await picture(path, of: item.id, visit) else {
                // What is smaller is here sooner: whoever looks again later sees what they asked for.
                guard let smaller = item.photos.first(where: { $0.id == path.photo })?.greatestHere else {
                    return .line(
                        .notFound, "this photo hasn’t been downloaded yet: wait until somebody who has it is here")
                }
                return .redirect(to: TripPage.address(of: path, as: smaller, inTrip: visit.feed.trip))
            }
            return HTTPResponse(.ok, headers + [("Content-Type", file.type.name)], body: .whole(file.file.bytes))
        } catch {
            return .line(.notFound, error.message)
        }
    }

    /// How often a picture is asked for that is not here, while it is on its way, and the pause between.
    private static let triesMax = 20
    private static let pause = Duration.milliseconds(100)

    /// A picture; nil where it does not come within two seconds.
    private func picture(
        _ path: PhotoPath, of item: ItemID, _ visit: Visit
    ) async throws(ServiceError) -> PictureFile? {
        for _ in 0..<Self.triesMax {
            let answer = try await visit.feed.service.answer(.picture(path.photo, of: item, path.size))
            if case .picture(let file?) = answer { return file }
            guard path.size == .sharp else { return nil }
            try? await Task.sleep(for: Self.pause)
        }
        return nil
    }
}
