import Attachments
import Console
import Desktop
import Files
import Synchronization
import TripModel
import TripService

extension NewPhoto {
    /// A file as a photo of a trip.
    ///
    /// - Parameter sender: who waits for it, and how much it may take to read it.
    /// - Throws: where it is no picture, or nothing here can read it.
    init(decoding file: [UInt8], of sender: Photo.Sender = .own) async throws(ServiceError) {
        let photo: Photo
        do { photo = try await Desktop.photo(of: file, sizes: .ofTrips, sender: sender) } catch {
            throw ServiceError(error.message)
        }
        if !photo.isConfined, !Self.isUnconfinedSaid.exchange(true, ordering: .relaxed) {
            Output.note("The picture was decoded without a sandbox: `caravan doctor` says why")
        }
        self.init(sharp: Picture(photo.sharp), card: Picture(photo.card), thumbnail: Picture(photo.thumbnail))
    }

    /// Said once by a process.
    private static let isUnconfinedSaid = Atomic(false)

    /// The photos in files, all of them or an error that names the file.
    static func read(from paths: [String]) async throws(ServiceError) -> [NewPhoto] {
        var photos: [NewPhoto] = []
        for path in paths {
            let file = try read(path)
            do { photos.append(try await NewPhoto(decoding: file)) } catch {
                throw ServiceError("\(path.displayed()): \(error.message)")
            }
        }
        return photos
    }

    private static func read(_ path: String) throws(ServiceError) -> [UInt8] {
        do { return try WholeFile.read(path, atMost: Photo.fileBytesMax) } catch {
            let shown = path.displayed()
            switch error {
            case .system(let error): throw ServiceError("cannot read \(shown): \(error.reason)")
            case .notAFile: throw ServiceError("\(shown) is not a regular file; give a picture")
            case .tooLong:
                throw ServiceError(
                    "\(shown): the file is larger than \(Photo.fileBytesMax >> 20) MB; choose a smaller one")
            }
        }
    }

    /// Photos as many to a part as one message to a node takes.
    static func parts(of photos: [NewPhoto]) -> [[NewPhoto]] {
        var parts: [[NewPhoto]] = []
        var bytes = 0
        for photo in photos {
            let size = PhotoManifest.Size.allCases.reduce(0) { $0 + photo[$1].file.bytes.count }
            if parts.isEmpty || bytes + size > messageBytesMax {
                parts.append([])
                bytes = 0
            }
            parts[parts.count - 1].append(photo)
            bytes += size
        }
        return parts
    }

    /// Of pictures in a message, which are a third more there.
    private static let messageBytesMax = 5 << 19
}

extension NewPhoto.Picture {
    fileprivate init(_ picture: Photo.Picture) {
        self.init(type: .jpeg, width: picture.width, height: picture.height, bytes: picture.bytes)
    }
}

extension Photo.Sizes {
    /// As trips keep them.
    static var ofTrips: Photo.Sizes {
        let size = { (size: PhotoManifest.Size) in (pixels: size.pixelsMax, bytes: NewPhoto.bytesMax(size)) }
        return Photo.Sizes(sharp: size(.sharp), card: size(.card), thumbnail: size(.thumbnail))
    }
}
