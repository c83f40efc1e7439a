import Foundation

/// Small files of the system's, as those in /proc.
enum TextFile {
    private static let bytesMax = 1 << 20

    /// The beginning of a file; nil where it cannot be read.
    static func read(_ path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let data = try? file.read(upToCount: bytesMax) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
