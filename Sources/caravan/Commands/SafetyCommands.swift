import ArgumentParser
import CaravanNode
import Console
import TripService

struct ProtectKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase", abstract: "Put this trip's keys under a passphrase, or take it off.",
        discussion: """
            Then nothing of the trip can be read from this disk without it. Commands ask for it unless a node runs;
            scripts name a file that holds it in CARAVAN_PASSPHRASE_FILE. Nobody can open the keys if it is forgotten.
            Example: caravan passphrase set
            """,
        subcommands: [SetPassphrase.self, ChangePassphrase.self, RemovePassphrase.self])
}

/// Where a new passphrase comes from.
struct NewPassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file whose first line is the new passphrase, or /dev/fd/N; asked at the terminal by default.",
            valueName: "file"))
    var newPassphraseFile: String?

    func ask() throws(ServiceError) -> Passphrase {
        try .new("New passphrase", file: newPassphraseFile, option: "--new-passphrase-file")
    }
}

struct SetPassphrase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Put the keys under a passphrase.", discussion: "Example: caravan passphrase set")

    @OptionGroup var new: NewPassphraseOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let access = try await trip.access()
        guard try !access.isUnderPassphrase else {
            throw ServiceError("this trip is under a passphrase already: `caravan passphrase change` puts another")
        }
        try await access.setPassphrase { () throws(ServiceError) in try new.ask() }
        Output.line(
            "This trip's keys are under the passphrase. Whoever forgets it cannot open them, nor can anybody else.")
    }
}

struct ChangePassphrase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Put another passphrase in place of the old one.",
        discussion: "Example: caravan passphrase change")

    @OptionGroup var new: NewPassphraseOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let access = try await trip.access()
        guard try access.isUnderPassphrase else { throw ServiceError.noPassphrase }
        try await access.setPassphrase { () throws(ServiceError) in try new.ask() }
        Output.line("This trip's keys are under the new passphrase. Copies made before still open with the old one.")
    }
}

struct RemovePassphrase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Put the keys in the clear, for whoever can read the files.",
        discussion: "Example: caravan passphrase remove")

    @OptionGroup var trip: TripOptions

    func run() async throws {
        let access = try await trip.access()
        guard try access.isUnderPassphrase else { throw ServiceError.noPassphrase }
        try await access.setPassphrase { () throws(ServiceError) in nil }
        Output.line("This trip's keys are in the clear: whoever reads this disk reads the trip.")
    }
}

extension ServiceError {
    fileprivate static let noPassphrase = ServiceError(
        "this trip is under no passphrase: `caravan passphrase set` puts one")
}
