import ArgumentParser
import CaravanNode
import Console
import TripService

struct ProtectKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase", abstract: "Protect this trip's keys with a passphrase.",
        discussion: """
            Without the passphrase, nobody can read the trip from this disk. Commands ask for it unless the node is \
            running; scripts put the path of a file with it into CARAVAN_PASSPHRASE_FILE. A forgotten passphrase cannot \
            be recovered.

            Examples:
              caravan passphrase set
              caravan passphrase change
              caravan passphrase remove
            """,
        subcommands: [SetPassphrase.self, ChangePassphrase.self, RemovePassphrase.self])
}

/// Where a new passphrase comes from.
struct NewPassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file whose first line is the new passphrase, or /dev/fd/N; by default it is asked for.",
            valueName: "file"), completion: .file())
    var newPassphraseFile: String?

    func ask() throws(ServiceError) -> Passphrase {
        try .new("New passphrase", file: newPassphraseFile, option: "--new-passphrase-file")
    }
}

struct SetPassphrase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set a passphrase.", discussion: "Example: caravan passphrase set")

    @OptionGroup var new: NewPassphraseOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let access = try await trip.access()
        guard try !access.isUnderPassphrase else {
            throw ServiceError("a passphrase is already set; change it with `caravan passphrase change`")
        }
        try await access.setPassphrase { () throws(ServiceError) in try new.ask() }
        Output.line("Set the passphrase. If you forget it, nobody can recover it.")
    }
}

struct ChangePassphrase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Change the passphrase.",
        discussion: "Example: caravan passphrase change")

    @OptionGroup var new: NewPassphraseOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let access = try await trip.access()
        guard try access.isUnderPassphrase else { throw ServiceError.noPassphrase }
        try await access.setPassphrase { () throws(ServiceError) in try new.ask() }
        Output.line("Changed the passphrase. Copies made before still open with the old one.")
    }
}

struct RemovePassphrase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove the passphrase (keys are stored unencrypted).",
        discussion: "Example: caravan passphrase remove", aliases: ["rm"])

    @OptionGroup var trip: TripOptions

    func run() async throws {
        let access = try await trip.access()
        guard try access.isUnderPassphrase else { throw ServiceError.noPassphrase }
        try await access.setPassphrase { () throws(ServiceError) in nil }
        Output.line("Removed the passphrase. Anyone who can read this disk can read the trip.")
    }
}

extension ServiceError {
    fileprivate static let noPassphrase = ServiceError(
        "no passphrase is set; use `caravan passphrase set`")
}
