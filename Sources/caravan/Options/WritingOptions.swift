import ArgumentParser
import CaravanNode
import Console
import TripModel
import TripService
import TripText

/// How a command tells what it did: in words, as JSON, or not at all. Errors are told in any case.
struct ReportOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Print what was done as JSON, with ids.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print nothing but errors.")
    var quiet = false

    func validate() throws {
        if json, quiet { throw ValidationError("--json and --quiet cannot be combined") }
    }

    /// Tells what was done.
    func tell(_ words: String, _ value: @autoclosure () -> JSONValue) {
        if !quiet { Output.text(json ? value().line : words + "\n") }
    }

    func tell(_ answer: TripAnswer) {
        if !quiet { Reader.show(answer, json: json) }
    }

    /// Tells people what they should know besides.
    func note(_ words: String) {
        if !quiet, !json { Output.note(words) }
    }
}

/// Of a command that changes a trip: which one, and how that is told.
struct WritingOptions: ParsableArguments {
    @OptionGroup var report: ReportOptions
    @OptionGroup var trip: TripOptions

    func access() async throws(ServiceError) -> TripAccess { try await trip.access() }
    func answer(_ request: TripRequest) async throws(ServiceError) -> TripAnswer { try await trip.answer(request) }
    func view() async throws(ServiceError) -> TripView { try await trip.view() }
    func item(_ reference: String) async throws(ServiceError) -> ItemView { try await trip.item(reference) }
    func me() async throws(ServiceError) -> ParticipantID { try await trip.me() }

    /// Asks the trip's node, or the trip itself, and tells the answer.
    func ask(_ request: TripRequest) async throws(ServiceError) {
        let access = try await access()
        let answer = try await access.answer(request)
        report.tell(answer)
        await noteUnsent(after: answer, access)
    }

    /// Says where a change is, once it is made and nobody hears of it yet.
    func noteUnsent(after answer: TripAnswer, _ access: TripAccess) async {
        guard case .done = answer, Reader.isErrorTerminal, !report.quiet, !report.json, !Home().isNodeRunning else {
            return
        }
        // Alone in a trip, there is nobody to send it to.
        guard case .status(let status)? = try? await access.answer(.status), !status.devices.isEmpty else { return }
        Output.note("Saved here, not sent yet. Run `caravan up` to sync.")
    }
}
