import Foundation
import Testing

/// An invite as a QR code, by the command line. What it shows is read by another reader in `QRCodeTests`.
struct QRCodeProcessTests {
    @Test func aCodeIsShownOnATerminalOrWhereItIsAskedFor() async throws {
        let scratch = try ScratchFolder()
        var caravan = Product(home: scratch.path)
        #expect(try await caravan.run("new", "Lisbon in June", "--as", "Jie").status == 0)
        let bare = try await caravan.run("invite")
        #expect(bare.output.hasPrefix("caravan:") && bare.output.split(separator: "\n").count == 1)
        let asked = try await caravan.run("invite", "--qr")
        let lines = asked.output.split(separator: "\n")
        #expect(lines.count > 20 && lines[0].hasPrefix("caravan:") && !asked.output.contains("\u{1B}"))
        #expect(lines.dropFirst().allSatisfy { $0.count == lines[1].count && $0.allSatisfy { " ▀▄█".contains($0) } })
        let json = try await caravan.run("invite", "--qr", "--json").output
        #expect(json.hasPrefix("{") && !json.contains("█"))

        // In capitals, as the code holds it, a link is the same link.
        let device = try await caravan.run("device", "add").output
        for (link, name) in [(bare.output, ["--as", "Noah"]), (device, [])] {
            let join = try await caravan.run(["join", link.split(separator: "\n")[0].uppercased()] + name)
            #expect(join.status == 1 && join.errors.contains("you are already in this trip"), "\(join.errors)")
        }

        // Only so many may be open at once.
        for number in 1...3 { #expect(try await caravan.run("invite", "close", "\(number)").status == 0) }
        caravan.wrapper = PseudoTerminal.wrapper
        for (arguments, columns, isShown) in [
            (["invite"], UInt16(80), true), (["invite", "--no-qr"], 80, false), (["invite"], 30, false),
            (["device", "add"], 80, true), (["invite", "--json"], 80, false),
        ] {
            let terminal = try PseudoTerminal(columns: columns)
            let invite = try caravan.start(arguments, output: terminal.slave, input: terminal.slave)
            let end = try await invite.ended(within: 20)
            let screen = terminal.screen
            #expect(end.status == 0 && screen.contains("caravan:"), "\(arguments) \(end.status) \(end.errors)")
            #expect(screen.contains("\u{1B}[38;5;16;48;5;231m") == isShown, "\(arguments)")
            #expect(end.errors.contains("too narrow") == (columns == 30))
        }
    }
}
