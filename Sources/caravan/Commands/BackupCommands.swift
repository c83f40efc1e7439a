import ArgumentParser
import CaravanNode
import Console
import Foundation
import TripModel
import TripService
import TripText

struct BackUp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Save this trip and its keys to an encrypted file.",
        discussion: """
            Anyone with the file and its passphrase can act as you in this trip. `caravan restore FILE` restores it.

            Example: caravan backup lisbon.backup
            """)

    @Argument(help: "The file to create. Existing files are not overwritten.", completion: .file())
    var file: String

    @OptionGroup var passphrase: BackupPassphraseOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let backup = try await trip.access().backUp(to: file) { () throws(ServiceError) in
            try .new("Passphrase for the backup", file: passphrase.passphraseFile, option: "--passphrase-file")
        }
        Output.line(
            "Saved “\(backup.title.displayed())” with \(TerminalText.counted(backup.changes, "change")) to "
                + "\(file.displayed()). Store the file on another disk.")
    }
}

/// Where the passphrase of a backup comes from.
struct BackupPassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file whose first line is the backup's passphrase, or /dev/fd/N; by default it is asked for.",
            valueName: "file"), completion: .file())
    var passphraseFile: String?
}

struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore removed items, or a trip from a backup.",
        discussion: """
            Examples:
              caravan restore "Casa do Rio"
              caravan restore lisbon.backup
            """)

    @Argument(
        help: ArgumentHelp(
            "Items: their numbers in the list, the beginnings of their ids, or their titles. Or a backup's file.",
            valueName: "item-or-file"), completion: .removed)
    var item: [String]

    @OptionGroup var passphrase: BackupPassphraseOptions
    @OptionGroup var trip: WritingOptions

    func run() async throws {
        guard let backup = try backup else { return try await restoreItems() }
        let restored = try TripNode.restore(from: backup, in: Home(), passphrases: .ofBackup(passphrase.passphraseFile))
        try Home().use(trip: restored.id)
        try await Home().runIfNodeRuns(trip: restored.id)
        trip.report.tell(
            "Restored “\(restored.title.displayed())” with \(TerminalText.counted(restored.changes, "change")). "
                + Home().next("caravan list"),
            TripJSON.trip(restored.id, restored.title, did: "restored"))
        if restored.isUnderPassphrase {
            trip.report.note(
                "Its keys are protected with the backup's passphrase. `caravan passphrase change` sets another.")
        }
    }

    private func restoreItems() async throws {
        do { try await trip.ask(.act(.restore, on: .typed(item))) } catch {
            let noItem = "there is no item "
            guard item.count == 1, !WritingOptions.isNumber(item[0]), error.message.hasPrefix(noItem) else {
                throw error
            }
            throw ServiceError(
                FileManager.default.fileExists(atPath: item[0])
                    ? "\(item[0].displayed()) is not a backup of a trip, and no item has this name"
                    : "there is no item and no file \(error.message.dropFirst(noItem.count))")
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
            guard item.count == 1 else { throw ServiceError("cannot restore several backups at once; give one file") }
            return item[0]
        }
    }
}
