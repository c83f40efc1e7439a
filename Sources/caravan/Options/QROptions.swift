import ArgumentParser
import Console
import LibC
import QRCode

/// Whether a link is shown as a QR code too.
struct QROptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Show the link as a QR code (default on a terminal).")
    var qr: Bool?

    /// Prints the code of a link, where it is wanted and there is room.
    ///
    /// - Parameter isInAnyCase: whether the link is the same in capitals, in which its code is smaller.
    func show(_ link: String, isInAnyCase: Bool = true) {
        let isTerminal = isatty(1) == 1
        guard qr ?? isTerminal, let code = QRCode(isInAnyCase ? link.uppercased() : link) else { return }
        if isTerminal, let columns = Reader.terminalWidth, columns < code.lineLength {
            Output.note("This window is too narrow for the QR code, which needs \(code.lineLength) columns.")
            return
        }
        for line in code.lines(isColoured: isTerminal) { Output.line(line) }
    }
}
