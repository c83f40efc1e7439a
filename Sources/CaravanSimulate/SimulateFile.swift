import Console
import Files
import Foundation

/// A file that a simulation writes when it has ended: all of it, or nothing. A link stays, and what it leads to is
/// written. What is no regular file, a device or a pipe, stays too, and is written into.
struct SimulateFile {
    /// Why a file cannot be read or written, in a line.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// Links that are followed, one behind the other: as many as Linux follows.
    private static let linksMax = 40

    private let path: String

    /// Throws where it cannot be written, before the work begins.
    init(path: String) throws {
        self.path = path
        guard !path.isEmpty else { throw Problem(description: "the file name is empty; give one") }
        let kind = Self.status(path).map { $0.st_mode & S_IFMT }
        guard kind != S_IFDIR, !path.hasSuffix("/") else {
            throw Problem(description: "\(path) is a folder; give a file")
        }
        if let kind, kind != S_IFREG {
            guard access(path, W_OK) == 0 else { throw problem("write", errno) }
            return
        }
        let target = Self.followed(path)
        let folder = WholeFile.folder(of: target)
        if let status = Self.status(folder), status.st_mode & S_IFMT != S_IFDIR {
            throw Problem(description: "cannot write \(path): \(folder) is not a folder")
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw Problem(description: "cannot write into \(folder); create that folder, or choose another file")
        }
        // There are names that no file can have, and folders that take none whatever they say.
        let trial = kind == nil ? target : Self.temporary(beside: target)
        let descriptor = open(trial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw problem("write", errno) }
        close(descriptor)
        unlink(trial)
    }

    /// Whether two paths lead to one file, so that one of two texts would be lost there.
    static func areOne(_ one: String, _ other: String) -> Bool {
        if let first = status(one), let second = status(other) {
            return first.st_dev == second.st_dev && first.st_ino == second.st_ino && first.st_mode & S_IFMT == S_IFREG
        }
        func whole(_ path: String) -> String {
            let target = URL(fileURLWithPath: followed(path)).standardizedFileURL
            return target.deletingLastPathComponent().resolvingSymlinksInPath().path + "/" + target.lastPathComponent
        }
        return whole(one) == whole(other)
    }

    // MARK: - Writing

    func write(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard let status = Self.status(path) else { return try replace(Self.followed(path), with: bytes, mode: nil) }
        // A report that goes where standard output goes comes behind what was printed there.
        if let printed = Self.status(of: 1), printed.st_dev == status.st_dev, printed.st_ino == status.st_ino {
            if let failure = Output.write(bytes, to: 1) { throw problem("write", failure) }
        } else if status.st_mode & S_IFMT == S_IFREG {
            try replace(Self.followed(path), with: bytes, mode: UInt32(status.st_mode & 0o7777))
        } else {
            try pour(bytes)
        }
    }

    /// Puts a new file in the place of one that was there, or of none.
    private func replace(_ target: String, with bytes: [UInt8], mode: UInt32?) throws {
        let draft = Self.temporary(beside: target)
        do { try WholeFile.write(bytes, to: target, draft: draft, mode: mode, .none) } catch {
            throw problem("write", error.number)
        }
    }

    /// Writes into what is there.
    private func pour(_ bytes: [UInt8]) throws {
        var descriptor = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0, errno == ENXIO {
            Output.note("Waiting for a reader of \(path)")
            // There is nothing left to end in an orderly way.
            signal(SIGINT, SIG_DFL)
            signal(SIGTERM, SIG_DFL)
            descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
        }
        guard descriptor >= 0 else { throw problem("write", errno) }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, 0)
        if let failure = Output.write(bytes, to: descriptor) { throw problem("write", failure) }
    }

    // MARK: - Reading

    /// What a file says, if it is no longer than so many bytes. Of a pipe that stays silent for a second people are told.
    static func text(at path: String, bytesMax: Int) throws -> String {
        let file = SimulateFile(unchecked: path)
        let descriptor = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw errno == ENOENT
                ? Problem(description: "cannot read \(path): it does not exist") : file.problem("read", errno)
        }
        defer { close(descriptor) }
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&wanted, 1, 1_000) == 0 {
            Output.note("Waiting for data from \(path)")
            while poll(&wanted, 1, -1) < 0, errno == EINTR {}
        }
        _ = fcntl(descriptor, F_SETFL, 0)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= bytesMax {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw file.problem("read", errno) }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        guard bytes.count <= bytesMax else {
            throw Problem(description: "\(path) is longer than \(bytesMax >> 10) KiB; give a smaller file")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem(description: "\(path) is not UTF-8 text; give a saved run")
        }
        return text
    }

    // MARK: - Paths

    private init(unchecked path: String) { self.path = path }

    private func problem(_ verb: String, _ number: Int32) -> Problem {
        Problem(description: "cannot \(verb) \(path): \(Output.reason(number))")
    }

    /// Of what a path leads to; nil where nothing is there.
    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func status(of descriptor: Int32) -> stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Where links lead at last.
    private static func followed(_ path: String) -> String {
        var path = path
        for _ in 0..<linksMax {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            path = next.hasPrefix("/") ? next : WholeFile.folder(of: path) + "/" + next
        }
        return path
    }

    private static func temporary(beside target: String) -> String {
        WholeFile.folder(of: target) + "/.caravan-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    }
}
