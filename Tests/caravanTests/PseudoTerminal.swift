import Foundation
import Testing

/// A terminal that a test types at and looks at.
final class PseudoTerminal {
    private let master: Int32
    /// What a process is given as its terminal.
    let slave: FileHandle
    private var shown: [UInt8] = []

    /// Makes the terminal that is a process's input the one that it is controlled by.
    static let wrapper = ["/usr/bin/setsid", "--ctty", "--wait"]
    /// Gives a process no terminal.
    static let none = ["/usr/bin/setsid", "--wait"]

    init(columns: UInt16 = 80) throws {
        // pts(4); glibc's names for this are hidden from Swift.
        let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        var isLocked: Int32 = 0
        var number: Int32 = -1
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        self.master = master
        try #require(ioctl(master, unlock, &isLocked) == 0)
        try #require(ioctl(master, getNumber, &number) == 0)
        let descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(descriptor >= 0)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0)
        slave = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
    }

    deinit { close(master) }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// All that was shown so far.
    var screen: String {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let size = read(master, &buffer, buffer.count)
            guard size > 0 else { break }
            shown += buffer[..<size]
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// Waits until so many questions were asked and nothing is echoed.
    func asks(_ question: String, times: Int = 1) async throws -> Bool {
        try await eventually { screen.components(separatedBy: question).count > times && !echoes }
    }

    /// Whether letters that are typed are shown.
    var echoes: Bool {
        var settings = termios()
        return tcgetattr(master, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }
}
