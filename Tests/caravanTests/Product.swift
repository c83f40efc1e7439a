import Foundation
import Testing

/// The built `caravan`, run as people run it: a process of its own, with a home folder of its own.
struct Product {
    struct Outcome {
        let status: Int32
        /// Whether a signal ended it.
        let isKilled: Bool
        let output: String
        let errors: String

        var errorLines: [Substring] { errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
    }

    let home: String
    /// No D-Bus, so no multicast, unless told otherwise.
    var environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent", "CARAVAN_INTERFACES": "lo"]

    /// A command that runs this one, with its first arguments.
    var wrapper: [String] = []

    /// The executable beside the one that runs the tests.
    private static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("caravan")
    static var executable: String { path.path }

    /// Runs a command to its end, for at most two minutes: a sweep of the simulator takes half of one on a busy machine.
    func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

    func run(_ arguments: [String]) async throws -> Outcome {
        let running = try start(arguments)
        return try await running.ended(within: 120)
    }

    /// Runs `caravan simulate` with the words of a line.
    func simulate(_ line: String) async throws -> Outcome {
        try await run(["simulate"] + line.split(separator: " ").map(String.init))
    }

    /// - Parameters:
    ///   - output: where its output goes; to a file by default.
    ///   - input: where its input comes from; from nowhere by default.
    func start(_ arguments: [String], output: FileHandle? = nil, input: FileHandle? = nil) throws -> Running {
        try Running(
            wrapper + [Product.path.path] + arguments, environment: environment.merging(["CARAVAN_HOME": home]) { $1 },
            input: input, output: output)
    }

    /// A process, with its output in files, so that no full pipe can hold it.
    final class Running {
        let process: ChildProcess
        private let folder = NSTemporaryDirectory() + "caravan-run-" + UUID().uuidString

        fileprivate init(
            _ line: [String], environment: [String: String], input: FileHandle?, output: FileHandle?
        ) throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in ["output", "errors"] {
                try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            }
            let nothing = FileHandle(forReadingAtPath: "/dev/null")
            let written = output ?? FileHandle(forWritingAtPath: folder + "/output")
            let errors = FileHandle(forWritingAtPath: folder + "/errors")
            guard let input = input ?? nothing, let written, let errors else { throw ChildProcess.Failure(code: errno) }
            process = try ChildProcess(line, environment: environment, input: input, output: written, errors: errors)
        }

        deinit {
            if process.isRunning { end() }
            try? FileManager.default.removeItem(atPath: folder)
        }

        /// The process that a wrapper began and waits for; or else the process itself.
        var innermost: Int32 {
            let process = process.processIdentifier
            let path = "/proc/\(process)/task/\(process)/children"
            let listed = (try? FileHandle(forReadingAtPath: path)?.readToEnd()).flatMap { $0 } ?? Data()
            return String(decoding: listed, as: UTF8.self).split(separator: " ").first.flatMap { Int32($0) } ?? process
        }

        /// Ends it, and what it began.
        private func end() {
            kill(innermost, SIGKILL)
            process.kill()
            process.wait()
        }

        /// What it has printed so far.
        var output: String { text("output") }
        var errors: String { text("errors") }

        private func text(_ name: String) -> String {
            String(decoding: FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data(), as: UTF8.self)
        }

        /// Waits for its end, and kills it after so many seconds.
        func ended(within seconds: Int) async throws -> Outcome {
            if try await !eventually(within: seconds, { !process.isRunning }) { end() }
            let ending = try #require(process.outcome)
            return Outcome(
                status: ending.status, isKilled: ending.isKilled, output: text("output"), errors: text("errors"))
        }
    }
}

/// A folder that goes when the test ends.
final class ScratchFolder {
    let path = NSTemporaryDirectory() + "caravan-cli-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The paths of everything in it, sorted.
    func contents() -> [String] { (FileManager.default.subpaths(atPath: path) ?? []).sorted() }
}

/// Waits for a condition, at most so many seconds.
func eventually(within seconds: Int = 30, _ isDone: () async throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
        // Asked before it is given up: on a busy machine a nap may outlast the deadline.
        let isLate = ContinuousClock.now >= deadline
        if try await isDone() { return true }
        if isLate { return false }
        try await Task.sleep(for: .milliseconds(10))
    }
}
