import CaravanNode
import LibC
import TripService

/// The terminal that this process was started from, for what must not be seen.
struct Terminal: ~Copyable {
    private let descriptor: Int32

    /// Nil where there is none: in a service, or under another program.
    init?() {
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Whether a process has one.
    static var isThere: Bool { Terminal() != nil }

    /// Asks for a passphrase, and shows nothing of what is typed.
    borrowing func passphrase(_ question: String) throws(ServiceError) -> Passphrase {
        let descriptor = descriptor
        return try hidden(question) { () throws(ServiceError) in
            try Passphrase { (memory) throws(ServiceError) in
                try Terminal.readLine("the passphrase", from: descriptor, into: memory)
            }
        }
    }

    /// Asks for a line of text, and shows nothing of what is typed.
    borrowing func hiddenText(_ question: String, bytesMax: Int) throws(ServiceError) -> String {
        let descriptor = descriptor
        return try hidden(question) { () throws(ServiceError) in
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytesMax, alignment: 1)
            defer { memory.deallocate() }
            let count = try Terminal.readLine("the line", from: descriptor, into: memory)
            return String(decoding: memory[..<count], as: UTF8.self)
        }
    }

    private borrowing func hidden<Answer>(
        _ question: String, _ read: () throws(ServiceError) -> Answer
    ) throws(ServiceError) -> Answer {
        say(question + ": ")
        guard let saved = Silence(descriptor) else {
            throw ServiceError("cannot hide what you type on this terminal; use another one")
        }
        defer {
            saved.end()
            say("\n")
        }
        return try read()
    }

    /// Asks what is answered by y or yes; anything else is no.
    borrowing func confirms(_ question: String) throws(ServiceError) -> Bool {
        say(Reader.fitted(question + " [y/N]", to: descriptor) + " ")
        var answer: [UInt8] = []
        while answer.count < 16 {
            var key: UInt8 = 0
            let size = read(descriptor, &key, 1)
            if size < 0, errno == EINTR { continue }
            guard size == 1, key != 0x0A, key != 0x0D else { break }
            answer.append(key)
        }
        return ["y", "yes"].contains(String(decoding: answer, as: UTF8.self).lowercased())
    }

    private borrowing func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(descriptor, bytes, bytes.count)
    }

    /// Reads to the line's end, key by key.
    private static func readLine(
        _ what: String, from descriptor: Int32, into memory: UnsafeMutableRawBufferPointer
    ) throws(ServiceError) -> Int {
        var count = 0
        while true {
            var key: UInt8 = 0
            let size = read(descriptor, &key, 1)
            if size < 0, errno == EINTR { continue }
            guard size == 1 else { throw ServiceError("the terminal was closed; nothing was changed") }
            switch key {
            case 0x0A, 0x0D, 0x04: return count
            case 0x08, 0x7F:
                // One letter, however many bytes of UTF-8 it has.
                while count > 0 {
                    count -= 1
                    if memory[count] & 0xC0 != 0x80 { break }
                }
            case 0x15: count = 0
            default:
                guard count < memory.count else {
                    throw ServiceError("\(what) is longer than \(memory.count) bytes; choose a shorter one")
                }
                memory[count] = key
                count += 1
            }
        }
    }
}

/// A terminal that echoes nothing and hands over each key, until it ends. A process that is told to end meanwhile leaves
/// the terminal as it was.
private struct Silence {
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private let before: [sigaction]

    init?(_ descriptor: Int32) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        silenced = (descriptor, settings)
        before = Silence.signals.map { number in
            var action = sigaction()
            action.__sigaction_handler.sa_handler = leaveTerminal
            var old = sigaction()
            sigaction(number, &action, &old)
            return old
        }
        settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON)
        guard tcsetattr(descriptor, TCSAFLUSH, &settings) == 0 else {
            end()
            return nil
        }
    }

    func end() {
        tcsetattr(silenced.descriptor, TCSAFLUSH, &silenced.settings)
        for (number, action) in zip(Silence.signals, before) {
            var action = action
            sigaction(number, &action, nil)
        }
    }
}

/// The terminal that is silent now. Written before the handler that reads it is set, by the one thread that asks.
private nonisolated(unsafe) var silenced = (descriptor: Int32(-1), settings: termios())

/// Nothing was begun while a passphrase is asked for, so the process may end at once. Calls only what a handler may.
private let leaveTerminal: @convention(c) (Int32) -> Void = { number in
    tcsetattr(silenced.descriptor, TCSANOW, &silenced.settings)
    _exit(128 + number)
}
