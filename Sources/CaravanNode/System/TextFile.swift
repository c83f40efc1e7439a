import Files

/// Small files of the system's, as those in /proc.
enum TextFile {
    private static let bytesMax = 1 << 20

    /// The beginning of a file; nil where it cannot be read.
    static func read(_ path: String) -> String? {
        (try? WholeFile.beginning(of: path, upTo: bytesMax)).map { String(decoding: $0, as: UTF8.self) }
    }
}
