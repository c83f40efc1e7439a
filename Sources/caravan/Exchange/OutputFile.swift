import Console
import Files
import Foundation
import LibC
import TripModel
import TripService

/// A file that a command makes.
enum OutputFile {
    /// Makes a folder, and those above it that are missing.
    /// - Returns: its path, with no slash at the end.
    static func makeFolder(_ path: String) throws(ServiceError) -> String {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw ServiceError("cannot create the folder \(path.displayed()); choose another name")
        }
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Writes a file, under another name where there is another file of this one. Where one of them holds the same already,
    /// nothing is written.
    ///
    /// - Parameter path: without its ending.
    static func writeBeside(
        _ bytes: [UInt8], to path: String, ending: String
    ) throws(ServiceError) -> (path: String, isNew: Bool) {
        for number in 1...namesMax {
            let name = number == 1 ? "\(path).\(ending)" : "\(path)-\(number).\(ending)"
            if holds(name, bytes) { return (name, false) }
            var status = stat()
            guard lstat(name, &status) != 0 else { continue }
            try write(bytes, to: name)
            return (name, true)
        }
        throw ServiceError("\(path.displayed()).\(ending) and \(namesMax) others already exist; choose another folder")
    }

    private static let namesMax = 1_000

    private static func holds(_ path: String, _ bytes: [UInt8]) -> Bool {
        (try? WholeFile.read(path, atMost: bytes.count)) == bytes
    }

    /// Writes a file that is not there yet; nothing of it stays where that fails.
    static func write(_ bytes: [UInt8], to path: String) throws(ServiceError) {
        let shown = path.displayed()
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw errno == EEXIST
                ? ServiceError("\(shown) already exists; choose another name")
                : ServiceError("cannot write \(shown): \(Output.reason(errno))")
        }
        let failure = Output.write(bytes, to: descriptor)
        close(descriptor)
        if let failure {
            unlink(path)
            throw ServiceError("cannot write \(shown): \(Output.reason(failure))")
        }
    }
}
