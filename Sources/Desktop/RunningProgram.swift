import LibC

/// A program that runs beside this one until it is ended. It has this process's standard input.
package final class RunningProgram: Sendable {
    private let child: Child
    /// From which all that it prints is read. Closed with the last reference to this.
    package let output: Int32

    /// - Parameters:
    ///   - arguments: the path of the program, and its arguments.
    ///   - environment: all of it, as `NAME=value`.
    package init(_ arguments: [String], environment: [String]) throws(DesktopError) {
        var ends: [Int32] = [-1, -1]
        // A socket and not a pipe: no other process inherits an end.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw DesktopError("cannot run \(arguments[0]): \(String(cString: strerror(errno)))")
        }
        defer { close(ends[1]) }
        do throws(DesktopError) {
            child = try Child(arguments, environment: environment, standard: (0, ends[1], ends[1]))
        } catch {
            close(ends[0])
            throw error
        }
        output = ends[0]
    }

    deinit { close(output) }

    package var isRunning: Bool { child.end() == nil }

    /// Asks it to end, and ends it if it has not after so many seconds. Blocks.
    package func end(within seconds: Int) {
        guard isRunning else { return }
        child.signal(SIGTERM)
        let deadline = ContinuousClock.now + .seconds(seconds)
        while isRunning {
            if ContinuousClock.now > deadline { child.signal(SIGKILL) }
            usleep(10_000)
        }
    }
}
