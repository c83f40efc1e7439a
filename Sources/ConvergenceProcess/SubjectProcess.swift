public import Convergence
import LibC
import Synchronization

/// A program in a process of its own that plays replicas for the harness, by lines on its standard input and output.
///
/// The process ends with the last reference to this, or after the first failure. What it prints to standard error is read, and
/// its end is told with a failure.
public final class SubjectProcess: LineProgram {
    /// What a program may take.
    public struct Limits: Sendable {
        /// Milliseconds until an answer is there.
        public var answerTime = 10_000
        /// Bytes of a line.
        public var lineBytes = 4 << 20

        /// Ten seconds, and 4 MiB.
        public init() {}
    }

    /// Bytes of standard error that are kept.
    private static let wordsMax = 2_000

    private struct Channel {
        let process: pid_t
        let input: Int32
        let output: Int32
        let errors: Int32
        var received: [UInt8] = []
        var words: [UInt8] = []
        var hasEnded = false
    }

    private let limits: Limits
    private let channel: Mutex<Channel>

    /// Starts a program as a shell does: `command` is a line for `/bin/sh`. Throws where no process can be started.
    public init(_ command: String, limits: Limits = Limits()) throws(ProgramFailure) {
        self.limits = limits
        var (input, output, errors): ([Int32], [Int32], [Int32]) = ([-1, -1], [-1, -1], [-1, -1])
        // Sockets and not pipes: writing to a program that is gone raises no signal, and no other process inherits an end.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let isReady =
            socketpair(AF_UNIX, kind, 0, &input) == 0 && socketpair(AF_UNIX, kind, 0, &output) == 0
            && socketpair(AF_UNIX, kind, 0, &errors) == 0
        defer { for descriptor in [input[1], output[1], errors[1]] where descriptor >= 0 { close(descriptor) } }
        var process: pid_t = 0
        let started = isReady ? Self.spawn(command, input[1], output[1], errors[1], &process) : errno
        guard started == 0 else {
            for descriptor in [input[0], output[0], errors[0]] where descriptor >= 0 { close(descriptor) }
            throw ProgramFailure("cannot start \(command): \(String(cString: strerror(started)))")
        }
        for descriptor in [input[0], output[0], errors[0]] { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        channel = Mutex(Channel(process: process, input: input[0], output: output[0], errors: errors[0]))
    }

    deinit { channel.withLock { Self.end(&$0) } }

    private static func spawn(
        _ command: String, _ input: Int32, _ output: Int32, _ errors: Int32, _ process: inout pid_t
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (descriptor, number) in [(input, Int32(0)), (output, 1), (errors, 2)] {
            posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        }
        // A group of its own, so that all that it starts ends with it; and signals as they are for a new program.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = []
        for word in ["sh", "-c", command] { arguments.append(strdup(word)) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        return posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, environ)
    }

    private static func end(_ channel: inout Channel) {
        guard !channel.hasEnded else { return }
        channel.hasEnded = true
        kill(-channel.process, SIGKILL)
        var status: Int32 = 0
        while waitpid(channel.process, &status, 0) < 0, errno == EINTR {}
        for descriptor in [channel.input, channel.output, channel.errors] { close(descriptor) }
    }

    // MARK: - Lines

    /// Sends a line and waits for one. Throws where the program has ended, is late, or sends more than a line may have; then
    /// the process ends.
    public func answer(to line: String) throws(ProgramFailure) -> String {
        try channel.withLock { channel throws(ProgramFailure) in
            guard !channel.hasEnded else { throw ProgramFailure("the program has ended") }
            do throws(ProgramFailure) {
                return try exchange(Array(line.utf8) + [0x0A], on: &channel)
            } catch {
                let problem = Self.complete(error, &channel)
                Self.end(&channel)
                throw problem
            }
        }
    }

    private func exchange(_ line: [UInt8], on channel: inout Channel) throws(ProgramFailure) -> String {
        let deadline = Self.now + limits.answerTime
        var (sent, searched) = (0, 0)
        while true {
            if let end = Self.lineEnd(in: channel.received, from: searched) {
                guard sent == line.count else { throw ProgramFailure("the program answered before it was asked") }
                let answer = channel.received[..<end]
                guard let text = String(validating: answer, as: UTF8.self) else {
                    throw ProgramFailure("the program's answer is not UTF-8")
                }
                channel.received.removeSubrange(...end)
                guard channel.received.isEmpty else {
                    throw ProgramFailure(
                        "the program answered one line with several; the first was \(text.prefix(200))")
                }
                return text
            }
            guard channel.received.count <= limits.lineBytes else {
                throw ProgramFailure("the program's answer is longer than \(limits.lineBytes >> 10) KiB")
            }
            searched = channel.received.count
            let left = deadline - Self.now
            guard left > 0 else {
                throw ProgramFailure(
                    "no answer for \(limits.answerTime) ms to \(String(decoding: line.prefix(200), as: UTF8.self).dropLast())"
                )
            }
            try move(line, &sent, on: &channel, for: left)
        }
    }

    private static func lineEnd(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress, let found = memchr(base + start, 0x0A, all.count - start) else {
                return nil
            }
            return found - UnsafeMutableRawPointer(mutating: base)
        }
    }

    /// Waits until something can be written or read, and does it.
    private func move(
        _ line: [UInt8], _ sent: inout Int, on channel: inout Channel, for time: Int
    ) throws(ProgramFailure) {
        var wanted = [
            pollfd(fd: channel.output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: channel.errors, events: Int16(POLLIN), revents: 0),
            pollfd(fd: sent < line.count ? channel.input : -1, events: Int16(POLLOUT), revents: 0),
        ]
        guard poll(&wanted, 3, Int32(clamping: time)) > 0 else { return }
        if wanted[1].revents != 0, Self.read(channel.errors, into: &channel.words) == 0 { usleep(1_000) }
        channel.words.removeFirst(max(0, channel.words.count - Self.wordsMax))
        if wanted[2].revents != 0 {
            let count = line[sent...].withUnsafeBytes { bytes in
                send(channel.input, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { sent += count }
            if count < 0, errno != EAGAIN, errno != EINTR { throw ProgramFailure("the program does not read") }
        }
        if wanted[0].revents != 0, Self.read(channel.output, into: &channel.received) == 0 {
            throw ProgramFailure("the program ended without an answer")
        }
    }

    /// At most 64 KiB; nil for nothing now, 0 at the end.
    private static func read(_ descriptor: Int32, into bytes: inout [UInt8]) -> Int? {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let count = LibC.read(descriptor, &piece, piece.count)
        if count > 0 { bytes += piece[..<count] }
        return count < 0 ? nil : count
    }

    /// The failure with how the process ended, and its last words.
    private static func complete(_ failure: ProgramFailure, _ channel: inout Channel) -> ProgramFailure {
        var text = failure.description
        // One that just ended may take a moment to be gone.
        var status: Int32 = 0
        var ended = waitpid(channel.process, &status, WNOHANG)
        for _ in 0..<50 where ended == 0 && text.contains("ended") || ended == 0 && text.contains("read") {
            usleep(2_000)
            ended = waitpid(channel.process, &status, WNOHANG)
        }
        while let count = read(channel.errors, into: &channel.words), count > 0 {}
        if ended == channel.process {
            let signal = status & 0x7F
            text += signal == 0 ? " (status \(status >> 8 & 0xFF))" : " (signal \(signal))"
        }
        let words = String(decoding: channel.words.suffix(wordsMax), as: UTF8.self).split(separator: "\n").suffix(3)
        if !words.isEmpty { text += "; it said: " + words.joined(separator: " / ") }
        return ProgramFailure(text)
    }

    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}
