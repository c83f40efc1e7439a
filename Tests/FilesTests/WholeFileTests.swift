import Files
import Foundation
import LibC
import Testing

/// What is at a path before and after a file is written there, and what is read of files that are not as expected.
final class WholeFileTests {
    private let folder = NSTemporaryDirectory() + "caravan-files-" + UUID().uuidString
    private var path: String { folder + "/file" }
    private var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false) }
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func mode() -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test("a file is replaced whole, also by a shorter one, and by way of a draft that was left there")
    func replaces() throws {
        for durability in [WholeFile.Durability.none, .bytes, .all] {
            try WholeFile.write([UInt8](repeating: 7, count: 100_000), to: path, durability)
            try Data("left by a process that was killed".utf8).write(to: URL(fileURLWithPath: path + ".new"))
            try WholeFile.write([1, 2, 3], to: path, durability)
            #expect(try WholeFile.read(path, atMost: 3) == [1, 2, 3])
            #expect(names == ["file"])
        }
        try WholeFile.write([], to: path, .none)
        #expect(try WholeFile.read(path, atMost: 0).isEmpty)
    }

    @Test("a file has the mode that was asked for, whatever it had")
    func modes() throws {
        try WholeFile.write([1], to: path, mode: 0o666, .none)
        #expect(mode() == 0o666)
        try WholeFile.write([1], to: path, .none)
        #expect(mode() == 0o600)
        try WholeFile.write([1], to: path, mode: nil, .none)
        #expect(mode() & 0o600 == 0o600 && mode() & 0o111 == 0)
    }

    @Test("in an open folder, names begin there, and a draft has its own")
    func openFolder() throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        try WholeFile.write([4], to: "file", in: descriptor, draft: ".draft", .all)
        #expect(try WholeFile.read(path, atMost: 1) == [4] && names == ["file"])
    }

    @Test("where no draft can be created, or none can be renamed, the old file stays")
    func obstacles() throws {
        try WholeFile.write([1, 2, 3], to: path, .none)
        try FileManager.default.createDirectory(atPath: path + ".new", withIntermediateDirectories: false)
        let refused = #expect(throws: SystemError.self) { try WholeFile.write([9], to: self.path, .all) }
        #expect(refused?.call == "open" && refused?.number == EEXIST)
        #expect(try WholeFile.read(path, atMost: 3) == [1, 2, 3] && names == ["file", "file.new"])
        let unnamed = #expect(throws: SystemError.self) {
            try WholeFile.write([9], to: self.path + ".new", draft: self.path + ".draft", .none)
        }
        #expect(unnamed?.call == "rename" && names == ["file", "file.new"])
        let nowhere = #expect(throws: SystemError.self) { try WholeFile.write([9], to: self.folder + "/a/b", .none) }
        #expect(nowhere?.number == ENOENT)
    }

    @Test("where a disk takes only a part, the old file stays, and no draft")
    func full() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let tests = try WholeFileTests()
            try WholeFile.write([1, 2, 3], to: tests.path, .bytes)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            limit.rlim_cur = 2
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let failure: SystemError?
            do throws(SystemError) {
                try WholeFile.write([9, 9, 9, 9], to: tests.path, .bytes)
                failure = nil
            } catch { failure = error }
            guard failure?.call == "write", failure?.number == EFBIG else { exit(2) }
            guard try WholeFile.read(tests.path, atMost: 3) == [1, 2, 3], tests.names == ["file"] else { exit(3) }
        }
    }

    @Test("a file of more bytes than may be read is refused by its size")
    func tooLong() throws {
        try WholeFile.write([1, 2, 3], to: path, .none)
        #expect(throws: WholeFile.ReadFailure.tooLong) { try WholeFile.read(self.path, atMost: 2) }
        // To read 64 GiB of zeros would take a minute, and the memory.
        #expect(truncate(path, 1 << 36) == 0)
        #expect(throws: WholeFile.ReadFailure.tooLong) { try WholeFile.read(self.path, atMost: 1 << 35) }
        #expect(try WholeFile.beginning(of: path, upTo: 4) == [1, 2, 3, 0])
    }

    @Test("a file of the system's has no size, and is bounded too")
    func withoutSize() throws {
        let status = "/proc/self/status"
        #expect(try WholeFile.beginning(of: status, upTo: 5) == Array("Name:".utf8))
        #expect(try WholeFile.read(status, atMost: 1 << 20).count > 5)
        #expect(throws: WholeFile.ReadFailure.tooLong) { try WholeFile.read(status, atMost: 5) }
    }

    @Test("only files are read, and nothing is waited for", .timeLimit(.minutes(1)))
    func otherKinds() throws {
        #expect(mkfifo(path, 0o600) == 0)
        for place in [path, folder, "/dev/null"] {
            #expect(throws: WholeFile.ReadFailure.notAFile) { try WholeFile.read(place, atMost: 1) }
        }
        let missing = #expect(throws: WholeFile.ReadFailure.self) { try WholeFile.read(self.folder + "/no", atMost: 1) }
        guard case .system(let error)? = missing else {
            Issue.record("\(String(describing: missing))")
            return
        }
        #expect(error.number == ENOENT && error.description == "open: No such file or directory")
    }
}
