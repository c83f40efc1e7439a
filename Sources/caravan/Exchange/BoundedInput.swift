import Console
import LibC
import TripModel
import TripService

/// What a file or standard input holds, read with a bound on its bytes and on the time that it takes.
enum BoundedInput {
    /// How long nothing may come, and how long all of it may take, in seconds.
    static let silenceMax = 30
    static let durationMax = 300

    /// Whether standard input is a pipe or a file, and neither a terminal nor nothing.
    static var isPiped: Bool {
        var status = stat()
        return fstat(0, &status) == 0 && [S_IFIFO, S_IFREG].contains(status.st_mode & S_IFMT)
    }

    /// - Parameters:
    ///   - path: a file, a pipe, or "-" for standard input.
    ///   - tooLong: what is said of more than `bytesMax`.
    static func read(_ path: String, bytesMax: Int, tooLong: ServiceError) throws(ServiceError) -> [UInt8] {
        if path == "-" { return try read(0, name: "standard input", bytesMax: bytesMax, tooLong: tooLong) }
        let name = path.displayed()
        // A pipe that nobody writes to would hold the opening for ever.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(name, errno) }
        defer { close(descriptor) }
        return try read(descriptor, name: name, bytesMax: bytesMax, tooLong: tooLong)
    }

    private static func unreadable(_ name: String, _ code: Int32) -> ServiceError {
        ServiceError("cannot read \(name): \(Output.reason(code))")
    }

    private static func read(
        _ descriptor: Int32, name: String, bytesMax: Int, tooLong: ServiceError
    ) throws(ServiceError) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(name, errno) }
        let isFile = status.st_mode & S_IFMT == S_IFREG
        // A sparse file of a terabyte is refused before its first byte.
        if isFile, status.st_size > bytesMax { throw named(name, tooLong) }
        // Typed input may take any time.
        let isTyped = isatty(descriptor) == 1
        let deadline = ContinuousClock.now + .seconds(durationMax)
        var bytes: [UInt8] = []
        if isFile { bytes.reserveCapacity(Int(status.st_size)) }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if !isFile {
                var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                let ready = poll(&interest, 1, isTyped ? -1 : Int32(silenceMax * 1_000))
                if ready < 0, errno == EINTR { continue }
                guard ready > 0 else {
                    throw ServiceError("no data from \(name) for \(silenceMax) s; nothing was changed")
                }
                guard isTyped || ContinuousClock.now < deadline else {
                    throw ServiceError("\(name) took longer than \(durationMax) s; nothing was changed")
                }
            }
            let count = LibC.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { throw unreadable(name, errno) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= bytesMax else { throw named(name, tooLong) }
        }
    }

    private static func named(_ name: String, _ error: ServiceError) -> ServiceError {
        ServiceError("\(name): \(error.message)")
    }
}
