import ArgumentParser
import Glibc
import QRCode

/// Whether a link is shown as a QR code too.
struct QROptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Show the link as a QR code; by default on a terminal.")
    var qr: Bool?

    /// Prints the code of a link, where it is wanted and there is room.
    func show(_ link: String) {
        let isTerminal = isatty(1) == 1
        // In capitals the code is smaller, and the link is the same.
        guard qr ?? isTerminal, let code = QRCode(link.uppercased()) else { return }
        if isTerminal, let columns = Reader.terminalWidth, columns < code.lineLength {
            Output.note("This window is too narrow for the link's QR code: it takes \(code.lineLength) columns.")
            return
        }
        for line in code.lines(isColoured: isTerminal) { Output.line(line) }
    }
}
