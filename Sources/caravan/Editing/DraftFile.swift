import Console
import Desktop
import Files
import LibC
import TripService

/// A text in a file that this user alone may read, while it is edited. It goes with its folder, unless it is kept.
struct DraftFile {
    let path: String
    private let folder: String

    /// Writes the text to a new file, where files lie that do not outlive the session, or else where temporary ones do.
    /// - Parameter name: what the file is called, for editors that go by its ending.
    init(_ text: String, named name: String = "item.txt") throws(ServiceError) {
        let place = ["XDG_RUNTIME_DIR", "TMPDIR"].lazy.compactMap { name -> String? in
            guard let value = getenv(name) else { return nil }
            let path = String(cString: value)
            return path.hasPrefix("/") && access(path, W_OK) == 0 ? path : nil
        }.first
        // Made with mode 0700.
        var template = Array("\(place ?? "/tmp")/caravan-edit-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw ServiceError("cannot create a file to edit: \(Output.reason(errno))")
        }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        path = "\(folder)/\(name)"
        do { try WholeFile.write(Array(text.utf8), to: path, .none) } catch {
            Self.remove(folder)
            throw ServiceError("cannot write the file to edit: \(error.reason)")
        }
    }

    /// What the file holds now: an editor may have put another in its place. Nil where it is gone: then nothing is to be done.
    func read(upTo bytesMax: Int) throws(ServiceError) -> String? {
        let bytes: [UInt8]
        do { bytes = try WholeFile.read(path, atMost: bytesMax) } catch {
            switch error {
            case .system(let error) where error.number == ENOENT: return nil
            case .system(let error): throw ServiceError("cannot read \(path): \(error.reason)")
            case .notAFile: throw ServiceError("cannot read \(path): it is not a file")
            case .tooLong: throw ServiceError("the draft is longer than \(bytesMax >> 10) KiB; shorten it")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ServiceError("the draft is not UTF-8 text; save it as UTF-8")
        }
        return text
    }

    /// Takes the file away, with what the editor left beside it.
    func remove() { Self.remove(folder) }

    private static func remove(_ folder: String) {
        guard let listing = opendir(folder) else { return }
        while let entry = LibC.readdir(listing) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { unlink("\(folder)/\(name)") }
        }
        closedir(listing)
        rmdir(folder)
    }
}
