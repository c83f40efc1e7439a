import Attachments
import TripModel
import TripService

extension TerminalText {
    static func photos(_ count: Int) -> String { count == 1 ? "a photo" : "\(count) photos" }

    /// "Photos: 3 have not arrived yet, Noah has them".
    /// - Parameter hasMailbox: whether somebody can get a picture who opens it.
    static func photosLine(_ photos: StatusView.PhotosStatus, hasMailbox: Bool) -> String {
        let them = photos.missing == 1 ? "it" : "them"
        let holders = photos.holders
        return "Photos: \(photos.missing) \(photos.missing == 1 ? "has" : "have") not arrived yet, "
            + (holders.isEmpty
                ? hasMailbox
                    ? "open \(photos.missing == 1 ? "it" : "one") to ask for it through the mailbox"
                    : "no connected member has \(them)"
                : "\(holders.joined(separator: ", ")) \(holders.count == 1 ? "has" : "have") \(them)")
            + (photos.withoutRoom > 0 ? "; there is no space for \(photos.withoutRoom)" : "")
    }

    /// "3: 2 by Jie, 1 by Noah; 1 not arrived yet".
    static func photoAuthors(_ item: ItemView) -> String {
        var authors: [(name: String, count: Int)] = []
        for photo in item.photos {
            if let place = authors.firstIndex(where: { $0.name == photo.authorName }) {
                authors[place].count += 1
            } else {
                authors.append((photo.authorName, 1))
            }
        }
        let missing = item.photos.count { $0.absent.contains(.sharp) }
        return "\(item.photos.count): " + authors.map { "\($0.count) by \($0.name)" }.joined(separator: ", ")
            + (missing > 0 ? "; \(missing) not arrived yet" : "")
    }
}

extension TripJSON {
    static func photo(_ photo: PhotoView) -> JSONValue {
        .object([
            "id": .string(photo.id.description), "width": .integer(Int64(photo.manifest.sharp.width)),
            "height": .integer(Int64(photo.manifest.sharp.height)), "by": .string(photo.authorName),
            "absent": photo.absent.isEmpty ? nil : .array(photo.absent.map { .string($0.rawValue) }),
        ])
    }
}
