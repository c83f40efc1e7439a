import Foundation
import Testing

/// A folder for one test, deleted with the last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/mailbox-XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func make(_ name: String) -> String {
        let folder = path + "/" + name
        mkdir(folder, 0o700)
        return folder
    }
}

/// Writes a file in place, as a sync tool may do.
func writeFile(_ path: String, _ bytes: [UInt8]) throws {
    let file = try #require(fopen(path, "w"), "\(path)")
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}
