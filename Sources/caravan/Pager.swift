import Console
import Foundation
import LibC

/// Long texts at a terminal, a screen at a time.
enum Pager {
    /// Shows a text: by the person's pager where it is longer than the screen, or else, and where there is no pager, as it is.
    static func show(_ text: String, isLaidOut: Bool = false) {
        let text = isLaidOut ? text : Reader.fitted(text)
        let environment = ProcessInfo.processInfo.environment
        guard GlobalOptions.given?.noPager != true, environment["TERM"] != "dumb", hasKeys,
            let rows = Reader.terminalRows, text.utf8.count(where: { $0 == 0x0A }) >= rows,
            let command = command(environment), pipe(text, to: command)
        else {
            Output.text(text)
            return
        }
    }

    /// What $PAGER says, or less; nil where that is nothing or `cat`, or where no less is installed.
    static func command(_ environment: [String: String]) -> String? {
        if let pager = environment["PAGER"] {
            return ["", "cat"].contains(pager.trimmingCharacters(in: .whitespaces)) ? nil : pager
        }
        let folders = environment["PATH"]?.split(separator: ":") ?? []
        return folders.contains { access("\($0)/less", X_OK) == 0 } ? "less" : nil
    }

    /// Whether a pager could be told to go on: it reads keys from the terminal that controls this process.
    private static var hasKeys: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        // One in the background would be stopped.
        return isatty(1) == 1 && tcgetpgrp(terminal) == getpgrp()
    }

    /// Whether the pager was there to show it.
    private static func pipe(_ text: String, to command: String) -> Bool {
        // As git sets it: end where all fits, keep colours, leave the text on the screen.
        setenv("LESS", "FRX", 0)
        guard let stream = popen(command, "w") else { return false }
        // What interrupts the pager is for the pager.
        signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, SIG_DFL) }
        _ = Output.write(Array(text.utf8), to: fileno(stream))
        let status = pclose(stream)
        // A shell's word for a command that is not there, or cannot be run.
        return ![127, 126].contains((status >> 8) & 0xFF)
    }
}
