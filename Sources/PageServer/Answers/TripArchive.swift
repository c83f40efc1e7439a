import Attachments
import Foundation
import TripModel
import TripPage
package import TripService

/// A trip as one HTML document to keep, with its photos.
package struct TripArchive: Sendable {
    package let html: String
    package let photos: Int
    /// Photos that are in the document smaller than they are, or not at all: nobody who has them was here, or there is no room.
    package let photosReduced: Int

    /// The most bytes of photos in a document. Where there are more, the rest are thumbnails, for which there is as much room again.
    package static let photoBytesMax = 64 << 20

    /// Asks a trip for all that the document holds, photos one by one.
    package init(
        of service: any TripService, now: Int64, secondsFromUTC: Int64, photoBytesMax: Int = TripArchive.photoBytesMax
    ) async throws(ServiceError) {
        guard case .trip(let trip) = try await service.answer(.view),
            case .members(let members) = try await service.answer(.members),
            case .status(let status) = try await service.answer(.status),
            case .history(let history) = try await service.answer(.history)
        else {
            throw ServiceError("the node sent an unexpected answer; restart it with `caravan down` and `caravan up`")
        }
        let state = PageState(
            tripID: "archive", trip: trip, members: members, status: status, history: history,
            viewer: Viewer(participant: nil), now: now, secondsFromUTC: secondsFromUTC)
        var sources: [PhotoPath: String] = [:]
        var (count, reduced, room) = (0, 0, [photoBytesMax, photoBytesMax])
        for photo in ArchivePage.photos(of: trip) {
            count += 1
            // A thumbnail is beside the title, and all of a photo whose larger sizes find no room.
            for (place, path) in [(0, photo.paths.last), (1, photo.paths.first)] {
                guard let path, sources[path] == nil,
                    case .picture(let picture?) = try await service.answer(
                        .picture(path.photo, of: photo.item, path.size)),
                    picture.file.bytes.count <= room[place]
                else { continue }
                room[place] -= picture.file.bytes.count
                sources[path] =
                    "data:\(picture.type.name);base64,"
                    + Data(picture.file.bytes).base64EncodedString()
            }
            if photo.paths.last?.size != .sharp || photo.paths.last.flatMap({ sources[$0] }) == nil { reduced += 1 }
        }
        (photos, photosReduced) = (count, reduced)
        html = ArchivePage.document(state, now: now) { sources[$0] }
    }
}
