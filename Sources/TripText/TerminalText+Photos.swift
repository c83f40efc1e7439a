import Attachments
import TripModel

extension TerminalText {
    static func photos(_ count: Int) -> String { count == 1 ? "a photo" : "\(count) photos" }

    /// "3: 2 by Jie, 1 by Noah".
    static func photoAuthors(_ item: ItemView) -> String {
        var authors: [(name: String, count: Int)] = []
        for photo in item.photos {
            if let place = authors.firstIndex(where: { $0.name == photo.authorName }) {
                authors[place].count += 1
            } else {
                authors.append((photo.authorName, 1))
            }
        }
        return "\(item.photos.count): " + authors.map { "\($0.count) by \($0.name)" }.joined(separator: ", ")
    }
}

extension TripJSON {
    static func photo(_ photo: PhotoView) -> JSONValue {
        .object([
            "id": .string(photo.id.description), "width": .integer(Int64(photo.manifest.sharp.width)),
            "height": .integer(Int64(photo.manifest.sharp.height)), "by": .string(photo.authorName),
        ])
    }
}
