import LibC

/// A process that this one began, in a group of its own.
struct Child: ~Copyable, Sendable {
    /// What it may use. A program that wants more is ended.
    struct Limits {
        /// Of time on the wall; the processor's is bounded by a second more.
        var seconds: Int
        /// Of memory.
        var mebibytes: Int
        /// Of each file that it writes, what it prints among them.
        var outputBytesMax: Int
        /// How far it stands back behind other programs where the processor is wanted by more than one: up to 19.
        var niceness = 0
        /// Of what it complains of, in bytes: the beginning is kept.
        var errorBytesMax = 400
    }

    struct Outcome {
        /// What it ended with; nil where a signal ended it.
        let status: Int32?
        let output: [UInt8]
        /// The beginning of what it complained of.
        let errors: String
    }

    private let process: pid_t

    /// - Parameters:
    ///   - arguments: the path of the program, and its arguments.
    ///   - environment: all of it, as `NAME=value`.
    ///   - standard: descriptors that become its standard input, output and error.
    ///   - hasOwnGroup: false for one that reads the terminal, which is the foreground group's.
    init(
        _ arguments: [String], environment: [String], standard: (Int32, Int32, Int32), hasOwnGroup: Bool = true
    ) throws(DesktopError) {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, descriptor) in [standard.0, standard.1, standard.2].enumerated() where descriptor != number {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        // What this process ignores or blocks is its own.
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group))
        var process: pid_t = 0
        let path = arguments[0]
        let failure = withPointers(to: arguments) { arguments in
            withPointers(to: environment) { environment in
                posix_spawn(&process, path, &actions, &attributes, arguments, environment)
            }
        }
        guard failure == 0 else {
            throw DesktopError("cannot run \(path): \(String(cString: strerror(failure)))")
        }
        self.process = process
    }

    /// How it ended; nil while it runs.
    borrowing func end(waits: Bool = false) -> Int32? {
        var status: Int32 = 0
        while true {
            let ended = waitpid(process, &status, waits ? 0 : WNOHANG)
            if ended < 0, errno == EINTR { continue }
            return ended == 0 ? nil : status
        }
    }

    /// Sends it a signal.
    borrowing func signal(_ number: Int32) { LibC.kill(process, number) }

    /// Ends it and all that it began, now.
    consuming func kill() {
        LibC.kill(-process, SIGKILL)
        LibC.kill(process, SIGKILL)
        _ = end(waits: true)
    }

    /// Waits for its end, for a time. Nil where it goes on.
    borrowing func end(within seconds: Int) async throws -> Int32? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var pause = 2
        while true {
            let isLate = ContinuousClock.now >= deadline
            if let status = end() { return status }
            if isLate { return nil }
            try await Task.sleep(for: .milliseconds(pause))
            pause = min(pause * 2, 50)
        }
    }

    /// The status that a process ended with; nil where a signal ended it.
    static func exitStatus(_ status: Int32) -> Int32? { status & 0x7F == 0 ? status >> 8 & 0xFF : nil }

    /// Lets go of it: a thread waits for its end, for the system keeps what ended until somebody asks.
    consuming func release() {
        let process = process
        var thread = pthread_t()
        let context = UnsafeMutablePointer<pid_t>.allocate(capacity: 1)
        context.initialize(to: process)
        let failure = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let process = context.assumingMemoryBound(to: pid_t.self)
                while waitpid(process.pointee, nil, 0) < 0, errno == EINTR {}
                process.deallocate()
                return nil
            }, context)
        if failure == 0 { pthread_detach(thread) } else { context.deallocate() }
    }
}

extension Child {
    /// Runs a program to its end, with bytes in and bytes out.
    static func run(
        _ program: Program, _ arguments: [String], environment: [String] = [], input: [UInt8] = [], _ limits: Limits
    ) async throws(DesktopError) -> Outcome {
        // Files in memory: no pipe can be full, and what is printed is bounded as files are.
        let (source, output, errors) = (try MemoryFile(), try MemoryFile(), try MemoryFile())
        try source.write(input)
        // A shell sets its own bounds, and becomes the program. A bound that is lower already stays.
        let bounds =
            "for bound; do case $bound in -?*=*) ulimit ${bound%%=*} ${bound#*=} 2>/dev/null || :; shift;; "
            + "*) break;; esac; done; exec \"$@\""
        let blocks = max(1, limits.outputBytesMax / 512)
        let line = [
            "/bin/sh", "-c", bounds, "sh", "-t=\(limits.seconds + 1)", "-v=\(limits.mebibytes * 1_024)", "-f=\(blocks)",
        ]
        let standingBack = limits.niceness > 0 ? ["/usr/bin/nice", "-n", "\(limits.niceness)"] : []
        let child = try Child(
            line + standingBack + [program.path] + arguments, environment: environment,
            standard: (source.descriptor, output.descriptor, errors.descriptor))
        let deadline = ContinuousClock.now + .seconds(limits.seconds)
        let tookLonger = DesktopError("\(program.path) took longer than \(limits.seconds) s, and was stopped")
        let status: Int32?
        do { status = try await child.end(within: limits.seconds) } catch { status = nil }
        guard let status else {
            child.kill()
            throw tookLonger
        }
        // The system ends what used up its time of the processor: in the same moment, where it did nothing else.
        if exitStatus(status) == nil, ContinuousClock.now >= deadline { throw tookLonger }
        return Outcome(
            status: exitStatus(status), output: try output.read(upTo: limits.outputBytesMax),
            errors: String(decoding: try errors.read(upTo: limits.errorBytesMax), as: UTF8.self))
    }
}

/// Texts as C has them: a list of pointers that ends with none.
private func withPointers<Result>(
    to texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
}
