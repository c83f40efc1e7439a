import ArgumentParser
import CaravanNode
import Console
import Foundation
import TripService

struct BackUp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Put this trip into one file, under a passphrase.",
        discussion: """
            The file holds all that was planned and the keys of this device: whoever has it and its passphrase is you in
            this trip. `caravan restore FILE` takes it out again. Example: caravan backup lisbon.backup
            """)

    @Argument(help: "The file to make; one that is there is left alone.")
    var file: String

    @OptionGroup var passphrase: BackupPassphraseOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let backup = try await trip.access().backUp(to: file) { () throws(ServiceError) in
            try .new("Passphrase for the backup", file: passphrase.passphraseFile, option: "--passphrase-file")
        }
        Output.line(
            "\(file) holds \"\(backup.title)\", \(backup.changes) changes. Keep it where this disk cannot take it along."
        )
    }
}

/// Where the passphrase of a backup comes from.
struct BackupPassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file whose first line is the backup's passphrase, or /dev/fd/N; asked at the terminal by default.",
            valueName: "file"))
    var passphraseFile: String?
}

struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring removed items back, whole; or a trip from its backup.",
        discussion: "Examples: caravan restore \"Casa do Rio\", caravan restore lisbon.backup")

    @Argument(
        help: "Items: their numbers in the list, the beginnings of their ids, or their titles. Or a backup's file.")
    var item: [String]

    @OptionGroup var passphrase: BackupPassphraseOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        guard let backup = try backup else { return try await trip.ask(.restore(items: item)) }
        let restored = try TripNode.restore(from: backup, in: Home(), passphrases: .ofBackup(passphrase.passphraseFile))
        try Home().use(trip: restored.id)
        try await Home().runIfNodeRuns(trip: restored.id)
        Output.line("\"\(restored.title)\" is here again, \(restored.changes) changes. Next: caravan list, caravan up")
        if restored.isUnderPassphrase {
            Output.note("Its keys are under the backup's passphrase: `caravan passphrase change` puts another.")
        }
    }

    /// The backup that is meant; nil where items are.
    private var backup: String? {
        get throws {
            if item.count == 1, TripNode.isBackup(item[0]) { return item[0] }
            // Items have no passphrase; and where there is no trip, there are none.
            let isAboutAFile =
                try passphrase.passphraseFile != nil
                || Home().tripIDs().isEmpty
            guard isAboutAFile else { return nil }
            guard item.count == 1 else { throw ServiceError("one backup is restored at a time: name its file alone") }
            return item[0]
        }
    }
}
