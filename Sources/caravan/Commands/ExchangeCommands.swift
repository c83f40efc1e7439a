import ArgumentParser
import CaravanNode
import Console
import Foundation
import TripExchange
import TripModel
import TripPage
import TripService
import TripText

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import items from a file, standard input or a list link.",
        discussion: """
            Reads CSV (including Inside Airbnb's listings.csv), JSON (including a Reddit page such as /r/NAME.json), \
            calendars (iCalendar), places (GPX, KML), Markdown, text with a link or an item on each line, a link from \
            `caravan export --as url`, and a file from `caravan export --sealed`, which brings the whole history of the \
            member who made it.

            Skips items that the trip already has, by their link, or by their title and place. If one row is invalid, \
            nothing is added. Headings, columns and folders name lists, which are created if needed.

            Examples:
              caravan import listings.csv --dry-run
              caravan import places.kml --list Sights
              wl-paste | caravan import -
            """)

    @Argument(help: "A file, - for standard input, or a list link in quotes.", completion: .file())
    var source: String

    @Option(help: ArgumentHelp("Append everything to this list.", valueName: "list"), completion: .lists)
    var list: String?

    @Flag(help: "Add items even if the trip already has them.")
    var all = false

    @Flag(name: [.customShort("n"), .long], help: "Show what would be added, and add nothing.")
    var dryRun = false

    @OptionGroup var trip: WritingOptions

    func run() async throws {
        if BundleFile.isBundle(source) { return try await takeIn() }
        let imported = try imported
        let view = try await trip.view()
        // Also if there is nothing to append to it.
        if let list {
            do { _ = try view.list(named: list) } catch { throw ServiceError(error) }
        }
        let plan: ImportPlan
        do { plan = try ImportPlan(imported, into: view, addingAll: all, to: list) } catch { throw named(error) }
        let access = try await trip.access()
        if dryRun {
            if !trip.report.json, !trip.report.quiet {
                for item in plan.changes.joined() { Output.line(Self.line(item)) }
            }
        } else {
            _ = try await plan.carryOut { request throws(ServiceError) in try await access.answer(request) }
        }
        report(plan, of: imported)
        if !dryRun, !plan.batches.isEmpty || plan.note != nil { await trip.noteUnsent(access) }
    }

    private func takeIn() async throws {
        guard !dryRun, !all, list == nil else {
            throw ServiceError("a sealed file is always imported whole; remove --all, --list and --dry-run")
        }
        try await trip.ask(.takeIn(bundle: WholePath.of(source)))
    }

    private func report(_ plan: ImportPlan, of list: ImportedList) {
        let sentence = plan.sentence(for: list, isDone: !dryRun)
        let isIdle = plan.batches.isEmpty && plan.note == nil && !dryRun
        trip.report.tell(
            isIdle ? TerminalText.nothingChanged(sentence.prefix(1).lowercased() + sentence.dropFirst()) : sentence,
            .object([
                "name": list.name.map { .string($0) }, "added": .integer(Int64(plan.itemCount)),
                "there_already": .integer(Int64(plan.knownCount)), "hidden": .integer(Int64(list.hiddenCount)),
                "shortened": .integer(Int64(list.shortenedCount)), "adjusted": .integer(Int64(list.adjustedCount)),
                "left_out": .integer(Int64(list.shapeCount)), "changes": .integer(Int64(plan.batches.count)),
                "values_left_out": list.unreadCount > 0 ? .integer(Int64(list.unreadCount)) : nil,
                "assignees_left_out": plan.strangerCount > 0 ? .integer(Int64(plan.strangerCount)) : nil,
                "repeating": list.repeatingCount > 0 ? .integer(Int64(list.repeatingCount)) : nil,
                "times_left_out": list.longCount > 0 ? .integer(Int64(list.longCount)) : nil,
                "zones_left_out": list.unknownZones.isEmpty ? nil : .integer(Int64(list.unknownZones.count)),
                "ignored_columns": list.ignoredColumns.isEmpty
                    ? nil : .array(list.ignoredColumns.map { .string($0) }),
                "new_lists": plan.newLists.isEmpty ? nil : .array(plan.newLists.map { .string($0) }),
                "note": plan.note == nil ? JSONValue?.none : .bool(true),
                "dry_run": dryRun ? .bool(true) : JSONValue?.none,
            ]))
    }

    static func line(_ item: NewItem) -> String {
        let facts = [item.title, item.fields[.price], item.fields[.link]].compactMap { $0?.displayed() }
        return facts.joined(separator: " · ") + (item.quantity.map { " ×\($0)" } ?? "")
    }

    // MARK: - Where it comes from

    private var imported: ImportedList {
        get throws(ServiceError) {
            if source.hasPrefix(ListLink.prefix) { return try ImportFormat.link.read(Array(source.utf8)) }
            if source.hasPrefix("caravan:") {
                throw ServiceError(
                    InviteText.link(in: source) == nil
                        ? "\(source.quoted) is not a list link, which begins with \(ListLink.prefix); copy the whole link"
                        : "this is an invite, not a list; run `caravan join LINK --as NAME`")
            }
            guard WebAddress(source) == nil else {
                throw ServiceError("caravan does not download pages; save the page as a file, and import that")
            }
            let bytes = try BoundedInput.read(
                source, bytesMax: ExchangeLimits.bytes, tooLong: ImportFormat.tooLong)
            do { return try ImportFormat(fileName: source, bytes).read(bytes, clock: ClockRules.zone) } catch {
                throw named(error)
            }
        }
    }

    /// An error of what was read, by the name of that.
    private func named(_ error: ServiceError) -> ServiceError {
        if source.hasPrefix(ListLink.prefix) { return error }
        return ServiceError("\(source == "-" ? "standard input" : source.displayed()): \(error.message)")
    }
}

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export the trip (Markdown, CSV, iCalendar, GPX, KML, JSON, link).",
        discussion: """
            Every form can be imported again. With --sealed, the whole history goes into an encrypted \
            file that only members can read, for carrying it to members without a network: `caravan import FILE`.

            Examples:
              caravan export lisbon.gpx
              caravan export --as url
              caravan export --sealed lisbon.sealed
            """)

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "markdown, csv, ics, gpx, kml, json or url; by default from the file's ending, or markdown.",
            valueName: "form"),
        completion: .list(ExportFormat.allCases.map(\.rawValue)),
        transform: { text in
            guard let format = ExportFormat(rawValue: text.lowercased()) else {
                let names = ExportFormat.allCases.map(\.rawValue)
                throw ValidationError("--as takes \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")")
            }
            return format
        })
    var format: ExportFormat?

    @Flag(help: "Encrypted full history without photos, to carry on a USB stick.")
    var sealed = false

    @Argument(
        help: "The file to create; standard output by default, or with -. Existing files are not overwritten.",
        completion: .file())
    var file: String?

    @OptionGroup var trip: TripOptions

    func validate() throws {
        guard sealed else { return }
        guard format == nil else { throw ValidationError("--sealed and --as cannot be combined") }
        guard file != nil, file != "-" else {
            throw ValidationError("--sealed needs a file: caravan export --sealed FILE")
        }
    }

    func run() async throws {
        let format = try chosenFormat
        if sealed, let file { return try await trip.ask(.makeBundle(path: WholePath.of(file))) }
        guard case .trip(let view) = try await trip.answer(.view) else {
            throw TripOptions.otherAnswer
        }
        let text = try format.write(view)
        if let file, file != "-" {
            try OutputFile.write(Array(text.utf8), to: file)
            Output.text(Reader.path(file) + "\n")
        } else {
            Output.text(text)
        }
        if let note = view.inviteLinkNote(on: text) { Output.note(note) }
        let leftOut = format.leftOutCount(view)
        if leftOut > 0 { Output.note("Left out \(leftOut) of \(view.plan.items.count) items, which have no place.") }
        let others = format.leftOut(view)
        guard !others.isEmpty else { return }
        let advice = [
            ("question", "JSON can hold questions"), ("cost", "`caravan cost export` writes costs"),
            ("note of the trip", "Markdown and JSON hold the note"),
        ]
        .filter { advice in others.contains { $0.noun == advice.0 } }.map(\.1).joined(separator: "; ")
        // There is one note of the trip at most.
        let parts = others.map { part in
            part.noun == "note of the trip" ? "the \(part.noun)" : TerminalText.counted(part.count, part.noun)
        }
        Output.note(
            "Left out \(TerminalText.joined(parts))"
                + (advice.isEmpty ? "." : "; \(advice)."))
    }

    private var chosenFormat: ExportFormat {
        get throws(ServiceError) {
            if let format { return format }
            guard let file, file != "-", !sealed else { return .markdown }
            guard let format = ExportFormat(fileName: file) else {
                throw ServiceError(
                    "the name \(file.displayed()) does not end in a known form; use \(ExportFormat.endings), or add --as FORM"
                )
            }
            return format
        }
    }
}
