import ArgumentParser
import CaravanNode

/// Which trip is meant.
struct TripOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The trip, by the beginning of its id, where there are several.", valueName: "id"))
    var trip: String?

    var folder: String {
        get throws { try Home().tripFolder(named: trip) }
    }

    /// The trip as commands reach it. Its passphrase is asked for where one is needed.
    var access: TripAccess {
        get throws { TripAccess(folder: try folder, passphrases: .ofKeys) }
    }

    /// Asks the trip's node, or the trip itself.
    func answer(_ command: Command, json: Bool = false) async throws -> String {
        try await access.run(Request(command, json: json))
    }

    /// Asks the trip's node, or the trip itself, and prints the answer.
    func ask(_ command: Command, json: Bool = false) async throws {
        Output.text(try await answer(command, json: json))
    }
}

extension ArgumentHelp {
    static let item: ArgumentHelp = "Its number in the list, the beginning of its id, or its title."
    static let items: ArgumentHelp = "Their numbers in the list, the beginnings of their ids, or their titles."
}

/// Whether the answer is for people or for programs.
struct ReadingOptions: ParsableArguments {
    @Flag(help: "Print JSON with stable keys, sorted.")
    var json = false
}
