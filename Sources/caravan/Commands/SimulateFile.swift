import Foundation

/// A file that a simulation writes when it has ended: all of it, or nothing.
struct SimulateFile {
    /// Why a file cannot be read or written, in a line.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private let path: String

    /// Throws where it cannot be written, before the work begins.
    init(path: String) throws {
        self.path = path
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw Problem(description: "\(path) is a folder: name a file")
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw Problem(description: "cannot write into \(folder): make that folder, or name another file")
        }
    }

    /// What a file says, if it is no longer than so many bytes.
    static func text(at path: String, bytesMax: Int) throws -> String {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Problem(description: "cannot read \(path): is it there?")
        }
        let data: Data
        do { data = try file.read(upToCount: bytesMax + 1) ?? Data() } catch {
            throw Problem(description: "cannot read \(path): is it a file?")
        }
        guard data.count <= bytesMax else { throw Problem(description: "\(path) is longer than \(bytesMax) bytes") }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw Problem(description: "\(path) is no text")
        }
        return text
    }

    func write(_ text: String) throws {
        do { try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic) } catch {
            throw Problem(description: "cannot write \(path): \(error.localizedDescription)")
        }
    }
}
