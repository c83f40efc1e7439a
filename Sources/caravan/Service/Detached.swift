import CaravanNode
import Console
import Foundation
import LibC
import TripService

/// A node that goes on when its terminal is closed: this program again, as a process of its own.
enum Detached {
    /// In the child's environment: the descriptor at which it says that it is ready.
    private static let variable = "CARAVAN_READY"
    /// The most that a child may say before it is ready: errors are a line.
    private static let wordsMax = 64 << 10

    /// Starts `caravan up` with these arguments, and returns once it is ready. What it says before, it says here, and it may
    /// ask at this terminal for passphrases.
    static func start(_ arguments: [String]) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ServiceError("cannot start a process: \(Output.reason(errno))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process: pid_t
        do {
            process = try spawn(arguments, ready: ends[1])
        } catch {
            for end in ends { close(end) }
            throw error
        }
        close(ends[1])
        let words = readAll(ends[0])
        close(ends[0])
        guard words != Self.ready else {
            Output.line("Started the node in the background (process \(process)). Stop it with `caravan down`.")
            return
        }
        // It has ended, and said why.
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        throw ServiceError(words.isEmpty ? "the node stopped before it was ready; see $CARAVAN_HOME/log" : words)
    }

    private static let ready = "ready"

    private static func spawn(_ arguments: [String], ready: Int32) throws(ServiceError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ready, 3)
        // Closes inherited descriptors, such as a pipe whose reader waits for this process to end: the detached process outlives it.
        for descriptor in lent where descriptor > 3 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var words = (["caravan", "up"] + arguments).map { (word: String) in strdup(word) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = []
        for place in 0... {
            guard let variable = environ[place] else { break }
            variables.append(strdup(variable))
        }
        variables += [strdup("\(variable)=3"), nil]
        defer { (words + variables).forEach { free($0) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, "/proc/self/exe", &actions, nil, &words, &variables)
        guard failure == 0 else { throw ServiceError("cannot start a process: \(Output.reason(failure))") }
        return process
    }

    /// The open descriptors that a program begun by this one would have too.
    private static var lent: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }.filter { descriptor in
            let flags = fcntl(descriptor, F_GETFD)
            return flags >= 0 && flags & FD_CLOEXEC == 0
        }
    }

    private static func readAll(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < wordsMax {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: - In the child

    /// The descriptor at which this process shall say that it is ready; nil for one that nobody waits for.
    private static var readyDescriptor: Int32? { getenv(variable).flatMap { Int32(String(cString: $0)) } }

    /// Whether this process was started to be detached.
    static var isChild: Bool { readyDescriptor != nil }

    /// Leaves the terminal, and says that the node is ready.
    static func becomeReady() {
        guard let descriptor = readyDescriptor else { return }
        _ = setsid()
        _ = Output.write(Array(ready.utf8), to: descriptor)
        close(descriptor)
        unsetenv(variable)
        let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        for standard in Int32(0)...2 { dup2(nowhere, standard) }
        close(nowhere)
    }

    /// Says why there will be no node.
    static func fail(_ message: String) {
        guard let descriptor = readyDescriptor else { return }
        _ = Output.write(Array(message.utf8), to: descriptor)
    }
}
