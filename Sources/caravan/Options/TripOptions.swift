import ArgumentParser
import CaravanNode
import Console
import Foundation
import LibC
import TripModel
import TripService
import TripText

/// Which trip is meant.
struct TripOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The trip, by its title or the start of its id; the current trip by default.", valueName: "trip"),
        completion: .trips)
    var trip: String?

    /// What commands that only read do where the node does not answer.
    static let silentNode = SilentNode {
        Output.note(
            "note: your node does not answer, so this is what is saved here; \(Home().adviceOnSuspendedNode)")
    }

    /// The trip as commands reach it. Its passphrase is asked for where one is needed.
    /// - Parameter isReading: whether the command changes nothing.
    func access(isReading: Bool = true) async throws(ServiceError) -> TripAccess {
        let home = Home()
        let silentNode = isReading ? Self.silentNode : nil
        let id = try await home.tripID(
            named: trip ?? Self.fromEnvironment, passphrases: .ofKeysUnlessTyped, silentNode: silentNode)
        return TripAccess(home: home, id: id, passphrases: .ofKeys, silentNode: silentNode) {
            Output.note("note: \($0)")
        }
    }

    func id(in home: Home) async throws(ServiceError) -> String {
        try await home.tripID(named: trip ?? Self.fromEnvironment, passphrases: .ofKeysUnlessTyped)
    }

    /// What CARAVAN_TRIP names. An empty one, as a script leaves behind, is none.
    static var fromEnvironment: String? {
        ProcessInfo.processInfo.environment["CARAVAN_TRIP"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Asks the trip's node, or the trip itself.
    func answer(_ request: TripRequest) async throws(ServiceError) -> TripAnswer {
        try await access().answer(request)
    }

    /// The whole trip.
    func view() async throws(ServiceError) -> TripView { try await access().view() }

    /// An item, by what a person types for it.
    func item(_ reference: String) async throws(ServiceError) -> ItemView { try await access().item(reference) }

    /// The person of this device.
    func me() async throws(ServiceError) -> ParticipantID { try await access().me() }

    /// What is this person's own.
    func own() async throws(ServiceError) -> OwnView {
        guard case .own(let view) = try await answer(.own) else { throw Self.otherAnswer }
        return view
    }

    /// Asks and prints what numbers name. What is printed for people they go on meaning; what programs read changes nothing
    /// of that.
    func show(_ request: TripRequest, json: Bool) async throws(ServiceError) {
        try await ask(json ? request : .shown(request), json: json)
    }

    /// Prints something of the whole trip, in a pager. What is printed for people its numbers go on meaning.
    func page(
        _ reading: ReadingOptions, _ json: (TripView) -> JSONValue, _ text: (TripView) -> String
    ) async throws(ServiceError) {
        let all = TripRequest.find(ItemFilter())
        let answer = try await answer(reading.json ? all : .shown(all))
        guard case .trip(let view) = answer else { return Reader.show(answer, json: reading.json) }
        Reader.page(reading.json ? json(view).line : text(view), json: reading.json)
    }

    static let otherAnswer = ServiceError(
        "the node sent an unexpected answer; restart it with `caravan down` and `caravan up`")

    /// Asks the trip's node, or the trip itself, and prints the answer.
    func ask(_ request: TripRequest, json: Bool = false) async throws(ServiceError) {
        Reader.show(try await answer(request), json: json)
    }
}

extension TripAccess {
    /// The whole trip.
    func view() async throws(ServiceError) -> TripView {
        guard case .trip(let view) = try await answer(.view) else { throw TripOptions.otherAnswer }
        return view
    }

    /// An item, by what a person types for it.
    func item(_ reference: String) async throws(ServiceError) -> ItemView {
        guard case .item(let found, _) = try await answer(.show(item: .typed(reference), isLook: false)) else {
            throw TripOptions.otherAnswer
        }
        return found
    }

    /// The person of this device.
    func me() async throws(ServiceError) -> ParticipantID {
        guard case .members(let members) = try await answer(.members),
            let me = members.people.first(where: \.isYou).flatMap({ ParticipantID($0.id) })
        else { throw TripOptions.otherAnswer }
        return me
    }
}

extension ArgumentHelp {
    static let item: ArgumentHelp = "Its number in the list, the start of its id, or its title."
    static let items: ArgumentHelp = "Numbers in the list, starts of ids, or titles."
}

/// Whether the answer is for people or for programs.
struct ReadingOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Print JSON with stable, sorted keys.")
    var json = false
}

/// Whether what cannot be undone is asked about.
struct ConfirmationOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Skip the confirmation (required without a terminal).")
    var yes = false

    /// Returns where the answer is yes, given by the option or at the terminal.
    func require(_ question: String) throws {
        if yes { return }
        guard let terminal = Terminal() else {
            throw ServiceError("there is no terminal to confirm this; add --yes")
        }
        guard try terminal.confirms(question) else { throw ServiceError("canceled, nothing was changed") }
    }
}

/// Whether a command only shows what it would do.
struct DryRunOptions: ParsableArguments {
    @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Show what would happen, and change nothing.")
    var isDry = false
}
