import ArgumentParser
import CaravanNode
import Console
import Desktop
import TripService
import TripText

struct Open: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open the page of your trips in a browser.",
        discussion: """
            The node that runs (`caravan up`) serves the page to this machine alone. The link opens it once, within 10
            minutes; the browser that did stays let in.
            Example: caravan open
            """)

    @Flag(help: "Print the link, and start no browser.")
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
        abstract: "Let phones in that have nothing but a browser.",
        discussion: """
            Shows a code that a phone of this network scans. Its owner says who they are, and adds and votes as your guest,
            until the time is over. Anybody on this network can read what guests see while the door is open.
            Examples: caravan guests --minutes 60, caravan guests --close
            """)

    @Option(help: "For how long guests are let in.")
    var minutes = GuestPass.minutesByDefault

    @Flag(help: "Let no guest in any more.")
    var close = false

    @OptionGroup var qr: QROptions
    @OptionGroup var trip: TripOptions

    func validate() throws {
        let range = GuestPass.minutesRange
        guard range.contains(minutes) else {
            throw ValidationError("guests are let in for \(range.lowerBound) to \(range.upperBound) minutes")
        }
    }

    func run() async throws {
        let home = Home()
        if close {
            try await home.closeToGuests()
            return Output.line("No guest comes in any more.")
        }
        let pass = try await home.openToGuests(trip: try await trip.id(in: home), minutes: minutes)
        Guests.show(pass, minutes: minutes, qr: qr)
    }

    static func show(_ pass: GuestPass, minutes: Int, qr: QROptions) {
        Output.line(pass.link)
        qr.show(pass.link, isInAnyCase: false)
        Output.note("For \(minutes) minutes. Anybody on this network can read what guests see meanwhile.")
    }
}
