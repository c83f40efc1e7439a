import Foundation
import Synchronization

/// A process that the tests start. Foundation's `Process.run()` on Linux read beyond its own memory once in some thousand
/// starts, and took the whole run of the tests with it; so this one asks the C library.
final class ChildProcess: Sendable {
    struct Failure: Error { let code: Int32 }

    let processIdentifier: pid_t
    /// What `waitpid` said of its end; nil while it runs.
    private let end = Mutex<Int32?>(nil)

    /// Starts a program, which inherits these three descriptors and no other, and leads a process group of its own.
    init(
        _ line: [String], environment: [String: String], input: FileHandle, output: FileHandle, errors: FileHandle
    ) throws {
        // One that nobody holds is closed, maybe before the process is there.
        defer { withExtendedLifetime((input, output, errors)) {} }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // By way of high numbers, so that none of the three is overwritten before it is copied. To close a descriptor that is
        // not open is no failure here.
        let high: Int32 = 1_000
        for (number, descriptor) in zip(Int32(0)..., [input, output, errors].map(\.fileDescriptor)) {
            posix_spawn_file_actions_adddup2(&actions, descriptor, high + number)
        }
        for number in Int32(0)...2 { posix_spawn_file_actions_adddup2(&actions, high + number, number) }
        for descriptor in 3...high + 2 { posix_spawn_file_actions_addclose(&actions, descriptor) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETPGROUP)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var arguments = line.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var identifier: pid_t = 0
        let code = posix_spawn(&identifier, line[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw Failure(code: code) }
        processIdentifier = identifier
    }

    deinit { if isRunning { kill(); wait() } }

    var isRunning: Bool { status(WNOHANG) == nil }
    func wait() { _ = status(0) }
    func kill() { _ = Foundation.kill(processIdentifier, SIGKILL) }

    /// What it exited with, or the signal that ended it, as soon as it has ended.
    var outcome: (status: Int32, isKilled: Bool)? {
        status(WNOHANG).map { $0 & 0x7F == 0 ? (($0 >> 8) & 0xFF, false) : ($0 & 0x7F, true) }
    }

    /// Asked once it has ended, and never after: its number may then be another's.
    private func status(_ options: Int32) -> Int32? {
        end.withLock { end in
            if let end { return end }
            var status: Int32 = 0
            var answered: pid_t
            repeat { answered = waitpid(processIdentifier, &status, options) } while answered < 0 && errno == EINTR
            if answered == processIdentifier { end = status }
            return end
        }
    }
}
