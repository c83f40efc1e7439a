import ArgumentParser
import CaravanNode
import Console
import Foundation
import LibC
import PageServer
import TripModel
import TripService
import TripText

struct Archive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Archive a finished trip as one file, read-only here.",
        discussion: """
            Writes a file with the trip's photos, days, costs, members and history, which every browser opens without caravan. \
            Then the trip is read-only on this machine; other members can still change it, and their changes still arrive.

            Examples:
              caravan archive
              caravan archive ~/Documents/lisbon.html
              caravan archive --reopen
            """)

    @Argument(
        help: "The file to create; by default the trip's title in this folder. Existing files are not overwritten.")
    var file: String?

    @Flag(help: "Allow changes again.")
    var reopen = false

    @OptionGroup var trip: WritingOptions

    func validate() throws {
        guard reopen, file != nil else { return }
        throw ValidationError("--reopen writes no file; remove the file's name")
    }

    func run() async throws {
        let access = try await trip.access()
        let id = try await trip.trip.id(in: Home())
        guard case .status(let status) = try await access.answer(.status) else { throw TripOptions.otherAnswer }
        guard !reopen else {
            guard status.isArchived else {
                return trip.report.tellUnchanged(ServiceError(.unchanged, "this trip is not archived"))
            }
            _ = try await access.answer(.archive(false))
            return trip.report.tell(
                "Reopened the trip. It can be changed again.", TripJSON.trip(id, status.title, did: "reopened"))
        }
        let now = Date()
        let archive = try await TripArchive(
            of: access, now: Int64(now.timeIntervalSince1970 * 1_000),
            secondsFromUTC: Int64(TimeZone.current.secondsFromGMT(for: now)))
        let path: String
        let isNew: Bool
        if let file {
            try OutputFile.write(Array(archive.html.utf8), to: file)
            (path, isNew) = (file, true)
        } else {
            (path, isNew) = try OutputFile.writeBeside(
                Array(archive.html.utf8), to: Self.fileName(status.title), ending: "html")
        }
        do { _ = try await access.answer(.archive(true)) } catch {
            // So that the next try finds the name free.
            if isNew { unlink(path) }
            throw error
        }
        trip.report.tell(
            "Wrote \(path.displayed()) (\(TerminalText.counted(archive.photos, "photo"))). The trip is read-only here now.",
            TripJSON.archived(
                id, status.title, file: path, photos: archive.photos, reduced: archive.photosReduced))
        if archive.photosReduced > 0 {
            trip.report.note(
                "\(TerminalText.counted(archive.photosReduced, "photo")) could not be kept at full size: "
                    + "not downloaded yet, or the file would be too large")
        }
        if let view = try? await access.view(), let note = view.inviteLinkNote() { trip.report.note(note) }
        trip.report.note("To change the trip again, run `caravan archive --reopen`.")
    }

    /// A title as the name of a file, without its ending.
    static func fileName(_ title: String) -> String {
        var name = ""
        for character in title.displayed(limit: 80) {
            let next = character == "/" || character.isNewline ? "-" : String(character)
            // With its ending it fits a file's name, of 255 bytes.
            guard name.utf8.count + next.utf8.count <= fileNameBytesMax else { break }
            name += next
        }
        let text = name.trimmingCharacters(in: .whitespaces)
        return text.isEmpty || text.hasPrefix(".") || text.hasPrefix("-") ? "trip" : text
    }

    private static let fileNameBytesMax = 200
}
