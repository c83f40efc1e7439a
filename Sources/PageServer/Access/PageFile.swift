import Files
import Foundation
import TripService

/// The file `page` of a home's folder: whoever reads it can act as its owner, so it is theirs alone.
struct PageFile: Sendable {
    let path: String

    private static let bytesMax = 256 << 10

    init(folder: String) { path = folder + "/page" }

    /// What is remembered; nil where nothing is, or it cannot be read: then browsers are let in anew.
    func read() -> PageMemory? {
        guard let bytes = try? WholeFile.read(path, atMost: Self.bytesMax) else { return nil }
        return try? JSONDecoder().decode(PageMemory.self, from: Data(bytes))
    }

    /// Writes it whole, or not at all.
    func write(_ memory: PageMemory) throws(ServiceError) {
        do { try WholeFile.write(Array(JSONEncoder().encode(memory)), to: path, .bytes) } catch {
            throw ServiceError(.unwritable, "cannot write \(path); check its permissions")
        }
    }
}
