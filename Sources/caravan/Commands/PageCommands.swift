import ArgumentParser
import CaravanNode
import Console
import Desktop
import TripService
import TripText

struct OpenPage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open the page of your trips in a browser.",
        discussion: """
            The running node (`caravan up`) serves the page, only to this machine. The link works once, within 10 \
            minutes; the browser that used it stays logged in.

            Example: caravan open
            """)

    @Flag(help: "Print the link without starting a browser.")
    var print = false

    func run() async throws {
        let link = try await Home().link()
        Output.line(link)
        guard !print else { return }
        do { try await Desktop.openBrowser(link) } catch { Output.note(error.message) }
    }
}

struct Guests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guests",
        abstract: "Let phones join as guests, with just a browser.",
        discussion: """
            Shows a QR code for all phones on this network. Guests enter their name; they can add items and vote until \
            the time is up. Meanwhile, anyone on this network can read what guests see. With --always, guests can use \
            the page whenever the node runs on this Wi-Fi, until you run caravan guests --close.

            Examples:
              caravan guests --minutes 60
              caravan guests --always
              caravan guests --close
            """)

    @Option(help: "How many minutes guests can use the page.")
    var minutes = GuestPass.minutesByDefault

    @Flag(help: "Admit guests whenever the node runs on this Wi-Fi.")
    var always = false

    @Flag(help: "Stop admitting guests.")
    var close = false

    @OptionGroup var qr: QROptions
    @OptionGroup var trip: TripOptions

    func validate() throws {
        guard !always || !close else { throw ValidationError("--always and --close cannot be combined") }
        let range = GuestPass.minutesRange
        guard range.contains(minutes) else {
            throw ValidationError("--minutes takes \(range.lowerBound) to \(range.upperBound)")
        }
    }

    func run() async throws {
        let home = Home()
        if close {
            guard home.isNodeRunning else {
                return Output.line(TerminalText.nothingChanged("no node is running, so no guest can join"))
            }
            try await home.closeToGuests()
            return Output.line("The page is closed to guests")
        }
        let pass = try await home.openToGuests(trip: try await trip.id(in: home), minutes: always ? nil : minutes)
        Guests.show(pass, minutes: always ? nil : minutes, qr: qr)
    }

    static func show(_ pass: GuestPass, minutes: Int?, qr: QROptions) {
        Output.line(pass.link)
        qr.show(pass.link, isInAnyCase: false)
        Output.note(
            "Open to guests \(minutes.map { "for \(TerminalText.counted($0, "minute"))" } ?? "always on this Wi-Fi"). Meanwhile, anyone on this network can read what guests see."
        )
    }
}
