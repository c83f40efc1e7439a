import Foundation
import Platform
import TripService

/// The file `page` of a home's folder: whoever reads it can act as its owner, so it is theirs alone.
struct PageFile: Sendable {
    let path: String

    private static let bytesMax = 256 << 10

    init(folder: String) { path = folder + "/page" }

    /// What is remembered; nil where nothing is, or it cannot be read: then browsers are let in anew.
    func read() -> PageMemory? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let data = try? file.read(upToCount: Self.bytesMax) else { return nil }
        return try? JSONDecoder().decode(PageMemory.self, from: data)
    }

    /// Writes it whole, or not at all.
    func write(_ memory: PageMemory) throws(ServiceError) {
        let failure = ServiceError(.unwritable, "cannot write \(path); check its permissions")
        guard let data = try? JSONEncoder().encode(memory) else { throw failure }
        let draft = path + ".new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // The umask may have taken from the mode.
        guard fchmod(descriptor, 0o600) == 0 else { throw failure }
        do {
            try file.write(contentsOf: data)
            try file.synchronize()
            try file.close()
        } catch { throw failure }
        guard rename(draft, path) == 0 else { throw failure }
    }
}
